package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// world is a temporary home directory with temporary projects.
type world struct {
	dir string
	env []string
	// transcripts is the directory of the transcripts. It is on a disk, because a memory
	// file system may be too small for them.
	transcripts string
}

// memoryDir creates a directory in a memory file system, or returns "" if there is none.
// A bench creates and removes hundreds of files a second. On a disk, recently removed
// files slow down new ones, which does not happen in a real session.
func memoryDir() string {
	dir, err := os.MkdirTemp("/dev/shm", "bridge-bench-")
	if err != nil {
		return ""
	}
	return dir
}

func newWorld(dir, transcripts string) (*world, error) {
	home := filepath.Join(dir, "home")
	if err := os.MkdirAll(home, 0o700); err != nil {
		return nil, err
	}
	return &world{dir: dir, transcripts: transcripts, env: []string{
		"HOME=" + home,
		"USERPROFILE=" + home,
		"LOCALAPPDATA=" + filepath.Join(home, "local"),
		"XDG_STATE_HOME=" + filepath.Join(home, "state"),
		"XDG_CONFIG_HOME=" + filepath.Join(home, "config"),
		"PATH=" + os.Getenv("PATH"),
		"SYSTEMROOT=" + os.Getenv("SYSTEMROOT"),
		"LANG=C.UTF-8",
		"CLAUDE_CODE_STOP_HOOK_BLOCK_CAP=0",
	}}, nil
}

// project is a directory with a transcript, as one session of the client sees it.
type project struct {
	session, dir, transcript string
}

// newProject makes a project whose transcript has the given size in bytes.
func (w *world) newProject(name string, transcriptSize int64) (project, error) {
	p := project{
		session:    "bench-" + name,
		dir:        filepath.Join(w.dir, name),
		transcript: filepath.Join(w.transcripts, name+".jsonl"),
	}
	if err := os.MkdirAll(filepath.Join(p.dir, ".git"), 0o755); err != nil {
		return project{}, err
	}
	return p, writeTranscript(p.transcript, transcriptSize)
}

// startLoop puts the state of a ralph loop without a limit into the project.
func (p project) startLoop() error {
	dir := filepath.Join(p.dir, ".claude")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	state := "---\nactive: true\niteration: 1\nsession_id: " + p.session +
		"\nmax_iterations: 0\ncompletion_promise: \"DONE\"\nstarted_at: \"2026-01-01T00:00:00Z\"\n---\n\n" +
		"Fix the failing tests one by one and keep the changes small.\n"
	return os.WriteFile(filepath.Join(dir, "ralph-loop.local.md"), []byte(state), 0o600)
}

// writeTranscript writes at least size bytes of turns in the form of the client: a
// feedback of the loop, twelve tool calls with results of a few KB, an answer.
func writeTranscript(path string, size int64) (err error) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() {
		if closed := file.Close(); err == nil {
			err = closed
		}
	}()
	turn := transcriptTurn()
	out := bufio.NewWriterSize(file, 1<<20)
	for written := int64(0); ; written += int64(len(turn)) {
		if _, err := out.WriteString(turn); err != nil {
			return err
		}
		if written+int64(len(turn)) >= size {
			return out.Flush()
		}
	}
}

func transcriptTurn() string {
	const envelope = `"userType":"external","entrypoint":"cli","cwd":"/home/dev/proj","sessionId":"1d5b1db1-2ee4-4064-bbff-d571cf5b7463","version":"2.1.329","gitBranch":"main"`
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	assistant := func(block string) {
		line(`{"parentUuid":"04a2aa3d","isSidechain":false,"message":{"id":"msg_01","type":"message","role":"assistant","model":"claude","content":[%s],"stop_reason":null,"usage":{"input_tokens":10,"cache_read_input_tokens":50000,"output_tokens":500}},"type":"assistant","uuid":"24241c60","timestamp":"2026-11-20T20:09:29.916Z",%s}`, block, envelope)
	}
	output := strings.Repeat(`--- PASS: TestParser/nested_lists (0.00s)\n`, 70)
	line(`{"parentUuid":"1b6c9e92","isSidechain":false,"type":"user","message":{"role":"user","content":"Stop hook feedback:\nFix the failing tests one by one."},"isMeta":true,"uuid":"6e2b6d06",%s}`, envelope)
	line(`{"parentUuid":"6e2b6d06","isSidechain":false,"attachment":{"type":"hook_blocking_error","hookName":"Stop","hookEvent":"Stop"},"type":"attachment",%s}`, envelope)
	assistant(`{"type":"thinking","thinking":"The next failure is in the parser.","signature":"` + strings.Repeat("c2ln", 100) + `"}`)
	assistant(`{"type":"text","text":"I look at the next failure."}`)
	for i := range 12 {
		assistant(fmt.Sprintf(`{"type":"tool_use","id":"toolu_%02d","name":"Bash","input":{"command":"go test ./parser -run TestParser","description":"run the tests"}}`, i))
		line(`{"parentUuid":"24241c60","isSidechain":false,"type":"user","message":{"role":"user","content":[{"tool_use_id":"toolu_%02d","type":"tool_result","content":"%s","is_error":false}]},"toolUseResult":{"stdout":"%s","stderr":"","interrupted":false},%s}`, i, output, output, envelope)
	}
	assistant(`{"type":"text","text":"One failure less; the nested lists pass now."}`)
	return b.String()
}
