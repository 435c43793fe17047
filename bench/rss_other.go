//go:build !linux

package main

import "errors"

func (r row) maxRSS(int) (int64, error) {
	return 0, errors.New("the largest memory of a process is not measured here")
}
