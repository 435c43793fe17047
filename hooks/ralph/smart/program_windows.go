package smart

func gitPaths() []string {
	return []string{`C:\Program Files\Git\cmd\git.exe`, `C:\Program Files (x86)\Git\cmd\git.exe`}
}
