package main

// survive: Windows reports these as errors of the write.
func survive() {}
