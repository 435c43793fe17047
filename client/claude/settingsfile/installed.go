package settingsfile

import (
	"path/filepath"
	"slices"

	"github.com/go-json-experiment/json"

	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/statefile"
)

// Installs is the directory of the records of installations.
func Installs(stateHome string) statefile.Own { return statefile.OwnIn(stateHome, "installs") }

// RecordName is the name of the record of the installation in the settings file at path.
func RecordName(path string) string { return project.ID(path) + ".json" }

// MaxRecord is the size above which a record is not read: it holds a settings file in base64 and the parts that were
// removed from it.
const MaxRecord = 4 * MaxSize

// Installed returns the events that bridge install wrote lines for in the settings file
// at path; ok is false if it did not install anything there. An older bridge did not
// record the events.
func Installed(stateHome, path string) (events []string, ok bool) {
	if stateHome == "" {
		return nil, false
	}
	text, err := statefile.ReadFile(filepath.Join(string(Installs(stateHome)), RecordName(path)), MaxRecord)
	if err != nil {
		return nil, false
	}
	var record struct {
		Path   string   `json:"path"`
		Events []string `json:"events"`
	}
	if json.Unmarshal(text, &record) != nil || record.Path != path {
		return nil, false
	}
	return record.Events, true
}

// Lost returns the events at which the settings no longer call bridge, of those for which
// it was installed. A line that is idle calls nothing.
func (s Settings) Lost(events []string) (lost []string) {
	for _, event := range events {
		if !slices.ContainsFunc(s.Lines, func(l HookLine) bool { return l.Event == event && l.Bridge() && !l.Idle() }) {
			lost = append(lost, event)
		}
	}
	return lost
}
