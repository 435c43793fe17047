package omc

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/hookbridge/bridge/protocol"
)

// FuzzStories: for any prd.json, the counts agree with each other, and the next story
// fits on a line of a terminal.
func FuzzStories(f *testing.F) {
	for _, seed := range []string{
		`{"userStories":[{"id":"US-1","title":"a","passes":true},{"id":"US-2","title":"b\u001b[31m","passes":false}]}`,
		`{"userStories":[{"passes":true,"architectVerified":false}]}`, `{"userStories":null}`, `{"userStories":{}}`, `[]`, `{"userStories":[{"passes":"yes"}]}`, ``,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, unreviewed := parseStories(data)
		if s.Passing+len(unreviewed) > s.Total || s.Passing < 0 || s.Passing > s.Total || s.Done() != (s.Total > 0 && s.Passing == s.Total) || s.Done() && s.Next != "" {
			t.Errorf("%+v of %q", s, data)
		}
		if strings.ContainsFunc(s.Next, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			t.Errorf("next %q", s.Next)
		}
		if _, err := mark(data, unreviewed); err != nil && len(unreviewed) > 0 {
			t.Errorf("%q: %v", data, err)
		}
	})
}

// FuzzReview: only a line of a reviewer's report can approve the work, outside of code
// and of repetitions of the task, and only if it is the tag with the requested id.
func FuzzReview(f *testing.F) {
	for _, seed := range []string{
		approval, "```\n" + approval + "\n```", "```\n" + approval, "```\ncode\n```\n" + approval, "I would write " + approval, strings.TrimSuffix(approval, "</ralph-approved>"), approval + ".", strings.Replace(approval, "r1", "r2", 1), "\r\n  " + approval + "  \r\n",
		`<architect-approved request-id='r1'>VERIFIED_COMPLETE</architect-approved>`, "<ralph-approved>VERIFIED_COMPLETE</ralph-approved>",
		strings.Replace(approval, "approved ", "approvedly ", 1), strings.Replace(approval, `"r1"`, `"r1`, 1), strings.Replace(approval, " request", " other-request", 1),
		strings.Replace(approval, "</ralph", "</architect", 1), strings.Replace(approval, " request", ` request-id="r2" request`, 1), strings.Replace(approval, "VERIFIED", "NOT VERIFIED", 1),
		strings.ReplaceAll(approval, "ralph", "architect"), strings.Replace(approval, " request", ` story-id="s" request`, 1),
	} {
		f.Add(seed, "review it")
		f.Add("As you said:\n"+seed, "End with\n"+seed)
		f.Add(seed, seed)
	}
	tag := regexp.MustCompile(`^<(ralph|architect)-approved( [^>]*)>(.*)</(ralph|architect)-approved>$`)
	id := regexp.MustCompile(` request-id="([^"]*)"`)
	approves := func(report string) bool {
		code := false
		for _, line := range strings.Split(report, "\n") {
			line = strings.TrimSpace(line)
			if strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") {
				code = !code
				continue
			}
			m := tag.FindStringSubmatch(line)
			if code || m == nil || m[1] != m[4] || strings.TrimSpace(m[3]) != "VERIFIED_COMPLETE" {
				continue
			}
			if found := id.FindStringSubmatch(m[2]); found != nil && found[1] == "r1" {
				return true
			}
		}
		return false
	}
	v := Verification{RequestID: "r1"}
	f.Fuzz(func(t *testing.T, text, prompt string) {
		if r := v.Review(protocol.Turn{HasFinal: true, Final: text, Entries: []protocol.Entry{{Kind: protocol.EntryText, Text: text}}}); r.Answered || r.Approved {
			t.Fatalf("the model approved its own work with %q", text)
		}
		if !utf8.ValidString(prompt) {
			return
		}
		if v.Review(review("executor", prompt, text)).Approved {
			t.Fatalf("one who is no reviewer approved with %q", text)
		}
		failed := review("architect", prompt, text)
		failed.Entries[1].IsError = true
		if v.Review(failed).Approved {
			t.Fatalf("a reviewer that failed approved with %q", text)
		}
		report := text
		if task := strings.TrimSpace(prompt); task != "" {
			report = strings.ReplaceAll(text, task, "")
		}
		if r := v.Review(review("architect", prompt, text)); !r.Answered || r.Approved != approves(report) {
			t.Fatalf("%q, told %q: %+v", text, prompt, r)
		}
	})
}
