package stop_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// turn writes a transcript of lines and returns the field that names it.
func (w *world) turn(lines ...string) string {
	w.t.Helper()
	path := filepath.Join(w.home, "turn.jsonl")
	w.write(path, strings.Join(lines, "\n")+"\n")
	return fmt.Sprintf(`,"transcript_path":%q`, path)
}

const userPrompt = `{"type":"user","message":{"role":"user","content":"go"}}`

func assistant(content string) string {
	return `{"type":"assistant","message":{"role":"assistant","content":[` + content + `]}}`
}

func toolUse(name, input string) string {
	return assistant(fmt.Sprintf(`{"type":"tool_use","id":"t1","name":%q,"input":%s}`, name, input))
}

// owners write what can own a stop, and name its state file.
func owners() map[string]func(w *world) string {
	return map[string]func(w *world) string{
		"loop":      func(w *world) string { w.start(w.project, "s1"); return at(w.project) },
		"ralph":     func(w *world) string { return w.mode("ralph", "s1", nil) },
		"autopilot": func(w *world) string { return w.mode("autopilot", "s1", nil) },
		"ultrawork": func(w *world) string { return w.mode("ultrawork", "s1", nil) },
	}
}

// TestExemptions: each row of docs/reference/stop-rules.md#exemptions, for every step of the
// chain: the stop passes, the user reads why, and no state changes. What only looks
// like one exempts no stop.
func TestExemptions(t *testing.T) {
	if testing.Short() {
		t.Skip("left out with -short: drives a session for each row")
	}
	t.Parallel()
	reason := func(text string) func(*world) string {
		return func(*world) string { return fmt.Sprintf(`,"stop_reason":%q`, text) }
	}
	lines := func(lines ...string) func(*world) string {
		return func(w *world) string { return w.turn(lines...) }
	}
	said := assistant(`{"type":"text","text":"Well."}`)
	const wakeup = `{"type":"user","isMeta":true,"promptSource":"system","turnOrigin":"scheduled","message":{"role":"user","content":"go on"}}`
	crons := func(crons string, turn ...string) func(*world) string {
		return func(w *world) string { return w.turn(turn...) + `,"session_crons":` + crons }
	}
	apiError := func(text string) func(*world) string {
		return lines(userPrompt, fmt.Sprintf(`{"type":"assistant","isApiErrorMessage":true,"message":{"role":"assistant","model":"<synthetic>","content":[{"type":"text","text":%q}]}}`, text))
	}
	for name, test := range map[string]struct {
		extra func(w *world) string
		why   string // empty: the stop is not exempt
	}{
		reports + "213 context limit":             {reason("context_limit_reached"), "the context is full"},
		reports + "213 max tokens":                {reason("max_tokens"), "the context is full"},
		reports + "213 as a camel":                {reason("ContextWindowExceeded"), "the context is full"},
		reports + "213 end_turn_reason":           {func(*world) string { return `,"endTurnReason":"conversation too long"` }, "the context is full"},
		reports + "777 rate limit":                {reason("rate_limit_error"), "rate limit"},
		reports + "777 429":                       {reason("429"), "rate limit"},
		reports + "777 status 429":                {reason("HTTP 429 Too Many Requests"), "rate limit"},
		reports + "777 overloaded":                {reason("overloaded_error"), "rate limit"},
		reports + "777 a 429 in other text":       {reason("finished 429 files"), ""},
		reports + "777 capacity in other text":    {reason("capacity planning is written"), ""},
		reports + "1308 auth":                     {reason("authentication_error"), "rejected the login"},
		reports + "1308 401":                      {reason("error 401"), "rejected the login"},
		reports + "1308 expired":                  {reason("oauth_token_expired"), "rejected the login"},
		reports + "1308 a 401 in other text":      {reason("page 401 of the book"), ""},
		"user abort":                              {reason("aborted"), "you interrupted"},
		"user abort, flag":                        {func(*world) string { return `,"user_requested":true` }, "you asked for it"},
		"user cancel":                             {reason("user_cancelled"), "you interrupted"},
		reports + "2478 interrupt":                {reason("interrupt"), ""},
		"ctrl-c":                                  {reason("ctrl_c"), "you interrupted"},
		"abort in other text":                     {reason("the abort button works"), ""},
		reports + "921 reason cancel":             {reason("cancel"), "you are cancelling"},
		reports + "213 cancel in other text":      {reason("cancel button is built"), ""},
		reports + "921 prompt /cancel":            {func(*world) string { return `,"prompt":"/oh-my-claudecode:cancel --force"` }, "you are cancelling"},
		reports + "921 prompt cancelomc":          {func(*world) string { return `,"prompt":"cancelomc"` }, "you are cancelling"},
		"a prompt about cancel":                   {func(*world) string { return `,"prompt":"/cancel the order"` }, ""},
		reports + "921 command in the transcript": {lines(`{"type":"user","message":{"role":"user","content":"<command-message>cancel</command-message>\n<command-name>/oh-my-claudecode:cancel</command-name>"}}`, said), "you are cancelling"},
		reports + "921 skill in the transcript":   {lines(userPrompt, toolUse("Skill", `{"skill":"ultrapower:cancel"}`), said), "you are cancelling"},
		"another skill":                           {lines(userPrompt, toolUse("Skill", `{"skill":"omc:cancellation"}`), said), ""},
		"a cancel in an earlier turn":             {lines(userPrompt, toolUse("Skill", `{"skill":"omc:cancel"}`), userPrompt, said), ""},
		"scheduled wake-up, reason":               {reason("scheduled_wakeup"), "scheduled its own wake-up"},
		"scheduled wake-up, tool":                 {lines(userPrompt, toolUse("ScheduleWakeup", `{}`), said), "scheduled its own wake-up"},
		"scheduled wake-up, then more tools":      {lines(userPrompt, toolUse("ScheduleWakeup", `{}`), toolUse("Bash", `{}`), said), ""},
		"scheduled wake-up, which ends them":      {lines(userPrompt, toolUse("ScheduleWakeup", `{"stop":true}`), said), ""},
		"scheduled wake-up, which has come":       {lines(userPrompt, toolUse("ScheduleWakeup", `{}`), wakeup, said), ""},
		"scheduled wake-up, pending":              {crons(`[{"id":"a","schedule":"0 7 * * *","recurring":false}]`, userPrompt, toolUse("ScheduleWakeup", `{}`), toolUse("Bash", `{}`), said), "scheduled its own wake-up"},
		"scheduled wake-up, refused":              {crons(`[]`, userPrompt, toolUse("ScheduleWakeup", `{}`), said), ""},
		"scheduled wake-up, unknown":              {crons(`null`, userPrompt, toolUse("ScheduleWakeup", `{}`), said), "scheduled its own wake-up"},
		"scheduled wake-up, only a routine":       {crons(`[{"id":"a","schedule":"0 7 * * *","recurring":true}]`, userPrompt, toolUse("ScheduleWakeup", `{}`), said), ""},
		"a reminder of the user":                  {crons(`[{"id":"a","schedule":"0 7 * * *","recurring":false}]`, userPrompt, toolUse("CronCreate", `{}`), said), ""},
		"an old client's API error":               {apiError("API Error: 529 Overloaded"), "rate limit"},
		"an old client's login error":             {apiError("Invalid API key · Please run /login"), "rejected the login"},
		"an old client's other error":             {apiError("API Error: Connection error."), "an API error"},
		"an API error that was overcome":          {lines(userPrompt, `{"type":"assistant","isApiErrorMessage":true,"message":{"role":"assistant","content":[{"type":"text","text":"API Error: 529"}]}}`, said), ""},
		"a 429 at the beginning":                  {reason("429 files were written"), ""},
		"quota, as a camel":                       {reason("quotaExceeded"), "rate limit"},
		"unauthorized":                            {reason("unauthorized"), "rejected the login"},
		"unauthorized, in capitals":               {reason("UNAUTHORIZED"), "rejected the login"},
		"the tool is a cancel":                    {func(*world) string { return `,"tool_name":"Skill","tool_input":{"skill":"omc:cancel"}` }, "you are cancelling"},
		"the tool is another skill":               {func(*world) string { return `,"tool_name":"Skill","tool_input":{"skill":"omc:build"}` }, ""},
		"another tool with such an input":         {func(*world) string { return `,"tool_name":"Bash","tool_input":{"command":"cancel"}` }, ""},
		"a tool of the turn, likewise":            {lines(userPrompt, toolUse("Bash", `{"command":"cancel"}`), said), ""},
		"no reason":                               {reason("end_turn"), ""},
		"an endless reason":                       {reason(strings.Repeat("word ", 100_000)), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for owner, prepare := range owners() {
				w := newWorld(t)
				path := prepare(w)
				before := w.read(path)
				out := w.stop(event{session: "s1", extra: test.extra(w)})
				if test.why == "" {
					if !blocks(out) {
						t.Errorf("%s: the stop was exempt: %q", owner, out)
					}
					continue
				}
				if blocks(out) || !strings.Contains(out, "this stop is allowed, because ") || !strings.Contains(out, test.why) || !strings.Contains(out, "next prompt") {
					t.Errorf("%s: %q", owner, out)
				}
				if w.read(path) != before {
					t.Errorf("%s: the state changed to %s", owner, w.read(path))
				}
			}
		})
	}
}

// TestThinkingOnly: three turns in a row that only thought pause the loop; a word or a
// tool call between them does not (Yeachan-Heo/oh-my-claudecode#3280).
func TestThinkingOnly(t *testing.T) {
	t.Parallel()
	thought := assistant(`{"type":"thinking","thinking":"hm"}`)
	spoken := assistant(`{"type":"thinking","thinking":"hm"},{"type":"text","text":"Well."}`)
	worked := assistant(`{"type":"thinking","thinking":"hm"},{"type":"tool_use","id":"t","name":"Bash","input":{}}`)
	for owner, prepare := range owners() {
		w := newWorld(t)
		prepare(w)
		for i, step := range []struct {
			line   string
			blocks bool
		}{{thought, true}, {thought, true}, {spoken, true}, {thought, true}, {worked, true}, {thought, true}, {thought, true}, {thought, false}, {thought, true}} {
			transcript := w.turn(fmt.Sprintf(`{"type":"user","message":{"role":"user","content":"go %d"}}`, i), step.line)
			message := ""
			if step.line == spoken {
				message = "Well."
			}
			out := w.deliver(event{session: "s1"}, fmt.Sprintf(`{"session_id":"s1","cwd":%q,"prompt_id":"p%d","stop_hook_active":true,"last_assistant_message":%q%s}`, w.project, i, message, transcript))
			if blocks(out) != step.blocks {
				t.Fatalf("%s, stop %d: %q", owner, i, out)
			}
			if !step.blocks && !strings.Contains(out, "held only thinking") {
				t.Errorf("%s: %q", owner, out)
			}
		}
	}
}

// TestExemptionComesBeforeAnEnd: an API error must not end a loop for want of a
// message (docs/reference/ralph-loop.md#decision ends it when the transcript has none).
func TestExemptionComesBeforeAnEnd(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.start(w.project, "s1")
	transcript := w.turn(userPrompt, `{"type":"assistant","isApiErrorMessage":true,"message":{"role":"assistant","content":[{"type":"text","text":"API Error: 500"}]}}`)
	out := w.deliver(event{session: "s1"}, fmt.Sprintf(`{"session_id":"s1","cwd":%q,"hook_event_name":"Stop"%s}`, w.project, transcript))
	if blocks(out) || !strings.Contains(out, "an API error") {
		t.Errorf("%q", out)
	}
	if _, err := os.Stat(at(w.project)); err != nil {
		t.Errorf("the loop ended: %v", err)
	}
}
