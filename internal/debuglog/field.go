package debuglog

import (
	"io"
	"strconv"
	"time"

	"go.uber.org/zap/zapcore"
)

// Field is one named value of a step. Creating one is cheap; the work is done only by a
// logger that writes.
type Field struct{ field zapcore.Field }

// String is a text, such as a path or a message.
func String(name, value string) Field {
	return Field{zapcore.Field{Key: name, Type: zapcore.StringType, String: value}}
}

// Int is a number.
func Int(name string, value int) Field {
	return Field{zapcore.Field{Key: name, Type: zapcore.Int64Type, Integer: int64(value)}}
}

// Duration is written as a number of microseconds.
func Duration(name string, value time.Duration) Field {
	return Field{zapcore.Field{Key: name, Type: zapcore.DurationType, Integer: int64(value)}}
}

// Error is an error under the name "error"; nil is left out.
func Error(err error) Field {
	if err == nil {
		return Field{zapcore.Field{Type: zapcore.SkipType}}
	}
	return String("error", err.Error())
}

// JSON is a JSON text, such as a hook's input or a tool_input. It becomes part of the
// line after Redact.
func JSON(name string, value []byte) Field {
	return Field{zapcore.Field{Key: name, Type: zapcore.ReflectType, Interface: value}}
}

// maxText is how many bytes of one text are logged.
const maxText = 64 << 10

func (f Field) redacted() zapcore.Field {
	field := f.field
	switch {
	case field.Type == zapcore.SkipType:
	case sensitive(field.Key):
		return zapcore.Field{Key: field.Key, Type: zapcore.StringType, String: redactedMark}
	case field.Type == zapcore.StringType:
		field.String = shorten(redactText(field.String))
	case field.Type == zapcore.ReflectType:
		if value, ok := field.Interface.([]byte); ok {
			field.Interface = Redact(value)
		}
	}
	return field
}

func shorten(s string) string {
	if len(s) <= maxText {
		return s
	}
	return s[:maxText] + "[" + strconv.Itoa(len(s)-maxText) + " bytes more]"
}

// rawEncoder writes a value that is already JSON into the line.
type rawEncoder struct{ w io.Writer }

func newRawEncoder(w io.Writer) zapcore.ReflectedEncoder { return rawEncoder{w} }

func (e rawEncoder) Encode(value any) error {
	raw, ok := value.([]byte)
	if !ok {
		raw = []byte("null")
	}
	_, err := e.w.Write(raw)
	return err
}
