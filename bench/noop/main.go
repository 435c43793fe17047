// Command noop does nothing. Its start-up time is the cost of any Go program on this machine; the bench measures
// everything relative to it.
package main

func main() {}
