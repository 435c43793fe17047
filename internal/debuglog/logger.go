// Package debuglog writes what a hook did, step by step, as JSON lines. The log contains
// prompts and commands and is therefore off by default; values whose names sound like
// credentials are redacted. Nothing is set up before the first line.
package debuglog

import (
	"os"
	"path/filepath"
	"sync"
	"time"

	"go.uber.org/zap/zapcore"

	"github.com/hookbridge/bridge/internal/display"
)

// Path returns the path of the log, or "" if there is none. env is the value of
// BRIDGE_LOG, which can switch the log on but never says where it is
// (docs/design.md#nothing-executed). configured is the file that the user's configuration
// names; a relative path is below stateDir, which is usually $XDG_STATE_HOME/bridge.
func Path(env, configured, stateDir string) string {
	switch {
	case filepath.IsAbs(configured):
		return configured
	case stateDir == "":
		return ""
	case configured != "":
		return filepath.Join(stateDir, configured)
	case env == "debug":
		return filepath.Join(stateDir, "debug.log")
	}
	return ""
}

// Logger writes steps to one file. A nil *Logger is silent and costs nothing.
// Its methods may be called from several goroutines.
type Logger struct {
	path    string
	version string

	mu   sync.Mutex
	core zapcore.Core
	sink *sink
}

// New returns a logger for the file at path, or nil if path is empty. It touches nothing;
// the first step opens the file.
func New(path, version string) *Logger {
	if path == "" {
		return nil
	}
	return &Logger{path: path, version: version}
}

// Step writes one line: {"time", "pid", "version", "step", and the fields}. It never
// fails: if the log cannot be written, it is silent, and Close returns the reason.
func (l *Logger) Step(name string, fields ...Field) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.core == nil {
		l.build()
	}
	safe := make([]zapcore.Field, len(fields))
	for i, f := range fields {
		safe[i] = f.redacted()
	}
	// The sink keeps its error until Close.
	_ = l.core.Write(zapcore.Entry{Time: time.Now().UTC(), Message: name}, safe)
}

// Close closes the file and returns the first error of the log.
func (l *Logger) Close() error {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.core == nil {
		return nil
	}
	return l.sink.close()
}

func (l *Logger) build() {
	encoder := zapcore.NewJSONEncoder(zapcore.EncoderConfig{
		TimeKey:    "time",
		MessageKey: "step",
		LineEnding: "\n",
		EncodeTime: zapcore.RFC3339NanoTimeEncoder,
		// Durations are whole microseconds, as in the ledger.
		EncodeDuration: func(d time.Duration, enc zapcore.PrimitiveArrayEncoder) {
			enc.AppendInt64(d.Microseconds())
		},
		NewReflectedEncoder: newRawEncoder,
	})
	l.sink = &sink{path: l.path}
	l.core = zapcore.NewCore(encoder, l.sink, zapcore.InfoLevel).With([]zapcore.Field{
		Int("pid", os.Getpid()).field,
		String("version", display.Text(l.version)).field,
	})
}
