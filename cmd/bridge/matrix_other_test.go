//go:build unix && !linux

package main

// systemFaults are Linux's.
func systemFaults() []fault { return nil }
