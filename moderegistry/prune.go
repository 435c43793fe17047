package moderegistry

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/hookbridge/bridge/internal/session"
	"github.com/hookbridge/bridge/internal/statefile"
)

// How long, or how many, records are kept.
const (
	// keptRecords is for records of sessions, which soon become useless.
	keptRecords = 7 * 24 * time.Hour
	// keptSummaries is for summaries of sessions.
	keptSummaries = 30 * 24 * time.Hour
	// keptCheckpoints is how many of the newest checkpoints are kept.
	keptCheckpoints = 10
)

// Prune returns what maintenance may remove: files of the path table that are old enough
// and belong to no live session. It never includes a state, active
// (Yeachan-Heo/oh-my-claudecode#609) or ended, because a state holds a prompt and its age
// depends on the clock. It never includes anything of the registry's own session.
func (r *Registry) Prune() []statefile.Removal {
	dirs := slices.Clone(r.omc.Search)
	if records := r.Records().Dir(); records != "" && !slices.Contains(dirs, records) {
		dirs = append(dirs, records)
	}
	var all []statefile.Removal
	session.Walk(dirs, r.omc.Roots, "", func(dir *statefile.Dir, path string) bool {
		all = append(append(all, r.pruneShared(dir)...), r.pruneSessions(dir, path)...)
		return true
	})
	return all
}

// pruneShared checks the files outside of the sessions' folders.
func (r *Registry) pruneShared(dir *statefile.Dir) []statefile.Removal {
	var all []statefile.Removal
	old := func(folder string, kept time.Duration, what func(file string) string) {
		names, _ := dir.Names(folder)
		slices.Sort(names)
		for _, name := range names {
			file := folder + "/" + name
			if what := what(file); what != "" {
				if age, ok := dir.Age(file, r.now); ok && age > kept {
					all = append(all, dir.Removal(file, what+", unchanged for "+days(age)))
				}
			}
		}
	}
	old("state", keptRecords, func(file string) string {
		switch {
		case slices.ContainsFunc([]File{ToolError, PendingToolUse, AgentTracking, CancelSignal, HUD}, func(f File) bool { return entry(f).Legacy == file }):
			return "a record of a past session"
		case strings.HasPrefix(file, "state/agent-replay-") && strings.HasSuffix(file, ".jsonl"):
			return "events of past agents"
		}
		return ""
	})
	old("sessions", keptSummaries, func(file string) string {
		if strings.HasSuffix(file, ".json") {
			return "the summary of a past session"
		}
		return ""
	})
	folder, _ := LegacyPath(CheckpointsDir)
	names, _ := dir.Names(folder)
	names = slices.DeleteFunc(names, func(n string) bool { return !strings.HasPrefix(n, "checkpoint-") })
	slices.Sort(names)
	for _, name := range names[:max(len(names)-keptCheckpoints, 0)] {
		all = append(all, dir.Removal(path.Join(folder, name), fmt.Sprintf("an old checkpoint; the newest %d stay", keptCheckpoints)))
	}
	return all
}

// pruneSessions checks the folders of sessions.
func (r *Registry) pruneSessions(dir *statefile.Dir, omc string) []statefile.Removal {
	parent, _ := LegacyPath(SessionsDir)
	ids, _ := dir.Names(parent)
	slices.Sort(ids)
	var all []statefile.Removal
	folder := ""
	for _, id := range ids {
		if id == r.sessionID || !session.ValidID(id) {
			continue
		}
		dir.Leave(folder)
		folder = path.Join(parent, id)
		names, err := dir.Names(folder)
		if err != nil || r.alive(dir, omc, folder, id, names) {
			continue
		}
		kept := 0
		for _, name := range names {
			age, ok := dir.Age(path.Join(folder, name), r.now)
			switch {
			case !ok, !isRecord(id, folder, name):
				kept++
			default:
				all = append(all, dir.Removal(path.Join(folder, name), "of a session that was inactive for "+days(age)))
			}
		}
		if kept == 0 {
			all = append(all, dir.Removal(folder, "the empty folder of a past session"))
		}
	}
	return all
}

// alive reports whether a session may still need its folder, because something in it is
// active or was changed recently.
func (r *Registry) alive(dir *statefile.Dir, omc, folder, id string, names []string) bool {
	for _, name := range names {
		age, ok := dir.Age(path.Join(folder, name), r.now)
		if !ok || age <= keptRecords {
			return true
		}
	}
	return slices.ContainsFunc(r.statesIn(dir, omc, folder, id, names), State.Active)
}

// isRecord reports whether a file in a session's folder is in the path table and may be removed. States, stories and
// their backups may not, because somebody wrote them. Files of other programs are not in the table.
func isRecord(id, folder, name string) bool {
	return slices.ContainsFunc(Entries(), func(e Entry) bool {
		own, ok := SessionPath(e.File, id)
		return ok && own == path.Join(folder, name) && e.File != PRD &&
			!slices.ContainsFunc(AllModes(), func(mode Mode) bool { return StateFile(mode) == e.File })
	})
}

func days(age time.Duration) string { return fmt.Sprintf("%d days", int(age.Hours()/24)) }
