package schematest

import (
	"encoding/json"
	"strconv"
	"strings"
)

// number returns a number that the validator can handle: the validator computes with
// exact fractions, and an exponent of a few digits would keep it busy for minutes. A
// number that does not fit into a float64 becomes a number just outside of its range.
func number(text string) any {
	n, err := strconv.ParseFloat(text, 64)
	switch {
	case err == nil:
		return n
	case strings.HasPrefix(text, "-"):
		return json.Number("-1e309")
	default:
		return json.Number("1e309")
	}
}
