// Command noop does nothing. Its start shows the cost of any Go program on this machine;
// the bench measures everything relative to it.
package main

func main() {}
