package doctor

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	varint "encoding/binary"
	"encoding/hex"
	"os"
	"runtime"
	"strings"

	"github.com/hookbridge/bridge/internal/self"
	"github.com/hookbridge/bridge/internal/statefile"
)

// identity is what a program is, as far as its file tells. It is never run to find out.
type identity int

const (
	// same is this very program.
	same identity = iota
	// otherBuild is bridge of this version, built differently.
	otherBuild
	// otherVersion is bridge of another or an unknown version.
	otherVersion
	// otherSystem is bridge for another system or processor.
	otherSystem
	// foreign is another program.
	foreign
	// script is a text file, which may call anything.
	script
	// unreadable cannot be read.
	unreadable
)

// maxProgram is the size above which no program is read.
const maxProgram = 256 << 20

// module is the path that the Go toolchain writes into each build of bridge.
const module = "github.com/hookbridge/bridge/cmd/bridge"

// identify is the function identify with this program filled in; it reads
// each file once.
func (e *examination) identify(path string) (is identity, text string) {
	if known, ok := e.identities[path]; ok {
		return known.is, known.text
	}
	is, text = identify(e.Binary, path)
	e.identities[path] = identified{is, text}
	return is, text
}

// identified is what is known about a program.
type identified struct {
	is   identity
	text string
}

// identify finds out what the program at path is. text describes it for
// people.
func identify(mine, path string) (is identity, text string) {
	own, err := os.Stat(mine)
	if info, statErr := os.Stat(path); err == nil && statErr == nil && os.SameFile(own, info) {
		return same, "this program"
	}
	theirs, err := statefile.ReadFile(path, maxProgram)
	if err != nil {
		return unreadable, err.Error()
	}
	if own, err := statefile.ReadFile(mine, maxProgram); err == nil && bytes.Equal(own, theirs) {
		return same, "this program"
	}
	info := buildInfo(theirs)
	switch {
	case info["path"] == module:
	case bytes.Contains(theirs, []byte("bridge utility, ")) && binaryFile(theirs):
		return foreign, "the bridge of iproute2, which configures networks"
	case binaryFile(theirs):
		return foreign, "another program"
	default:
		return script, "a script"
	}
	system := info["GOOS"] + "/" + info["GOARCH"]
	version := self.VersionIn(theirs)
	text = "bridge " + cmp.Or(version, "of an unknown, older version") + " for " + system + ", build " + build(theirs)
	switch {
	case system != runtime.GOOS+"/"+runtime.GOARCH:
		return otherSystem, text
	case !bytes.Contains(theirs, []byte(self.Mark())):
		return otherVersion, text
	}
	return otherBuild, text
}

// build names a build of a program.
func build(program []byte) string {
	sum := sha256.Sum256(program)
	return hex.EncodeToString(sum[:])[:12]
}

// this describes this program for people.
func (e *examination) this() string {
	program, err := statefile.ReadFile(e.Binary, maxProgram)
	if err != nil {
		return "bridge " + self.Version
	}
	return "bridge " + self.Version + ", build " + build(program)
}

// binaryFile reports whether a file is a program for a processor: ELF, Mach-O or PE.
func binaryFile(data []byte) bool {
	for _, magic := range []string{"\x7fELF", "\xcf\xfa\xed\xfe", "\xce\xfa\xed\xfe", "\xca\xfe\xba\xbe", "MZ"} {
		if bytes.HasPrefix(data, []byte(magic)) {
			return true
		}
	}
	return false
}

// buildInfo reads what the Go toolchain writes into each program. debug/buildinfo
// does the same, but would link the parsers of three program formats.
func buildInfo(data []byte) map[string]string {
	const header, inline = 32, 2
	magic := []byte("\xff Go buildinf:")
	for rest := data; ; {
		at := bytes.Index(rest, magic)
		if at < 0 || len(rest) < at+header {
			return nil
		}
		found := rest[at:]
		rest = rest[at+len(magic):]
		if found[15]&inline == 0 {
			continue
		}
		_, after, ok := prefixed(found[header:])
		if !ok {
			continue
		}
		text, _, ok := prefixed(after)
		if !ok || !bytes.Contains(text, []byte("path\t")) {
			continue
		}
		info := map[string]string{}
		for line := range strings.Lines(string(text)) {
			name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
			// The text begins with 16 bytes that mark it.
			if strings.HasSuffix(name, "path") && info["path"] == "" {
				info["path"] = value
			}
			if key, setting, ok := strings.Cut(value, "="); ok && name == "build" {
				info[key] = setting
			}
		}
		return info
	}
}

// prefixed cuts off a text that begins with its length.
func prefixed(data []byte) (text, rest []byte, ok bool) {
	n, size := varint.Uvarint(data)
	if size <= 0 || n > uint64(len(data)-size) {
		return nil, nil, false
	}
	return data[size : size+int(n)], data[size+int(n):], true
}
