package usage

import (
	"slices"
	"testing"
)

func TestPrice(t *testing.T) {
	t.Parallel()
	p := Price{Input: 3e6, Output: 15e6, CacheWrite: 3_750_000, CacheRead: 300_000, Fast: 6, LongAbove: 1000, Long: &Price{Input: 6e6}}
	for name, test := range map[string]struct {
		tokens Tokens
		fast   bool
		micros int64
	}{
		"nothing":                        {Tokens{}, false, 0},
		"each kind":                      {Tokens{100, 20, 4, 6, 40}, false, 663},
		"fast":                           {Tokens{100, 20, 4, 6, 40}, true, 3978},
		"a third of a micro-dollar":      {Tokens{CacheRead: 1}, false, 0},
		"half a micro-dollar and more":   {Tokens{CacheRead: 2}, false, 1},
		"a context at the limit":         {Tokens{Input: 1000}, false, 3000},
		"a longer context":               {Tokens{Input: 1001}, false, 6006},
		"a longer context, by its parts": {Tokens{Input: 1, CacheWrite5m: 300, CacheWrite1h: 300, CacheRead: 400}, false, 6 + 300*12},
		"a long output":                  {Tokens{Input: 1, Output: 5000}, false, 75003},
	} {
		if got := p.Of(test.tokens, test.fast).Micros(); got != test.micros {
			t.Errorf("%s: %d micro-dollars, want %d", name, got, test.micros)
		}
	}
	if got := (Price{Input: 1}).Of(Tokens{Input: 5}, true); got != 5 {
		t.Errorf("a model without a fast mode costs %d", got)
	}
}

func TestCost(t *testing.T) {
	t.Parallel()
	for cost, want := range map[Cost]string{0: "$0.0000", 3_978_000_000: "$0.0040", 999_999_499_999: "$1.0000", 1_000_000_000_000: "$1.00", 12_345_678_900_000: "$12.35"} {
		if got := cost.String(); got != want {
			t.Errorf("%d is %s, want %s", cost, got, want)
		}
	}
}

func TestSum(t *testing.T) {
	t.Parallel()
	var s Sum
	s.Add(Tokens{1, 2, 3, 4, 5}, 7)
	s.AddUnpriced(Tokens{10, 20, 30, 40, 50}, "b")
	s.AddUnpriced(Tokens{}, "a")
	s.AddUnpriced(Tokens{}, "b")
	if want := (Tokens{11, 22, 33, 44, 55}); s.Tokens != want || s.Total() != 165 || s.Cost != 7 || s.Requests != 4 || !slices.Equal(s.Unpriced(), []string{"a", "b"}) {
		t.Errorf("%+v, unpriced %v", s, s.Unpriced())
	}
}
