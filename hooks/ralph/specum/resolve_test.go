package specum

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// configure writes the settings of the project and returns the resulting place.
func (s *scene) configure(dirs ...string) place {
	s.t.Helper()
	s.put("project/.claude/ralph-specum.local.md", "---\nspecs_dirs: ["+strings.Join(dirs, ", ")+"]\n---\n")
	return specumVariant().lookup(s.root, s.root)
}

func shown(specs []Spec) string {
	var names []string
	for _, spec := range specs {
		names = append(names, spec.Shown)
	}
	return strings.Join(names, " ")
}

// TestRoots: the directories that contain specs: existing ones, each once, inside the
// project or where the user put them.
func TestRoots(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	outside := filepath.Join(s.base, "outside")
	for _, file := range []string{"project/one/a/x", "project/two/b/x", "project/two/.hidden/x", "project/two/_epics/x", "project/two/notes.md", "outside/c/x", "elsewhere/d/x", "project/sub/specs/e/x"} {
		s.put(file, "x")
	}
	p := s.configure("./missing", "./one", "./one/", "./two", outside)
	if len(p.roots) != 3 || len(p.warnings) != 1 || !p.roots[0].isDefault || p.roots[1].isDefault || !p.roots[2].outside {
		t.Errorf("%+v, %q", p.roots, p.warnings)
	}
	if got, want := shown(p.all()), "./one/a ./two/b "+outside+"/c"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if _, ok := p.at(filepath.Join(s.base, "elsewhere", "d"), "d", p.roots[0]); ok {
		t.Error("a spec outside of the project and of every root")
	}
	s.remove(filepath.Join(s.root, "one"))
	if got := shown(p.all()); !strings.HasPrefix(got, "./two/b ") {
		t.Errorf("a root that is gone hides the others: %s", got)
	}
	for _, entry := range []string{"../specs", "specs"} {
		v := specumVariant()
		sub := place{v: v, dir: filepath.Join(s.root, "sub"), root: s.root}
		if _, err := sub.configured(entry, false); err != nil {
			t.Errorf("%s: %v", entry, err)
		}
		// A place outside of the project, as with CLAUDE_PROJECT_DIR, has its own.
		sub.root = filepath.Join(s.base, "elsewhere")
		if _, err := sub.configured(entry, false); (err == nil) != (entry == "specs") {
			t.Errorf("%s of another project: %v", entry, err)
		}
	}
}

// TestCurrentSpecs: the specs that the current-spec files name, each once, from the
// nearest root that has it.
func TestCurrentSpecs(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ one, two, want string }{
		"a name of each":         {"a", "b", "./one/a ./two/b"},
		"one name in both":       {"both", "", "./one/both"},
		"the same spec twice":    {"./one/a", "./one/a", "./one/a"},
		"below another root":     {"b", "", "./two/b"},
		"a path":                 {"./two/b", "", "./two/b"},
		"a path out and back in": {"../project/two/b", "", "../project/two/b"},
		"none":                   {"", "", ""},
	} {
		s := newScene(t)
		for _, file := range []string{"one/a/x", "one/both/x", "two/b/x", "two/both/x"} {
			s.put("project/"+file, "x")
		}
		s.put("project/one/.current-spec", test.one)
		s.put("project/two/.current-spec", test.two)
		p := s.configure("./one", "./two")
		if got := shown(p.current()); got != test.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// TestCurrentFeature: the file that names the current feature is in a separate directory, which must not be a link out
// of the project. Without features, there is no current one.
func TestCurrentFeature(t *testing.T) {
	t.Parallel()
	v := variantOf(Speckit)
	for name, prepare := range map[string]func(s *scene) int{
		"a feature":   func(s *scene) int { s.put("project/"+v.roots+"/f/x", "x"); return 1 },
		"no features": func(s *scene) int { s.remove(filepath.Join(s.root, v.roots)); return 0 },
		"a link out of the project": func(s *scene) int {
			s.put("project/"+v.roots+"/f/x", "x")
			top, _, _ := strings.Cut(v.currentDir, "/")
			if err := os.Rename(filepath.Join(s.root, top), filepath.Join(s.base, "moved")); err != nil {
				s.t.Fatal(err)
			}
			if err := os.Symlink(filepath.Join(s.base, "moved"), filepath.Join(s.root, top)); err != nil {
				s.t.Fatal(err)
			}
			return 0
		},
	} {
		s := newScene(t)
		s.put("project/"+v.currentDir+"/"+v.current, "f")
		want := prepare(s)
		p := v.lookup(s.root, s.root)
		if got := p.current(); len(got) != want {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// TestSettingsBehindALink: settings outside of the project switch nothing off.
func TestSettingsBehindALink(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.put("other/ralph-specum.local.md", "---\nenabled: false\n---\n")
	if err := os.Symlink(filepath.Join(s.base, "other"), filepath.Join(s.root, ".claude")); err != nil {
		t.Fatal(err)
	}
	if p := specumVariant().lookup(s.root, s.root); p.disabled {
		t.Error("it is disabled")
	}
}

// TestWhatIsBack: a coordinator went back if a number is smaller, or if the phase is
// before execution again.
func TestWhatIsBack(t *testing.T) {
	t.Parallel()
	at := Progress{Phase: PhaseExecution, TaskIndex: 2, GlobalIteration: 5}
	for name, test := range map[string]struct {
		now, before Progress
		back        bool
	}{
		"nothing happened":          {at, at, false},
		"a task on":                 {Progress{Phase: PhaseExecution, TaskIndex: 3, GlobalIteration: 6}, at, false},
		"a task back":               {Progress{Phase: PhaseExecution, TaskIndex: 1, GlobalIteration: 5}, at, true},
		"back to the design":        {Progress{Phase: "design", TaskIndex: 2, GlobalIteration: 5}, at, true},
		"from the design on":        {at, Progress{Phase: "design", TaskIndex: 2, GlobalIteration: 5}, false},
		"from one phase to another": {Progress{Phase: "tasks"}, Progress{Phase: "design"}, false},
	} {
		if got := test.now.wentBack(test.before); got != test.back {
			t.Errorf("%s: %v", name, got)
		}
	}
}
