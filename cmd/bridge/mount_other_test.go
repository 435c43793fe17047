//go:build unix && !linux

package main

import "errors"

func syscallMount(string) error { return errors.New("only on Linux") }

func syscallUnmount(string) {}
