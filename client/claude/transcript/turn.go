package transcript

import (
	"slices"

	"github.com/hookbridge/bridge/protocol"
)

// DefaultMaxBytes is how much of a transcript is read at most: 8 MiB, a turn of
// several hundred tool calls.
const DefaultMaxBytes = 8 << 20

// Options selects what a reader of a turn needs.
type Options struct {
	// ToolResults asks for the entries of kind tool_result. Without it the
	// results, by far the largest lines of a transcript, are not parsed to
	// their end.
	ToolResults bool
	// MaxBytes limits what is read; 0 means DefaultMaxBytes.
	MaxBytes int64
}

// Read is a turn and how it was read.
type Read struct {
	protocol.Turn
	// Truncated says that Options.MaxBytes was reached before the turn's
	// beginning. The entries are then the newest ones of the turn, and Err stays
	// TurnOK, because nobody knows what came before.
	Truncated bool
	// Bytes is how much of the file was read.
	Bytes int64
}

// LastTurn reads the last turn of the transcript at path.
//
// final is the last_assistant_message of the hook's input and nil when the input
// had none. It wins over the file, even when empty, because the file lags. A
// turn that only thought or used tools so far has no final message.
//
// Turn.Err is set as follows; the entries are empty then:
//   - TranscriptMissing: no path, or nothing there;
//   - TranscriptUnreadable: no permission, an I/O error, or no regular file;
//   - TranscriptUnparsable: there are lines, and none is a JSON object;
//   - TranscriptNoAssistant: read to its start, the file holds no message of the
//     assistant, not even in an earlier turn.
//
// A turn that has no message yet after earlier turns that have is TurnOK without
// entries: the prompt is in the file before the answer is.
func LastTurn(path string, final *string, opts Options) protocol.Turn {
	return ReadFile(path, final, opts).Turn
}

// ReadFile is LastTurn that also says how much was read.
func ReadFile(path string, final *string, opts Options) Read {
	file, size, fault := open(path)
	if fault != protocol.TurnOK {
		return withFinal(Read{Turn: protocol.Turn{Err: fault}}, final)
	}
	defer file.Close()
	return withFinal(readTurn(newLines(file, size, opts.MaxBytes), opts.ToolResults), final)
}

func withFinal(r Read, final *string) Read {
	if final != nil {
		r.Final, r.HasFinal = *final, true
		return r
	}
	for _, e := range slices.Backward(r.Entries) {
		if e.Kind == protocol.EntryText {
			r.Final, r.HasFinal = e.Text, true
			break
		}
	}
	return r
}

// readTurn walks the lines from the newest to the one that began the turn. A
// turn without a message of the assistant makes it walk on, only to tell a file
// that lags from one that holds no message at all.
func readTurn(lines *lines, results bool) (r Read) {
	var (
		p         parser
		assistant bool // a message of the assistant was seen
		began     bool // the turn's first line was seen
		sawLine   bool
		sawJSON   bool
	)
	p.wantResults = results
	for !began || !assistant {
		line, ok := lines.next()
		if !ok {
			break
		}
		line = trim(line)
		if len(line) == 0 {
			continue
		}
		sawLine = true
		if !mayMatter(line) {
			sawJSON = sawJSON || isObject(line)
			continue
		}
		m, ok := p.parse(line)
		if !ok {
			continue
		}
		sawJSON = true
		switch {
		case m.ignored:
			if !began && !assistant && r.APIError == "" {
				r.APIError = m.apiError
			}
		case m.role == assistantRole:
			assistant = true
			if !began {
				r.Thought = r.Thought || m.thought
				slices.Reverse(m.entries)
				r.Entries = append(r.Entries, m.entries...)
			}
		case m.begins && !began:
			began, r.Opening = true, m.opening
		case m.begins:
		case !began:
			slices.Reverse(m.entries)
			r.Entries = append(r.Entries, m.entries...)
		}
	}
	slices.Reverse(r.Entries)
	r.Bytes, r.Truncated = lines.read, lines.capped && !began
	switch {
	case lines.capped || assistant:
	case lines.err != nil:
		r.Err = protocol.TranscriptUnreadable
	case sawLine && !sawJSON:
		r.Err = protocol.TranscriptUnparsable
	default:
		r.Err = protocol.TranscriptNoAssistant
	}
	if r.Err != protocol.TurnOK {
		r.Entries = nil
	}
	return r
}
