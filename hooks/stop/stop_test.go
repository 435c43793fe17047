package stop

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/bridge/internal/session"
	"github.com/hookbridge/bridge/protocol"
)

type loop struct{}

func (loop) Label() string                                          { return "some loop" }
func (loop) Decide(protocol.Turn, time.Time) (d protocol.Decision)  { return d }
func (loop) End(time.Time) (writes []protocol.Write, resume string) { return nil, "" }

// TestAStateThatCannotBeSaved: the record, which is written first, forgets the block, so that the client's cap does not
// count it and the event does not count as answered.
func TestAStateThatCannotBeSaved(t *testing.T) {
	t.Parallel()
	now := time.Now()
	e := &event{store: session.NewStore(t.TempDir()), key: session.Key{SessionID: "s1", Root: "/project"}}
	record := session.Record{Blocks: 3}
	record.Deliver("fingerprint", "stop", now)
	full := errors.New("no space left")
	outcome := e.finishBlock(protocol.Block("go on", ""), []protocol.Write{{What: "save the state", Do: func() error { return full }}}, record, loop{}, true)
	if err := outcome.Writes[0].Do(); err != nil {
		t.Fatal(err)
	}
	if got := e.store.Load(e.key); got.Blocks != 3 || got.Event.Fingerprint != "fingerprint" {
		t.Errorf("%+v", got)
	}
	if answer := outcome.OnWriteError(full); !strings.Contains(answer.SystemMessage, "no space left") {
		t.Errorf("%+v", answer)
	}
	if got := e.store.Load(e.key); got.Blocks != 2 || got.Event.Fingerprint != "" {
		t.Errorf("%+v", got)
	}
}

// TestJoin: join puts a space between two sentences, and none around a single one.
func TestJoin(t *testing.T) {
	t.Parallel()
	for _, c := range [][3]string{{"", "", ""}, {"A.", "", "A."}, {"", "B.", "B."}, {"A.", "B.", "A. B."}} {
		if got := join(c[0], c[1]); got != c[2] {
			t.Errorf("%q and %q: %q", c[0], c[1], got)
		}
	}
}
