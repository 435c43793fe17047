// Package usage counts tokens and money in whole numbers (docs/design.md#money).
package usage

import (
	"fmt"
	"maps"
	"slices"
)

// Tokens are the tokens of one or more requests, by kind. Input excludes what was read
// from or written to the cache.
type Tokens struct {
	Input        int64 `json:"input"`
	Output       int64 `json:"output"`
	CacheWrite5m int64 `json:"cache_write_5m"`
	CacheWrite1h int64 `json:"cache_write_1h"`
	CacheRead    int64 `json:"cache_read"`
}

// Plus is the sum of both.
func (t Tokens) Plus(o Tokens) Tokens {
	return Tokens{t.Input + o.Input, t.Output + o.Output, t.CacheWrite5m + o.CacheWrite5m, t.CacheWrite1h + o.CacheWrite1h, t.CacheRead + o.CacheRead}
}

// Total is the number of all tokens.
func (t Tokens) Total() int64 { return t.context() + t.Output }

// context is what the model had to read.
func (t Tokens) context() int64 { return t.Input + t.CacheWrite5m + t.CacheWrite1h + t.CacheRead }

// Cost is money in millionths of a micro-dollar (10^-12 dollars), so that no request has to
// be rounded: a price in micro-dollars per million tokens is a Cost per token.
type Cost int64

// Micros is the cost in micro-dollars, rounded to the nearest.
func (c Cost) Micros() int64 { return (int64(c) + 500_000) / 1_000_000 }

// String is the cost in dollars: with four digits below a dollar, otherwise with two.
func (c Cost) String() string {
	digits := 2
	if c < 1_000_000_000_000 {
		digits = 4
	}
	return fmt.Sprintf("$%.*f", digits, float64(c.Micros())/1e6)
}

// Price is what a model's tokens cost, in micro-dollars per million. Writing to the
// one-hour cache costs twice the input.
type Price struct {
	Input, Output, CacheWrite, CacheRead Cost
	// Fast multiplies the price of a request in fast mode, if it is not 0.
	Fast Cost
	// Long, if it is not nil, is the price of a request whose context has more than
	// LongAbove tokens.
	Long      *Price
	LongAbove int64
}

// Of is what a request costs.
func (p Price) Of(t Tokens, fast bool) Cost {
	factor := Cost(1)
	if fast && p.Fast > 0 {
		factor = p.Fast
	}
	if p.Long != nil && t.context() > p.LongAbove {
		p = *p.Long
	}
	return factor * (Cost(t.Input)*p.Input + Cost(t.Output)*p.Output + Cost(t.CacheWrite5m)*p.CacheWrite + Cost(t.CacheWrite1h)*2*p.Input + Cost(t.CacheRead)*p.CacheRead)
}

// Sum is the usage of some requests.
type Sum struct {
	Tokens
	Cost     Cost
	Requests int
	// unpriced are the models without a price: their tokens count, and their cost does not.
	unpriced map[string]bool
}

// Add adds one request.
func (s *Sum) Add(t Tokens, cost Cost) {
	s.Tokens, s.Cost, s.Requests = s.Plus(t), s.Cost+cost, s.Requests+1
}

// AddUnpriced adds a request of a model that has no price.
func (s *Sum) AddUnpriced(t Tokens, model string) {
	s.Add(t, 0)
	if s.unpriced == nil {
		s.unpriced = map[string]bool{}
	}
	s.unpriced[model] = true
}

// Unpriced are the models without a price, in order.
func (s Sum) Unpriced() []string { return slices.Sorted(maps.Keys(s.unpriced)) }
