// Package config is the configuration of smart ralph: command line, then
// .claude/ralph-smart/config.json, then the built-in values
// (docs/reference/smart-ralph.md, R3-2 to R3-5). The user's own configuration bounds
// all of them. It does no I/O.
package config

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// Values are the six values of docs/reference/smart-ralph.md#r3-2. MaxIterations 0 is
// no limit, StallDetection 0 no detection; CompletionThreshold is a percentage.
type Values struct {
	MaxIterations       int
	CompletionThreshold int
	AutoApprove         bool
	StrictMode          bool
	StallDetection      int
	Verbose             bool
}

// Defaults are the built-in values.
func Defaults() Values {
	return Values{MaxIterations: 50, CompletionThreshold: 90, StallDetection: 5}
}

// Source says where a value comes from.
type Source string

// The sources.
const (
	BuiltIn     Source = "default"
	File        Source = "config.json"
	CommandLine Source = "command line"
	Clamped     Source = "limited by the user's configuration"
)

// Key is the name of a value, as config.json has it.
type Key string

// Keys returns the names in the order of docs/reference/smart-ralph.md#r3-2.
func Keys() []Key {
	return []Key{"max_iterations", "completion_threshold", "auto_approve", "strict_mode", "stall_detection", "verbose"}
}

// Option is the name on the command line.
func (k Key) Option() string { return "--" + strings.ReplaceAll(string(k), "_", "-") }

// IsFlag reports a value that is true or false.
func (k Key) IsFlag() bool {
	return k == "auto_approve" || k == "strict_mode" || k == "verbose"
}

// bounds of a number.
func (k Key) bounds() (least, most int) {
	switch k {
	case "max_iterations":
		return 1, 10_000
	case "completion_threshold":
		return 0, 100
	}
	return 0, 1000
}

// Parse reads the text of a value. unlimited admits --max-iterations 0, which only
// --force does (R3-4). The result is an int or a bool.
func (k Key) Parse(text string, unlimited bool) (any, error) {
	text = strings.TrimSpace(text)
	if k.IsFlag() {
		switch strings.ToLower(text) {
		case "true":
			return true, nil
		case "false":
			return false, nil
		}
		return nil, fmt.Errorf("%s is true or false, got: %.40q", k, text)
	}
	least, most := k.bounds()
	n, err := strconv.Atoi(strings.TrimSuffix(text, "%"))
	if err == nil && n == 0 && unlimited && k == "max_iterations" {
		return 0, nil
	}
	if err != nil || n < least || n > most {
		return nil, fmt.Errorf("%s is a whole number from %d to %d, got: %.40q", k, least, most, text)
	}
	return n, nil
}

// field is where a value lies: a *int or a *bool.
func (v *Values) field(k Key) any {
	switch k {
	case "max_iterations":
		return &v.MaxIterations
	case "completion_threshold":
		return &v.CompletionThreshold
	case "auto_approve":
		return &v.AutoApprove
	case "strict_mode":
		return &v.StrictMode
	case "stall_detection":
		return &v.StallDetection
	}
	return &v.Verbose
}

// Get returns a value as it is written.
func (v Values) Get(k Key) any {
	if n, ok := v.field(k).(*int); ok {
		return *n
	}
	return *v.field(k).(*bool)
}

// set takes what Parse returned.
func (v *Values) set(k Key, value any) {
	switch to := v.field(k).(type) {
	case *int:
		*to, _ = value.(int)
	case *bool:
		*to, _ = value.(bool)
	}
}

// Effective are values with their sources.
type Effective struct {
	Values  Values
	Sources map[Key]Source
	// Warnings name what in the file is not used, and why.
	Warnings []string
}

// Resolve puts the layers together: data is the text of config.json, nil when
// there is none; given are the values of the command line.
func Resolve(data []byte, given map[Key]any, clamp protocol.SmartClamp) Effective {
	e := Effective{Values: Defaults(), Sources: map[Key]Source{}}
	for _, k := range Keys() {
		e.Sources[k] = BuiltIn
	}
	e.readFile(data)
	for k, value := range given {
		e.Values.set(k, value)
		e.Sources[k] = CommandLine
	}
	e.clamp(clamp)
	return e
}

// readFile takes the known keys; a value of the wrong kind or out of its range
// costs that key only.
func (e *Effective) readFile(data []byte) {
	if data == nil {
		return
	}
	object, err := statefile.ParseObject(data)
	if err != nil {
		e.warn("config.json is not used, because it is no JSON object (%v); it is left as it is", err)
		return
	}
	for _, k := range Keys() {
		raw, ok := object.Raw(string(k))
		if !ok {
			continue
		}
		if k.IsFlag() != (raw.Kind() == 't' || raw.Kind() == 'f') || !k.IsFlag() && raw.Kind() != '0' {
			e.warn("config.json: %s has the wrong type (%.40s), so its default is used", k, raw)
			continue
		}
		value, err := k.Parse(string(raw), false)
		if err != nil {
			e.warn("config.json: %v; its default is used", err)
			continue
		}
		e.Values.set(k, value)
		e.Sources[k] = File
	}
	for _, name := range []string{"git_status", "test_command", "test_timeout_s", "confidence_threshold", "lang"} {
		if _, ok := object.Raw(name); ok {
			e.warn("config.json: %s is read from your own configuration only, because a repository could have brought this file", name)
		}
	}
}

func (e *Effective) warn(format string, args ...any) {
	e.Warnings = append(e.Warnings, fmt.Sprintf(format, args...))
}

// clamp bounds the values by the user's configuration.
func (e *Effective) clamp(c protocol.SmartClamp) {
	bound := func(k Key, value any, when bool) {
		if when {
			e.Values.set(k, value)
			e.Sources[k] = Clamped
		}
	}
	v := e.Values
	bound("max_iterations", c.MaxIterations, c.MaxIterations > 0 && (v.MaxIterations == 0 || v.MaxIterations > c.MaxIterations))
	bound("completion_threshold", min(c.CompletionThreshold, 100), v.CompletionThreshold < min(c.CompletionThreshold, 100))
	bound("stall_detection", c.StallDetection, c.StallDetection > 0 && (v.StallDetection == 0 || v.StallDetection > c.StallDetection))
	bound("auto_approve", false, c.AutoApprove != nil && !*c.AutoApprove && v.AutoApprove)
	bound("strict_mode", true, c.StrictMode != nil && *c.StrictMode && !v.StrictMode)
}

// Write returns config.json with the values changed; all other names stay. data
// nil begins a new file. A file that is no JSON object is an error: it is never
// overwritten.
func Write(data []byte, values map[Key]any) ([]byte, error) {
	object := statefile.Object{}
	if data != nil {
		var err error
		if object, err = statefile.ParseObject(data); err != nil {
			return nil, fmt.Errorf("change config.json: %w", err)
		}
	}
	for _, k := range Keys() {
		if value, ok := values[k]; ok {
			object = object.Set(string(k), value)
		}
	}
	return object.Bytes(), nil
}
