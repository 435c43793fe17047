//go:build unix

package main

import (
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// The files of the first version lie in testdata, with paths and times to be filled
// in. .ci/upgrade builds that version from the history and runs TestUpgrade on what it
// writes here and now; ".ci/upgrade record" also writes testdata again.
//
//	BRIDGE_UPGRADE_FROM=PROGRAM  an older program writes the files
//	-upgrade                     and they are kept in testdata
var upgradeWrite = flag.Bool("upgrade", false, "TestUpgrade keeps what BRIDGE_UPGRADE_FROM writes")

const upgradeRecorded = "testdata/upgrade/920451b.jsonl"

// keptFile is one file that the older program wrote or met, in testdata. In both
// texts $ROOT stands for the directory of the world, $ID(x) for the name that the
// path x in it has among the records, $SHA(x) for the hash of a file, $DAY for today.
type keptFile struct {
	Path string `json:"path"`
	// Age is how many milliseconds before the end it was written. The first line of
	// testdata is no file: it has the time of that end.
	Age  int64  `json:"age_ms"`
	Text string `json:"text"`
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// nameOf is how the program names what it keeps about a path.
func nameOf(path string) string { return hashOf(path)[:24] }

// keep writes testdata.
func (w *world) keep(program string) {
	now := time.Now()
	var files []keptFile
	blanks := []string{w.root, "$ROOT", program, "bridge", now.UTC().Format(time.DateOnly) + ".jsonl", "$DAY.jsonl"}
	err := filepath.WalkDir(w.root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || path == w.root {
			return err
		}
		name, _ := filepath.Rel(w.root, path)
		blanks = append(blanks, nameOf(path), "$ID("+name+")")
		if entry.IsDir() || path == w.program {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		blanks = append(blanks, hashOf(string(data)), "$SHA("+name+")")
		files = append(files, keptFile{name, now.Sub(info.ModTime()).Milliseconds(), string(data)})
		return nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
	blank := strings.NewReplacer(blanks...).Replace
	for i := range files {
		files[i].Path, files[i].Text = blank(files[i].Path), blank(files[i].Text)
	}
	files = append([]keptFile{{Text: now.UTC().Format(time.RFC3339Nano)}}, files...)
	writeLines(w.t, upgradeRecorded, files)
}

var (
	keptID  = regexp.MustCompile(`\$ID\(([^)]*)\)`)
	keptSHA = regexp.MustCompile(`\$SHA\([^)]*\)`)
	// keptTimes are the forms of points in time, to the second.
	keptTimes = map[string]*regexp.Regexp{
		"2006-01-02T15:04:05": regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d`),
		"2006-01-02T15-04-05": regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d`),
		"20060102T150405":     regexp.MustCompile(`\d{8}T\d{6}`),
		"20060102-150405":     regexp.MustCompile(`\d{8}-\d{6}`),
	}
)

// fill puts the files of testdata in place, as if they had been written just now.
func (w *world) fill() {
	w.t.Helper()
	files := readLines[keptFile](w.t, upgradeRecorded)
	end, err := time.Parse(time.RFC3339Nano, files[0].Text)
	if err != nil {
		w.t.Fatal(err)
	}
	since := time.Since(end).Truncate(time.Second)
	end = end.Add(since)
	known := strings.NewReplacer("$ROOT", w.root, "$DAY", end.UTC().Format(time.DateOnly)).Replace
	filled := func(text string) string {
		text = keptID.ReplaceAllStringFunc(known(text), func(id string) string { return nameOf(w.path(keptID.FindStringSubmatch(id)[1])) })
		for layout, form := range keptTimes {
			text = form.ReplaceAllStringFunc(text, func(at string) string {
				t, err := time.Parse(layout, at)
				if err != nil {
					w.t.Fatal(err)
				}
				return t.Add(since).Format(layout)
			})
		}
		return text
	}
	sums := map[string]string{}
	for _, file := range files[1:] {
		sums["$SHA("+file.Path+")"] = hashOf(known(file.Text))
	}
	for _, file := range files[1:] {
		name := filled(file.Path)
		w.put(name, keptSHA.ReplaceAllStringFunc(filled(file.Text), func(sum string) string { return sums[sum] }))
		at := end.Add(-time.Duration(file.Age) * time.Millisecond)
		if err := os.Chtimes(w.path(name), at, at); err != nil {
			w.t.Fatal(err)
		}
	}
}
