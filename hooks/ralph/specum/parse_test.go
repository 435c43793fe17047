package specum

import (
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/bridge/protocol"
)

func TestParseState(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		text    string
		content Content
		want    func(*State)
	}{
		"defaults":               {`{}`, Object, func(*State) {}},
		"numbers as strings":     {`{"phase":"execution","taskIndex":"2","totalTasks":" 5 ","globalIteration":"7"}`, Object, func(s *State) { s.Phase, s.TaskIndex, s.TotalTasks, s.GlobalIteration = "execution", 2, 5, 7 }},
		"fractions are cut off":  {`{"taskIndex":2.9,"totalTasks":"5.5"}`, Object, func(s *State) { s.TaskIndex, s.TotalTasks = 2, 5 }},
		"negative numbers are 0": {`{"taskIndex":-3,"maxGlobalIterations":"-1"}`, Object, func(s *State) { s.MaxGlobal = 0 }},
		"numbers beyond reason":  {`{"taskIndex":1e300,"totalTasks":"Infinity","globalIteration":"NaN"}`, Object, func(s *State) { s.TaskIndex, s.TotalTasks = maxNumber, maxNumber }},
		"wrong kinds are absent": {`{"phase":7,"taskIndex":[1],"totalTasks":null,"quickMode":1,"epicName":{}}`, Object, func(*State) {}},
		"defect 5: false stays":  {`{"nativeSyncEnabled":false}`, Object, func(s *State) { s.NativeSync = false }},
		"booleans as strings":    {`{"quickMode":"true","awaitingApproval":"False","nativeSyncEnabled":"false"}`, Object, func(s *State) { s.QuickMode, s.NativeSync = true, false }},
		"unknown members":        {`{"x":{"y":[1,2]},"phase":"design","z":"\ud800"}`, Object, func(s *State) { s.Phase = "design" }},
		"of two the last":        {`{"taskIndex":1,"taskIndex":2}`, Object, func(s *State) { s.TaskIndex = 2 }},
		"byte order mark, CRLF":  {"\ufeff{\r\n\"phase\": \"design\"\r\n}\r\n", Object, func(s *State) { s.Phase = "design" }},
		"empty":                  {"", Nothing, nil},
		"white space":            {" \n", Nothing, nil},
		"an array":               {"[]", Nothing, nil},
		"null":                   {"null", Nothing, nil},
		"a number":               {"3", Nothing, nil},
		"half an object":         {`{"phase":"exec`, Corrupt, nil},
		"two objects":            {`{}{}`, Corrupt, nil},
		"no JSON":                {"{invalid json", Corrupt, nil},
		"zero bytes":             {"\x00\x00\x00", Corrupt, nil},
		"deep":                   {strings.Repeat("[", 20000), Corrupt, nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, content := ParseState([]byte(test.text))
			if content != test.content {
				t.Fatalf("content %v, want %v", content, test.content)
			}
			var want State
			if content == Object {
				want = State{Phase: "unknown", TaskIteration: 1, MaxTask: 5, GlobalIteration: 1, MaxGlobal: 100, NativeSync: true}
				test.want(&want)
			}
			if got != want {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
		})
	}
}

func TestParseSettings(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		text    string
		enabled bool
		dirs    []string
	}{
		"nothing":                     {"", true, nil},
		"no front matter":             {"enabled: false\n", true, nil},
		"not closed":                  {"---\nenabled: false\n", true, nil},
		"disabled":                    {"---\nenabled: false\n---\n", false, nil},
		"in quotes, any case":         {"---\nenabled: \"False\"\n---\n", false, nil},
		"no":                          {"---\nenabled: no\n---\n", false, nil},
		"yes":                         {"---\nenabled: yes\n---\n", true, nil},
		"a comment behind":            {"---\nenabled: false # for now\n---\n", false, nil},
		"a comment before":            {"---\n# enabled: false\nenabled: true\n---\n", true, nil},
		"CRLF":                        {"---\r\nenabled: false\r\nspecs_dirs: [\"./a\"]\r\n---\r\n", false, []string{"./a"}},
		"byte order mark":             {"\ufeff---\nenabled: false\n---\n", false, nil},
		"flow list":                   {"---\nspecs_dirs: [\"./specs\", './b, c', ./d] # three\n---\n", true, []string{"./specs", "./b, c", "./d"}},
		"flow list over lines":        {"---\nspecs_dirs: [\n  \"./a\", # first\n  ./b,\n]\nenabled: false\n---\n", false, []string{"./a", "./b"}},
		"block list":                  {"---\nspecs_dirs:\n  - ./specs  # default\n\n  # more\n  - \"./my specs\"\nenabled: false\n---\n", false, []string{"./specs", "./my specs"}},
		"block list, no indent, CRLF": {"---\r\nspecs_dirs:\r\n- ./a\r\n- ./b\r\n---\r\nbody\r\n", true, []string{"./a", "./b"}},
		"one directory":               {"---\nspecs_dirs: ./a\n---\n", true, []string{"./a"}},
		"an empty list":               {"---\nspecs_dirs: []\n---\n", true, nil},
		"a # in a name":               {"---\nspecs_dirs: [\"./a #1\", ./b#2]\n---\n", true, []string{"./a #1", "./b#2"}},
		"after the front matter":      {"---\nenabled: true\n---\nenabled: false\n", true, nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := ParseSettings([]byte(test.text))
			if got.Enabled != test.enabled || !slices.Equal(got.Dirs, test.dirs) {
				t.Errorf("got %+v, want %v %q", got, test.enabled, test.dirs)
			}
		})
	}
}

func TestParseTasks(t *testing.T) {
	t.Parallel()
	tasks := ParseTasks([]byte("\ufeff# Tasks\r\n- [x] 1.1 a\r\n* [X] 1.2 b\r\n+ [ ] 1.3 [P] c\r\n  - [ ] inside\r\n\ttext\r\n- [ ] 1.4 [P] d\r\n## Next\r\n- [ ] 1.5 [P] e\r\n- [y] none\r\n-[ ] none\r\n"))
	if len(tasks.List) != 5 || tasks.Checked() != 2 || tasks.Unchecked != 4 {
		t.Fatalf("%d tasks, %d checked, %d unchecked: %+v", len(tasks.List), tasks.Checked(), tasks.Unchecked, tasks.List)
	}
	// Defect 8: the plugin read [X] neither as a task nor as ticked, so the index shifted.
	if got := tasks.At(2); len(got) != 2 || got[0].Block() != "+ [ ] 1.3 [P] c\n  - [ ] inside\n  text" || got[1].Title() != "1.4 [P] d" {
		t.Errorf("group at 2: %+v", got)
	}
	if got := tasks.At(4); len(got) != 1 {
		t.Errorf("a heading ends a group: %+v", got)
	}
	for _, index := range []int{-1, 5, 1 << 30} {
		if tasks.At(index) != nil {
			t.Errorf("a task at %d", index)
		}
	}
	long := ParseTasks([]byte("- [ ] long\n" + strings.Repeat("  line of the task\n", 5000)))
	if got := long.At(0)[0].Block(); len(got) > maxBlock+100 || !strings.HasSuffix(got, "(the rest is in tasks.md)") {
		t.Errorf("a block of %d bytes", len(got))
	}
	hostile := ParseTasks([]byte("- [ ] \x1b[2J\u202e hidden \xff\n")).At(0)[0].Block()
	if strings.ContainsAny(hostile, "\x1b\u202e") {
		t.Errorf("control characters survive: %q", hostile)
	}
}

// TestGroups: adjacent open tasks that are marked, up to a heading.
func TestGroups(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"- [ ] [P] a\n- [ ] [P] b":              2,
		"- [x] [P] a\n- [ ] [P] b":              1,
		"- [ ] a\n- [ ] [P] b":                  1,
		"- [ ] [P] a\n- [ ] b\n- [ ] [P] c":     1,
		"- [ ] [P] a\n- [x] [P] b\n- [ ] [P] c": 1,
		"- [ ] [P] a\n# B\n- [ ] [P] b":         1,
		"- [ ] [P] a\n# B\n# C\n- [ ] [P] b":    1,
	} {
		if got := ParseTasks([]byte(text)).At(0); len(got) != want {
			t.Errorf("%q: %d", text, len(got))
		}
	}
	for text, want := range map[string]int{"- [ ]": 1, "- [x": 0, "- [": 0, "": 0} {
		if got := ParseTasks([]byte(text)); len(got.List) != want {
			t.Errorf("%q: %+v", text, got)
		}
	}
	for n, whole := range map[int]bool{maxBlock - 1: true, maxBlock: true, maxBlock + 1: false} {
		if text := strings.Repeat("x", n); (clip(text) == text) != whole {
			t.Errorf("%d bytes", n)
		}
	}
}

func TestCompleted(t *testing.T) {
	t.Parallel()
	yes := []string{
		"ALL_TASKS_COMPLETE", "done\nALL_TASKS_COMPLETE", "**ALL_TASKS_COMPLETE**", "# ALL_TASKS_COMPLETE", "`ALL_TASKS_COMPLETE`",
		"All 12 tasks are done. ALL_TASKS_COMPLETE.", "Nothing is left to do! ALL_TASKS_COMPLETE", "全部任务完成ALL_TASKS_COMPLETE",
		"I must not output ALL_TASKS_COMPLETE before the last task.\n\nThe last task is done.\n\nALL_TASKS_COMPLETE",
		"It would not work. Now it does. ALL_TASKS_COMPLETE", "no problems: ALL_TASKS_COMPLETE", "I did not skip a single one of the many long and tedious tasks: ALL_TASKS_COMPLETE",
	}
	no := []string{
		"", "all tasks complete", "NOT_ALL_TASKS_COMPLETE", "ALL_TASKS_COMPLETED", "ALL_TASKS_COMPLETE_SOON", "XALL_TASKS_COMPLETE",
		"I must not output ALL_TASKS_COMPLETE yet", "I don't say ALL_TASKS_COMPLETE", "never ALL_TASKS_COMPLETE", "Not ALL_TASKS_COMPLETE.",
		"Three more before ALL_TASKS_COMPLETE", "until ALL_TASKS_COMPLETE", "ALL_TASKS_COMPLETE is not reached", "ALL_TASKS_COMPLETE isn't due yet",
		"When all are done I will output ALL_TASKS_COMPLETE", "I’ll say ALL_TASKS_COMPLETE later, but I can’t now: ALL_TASKS_COMPLETE", "现在还不能输出 ALL_TASKS_COMPLETE",
	}
	for _, text := range yes {
		if Completed(protocol.Turn{Final: text, HasFinal: true}, false) == Unsaid {
			t.Errorf("missed in %q", text)
		}
	}
	for _, text := range no {
		if Completed(protocol.Turn{Final: text, HasFinal: true}, false) != Unsaid {
			t.Errorf("seen in %q", text)
		}
	}
}

// TestStatedOrMentioned: a clear statement ends the loop even if the files say that tasks
// are open; a mention does not.
func TestStatedOrMentioned(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Signal{
		"ALL_TASKS_COMPLETE":                              Stated,
		"done\n\n**ALL_TASKS_COMPLETE**\n":                Stated,
		"## ALL_TASKS_COMPLETE\nSee the summary.":         Stated,
		"Everything is verified. ALL_TASKS_COMPLETE":      Stated,
		"All done: ALL_TASKS_COMPLETE.":                   Stated,
		"全部完成。ALL_TASKS_COMPLETE。":                        Stated,
		"I output ALL_TASKS_COMPLETE now":                 Mentioned,
		"The token ALL_TASKS_COMPLETE ends the loop.":     Mentioned,
		"It is too soon to output ALL_TASKS_COMPLETE":     Unsaid,
		"It is too early to output ALL_TASKS_COMPLETE":    Unsaid,
		"Next: ALL_TASKS_COMPLETE comes with task twelve": Mentioned,
		"My last line will be: ALL_TASKS_COMPLETE":        Unsaid,
		"no token": Unsaid,
	} {
		if got := Completed(protocol.Turn{Final: text, HasFinal: true}, false); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// TestSelfDetection: the peers found the token in the coordinator's instructions and in
// their own prompt at the first stop (docs/reference/ralph-specum.md#defect-1,
// docs/reference/ralph-specum.md#defect-2).
func TestSelfDetection(t *testing.T) {
	t.Parallel()
	turn := protocol.Turn{
		HasFinal: true, Final: "Task 1 is done.", Opening: Decide(facts()).Reason,
		Entries: []protocol.Entry{
			{Kind: protocol.EntryToolUse, ToolName: "Read", ToolInput: []byte(`{"file_path":"ALL_TASKS_COMPLETE"}`)},
			{Kind: protocol.EntryToolResult, Text: "When done output\nALL_TASKS_COMPLETE\n"},
			{Kind: protocol.EntryText, Text: "The instructions say to output ALL_TASKS_COMPLETE at the end."},
		},
	}
	if Completed(turn, false) != Unsaid {
		t.Error("the loop ended by its own prompt")
	}
	turn.Entries = append(turn.Entries, protocol.Entry{Kind: protocol.EntryText, Text: "All done.\n\n**ALL_TASKS_COMPLETE**"})
	if Completed(turn, false) != Stated {
		t.Error("an earlier block with the token on a line of its own was missed")
	}
	// Nothing that this hook tells the model, and that the model repeats, ends a loop.
	for _, f := range []Facts{facts(), facts(func(f *Facts) { f.State.TaskIndex = 3 }), facts(func(f *Facts) { f.Kind = Codex }), facts(func(f *Facts) { f.Kind = Speckit })} {
		if reason := Decide(f).Reason; CompletedPlain(reason, false) != Unsaid {
			t.Errorf("our own prompt ends the loop:\n%s", reason)
		}
	}
}

func TestSpeckitTokenStandsAtTheBeginningOfALine(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"ALL_TASKS_COMPLETE": true, "done\nALL_TASKS_COMPLETE\n": true, "ALL_TASKS_COMPLETE now": true,
		"ALL_TASKS_COMPLETE\tnow": true, "done\r\nALL_TASKS_COMPLETE\r\n": true, "ALL_TASKS_COMPLETE\bnow": false, "ALL_TASKS_COMPLETE\x0enow": false,
		" ALL_TASKS_COMPLETE": false, "**ALL_TASKS_COMPLETE**": false, "done ALL_TASKS_COMPLETE": false, "ALL_TASKS_COMPLETE.": false,
	} {
		if got := Completed(protocol.Turn{Final: text, HasFinal: true}, true); (got == Stated) != want || got == Mentioned {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestMarkCompleted(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ before, after string }{
		"order and layout stay": {
			"{\n  \"name\": \"e\",\n  \"specs\": [\n    {\"name\": \"a\", \"status\": \"pending\", \"dependencies\": []},\n    {\"status\": \"in_progress\", \"x\": {\"z\":1,\"y\":2}, \"name\": \"b\"}\n  ],\n  \"goal\": \"g\"\n}\n",
			"{\n  \"name\": \"e\",\n  \"specs\": [\n    {\"name\": \"a\", \"status\": \"pending\", \"dependencies\": []},\n    {\"status\": \"completed\", \"x\": {\"z\":1,\"y\":2}, \"name\": \"b\"}\n  ],\n  \"goal\": \"g\"\n}\n",
		},
		"no status yet":         {`{"specs":[{"name":"b"}]}`, `{"specs":[{"name":"b","status":"completed"}]}`},
		"byte order mark":       {"\ufeff" + `{"specs":[{"name":"b","status":"x"}]}`, "\ufeff" + `{"specs":[{"name":"b","status":"completed"}]}`},
		"the same entry before": {`{"old":[{"name":"b","status":"x"}],"specs":[{"name":"b","status":"x"}]}`, `{"old":[{"name":"b","status":"x"}],"specs":[{"name":"b","status":"completed"}]}`},
		"completed already":     {`{"specs":[{"name":"b","status":"completed"}]}`, ""},
		"not of this epic":      {`{"specs":[{"name":"a"}, 3, null]}`, ""},
		"no specs":              {`{"specs":{"name":"b"}}`, ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := markCompleted([]byte(test.before), "b")
			if err != nil || string(got) != test.after {
				t.Errorf("got  %q, %v\nwant %q", got, err, test.after)
			}
		})
	}
	for _, text := range []string{"", "[]", `{"specs":[{"name":"b"`, "nonsense"} {
		if got, err := markCompleted([]byte(text), "b"); err == nil {
			t.Errorf("%q gives %q", text, got)
		}
	}
}
