package moderegistry_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/hookbridge/bridge/moderegistry"
)

// One session starts an exclusive mode, so another session cannot start one. Then the first session stops its mode.
func Example() {
	root, err := os.MkdirTemp("", "modes-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(root)
	project := filepath.Join(root, "project")
	if err := os.MkdirAll(filepath.Join(project, ".git"), 0o700); err != nil {
		panic(err)
	}
	home := func(name string) string {
		if name == "HOME" || name == "USERPROFILE" || name == "LOCALAPPDATA" {
			return root
		}
		return ""
	}
	open := func(session string) *moderegistry.Registry {
		return moderegistry.At(project, session, home, time.Now())
	}
	ctx, wait := context.Background(), 5*time.Second

	err = open("s1").Start(ctx, moderegistry.StartOptions{Mode: moderegistry.Autopilot, Prompt: "Build a parser."}, wait)
	fmt.Println("s1 starts autopilot:", err)
	found := open("s1").Find(moderegistry.Autopilot)
	fmt.Println("s1 has it:", found.OK)

	err = open("s2").Start(ctx, moderegistry.StartOptions{Mode: moderegistry.Ultrapilot}, wait)
	var conflict *moderegistry.ConflictError
	fmt.Println("s2 is refused:", errors.As(err, &conflict) && conflict.Blocker.Mode == moderegistry.Autopilot)

	stopped, err := open("s1").Stop(ctx, moderegistry.StopOptions{Mode: moderegistry.Autopilot}, wait)
	fmt.Println("s1 stops:", len(stopped), err)
	// Output:
	// s1 starts autopilot: <nil>
	// s1 has it: true
	// s2 is refused: true
	// s1 stops: 1 <nil>
}

// Parse reads the name of a mode as a person types it; RowOf returns the mode's row in the table.
func ExampleRowOf() {
	mode, err := moderegistry.Parse("autopilot")
	if err != nil {
		panic(err)
	}
	row, ok := moderegistry.RowOf(mode)
	fmt.Println(row.Mode, row.Exclusive, ok)
	// Output: autopilot true true
}

// A state file is in .omc. A session id that must not be used in a path has no directory
// of its own.
func ExamplePath() {
	file := moderegistry.StateFile(moderegistry.Ralph)
	fmt.Println(moderegistry.Path(file, "s1"))
	fmt.Println(moderegistry.Path(file, "../s1"))
	// Output:
	// state/sessions/s1/ralph-state.json true
	// state/ralph-state.json true
}
