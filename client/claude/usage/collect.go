package usage

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/hookbridge/bridge/internal/statefile"
)

// Messages are the answers of some sessions, each once. The same answer is in several
// lines, and after a fork or a resumption in several files.
type Messages struct {
	byKey map[key]Message
	// byID finds the answers with the same id under another request.
	byID map[string][]key
	// nameless counts the answers without an id.
	nameless int
}

type key struct{ id, request string }

// New is an empty set.
func New() *Messages { return &Messages{byKey: map[key]Message{}, byID: map[string][]key{}} }

// All yields the answers in no order.
func (s *Messages) All() iter.Seq[Message] { return maps.Values(s.byKey) }

// Add adds one line's answer. Lines of the same answer count once: the one of the main
// conversation, then the one with more tokens, then the one that names its speed. The same
// id under another request is the same answer only if one of the two is a side
// conversation, which repeats the messages of its parent.
func (s *Messages) Add(m Message) {
	k := key{m.ID, m.Request}
	if m.ID == "" {
		s.nameless++
		k.request = fmt.Sprint("\x00", s.nameless)
		s.byKey[k] = m
		return
	}
	if old, ok := s.byKey[k]; ok {
		s.byKey[k] = better(old, m)
		return
	}
	for i, other := range s.byID[m.ID] {
		old := s.byKey[other]
		if !old.Sidechain && !m.Sidechain {
			continue
		}
		if old.Sidechain && !m.Sidechain {
			delete(s.byKey, other)
			s.byID[m.ID][i] = k
			s.byKey[k] = together(m, old)
		} else {
			s.byKey[other] = together(old, m)
		}
		return
	}
	s.byKey[k] = m
	s.byID[m.ID] = append(s.byID[m.ID], k)
}

// better is the line that counts, of two of the same answer.
func better(a, b Message) Message {
	if a.Sidechain != b.Sidechain {
		if b.Sidechain {
			return together(a, b)
		}
		return together(b, a)
	}
	if b.Tokens.Total() > a.Tokens.Total() || b.Tokens.Total() == a.Tokens.Total() && b.Speed && !a.Speed {
		return together(b, a)
	}
	return together(a, b)
}

// together is m with the tool calls of both. Each line has only those of its own block.
func together(m, other Message) Message {
	if len(other.Tools) > 0 {
		calls := maps.Clone(other.Tools)
		maps.Copy(calls, m.Tools)
		m.Tools = calls
	}
	return m
}

// maxLine is the length of the longest line that is read. A longer one has no usage worth
// its memory.
const maxLine = 64 << 20

// Read adds the lines of a transcript. A file that is not there adds nothing.
func (s *Messages) Read(path string) error {
	file, _, err := statefile.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read the usage: %w", err)
	}
	defer file.Close()
	if err := s.read(file); err != nil {
		return fmt.Errorf("read the usage in %s: %w", path, err)
	}
	return nil
}

func (s *Messages) read(src io.Reader) error {
	r := bufio.NewReaderSize(src, 1<<20)
	var long []byte
	tooLong := false
	for {
		part, err := r.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			if tooLong = tooLong || len(long)+len(part) > maxLine; !tooLong {
				long = append(long, part...)
			}
			continue
		}
		text := part
		if len(long) > 0 {
			text = append(long, part...)
		}
		if !tooLong {
			if m, ok := Parse(text); ok {
				s.Add(m)
			}
		}
		long, tooLong = long[:0], false
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// Transcripts are the transcripts below the client's directory, those of subagents
// included: of all projects, or, if project is not "", of the folders in which sessions of
// that project can be, and of all sessions, or of one if session is not "". A folder does
// not say exactly which directory it is for; Message.CWD does.
func Transcripts(home, project, session string) ([]string, error) {
	projects := filepath.Join(home, "projects")
	folders, err := names(projects)
	if err != nil {
		return nil, err
	}
	var all []string
	for _, folder := range folders {
		if project != "" && folder != Folder(project) && !strings.HasPrefix(folder, Folder(project)+"-") {
			continue
		}
		entries, err := names(filepath.Join(projects, folder))
		if err != nil {
			return nil, err
		}
		for _, entry := range entries {
			id := strings.TrimSuffix(entry, ".jsonl")
			path := filepath.Join(projects, folder, entry)
			switch {
			case session != "" && id != session:
			case id != entry:
				all = append(all, path)
			default:
				agents, err := names(filepath.Join(path, "subagents"))
				if err != nil {
					return nil, err
				}
				for _, agent := range agents {
					if strings.HasSuffix(agent, ".jsonl") {
						all = append(all, filepath.Join(path, "subagents", agent))
					}
				}
			}
		}
	}
	return all, nil
}

// Folder is the name of a project's folder below projects.
func Folder(project string) string {
	return strings.Map(func(r rune) rune {
		if r < 128 && (r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z') {
			return r
		}
		return '-'
	}, project)
}

// names are the entries of a directory, in order; one that is not there has none.
func names(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
		return nil, fmt.Errorf("find transcripts: %w", err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all, nil
}
