// Command noop does nothing. Its start is what any Go program costs here; the
// bench measures everything against it.
package main

func main() {}
