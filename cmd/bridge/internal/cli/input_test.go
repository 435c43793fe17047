package cli_test

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/rogpeppe/go-internal/testscript"
)

// writeInput is the script command
//
//	input FILE [NAME=VALUE]...
//
// It writes the input of a Stop hook in the project, with other or more members;
// true, false and numbers stand for themselves. A member without "=" is left out.
func writeInput(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: input FILE [NAME=VALUE]...")
	}
	members := map[string]any{
		"session_id": "s1", "cwd": ts.Getenv("PROJECT"), "hook_event_name": "Stop",
		"stop_hook_active": false, "last_assistant_message": "A step is done: " + filepath.Base(args[0]),
	}
	for _, arg := range args[1:] {
		name, value, ok := strings.Cut(arg, "=")
		switch {
		case !ok:
			delete(members, name)
		case value == "true" || value == "false":
			members[name] = value == "true"
		default:
			members[name] = value
		}
	}
	data, err := json.Marshal(members)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), data, 0o600))
}

// writePointer is the script command
//
//	pointer FILE TEXT
//
// It writes a small file; \n in the text is a line end.
func writePointer(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: pointer FILE TEXT")
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.ReplaceAll(args[1], `\n`, "\n")), 0o600))
}

// toCRLF is the script command
//
//	unix2crlf FILE
func toCRLF(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: unix2crlf FILE")
	}
	text := strings.ReplaceAll(ts.ReadFile(args[0]), "\n", "\r\n")
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o600))
}

// appendFile adds the text of the second file to the end of the first, as a person would
// in an editor.
func appendFile(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: append FILE FROM")
	}
	text := ts.ReadFile(args[0]) + ts.ReadFile(args[1])
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o600))
}
