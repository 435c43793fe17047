package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/hookbridge/bridge/protocol"
)

// row is one program with one input.
type row struct {
	id, title string
	argv      []string
	dir       string
	env       []string
	// stdin gives the input of the nth run.
	stdin func(n int) []byte
	// right reports whether an answer is the intended one. Nil means that the answer must
	// be empty.
	right func(stdout []byte) bool
	// isBridge marks the rows whose start-up is inspected as well.
	isBridge bool
}

func noopRow(w *world, bins binaries) row {
	return row{id: "noop", title: "no-op Go program", argv: []string{bins.noop}, dir: w.dir, env: w.env, stdin: none}
}

// linkedRow is the minimum cost of every hook: the libraries are linked, and nothing is
// done.
func linkedRow(w *world, bins binaries) row {
	return row{id: "linked", title: "libraries linked, nothing done", argv: []string{bins.linked}, dir: w.dir, env: w.env, stdin: none}
}

func none(int) []byte { return nil }

// idleRow is a Stop in a project where nothing is active.
func idleRow(w *world, bins binaries) (row, error) {
	p, err := w.newProject("idle", 1<<20)
	return hookRow("idle-stop", "idle Stop", "stop", p, w, bins, stopInput(p)), err
}

// activeRow is a Stop that a ralph loop answers with a block.
func activeRow(w *world, bins binaries, title string, transcriptSize int64) (row, error) {
	id := "active-loop-" + strings.ReplaceAll(strings.ToLower(title), " ", "")
	p, err := w.newProject(id, transcriptSize)
	if err != nil {
		return row{}, err
	}
	r := hookRow(id, "active loop, transcript of "+title, "stop", p, w, bins, stopInput(p))
	r.right = func(out []byte) bool { return bytes.Contains(out, []byte(`"decision": "block"`)) }
	return r, p.startLoop()
}

// allowRow is a dialog about a command that only reads.
func allowRow(w *world, bins binaries) (row, error) {
	const id = "permission-allow"
	p, err := w.newProject(id, 1<<20)
	return p.allowedRow(id, "permission-request, allowed", "awk 'NR==1' a.txt", w, bins), err
}

// allowedRow is a dialog that bridge answers with allow.
func (p project) allowedRow(id, title, command string, w *world, bins binaries) row {
	input := fmt.Sprintf(`{%s,"hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":{"command":%s},`+
		`"permission_suggestions":[{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":%[2]s}],"behavior":"allow","destination":"localSettings"}]}`, common(p), quote(command))
	r := hookRow(id, title, "permission-request", p, w, bins, func(int) []byte { return []byte(input) })
	r.right = func(out []byte) bool { return bytes.Contains(out, []byte(`"behavior": "allow"`)) }
	return r
}

func hookRow(id, title, hook string, p project, w *world, bins binaries, stdin func(int) []byte) row {
	return row{
		id: id, title: title, argv: []string{bins.bridge, "--hook=" + hook}, dir: p.dir,
		env: append(w.env[:len(w.env):len(w.env)], "CLAUDE_PROJECT_DIR="+p.dir), stdin: stdin, isBridge: true,
	}
}

// stopInput returns a Stop payload with a different message each time, so that each is a new event and the idle guard
// does not act. The numbers are spelt out, because the guard ignores digits.
func stopInput(p project) func(int) []byte {
	return func(n int) []byte {
		spelt := strings.Map(func(r rune) rune { return r - '0' + 'a' }, fmt.Sprint(n))
		return fmt.Appendf(nil, `{%s,"hook_event_name":"Stop","stop_hook_active":%v,"last_assistant_message":%s,"background_tasks":[],"session_crons":[]}`,
			common(p), n > 0, quote("One failure less, the nested lists pass now: step "+spelt+"."))
	}
}

func common(p project) string {
	return fmt.Sprintf(`"session_id":%s,"transcript_path":%s,"cwd":%s,"prompt_id":"357edadb-1372-42a1-8679-22b32ee96233","permission_mode":"default","effort":{"level":"high"}`,
		quote(p.session), quote(p.transcript), quote(p.dir))
}

func quote(s string) string {
	q, err := jsontext.AppendQuote(nil, s)
	if err != nil {
		panic(err) // a path that is not UTF-8; the bench itself chose the path
	}
	return string(q)
}

// allRows are the rows of the table, the no-op first.
func allRows(w *world, bins binaries, quick bool) ([]row, error) {
	rows := []row{noopRow(w, bins), linkedRow(w, bins)}
	add := func(r row, err error) error {
		rows = append(rows, r)
		return err
	}
	if err := add(idleRow(w, bins)); err != nil {
		return nil, err
	}
	for _, size := range []struct {
		title string
		bytes int64
	}{{"1 MB", 1e6}, {"100 MB", 100e6}, {"1 GB", 1e9}} {
		if quick && size.bytes >= 1e9 {
			continue
		}
		if err := add(activeRow(w, bins, size.title, size.bytes)); err != nil {
			return nil, err
		}
	}
	if err := add(specRow(w, bins, 100e6)); err != nil {
		return nil, err
	}
	if err := add(allowRow(w, bins)); err != nil {
		return nil, err
	}
	if _, err := exec.LookPath("git"); err == nil {
		if err := add(gitRow(w, bins)); err != nil {
			return nil, err
		}
	}
	for _, hook := range protocol.Rows() {
		if err := add(typeRow(w, bins, hook.Type)); err != nil {
			return nil, err
		}
	}
	for _, other := range []row{
		{id: "bash", title: "`bash -c true`", argv: []string{"bash", "-c", "true"}},
		{id: "node", title: "`node -e 0`", argv: []string{"node", "-e", "0"}},
	} {
		path, err := exec.LookPath(other.argv[0])
		if err != nil {
			continue
		}
		other.argv[0], other.dir, other.env, other.stdin = path, w.dir, w.env, none
		rows = append(rows, other)
	}
	return rows, nil
}
