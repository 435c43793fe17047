// Package config is the configuration of smart ralph. The command line overrides
// .claude/ralph-smart/config.json, which overrides the built-in values
// (docs/reference/smart-ralph.md, R3-2 to R3-5). The user's own configuration limits all
// of them. The package does no I/O.
package config

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// Values are the six values of docs/reference/smart-ralph.md#r3-2. A MaxIterations of 0
// means no limit, and a StallDetection of 0 means no detection. CompletionThreshold is a
// percentage.
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

// In is the word for a source in a language.
func (s Source) In(lang protocol.Lang) string {
	switch s {
	case BuiltIn:
		return lang.In("默认值", string(s))
	case CommandLine:
		return lang.In("命令行", string(s))
	case Clamped:
		return lang.In("受用户配置限制", string(s))
	case File:
	}
	return string(s)
}

// Key is the name of a value in config.json.
type Key string

// Keys returns the names in the order of docs/reference/smart-ralph.md#r3-2.
func Keys() []Key {
	return []Key{"max_iterations", "completion_threshold", "auto_approve", "strict_mode", "stall_detection", "verbose"}
}

// Option is the name of the value on the command line.
func (k Key) Option() string { return "--" + strings.ReplaceAll(string(k), "_", "-") }

// IsFlag reports whether the value is true or false.
func (k Key) IsFlag() bool {
	return k == "auto_approve" || k == "strict_mode" || k == "verbose"
}

// bounds are the smallest and the largest value of a number.
func (k Key) bounds() (least, most int) {
	switch k {
	case "max_iterations":
		return 1, 10_000
	case "completion_threshold":
		return 0, 100
	}
	return 0, 1000
}

// Parse reads the text of a value. unlimited allows --max-iterations 0, which requires
// --force (R3-4). The result is an int or a bool.
func (k Key) Parse(text string, unlimited bool) (any, error) {
	text = strings.TrimSpace(text)
	if k.IsFlag() {
		switch strings.ToLower(text) {
		case "true":
			return true, nil
		case "false":
			return false, nil
		}
		return nil, &protocol.Said{
			Chinese: fmt.Sprintf("%s 必须是 true 或 false, 给出的是 %.40q", k, text),
			English: fmt.Sprintf("%s must be true or false, got: %.40q", k, text),
		}
	}
	least, most := k.bounds()
	n, err := strconv.Atoi(strings.TrimSuffix(text, "%"))
	if err == nil && n == 0 && unlimited && k == "max_iterations" {
		return 0, nil
	}
	if err != nil || n < least || n > most {
		return nil, &protocol.Said{
			Chinese: fmt.Sprintf("%s 必须是 %d 到 %d 的整数, 给出的是 %.40q", k, least, most, text),
			English: fmt.Sprintf("%s must be a whole number from %d to %d, got: %.40q", k, least, most, text),
		}
	}
	return n, nil
}

// field returns a pointer to the value: a *int or a *bool.
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

// set stores a value that Parse returned.
func (v *Values) set(k Key, value any) {
	switch to := v.field(k).(type) {
	case *int:
		*to, _ = value.(int)
	case *bool:
		*to, _ = value.(bool)
	}
}

// Effective are the values with their sources.
type Effective struct {
	Values  Values
	Sources map[Key]Source
	// Warnings say which parts of the file are not used, and why.
	Warnings []protocol.Said
}

// Resolve combines the layers. data is the text of config.json, or nil if there is none;
// given are the values of the command line.
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

// readFile reads the known keys. A value of the wrong type or out of range is ignored;
// the other keys still count.
func (e *Effective) readFile(data []byte) {
	if data == nil {
		return
	}
	object, err := statefile.ParseObject(data)
	if err != nil {
		e.Warnings = append(e.Warnings, protocol.Said{
			Chinese: "config.json 被忽略, 因为它不是有效的 JSON 对象。请修正或删除它",
			English: fmt.Sprintf("config.json is ignored, because it is %v. Fix or remove it", err),
		})
		return
	}
	for _, k := range Keys() {
		raw, ok := object.Raw(string(k))
		if !ok {
			continue
		}
		if k.IsFlag() != (raw.Kind() == 't' || raw.Kind() == 'f') || !k.IsFlag() && raw.Kind() != '0' {
			e.warn("config.json: %s 的类型不对 (%.40s), 使用默认值", "config.json: %s has the wrong type (%.40s), so its default is used", k, raw)
			continue
		}
		value, err := k.Parse(string(raw), false)
		if err != nil {
			e.Warnings = append(e.Warnings, protocol.Said{
				Chinese: "config.json: " + protocol.ErrorIn(protocol.Chinese, err) + "; 使用默认值",
				English: "config.json: " + err.Error() + "; its default is used",
			})
			continue
		}
		e.Values.set(k, value)
		e.Sources[k] = File
	}
	for _, name := range []string{"git_status", "test_command", "test_timeout_s", "confidence_threshold", "lang"} {
		if _, ok := object.Raw(name); ok {
			e.warn("config.json: %s 只从你自己的配置读取, 因为这个文件可能来自仓库", "config.json: %s is read from your own configuration only, because this file may come from a repository", name)
		}
	}
}

func (e *Effective) warn(chinese, english string, args ...any) {
	e.Warnings = append(e.Warnings, protocol.Said{Chinese: fmt.Sprintf(chinese, args...), English: fmt.Sprintf(english, args...)})
}

// clamp limits the values according to the user's configuration.
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

// Write returns config.json with the given values changed; all other keys stay. If data
// is nil, it starts a new file. A file that is not a JSON object is an error and is never
// overwritten.
func Write(data []byte, values map[Key]any) ([]byte, error) {
	object := statefile.Object{}
	if data != nil {
		var err error
		if object, err = statefile.ParseObject(data); err != nil {
			return nil, &protocol.Said{Chinese: "无法修改 config.json: 它不是有效的 JSON 对象", English: "change config.json: " + err.Error()}
		}
	}
	for _, k := range Keys() {
		if value, ok := values[k]; ok {
			object = object.Set(string(k), value)
		}
	}
	return object.Bytes(), nil
}
