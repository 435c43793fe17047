// Package self knows this program: its version, the command that runs it, and how it
// is put into a place of its own.
package self

// Version is bridge's own version.
const Version = "0.1.0"
