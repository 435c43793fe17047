package moderegistry

import (
	"strings"
	"time"

	"github.com/hookbridge/bridge/internal/statefile"
)

// Touched is the newest time in an object, or the zero time.
func Touched(o statefile.Object) time.Time {
	var newest time.Time
	for _, field := range []string{"started_at", "updated_at", "last_checked_at", "completed_at"} {
		if t := o.Time(field); t.After(newest) {
			newest = t
		}
	}
	return newest
}

// TeamEnd returns the phase or status with which a team ended. It returns "" if the team
// has not ended or its phase is unknown, because an unknown phase is no reason to act
// (Yeachan-Heo/oh-my-claudecode#1374).
func TeamEnd(team statefile.Object) string {
	if team.Object("cancel").Bool("requested") {
		return "cancelled"
	}
	if phase := (State{Object: team}).Phase(); Terminal(phase) {
		return phase
	}
	if status := strings.ToLower(strings.TrimSpace(team.Text("status"))); Terminal(status) {
		return status
	}
	return ""
}
