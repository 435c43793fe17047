package session

import (
	"fmt"
	"strings"
	"time"

	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// Failure is an error of the API that ended a session's last turn. The client then runs
// no Stop hook, so a loop waits for the next prompt.
type Failure struct {
	// Error is the client's name for the error, such as rate_limit.
	Error string
	// Resets is what the client says about the end of a limit, or "".
	Resets string
	At     time.Time
}

// SaveFailure records the failure. It is a file of its own, because the record of the
// session, with its counters, must not change.
func (s Store) SaveFailure(key Key, f Failure) error {
	w := protocol.WriteObject(nil, "")
	w.Text("error", f.Error)
	w.Text("resets", f.Resets)
	w.Text("at", f.At.UTC().Format(time.RFC3339Nano))
	text, err := w.End()
	if err != nil {
		return err
	}
	return s.records().Save(key.failedName(), append(text, '\n'), statefile.Volatile)
}

// Failure returns the failure of the session's last turn; ok is false if there is none,
// or if the session has stopped or used a tool since.
func (s Store) Failure(key Key) (f Failure, ok bool) {
	file, err := s.records().Read(key.failedName())
	if err != nil {
		return Failure{}, false
	}
	o, err := statefile.ParseObject(file.Data)
	if err != nil {
		return Failure{}, false
	}
	f = Failure{Error: o.Text("error"), Resets: o.Text("resets"), At: o.Time("at")}
	return f, f.Error != "" && !f.At.IsZero() && !s.Seen(key).After(f.At)
}

// Text describes the failure in a phrase, such as "an API error (rate_limit), 5 min ago; resets 3pm".
func (f Failure) Text(now time.Time) string { return f.In(protocol.English, now) }

// In is Text in a language.
func (f Failure) In(lang protocol.Lang, now time.Time) string {
	text := lang.In("API 错误", "an API error") + " (" + display.Name(f.Error) + ")"
	if d := now.Sub(f.At); d >= time.Minute {
		text += ", " + AgoIn(lang, d)
	}
	if f.Resets != "" {
		text += "; " + display.Text(f.Resets)
	}
	return text
}

// Ago says how long ago something was, such as "5 min ago".
func Ago(d time.Duration) string { return AgoIn(protocol.English, d) }

// AgoIn is Ago in a language.
func AgoIn(lang protocol.Lang, d time.Duration) string {
	switch {
	case d < time.Hour:
		return fmt.Sprintf(lang.In("%d 分钟前", "%d min ago"), int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf(lang.In("%d 小时前", "%d h ago"), int(d.Hours()))
	}
	return fmt.Sprintf(lang.In("%d 天前", "%d days ago"), int(d.Hours()/24))
}

func (k Key) failedName() string { return strings.TrimSuffix(k.name(), ".json") + ".failed" }
