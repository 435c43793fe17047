// Package keyword answers UserPromptSubmit: a prompt that asks for a mode of
// oh-my-claudecode starts it, a prompt that asks for its end ends it, and
// everything else passes in silence.
//
// A mode that starts by mistake blocks stops that nobody wanted blocked, so a keyword
// alone means nothing. It counts where the user tells the model to use it: as the head
// of an order ("ralph: fix the tests"), as what an order says to start ("use ralph to
// …"), or as the way in which an order is to be carried out ("… in ultrawork mode").
// Questions, reports, quotes, code, paths, pasted output and negations are none of
// these (Yeachan-Heo/oh-my-claudecode#213, Yeachan-Heo/oh-my-claudecode#914,
// Yeachan-Heo/oh-my-claudecode#997, Yeachan-Heo/oh-my-claudecode#2795,
// Yeachan-Heo/oh-my-claudecode#3162).
//
// What is specific to a mode is a row of modes in trigger.go, and what is specific
// to a language is in its two files: its words, and the rules that look at them.
//
// Everything but Handle is a pure function of the prompt, and linear in its
// length: a keyword is judged by a window of fixed size around it.
package keyword
