// Package session keeps what bridge itself remembers about a session between two hook
// calls: which event was answered, how long a loop has been idle, which notices were
// shown. The records are below our own state directory; their names are hashes of session
// ids. The package also decides who owns a state file and which session may claim it
// (claim.go), and searches for state files (search.go).
package session

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// EventLifetime is the client's longest hook timeout. A record of an older event cannot
// be about the event at hand (docs/design.md#one-owner).
const EventLifetime = 600 * time.Second

// Record is what is remembered about one session.
type Record struct {
	Event Event
	// Idle counts the stops in a row without a tool call and with the same last message.
	Idle Idle
	// Blocks counts our blocks in a row without a tool call in this turn. The client
	// overrides the next one after its cap.
	Blocks int
	// Thinking counts the turns in a row that contained only thinking.
	Thinking int
	// Tools is how many tool calls post-tool-use had counted at the last stop.
	Tools int
	// Seen lists the keys of notices that were shown.
	Seen []string
	// SessionID and Root are those of the session. They are for bridge status.
	SessionID string
	Root      string
}

// Event is the Stop event that was answered last.
type Event struct {
	Fingerprint string
	Owner       string
	Acted       bool
	Sources     []string
	At          time.Time
}

// Idle counts how often the same message was repeated.
type Idle struct {
	Message string
	Count   int
}

// Fingerprint identifies a Stop event: session, prompt, stop_hook_active and last
// message (docs/design.md#one-owner).
func Fingerprint(in protocol.Input) string {
	message := "\x00absent"
	if in.Stop.LastAssistantMessage != nil {
		message = *in.Stop.LastAssistantMessage
	}
	return digest(in.SessionID, in.PromptID, strconv.FormatBool(in.Stop.StopHookActive), message)
}

// digest is a short hash of the parts, which are separated so that different parts never
// give the same text.
func digest(parts ...string) string {
	h := sha256.New()
	for _, part := range parts {
		h.Write([]byte(strconv.Itoa(len(part))))
		h.Write([]byte{':'})
		h.Write([]byte(part))
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// Deliver records that source delivered the event with this fingerprint, and reports
// whether the record already knows the event. A source delivers an event only once, so
// the same fingerprint from a known source is a new event.
func (r *Record) Deliver(fingerprint, source string, now time.Time) (known bool) {
	source = digest(source)
	age := now.Sub(r.Event.At)
	if r.Event.Fingerprint == fingerprint && !slices.Contains(r.Event.Sources, source) && age >= -EventLifetime && age < EventLifetime {
		r.Event.Sources = append(r.Event.Sources, source)
		return true
	}
	r.Event = Event{Fingerprint: fingerprint, Sources: []string{source}, At: now}
	return false
}

// NoteIdle counts a stop for the idle guard. It returns how many stops in a row had no
// tool call and the same last message. Digits are ignored, because a counter in the
// message is not progress.
func (r *Record) NoteIdle(message string, toolCalls int) int {
	if toolCalls > 0 {
		r.Idle = Idle{}
		return 0
	}
	folded := digest(foldMessage(message))
	if r.Idle.Message != folded {
		r.Idle = Idle{Message: folded}
	}
	r.Idle.Count++
	return r.Idle.Count
}

// foldMessage makes messages equal that differ only in digits and white space.
func foldMessage(message string) string {
	folded := strings.Map(func(c rune) rune {
		if c >= '0' && c <= '9' {
			return '0'
		}
		return c
	}, message)
	folded = strings.Join(strings.Fields(folded), " ")
	for strings.Contains(folded, "00") {
		folded = strings.ReplaceAll(folded, "00", "0")
	}
	return folded
}

// NoteTools returns how many tool calls were counted since the last stop. known is false
// if post-tool-use never counted any, because it is not set up.
func (r *Record) NoteTools(counted int) (since int, known bool) {
	since = max(counted-r.Tools, 0)
	r.Tools = counted
	return since, counted > 0
}

// MarkSeen reports whether the notice with this key is new, and records it as seen.
func (r *Record) MarkSeen(key string) bool {
	const most = 64
	if slices.Contains(r.Seen, key) {
		return false
	}
	r.Seen = append(r.Seen, key)
	if len(r.Seen) > most {
		r.Seen = slices.Delete(r.Seen, 0, len(r.Seen)-most)
	}
	return true
}

// Store reads and writes the records below a state home.
type Store struct{ home string }

// NewStore returns the store below our state directory. If the directory is empty, there
// are no records.
func NewStore(stateHome string) Store { return Store{stateHome} }

func (s Store) records() statefile.Own { return statefile.OwnIn(s.home, "sessions") }

// Load returns the record of a session, or an empty one. A record that cannot be read
// counts as absent, because it only guards against repetition.
func (s Store) Load(key Key) Record {
	var record Record
	if file, err := s.records().Read(key.name()); err == nil {
		record, _ = parseRecord(file.Data)
	}
	record.SessionID, record.Root = key.SessionID, key.Root
	return record
}

// Knows reports whether there is a record of the session. It costs one system call.
func (s Store) Knows(key Key) bool {
	_, ok := s.records().Look(key.name())
	return ok
}

// Save writes the record in place, because it only guards against repetition, and a new
// file and a rename cost a fifth of the hook. Without a state directory it does nothing.
func (s Store) Save(key Key, record Record) error {
	return s.records().Save(key.name(), appendRecord(make([]byte, 0, 1024), record), statefile.Volatile)
}

// CountTools adds n tool calls to the session's counter. The counter is a separate file
// that grows by one byte per call, so that parallel calls need no lock.
func (s Store) CountTools(key Key, n int) error {
	if n <= 0 {
		return nil
	}
	return s.records().Write(func(dir *statefile.Dir) error {
		return dir.Append(key.toolsName(), bytes.Repeat([]byte{'.'}, n))
	})
}

// Tools returns how many tool calls were counted in the session.
func (s Store) Tools(key Key) int {
	info, ok := s.records().Look(key.toolsName())
	if !ok || !info.Mode().IsRegular() {
		return 0
	}
	return int(info.Size())
}

// Seen returns when the session last stopped or, according to its counter, last used a
// tool. It returns the zero time if neither was recorded.
func (s Store) Seen(key Key) (at time.Time) {
	for _, name := range []string{key.name(), key.toolsName()} {
		if info, ok := s.records().Look(name); ok && info.ModTime().After(at) {
			at = info.ModTime()
		}
	}
	return at
}

// MarkEnded records that the client ended the session, so that its modes no longer block
// anybody. ClearEnded removes the mark from a session that comes back.
func (s Store) MarkEnded(key Key, at time.Time) error {
	return s.records().Save(key.endedName(), []byte(at.UTC().Format(time.RFC3339)+"\n"), statefile.Volatile)
}

// ClearEnded removes the mark.
func (s Store) ClearEnded(key Key) error { return s.records().Remove(key.endedName()) }

// Ended returns when the client ended the session. The zero time means that it did not,
// that this is unknown, or that the session has worked since: it may run in two clients, or
// its start may not have been reported.
func (s Store) Ended(key Key) time.Time {
	file, err := s.records().Read(key.endedName())
	if err != nil {
		return time.Time{}
	}
	if s.Seen(key).After(file.ModTime) {
		return time.Time{}
	}
	at, err := time.Parse(time.RFC3339, strings.TrimSpace(string(file.Data)))
	if err != nil {
		// The mark exists in any case.
		return file.ModTime
	}
	return at
}

// Key identifies the owner of a record: the session, or the project if the input had no session id (an old format,
// docs/design.md#ownership).
type Key struct{ SessionID, Root string }

func (k Key) name() string {
	if k.SessionID == "" {
		return "project-" + project.ID(k.Root) + ".json"
	}
	return project.ID(k.SessionID) + ".json"
}

func (k Key) endedName() string { return strings.TrimSuffix(k.name(), ".json") + ".ended" }

func (k Key) toolsName() string { return strings.TrimSuffix(k.name(), ".json") + ".tools" }

// ValidID reports whether a session id may be used in a path
// (docs/design.md#session-ids). A dot must be between two other characters: Windows drops
// one at the end of a name, so that two sessions would share a folder.
func ValidID(id string) bool {
	if id == "" || len(id) > 128 || strings.Contains(id, "..") || strings.HasSuffix(id, ".") {
		return false
	}
	for i, c := range []byte(id) {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !letter && (i == 0 || c != '-' && c != '_' && c != '.') {
			return false
		}
	}
	return true
}
