package usage

import (
	"regexp"
	"strings"

	"github.com/hookbridge/bridge/internal/usage"
)

// PricesAsOf is the day on which Prices was compared with client 2.1.330 and ccusage
// 20.0.24.
const PricesAsOf = "2026-11-23"

// Prices are the list prices by model, without a date behind the model's name
// (docs/reference/claude-code.md#prices).
func Prices() map[string]usage.Price {
	opus, old := usage.Price{Input: 5e6, Output: 25e6, CacheWrite: 6_250_000, CacheRead: 500_000}, usage.Price{Input: 15e6, Output: 75e6, CacheWrite: 18_750_000, CacheRead: 1_500_000}
	sonnet := usage.Price{Input: 3e6, Output: 15e6, CacheWrite: 3_750_000, CacheRead: 300_000}
	large := usage.Price{Input: 10e6, Output: 50e6, CacheWrite: 12_500_000, CacheRead: 1e6}
	cheaper := large
	cheaper.CacheRead = 250_000
	newest := usage.Price{Input: 8e6, Output: 40e6, CacheWrite: 10e6, CacheRead: 200_000, Fast: 2}
	with := func(p usage.Price, fast usage.Cost) usage.Price {
		p.Fast = fast
		return p
	}
	return map[string]usage.Price{
		"claude-opus-5-5":   {Input: 4e6, Output: 20e6, CacheWrite: 5e6, CacheRead: 200_000, Fast: 2},
		"claude-opus-5":     with(opus, 2),
		"claude-opus-4-8":   with(opus, 2),
		"claude-opus-4-7":   with(opus, 6),
		"claude-opus-4-6":   with(opus, 6),
		"claude-opus-4-5":   opus,
		"claude-opus-4-1":   old,
		"claude-opus-4":     old,
		"claude-3-opus":     old,
		"claude-sonnet-5-5": {Input: 2e6, Output: 10e6, CacheWrite: 2_500_000, CacheRead: 100_000},
		"claude-sonnet-5":   {Input: 2e6, Output: 10e6, CacheWrite: 2_500_000, CacheRead: 200_000},
		"claude-sonnet-4-6": sonnet,
		"claude-sonnet-4-5": sonnet,
		"claude-sonnet-4":   sonnet,
		"claude-3-7-sonnet": sonnet,
		"claude-3-5-sonnet": sonnet,
		"claude-haiku-5-5": {
			Input: 100_000, Output: 500_000, CacheWrite: 125_000, CacheRead: 10_000,
			LongAbove: 100_000, Long: &usage.Price{Input: 500_000, Output: 2_500_000, CacheWrite: 625_000, CacheRead: 50_000},
		},
		"claude-haiku-4-5":  {Input: 1e6, Output: 5e6, CacheWrite: 1_250_000, CacheRead: 100_000},
		"claude-3-5-haiku":  {Input: 800_000, Output: 4e6, CacheWrite: 1e6, CacheRead: 80_000},
		"claude-3-haiku":    {Input: 250_000, Output: 1_250_000, CacheWrite: 300_000, CacheRead: 30_000},
		"claude-fable-5-2":  newest,
		"claude-mythos-5-2": newest,
		"claude-fable-5-1":  cheaper,
		"claude-mythos-5-1": cheaper,
		"claude-fable-5":    large,
		"claude-mythos-5":   large,
	}
}

// ModelKey is the key of a model in Prices: its name without provider, date and version,
// such as claude-opus-4-5 for us.anthropic.claude-opus-4-5-20251101-v1:0.
func ModelKey(model string) string {
	if i := strings.LastIndex(model, "claude-"); i > 0 {
		model = model[i:]
	}
	suffix := regexp.MustCompile(`([-@]20\d{6})?(-v\d+(:\d+)?)?(\[1m\])?$`)
	key := suffix.ReplaceAllString(model, "")
	switch key {
	case "claude-opus-4-0", "claude-sonnet-4-0":
		return strings.TrimSuffix(key, "-0")
	}
	return key
}
