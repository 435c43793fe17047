package transcript

import (
	"slices"

	"github.com/hookbridge/bridge/protocol"
)

// maxBytes is the maximum part of a transcript that is read: 8 MiB, a turn of several
// hundred tool calls.
const maxBytes = 8 << 20

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
//
// Of a turn that is longer than maxBytes the entries are the newest ones, and
// Turn.Err stays TurnOK, because nobody knows what came before. Entries of kind
// tool_result are there with results only: they are by far the largest lines of a
// transcript, and without it not parsed to their end.
func LastTurn(path string, final *string, results bool) protocol.Turn {
	file, size, fault := open(path)
	if fault != protocol.TurnOK {
		return withFinal(protocol.Turn{Err: fault}, final)
	}
	defer file.Close()
	return withFinal(readTurn(newLines(file, size), results), final)
}

func withFinal(turn protocol.Turn, final *string) protocol.Turn {
	if final != nil {
		turn.Final, turn.HasFinal = *final, true
		return turn
	}
	for _, e := range slices.Backward(turn.Entries) {
		if e.Kind == protocol.EntryText {
			turn.Final, turn.HasFinal = e.Text, true
			break
		}
	}
	return turn
}

// readTurn reads the lines from the newest back to the one that began the turn. If the turn has no message of the
// assistant, it reads on, only to find out whether the file contains any.
func readTurn(lines *lines, results bool) protocol.Turn {
	p, t := parser{wantResults: results}, turnReader{}
	for !t.began || !t.assistant {
		line, ok := lines.next()
		if !ok {
			break
		}
		if line = trim(line); len(line) == 0 {
			continue
		}
		t.sawLine = true
		if !mayMatter(line) {
			t.sawJSON = t.sawJSON || isObject(line)
		} else if m, ok := p.parse(line); ok {
			t.sawJSON = true
			t.add(m)
		}
	}
	slices.Reverse(t.Entries)
	switch {
	case lines.capped || t.assistant:
		return t.Turn
	case lines.err != nil:
		t.Err = protocol.TranscriptUnreadable
	case t.sawLine && !t.sawJSON:
		t.Err = protocol.TranscriptUnparsable
	default:
		t.Err = protocol.TranscriptNoAssistant
	}
	t.Entries = nil
	return t.Turn
}

// turnReader is the part of a turn that has been read so far, from its end.
type turnReader struct {
	protocol.Turn
	// assistant says that a message of the assistant was seen; began says that the first
	// line of the turn was seen.
	assistant, began, sawLine, sawJSON bool
}

// add adds a message before those that were read.
func (t *turnReader) add(m message) {
	switch {
	case m.ignored:
		if !t.began && !t.assistant && t.APIError == "" {
			t.APIError = m.apiError
		}
		return
	case m.role == assistantRole:
		t.assistant = true
		t.Thought = t.Thought || m.thought && !t.began
	case m.begins:
		if !t.began {
			t.began, t.Opening = true, m.opening
		}
		return
	}
	if !t.began {
		slices.Reverse(m.entries)
		t.Entries = append(t.Entries, m.entries...)
	}
}
