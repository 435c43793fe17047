package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/hookbridge/bridge/client/claude/transcript"
	"github.com/hookbridge/bridge/protocol"
)

func TestQuantile(t *testing.T) {
	t.Parallel()
	values := []time.Duration{50, 10, 40, 20, 30}
	for q, want := range map[float64]time.Duration{0: 10, 0.5: 30, 0.95: 50, 1: 50} {
		if got := quantile(values, q); got != want {
			t.Errorf("quantile %v: %v, want %v", q, got, want)
		}
	}
	if got := quantile(nil, 0.5); got != 0 {
		t.Errorf("of nothing: %v", got)
	}
}

func TestParseInitTrace(t *testing.T) {
	t.Parallel()
	got := parseInitTrace([]byte("init internal/bytealg @0 ms, 0 ms clock, 0 bytes, 0 allocs\n" +
		"something else\ninit os @0.51 ms, 0.016 ms clock, 416 bytes, 9 allocs\n" +
		"init slow @0.6 ms, 1.5 ms clock, 0 bytes, 0 allocs\n"))
	want := []packageInit{{"os", 0.016, 416, 9}, {"slow", 1.5, 0, 0}, {"internal/bytealg", 0, 0, 0}}
	if len(got) != 3 || got[0] != want[0] || got[1] != want[1] || got[2] != want[2] {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
	if sum := sumInits("x", got); sum.Allocs != 9 || sum.Bytes != 416 {
		t.Errorf("sum %+v", sum)
	}
}

func TestTheTranscriptIsOneThatTheReaderKnows(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "t.jsonl")
	if err := writeTranscript(path, 200_000); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(data) < 200_000 {
		t.Errorf("%d bytes", len(data))
	}
	for line := range bytes.Lines(data) {
		if !jsontext.Value(line).IsValid() {
			t.Fatalf("no JSON: %.200s", line)
		}
	}
	turn := transcript.LastTurn(path, nil, false)
	if turn.Err != protocol.TurnOK || turn.ToolCalls() != 12 || !strings.HasPrefix(turn.Final, "One failure less") {
		t.Errorf("err %q, %d tool calls, final %q", turn.Err, turn.ToolCalls(), turn.Final)
	}
}

func TestEachStopIsAnEventOfItsOwn(t *testing.T) {
	t.Parallel()
	w := testWorld(t)
	p, err := w.newProject("x", 1)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for n := range 300 {
		in := stopInput(p)(n)
		if !jsontext.Value(in).IsValid() {
			t.Fatalf("no JSON: %s", in)
		}
		_, message, _ := strings.Cut(string(in), "last_assistant_message")
		message, _, _ = strings.Cut(message, "background_tasks")
		if seen[message] || strings.ContainsAny(message, "0123456789") {
			t.Fatalf("message %q: repeated, or with digits that the idle guard folds", message)
		}
		seen[message] = true
	}
}

func TestAWrongAnswerIsNotMeasured(t *testing.T) {
	t.Parallel()
	silent := row{title: "idle Stop"}
	block := row{title: "active", right: func(out []byte) bool { return bytes.Contains(out, []byte("block")) }}
	if silent.check(nil) != nil || silent.check([]byte(" \n")) != nil || block.check([]byte(`{"decision": "block"}`)) != nil {
		t.Error("a right answer is refused")
	}
	if silent.check([]byte(`{"continue":true}`)) == nil || block.check(nil) == nil {
		t.Error("a wrong answer is taken")
	}
}

func TestReport(t *testing.T) {
	t.Parallel()
	base := []sample{{wall: 1000 * time.Microsecond, cpu: 800 * time.Microsecond}}
	f := summarise([]sample{{wall: 1500 * time.Microsecond, cpu: 2000 * time.Microsecond}}, base)
	f.ID, f.Title, f.MaxRSS = "idle-stop", "idle Stop", 4_200_000
	r := report{
		Machine: machine{"linux/amd64", "a processor", 2, "go1.26"}, Rounds: 200,
		Binary: binarySize{4_000_000, 1_200_000}, Rows: []figures{f},
		Init: []initSum{{ID: "noop"}, {ID: "idle-stop", Allocs: 9, Bytes: 416, Top: []packageInit{{"os", 0.016, 416, 9}}}},
	}
	var md strings.Builder
	if err := r.writeMarkdown(&md); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"linux/amd64, a processor, 2 cores, go1.26; 200 interleaved rounds.",
		"| idle Stop | 1.50 ms | 1.50 | 1.50 ms | 1.50 | 2.00 ms | 2.50 | 4.2 MB | – |",
		"Binary: 4.0 MB (no-op 1.2 MB).",
		"Before main, idle-stop: 9 allocations, 416 bytes.",
		"| os | 9 | 416 | 0.016 ms |",
	} {
		if !strings.Contains(md.String(), want) {
			t.Errorf("the table lacks %q:\n%s", want, md.String())
		}
	}
	path := filepath.Join(t.TempDir(), "bench.json")
	if err := r.writeJSON(path); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !jsontext.Value(data).IsValid() || !strings.Contains(string(data), `"wall_ratio": 1.5`) || strings.Contains(string(data), `"opens"`) {
		t.Errorf("json: %s", data)
	}
}

func TestFlags(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"-rounds", "0"}, {"-rounds", "x"}, {"-nonsense"}} {
		var stdout, stderr strings.Builder
		if code := run(args, &stdout, &stderr); code != 2 || stderr.Len() == 0 || stdout.Len() != 0 {
			t.Errorf("%v: code %d, stdout %q, stderr %q", args, code, stdout.String(), stderr.String())
		}
	}
}
