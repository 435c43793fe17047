// Package self knows this program: its version, the command that runs it, and how to
// install a copy of it.
package self

// Version is bridge's own version.
const Version = "0.1.0"
