// Package keyword answers UserPromptSubmit: a prompt that asks for a mode of
// oh-my-claudecode starts the mode, a prompt that asks for its end ends it, and
// everything else passes silently.
//
// A mode that starts by mistake blocks stops that nobody wanted blocked, so a keyword
// alone means nothing. It counts if the user tells the model to use the mode: at the head
// of an order ("ralph: fix the tests"), as the object of an order ("use ralph to …"), or
// as the way to carry out an order ("… in ultrawork mode"). Questions, reports, quotes,
// code, paths, pasted output and negations do not count
// (Yeachan-Heo/oh-my-claudecode#213, Yeachan-Heo/oh-my-claudecode#914,
// Yeachan-Heo/oh-my-claudecode#997, Yeachan-Heo/oh-my-claudecode#2795,
// Yeachan-Heo/oh-my-claudecode#3162).
//
// Everything that is specific to a mode is a row of modes in trigger.go. Everything that
// is specific to a language is in its two files: its words, and its rules.
//
// Everything but Handle is a pure function of the prompt, and linear in its length: a
// keyword is judged by a window of fixed size around it.
package keyword
