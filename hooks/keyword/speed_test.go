package keyword_test

import (
	"strings"
	"testing"

	"github.com/hookbridge/bridge/hooks/keyword"
)

// BenchmarkDetect reads prompts of 200 KB that repeat what a rule searches for. The time
// must grow linearly with the text, not quadratically: each prompt takes less than 100
// ms.
func BenchmarkDetect(b *testing.B) {
	for name, text := range map[string]string{
		"lines":    "ralph\n",
		"words":    "ralph ",
		"commas":   "ralph, ",
		"short":    "ulw,",
		"fillers":  "ok ",
		"between":  "ok ok ok ralph ",
		"and":      "use ralph and ",
		"quotes":   "“「『《‘«",
		"quoted":   "\"ralph\" ",
		"chinese":  "用拉尔夫循环，",
		"korean":   "랄프 모드 ",
		"japanese": "ラルフで、",
		"tags":     "<a>ralph",
		"paths":    "/字/ralph ",
		"ticks":    "` ``ralph",
		"colons":   "docs say:\nralph\n",
		"letters":  "字",
		"slashes":  "a/",
		"until":    "ralph the x x x x x x x x x x x x x x x x x x ",
	} {
		prompt := strings.Repeat(text, 200_000/len(text))
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				keyword.Detect(prompt, nil)
			}
		})
	}
}
