package smart

import (
	"io/fs"

	"github.com/hookbridge/bridge/hooks/ralph/smart/message"
	"github.com/hookbridge/bridge/hooks/ralph/smart/state"
	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/session"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// kind holds the texts about sessions of smart ralph.
func kind(lang message.Lang) session.Kind {
	in := protocol.Lang(lang).In
	return session.Kind{
		Key: "smart", Label: "smart ralph", Adopt: display.Bridge + " ralph resume", Drop: display.Bridge + " ralph cancel",
		Remedies: session.Remedies{
			NotRegular:    in("请换成普通文件, 或者用 "+display.Bridge+" ralph clean 删除它。", "Replace it with a regular file, or remove it with "+display.Bridge+" ralph clean."),
			TooLarge:      in("请缩短里面的描述。", "Shorten the descriptions in it."),
			ForeignOwner:  in("请在你自己的目录里工作。", "Work in a directory of your own."),
			WorldWritable: in("如果它是你的: chmod o-w 那个目录。", "If it is yours: chmod o-w that directory."),
		},
		Lang: protocol.Lang(lang),
	}
}

// Find looks for the state of the session.
func Find(s *protocol.Stop) (protocol.Found, error) {
	user := message.LangOf(s.Env.Config.Lang, s.Env.Getenv)
	search := session.Search[file]{
		Kind: kind(user), Store: session.NewStore(s.Env.StateHome), SessionID: s.Input.SessionID, Now: s.Env.Now,
		Names: []string{StateName}, Unusable: kind(user).Unusable, Owned: file.owned,
	}
	search.Load = func(dir *statefile.Dir, path, _ string) (file, error) {
		f, err := load(dir, path)
		if err == nil && f.idle() {
			err = fs.ErrNotExist
		}
		search.Kind = kind(spoken(f.state, user))
		return f, err
	}
	search.Refuse(session.Locate(s, DirName, FolderName, search.Visit))
	found := protocol.Found{Notices: search.Notices}
	if search.Best != nil {
		l := loopOf(s, *search.Best, search.Store)
		if search.Claimed {
			l.claim = s.Input.SessionID
		}
		found.Active = l
	}
	return found, nil
}

// loopOf makes a loop from a state that was read.
func loopOf(s *protocol.Stop, f file, store session.Store) *loop {
	return &loop{file: f, in: s.Input, env: s.Env, root: s.Root, store: store, lang: spoken(f.state, message.LangOf(s.Env.Config.Lang, s.Env.Getenv))}
}

// spoken is the language of a session: that of its state, or the user's.
func spoken(s state.State, user message.Lang) message.Lang {
	if s.Lang != "" {
		return message.Lang(s.Lang)
	}
	return user
}

// Speaks implements protocol.Speaker.
func (l *loop) Speaks() protocol.Lang { return protocol.Lang(l.lang) }

// confidence is the confidence threshold in percent.
func (l *loop) confidence() int {
	if n := l.env.Config.Smart.ConfidenceThreshold; n > 0 && n <= 100 {
		return n
	}
	return defaultConfidence
}

// Label names the loop for the user.
func (l *loop) Label() string { return "smart ralph" }

// ReadsToolResults implements protocol.ToolResultReader: tool results hold test runs and
// errors.
func (l *loop) ReadsToolResults() bool { return true }
