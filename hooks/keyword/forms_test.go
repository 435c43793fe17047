package keyword_test

import (
	"cmp"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/bridge/hooks/keyword"
)

// TestFormsOfOrders has the forms in which people order a mode, each with similar sentences that only mention it.
func TestFormsOfOrders(t *testing.T) {
	t.Parallel()
	for want, prompts := range map[string][]string{
		"autopilot": {
			"autopilot build me a todo app", "autopilot: build me a todo app", "autopilot, please build me a todo app", "Autopilot a REST API with login", "autopilot this task", "autopilot make me a landing page",
			"please autopilot this feature", "오토파일럿 해줘", "오토파일럿으로 진행", "오토파일럿 부탁해", "オートパイロットを開始して、画面を作って", "autopilot: construir una API REST", "autopilot: 構建一個部落格",
		},
		"ralph": {
			"ralph build me a CLI for invoices", "ralph: fix errors", "ralph: fix lint", "ralph: update dependencies", "ralph fix tests", "ralph, fix tests please", "Please ralph this task", "ralph these tickets",
			"ralph: address comments", "랄프 해줘", "랄프 실행해줘 테스트가 다 통과할 때까지", "ralph해줘", "run ralph on 새 작업", "start ralph for 新しいタスク", "ラルフを実行してテストを直す", "ラルフを実行して、すべてのテストを通して", "$ralph", "/omc-ralph fix it",
		},
		"ultrawork": {
			"ultrawork build me an API for invoices", "ulw fix errors", "ultrawork update dependencies", "ulw this code", "ulw fix lint", "ulw: review comments", "ulw 이 기능 구현해줘", "ulw この機能を実装してください", "/ulw fix the build",
			"ulw 优化首页加载速度", "ulw agregar autenticación", "ultrawork développer une API", "ultrawork Entwickle eine API",
		},
		"ralph ultrawork": {"ralph ulw fix errors", "ralph ulw: migrate the database"},
		"ralph team":      {"/team ralph \"build an API\""},
		"team":            {"team 3:executor fix all lint errors", "/team 3:executor fix it"},
		"cancel":          {"$cancel", "cancel --force", "cancel --all"},
		"cancel ralph":    {"$cancel ralph", "取消正在进行的拉尔夫循环。"},
		"": {
			"ralph build errors", "ralph lint failures", "ralph test results", "ralph fix released", "ralph fix available", "ralph release notes", "ralph update", "Ralph this week: what changed", "autopilot this morning was great",
			"ralph this is broken", "autopilot a mode that nobody needs", "ralph for Claude Code", "Ralph on Windows", "ulw on macOS", "ulw fix is broken", "ulw bug report", "ralph crea un bucle", "ralph corrige les erreurs",
			"랄프 해석이 다르다", "랄프 해줘라는 말을 들었다", "Ralph를 중단하려면 /cancel-ralph를 사용하세요.", "ralph는 테스트를 실행해줘", "ralph 기능 설명해줘", "ラルフを実行してエラーが出た", "ラルフを実行しても終わりません", "ralphの機能を追加して", "run tests on ralph 문서",
			"team 3: please come at nine", "team 3 wrote the executor", "cancel --dry-run means nothing here, or does it", "cancel my subscription", "$ralph costs nothing?",
		},
	} {
		for _, prompt := range prompts {
			got := answer(keyword.Detect(prompt, nil))
			slices.Sort(got)
			if strings.Join(got, " ") != want {
				t.Errorf("%q: %q, want %q", prompt, got, want)
			}
		}
	}
}

// TestForms has more forms in each language. A line is what the prompt starts or ends ("-": nothing), a tab, and the
// prompt.
func TestForms(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("testdata/forms.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		want, prompt, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		got := answer(keyword.Detect(strings.ReplaceAll(prompt, `\n`, "\n"), nil))
		slices.Sort(got)
		if cmp.Or(strings.Join(got, " "), "-") != want {
			t.Errorf("%q: %q, want %s", prompt, got, want)
		}
	}
}
