package keyword

// english holds the words that the rules for English check.
var english = struct {
	polite, prints, complaints []string
	joins, suffixes, clauseEnds, negations, questions, auxiliaries, persons, modals, opens, fillers, breaks, conjunctions, subordinators, enders, turns, off, behindEnd,
	small, allEnders, all, active, modes, behindAll, beforeCancel, behindCancel, behindOrder, indefinite, creations, behindCreation, colons, headBreaks, urges, it,
	behindIt, everything, the, through, until, keeps, subjects, finite, newClause, states, determiners, behindNoun, delegates, we, wants, behindWant, particles,
	behindMode, articles, beforePlace, places, beforeManner, by, in, mannerMarks, defects, beforeOn, takesWith, goes, closes, hooks, beforeNoun, starters, looks, work,
	nouns, announces, owned, occasions, repairs, defective, notObjects, generic, hosts, runs, kinds, allOf, pronouns, stops, wholes, describes, quits, goesOn, jobs, items, parts, called, topics, lists, issues, results, levels, outcomes, behindOutcome, ensures, closings, signMarks, dashes, says, fields, does, titles, behindTitle words
}{
	// polite turn an order into a request; the first match is skipped.
	polite: []string{"can you", "could you", "would you", "will you", "can we", "could we", "i want you to", "i need you to", "i'd like you to", "i would like you to", "i want to", "i'd like to",
		"i would like to", "i'd like", "let's", "let us", "lets", "go ahead and", "feel free to", "you should", "you must", "we should", "time to", "be sure to", "make sure to", "make sure you", "try to",
		"i'll"},
	// joins join two mentions.
	joins: words{"&", "+", ",", "and", "plus", "with"},
	// suffixes belong to the preceding word.
	suffixes: words{"loop", "mode"},
	// clauseEnds are words beyond which a negation does not apply.
	clauseEnds: words{",", ":", ";"},
	// negations are negative words.
	negations: words{"avoid", "can't", "cannot", "couldn't", "didn't", "doesn't", "don't", "dont", "except", "hate", "instead", "isn't", "never", "no", "nor", "not", "nothing", "rather", "shouldn't",
		"stopped", "unlike", "without", "won't", "wouldn't"},
	// questions begin a question, or an order to explain.
	questions: words{"are", "define", "describe", "did", "discuss", "does", "explain", "has", "how", "how's", "if", "imagine", "is", "lol", "shall", "should", "summarise", "summarize", "suppose",
		"tell", "translate", "unless", "was", "were", "what", "what's", "whats", "when", "whenever", "where", "which", "who", "who's", "whose", "why"},
	// auxiliaries begin a question if a person follows.
	auxiliaries: words{"do", "have"}, persons: words{"i", "they", "we", "you"},
	// modals begin a question, unless the user asks the model to do something.
	modals: words{"can", "could", "will", "would"},
	// opens begin text that is more than filler.
	opens: words{"\"", "'", "("},
	// fillers introduce a request.
	fillers: words{"afterwards", "again", "alright", "also", "and", "approved", "but", "claude", "cool", "enough", "finally", "first", "good", "great", "hello", "hey", "hi", "instead", "just", "kindly", "lgtm", "maybe", "next", "now", "oh", "ok", "okay", "perfect", "please", "pls", "quick", "right", "simple", "so", "sure", "task", "thanks", "then", "todo", "ugh", "wait", "well", "yeah", "yep", "yes"},
	// breaks begin a clause; so do conjunctions between orders.
	breaks: words{",", "-", "–", "—", "，"}, conjunctions: words{"and", "so", "then"},
	// subordinators begin a clause that cannot be an order.
	subordinators: words{"allow", "allows", "although", "because", "button", "can", "could", "he", "how", "if", "it's", "lets", "may", "might", "said", "says", "she", "should", "since", "that", "they",
		"unless", "user", "users", "what", "when", "whenever", "where", "whether", "which", "while", "who", "why", "would"},
	// enders end a mode; so does a form of "turn off".
	enders: words{"abort", "cancel", "deactivate", "disable", "end", "exit", "halt", "kill", "leave", "quit", "stop", "terminate"}, turns: words{"shut", "switch", "turn"}, off: words{"down", "off"},
	// behindEnd may follow the mode in an order to end it.
	behindEnd: words{"", "\n", "!", ",", "-", ".", ":)", ";", "?", "again", "and", "but", "completely", "here", "immediately", "now", "please", "right", "then", "too", "–", "—"},
	// small are words without meaning between a verb and a mode.
	small: words{"a", "again", "all", "an", "another", "autonomous", "current", "everything", "fresh", "full", "fusion", "hybrid", "in", "into", "it", "just", "me", "my", "new", "now", "of", "off", "omc", "on", "our", "over", "parallel", "persistent",
		"running", "that", "the", "them", "these", "things", "this", "through", "to", "under", "up", "us", "using", "with", "your"},
	// allEnders end every mode: "stop all active modes".
	allEnders: words{"cancel", "disable", "end", "exit", "quit", "stop"}, all: words{"all", "every"}, active: words{"active", "omc", "running", "the"}, modes: words{"mode", "modes"},
	behindAll: words{"", "\n", "!", ",", ".", "and", "now", "please"},
	// beforeCancel and behindCancel show that the sentence is about the word cancelomc and does not use it as an order.
	beforeCancel: words{"a", "about", "an", "as", "by", "called", "for", "from", "in", "is", "keyword", "like", "named", "of", "on", "or", "that", "the", "this", "to", "with", "word"},
	behindCancel: words{"can", "command", "did", "didn't", "does", "doesn't", "ends", "fails", "function", "handler", "has", "in", "is", "keeps", "keyword", "never", "or", "should", "stops", "token",
		"trigger", "was", "will", "word", "works", "would"},
	// behindOrder may follow a phrase that is an order.
	behindOrder: words{"", "\n", "!", ",", ".", ":", "and", "for", "in", "on", "over", "so", "to", "with"}, indefinite: words{"a", "an"},
	// creations are whole things that can be created.
	creations:      words{"api", "app", "bot", "cli", "dashboard", "extension", "feature", "plugin", "project", "script", "server", "service", "system", "tool", "website"},
	behindCreation: words{"", "\n", "!", ",", ".", ":", "and", "called", "for", "in", "like", "on", "please", "so", "that", "to", "using", "where", "which", "with"},
	// colons and headBreaks separate a mode at the head of an order from the rest.
	colons: words{":", "："}, headBreaks: words{"!", ",", "-", ">", "]", "|", "–", "—", "→", "，"}, urges: words{"and", "go", "just", "now", "please", "pls", "to"},
	// it holds pronouns that stand for the mode's task.
	it: words{"it", "this"}, behindIt: words{"", "\n", "!", ",", ".", ":", "?", "and", "for", "now", "please", "till", "until", "up", "with"}, everything: words{"everything", "till", "until"},
	the: words{"all", "every", "the", "these"}, through: words{"for", "on", "through"}, until: words{"till", "until"},
	// keeps are orders that may follow a colon.
	keeps: words{"get", "keep", "make", "until"}, subjects: words{"he", "i", "she", "we", "you"},
	// finite turn the text into a statement.
	finite: words{"broke", "broken", "can't", "crashed", "crashes", "deleted", "did", "didn't", "does", "doesn't", "failed", "fails", "got", "had", "hangs", "has", "is", "isn't", "keeps", "looks",
		"never", "ran", "said", "says", "seems", "shows", "stuck", "took", "was", "wasn't", "went", "were", "won't", "worked", "works"},
	newClause: words{"and", "if", "that", "until", "what", "where", "which", "why"},
	// states turn the text into a statement, and are never nouns.
	states: words{"failed", "fails", "has", "is", "was"},
	// determiners show that one of nouns is a verb; behindNoun show that it is a noun.
	determiners: words{"a", "all", "an", "and", "any", "both", "each", "every", "everything", "it", "its", "me", "my", "on", "our", "out", "some", "that", "the", "their", "them", "these", "this",
		"those", "until", "up", "us", "whole"},
	behindNoun: words{"", "\n", "!", ",", ".", "comments", "error", "errors", "failure", "failures", "log", "logs", "notes", "output", "plan", "result", "results", "script", "scripts", "status",
		"suite", "suites", "time", "times"},
	// delegates hand work to a mode.
	delegates: words{"ask", "get", "have", "let", "tell"}, we: words{"i", "we"}, wants: words{"need", "want"}, behindWant: words{"", "\n", "!", ".", "for", "now", "on", "please"},
	// particles follow a verb that starts a mode.
	particles: words{"into", "off", "on", "out", "to", "up"},
	// behindMode may follow the name of a mode.
	behindMode: words{"--max-iterations", "across", "again", "against", "and", "but", "enabled", "everywhere", "first", "for", "here", "immediately", "instead", "max", "mode", "next", "now", "off", "once",
		"over", "overnight", "please", "right", "so", "then", "this", "through", "till", "today", "tonight", "too", "until", "while", "with", "yourself"},
	articles: words{"a", "an", "my", "our", "the"}, beforePlace: words{"a", "each", "every", "my", "our", "the"},
	// places are parts of a program.
	places: words{"app", "boot", "ci", "claude", "click", "codex", "config", "configuration", "cursor", "dashboard", "docker", "docs", "documentation", "github", "header", "homepage", "launch", "load", "login", "menu", "opencode", "page", "port", "production",
		"readme", "server", "settings", "sidebar", "simulator", "staging", "start", "startup", "toolbar", "ui", "vs", "vscode"},
	beforeManner: words{"a", "autonomous", "full", "fusion", "hybrid", "parallel", "persistent", "the"},
	// by introduce a manner; so do the words of in, before a mode with a suffix.
	by: words{"on", "using", "via", "with"}, in: words{"in", "under"}, mannerMarks: words{",", ":"},
	// defects and similar words before "with" are those of the mode.
	defects: words{"behavior", "behaviour", "broken", "bug", "bugs", "compatibility", "conflict", "conflicts", "crash", "crashes", "deadlock", "docs", "documentation", "error", "errors", "failure",
		"failures", "flag", "flaw", "glitch", "hang", "happens", "integration", "interaction", "issue", "issues", "label", "leak", "message", "messages", "page", "positive", "positives", "problem", "problems", "race",
		"regression", "section", "support", "text", "typo", "typos", "wrong"},
	beforeOn: words{"all", "continue", "do", "everything", "go", "it", "put", "rest", "run", "that", "them", "these", "this", "work"},
	// takesWith have an object after "with".
	takesWith: words{"add", "align", "combine", "compare", "connect", "deal", "delete", "document", "enable", "help", "integrate", "launch", "merge", "remove", "rename", "replace", "start", "trigger",
		"use", "write"},
	goes: words{"continue", "do", "go", "proceed"},
	// does are also orders, without an object.
	does: words{"complete", "execute", "finish", "fix", "implement", "solve"},
	// goesOn come after the name of a mode and start it. jobs are nouns for work, items are what the work is about, parts
	// are parts of a mode.
	goesOn: words{"activate", "continue", "proceed", "resume", "run", "start", "yes"},
	jobs:   words{"audit", "cleanup", "coverage", "investigation", "migration", "optimization", "overhaul", "refactor", "refactoring", "review", "rewrite", "setup", "task", "tasks", "tests", "upgrade"},
	items:  words{"bug", "component", "endpoint", "error", "failure", "file", "issue", "item", "module", "package", "page", "phase", "pr", "step", "story", "task", "test", "ticket", "todo", "warning"},
	parts:  words{"bug", "command", "detection", "detector", "hook", "issue", "keyword", "loop", "mode", "plugin", "skill", "state", "support", "trigger", "vs"},
	// called may come before the word that ends every mode.
	called: words{"autopilot", "done", "loop", "mode", "ralph", "ultrawork", "ulw"},
	// topics come before the subject of a text; lists introduce several lines of such texts.
	topics: words{"about", "for", "of", "on"}, lists: words{"examples", "phrases", "prompts"},
	// issues give a command; results begin a report of what it did.
	issues: words{"do", "execute", "run", "use"}, results: words{"it", "nothing", "still"},
	// prints begin a line that a program prints. A line that begins with one of levels and a colon, or ends with one of
	// outcomes, is such a line too.
	prints: []string{"already running", "cannot access", "cannot find", "cannot open", "command not found", "connection refused", "could not", "exit code", "exit status", "exited with", "failed to",
		"illegal option", "invalid argument", "invalid option", "missing argument", "missing operand", "no such", "not found", "option requires", "permission denied", "segmentation fault", "syntax error near",
		"timed out", "unable to", "unknown command", "unknown option", "unrecognized option"},
	levels: words{"debug", "error", "fatal", "info", "panic", "usage", "warning"}, outcomes: words{"aborted", "completed", "done", "exited", "failed", "finished", "killed", "passed", "skipped", "started", "stopped", "terminated"},
	behindOutcome: words{"", "\n", "!", "(", ",", ".", "after", "at", "in", "on", "with"},
	// complaints say what became of an order; ensures have a statement as their object.
	complaints: []string{"crashed", "crashes", "did not", "did nothing", "didn't", "does not", "does nothing", "doesn't", "fails", "hangs", "is all i", "is my prompt", "is not working", "is the prompt", "is what", "isn't working",
		"never", "was my prompt", "was the prompt", "was what", "won't"},
	ensures: words{"check", "confirm", "ensure", "find", "investigate", "keep", "make", "see", "sure", "verify"},
	// closings come before the name of an author, signMarks between the two; says hand work
	// to people as well.
	closings:  words{"--", "best", "br", "cheers", "greetings", "love", "regards", "rgds", "sincerely", "thank", "thanks", "thx", "truly", "wishes", "you", "yours"},
	signMarks: words{"\n", "!", ",", "-", ".", "–", "—"}, dashes: words{"-", "–", "—"}, says: words{"ask", "tell"},
	// fields are keys of a file of settings.
	fields: words{"aliases", "description", "example", "name", "paraphrase", "proofread", "rephrase", "reword", "sentence", "spellcheck", "summary", "syntax", "text", "title", "trigger", "triggers", "usage"},
	// titles and behindTitle show that a verb is part of a title.
	titles: words{"fix", "install", "release", "setup", "update", "upgrade"}, behindTitle: words{"for", "guide", "guides", "in", "instructions", "notes", "on"},
	// runs are enough as an order before a manner that ends in "mode". After hosts, "on" names a place.
	runs: words{"operate", "run", "stay", "work"}, hosts: words{"configure", "deploy", "host", "install", "migrate", "move", "run", "set", "setup", "test"},
	// kinds and allOf show that a defect is in the code and not in the mode: "fix all lint errors".
	kinds: words{"build", "compile", "compiler", "console", "eslint", "failing", "lint", "linter", "linting", "mypy", "remaining", "runtime", "syntax", "test", "ts", "tsc", "type", "typescript"},
	allOf: words{"all", "any", "each", "every", "everything", "my", "open", "our", "remaining", "these", "those"},
	// pronouns are objects, and so is a task after one of wholes. stops follow "don't" in an order.
	pronouns: words{"everything", "it", "them", "things"}, wholes: words{"entire", "full", "remaining", "rest", "whole"}, stops: words{"give", "quit", "rest", "stop"},
	// generic are kinds of tasks, which advice is about; describes describe a mode. quits come after the name of a mode
	// and end it.
	generic:   words{"automation", "cases", "execution", "features", "jobs", "orchestration", "parallelism", "parallelization", "persistence", "projects", "prototyping", "situations", "tasks", "work", "workflows"},
	describes: words{"agents", "automation", "autonomous", "coordinated", "cycling", "execution", "from", "idea", "keyword", "lifecycle", "loop", "maximum", "mode", "orchestration", "parallel", "parallelism", "persistence", "persistent", "self-referential", "workflow"},
	quits:     words{"abort", "cancel", "end", "exit", "off", "quit", "stop"},
	// closes may follow a mode that one of hooks appends to an order.
	closes: words{"\n", "!", ")", ".", "now", "please"}, hooks: words{"(", ",", "-", "–", "—"},
	// beforeNoun show that an abbreviation is a noun.
	beforeNoun: words{"a", "about", "an", "and", "as", "at", "by", "called", "for", "from", "in", "into", "is", "its", "legacy", "like", "my", "named", "new", "of", "old", "on", "or", "our", "than",
		"the", "to", "using", "via", "with"},
	// starters start something.
	starters: words{"activate", "apply", "begin", "continue", "do", "employ", "enable", "engage", "enter", "execute", "finish", "fire", "go", "initiate", "invoke", "kick", "launch", "proceed", "put",
		"restart", "resume", "run", "set", "spin", "start", "switch", "trigger", "try", "turn", "use"},
	// looks are orders that change nothing.
	looks: words{"analyse", "analyze", "audit", "check", "debug", "diagnose", "examine", "explore", "find", "have", "inspect", "investigate", "look", "read", "research", "review", "search", "see",
		"study"},
	// work are verbs of work.
	work: words{"achieve", "add", "address", "analyse", "analyze", "apply", "audit", "automate", "backfill", "benchmark", "bootstrap", "bring", "build", "bump", "change", "check", "clean",
		"cleanup", "close", "code", "combine", "compare", "compile", "complete", "configure", "connect", "consolidate", "containerise", "containerize", "continue", "convert", "correct", "cover",
		"craft", "create", "cut", "debug", "dedupe", "delete", "deploy", "deprecate", "design", "develop", "do", "dockerise", "dockerize", "document", "draft", "drop", "edit", "enforce", "enhance",
		"ensure", "evaluate", "execute", "expand", "extend", "extract", "finalise", "finalize", "finish", "fix", "format", "generate", "get", "go", "handle", "harden", "identify", "implement",
		"improve", "increase", "install", "integrate", "internationalise", "internationalize", "introduce", "investigate", "iterate", "keep", "lint", "localise", "localize", "make", "merge",
		"migrate", "modernise", "modernize", "move", "normalise", "normalize", "optimise", "optimize", "orchestrate", "organise", "organize", "parallelise", "parallelize", "patch", "perform", "plan",
		"polish", "port", "prepare", "process", "produce", "profile", "prototype", "provide", "prune", "publish", "put", "reach", "rebuild", "redesign", "reduce", "refactor", "regenerate", "release",
		"remove", "rename", "reorganise", "reorganize", "repair", "replace", "resolve", "restore", "restructure", "revert", "review", "rework", "rewrite", "run", "scaffold", "secure", "set", "setup",
		"ship", "shrink", "simplify", "solve", "sort", "speed", "split", "start", "streamline", "strip", "support", "switch", "tackle", "test", "tidy", "transform", "translate", "triage", "turn",
		"type", "unify", "update", "upgrade", "validate", "verify", "wire", "work", "write"},
	// nouns are verbs that are just as often nouns: a build, a fix.
	nouns: words{"address", "audit", "benchmark", "build", "change", "check", "clean", "cleanup", "code", "compile", "complete", "correct", "cover", "cut", "debug", "design", "document", "draft",
		"drop", "edit", "extract", "fix", "format", "handle", "lint", "merge", "move", "patch", "patching", "plan", "polish", "port", "process", "profile", "prototype", "put", "release", "review",
		"rework", "rewrite", "run", "set", "setup", "sort", "split", "start", "support", "switch", "test", "turn", "type", "update", "upgrade", "work"},
	// announces introduce somebody else's text.
	announces: words{"answer", "comment", "docs", "documentation", "draft", "email", "error", "errors", "example", "examples", "explain", "following", "log", "logs", "message", "output", "paragraph", "paraphrase", "passage", "phrase", "printed", "prints", "prompt", "prompts", "proofread", "quote", "readme", "reads", "rephrase", "reply", "response", "said", "say", "says", "section", "sentence", "snippet", "string", "summarise", "summarize", "text", "ticket", "title", "translate", "tweet", "writes", "wrote"},
	// owned begin the object of a mode that is used as a verb: "ralph this task"; occasions look like such an object but
	// are not tasks.
	owned: words{"my", "our", "that", "these", "this", "those"}, occasions: words{"afternoon", "evening", "month", "morning", "night", "one", "quarter", "sprint", "time", "way", "week", "weekend",
		"year"},
	// repairs are the words of nouns that take a defect as their object: "fix errors", but not "build errors". defective
	// are such objects in the singular; notObjects may follow the noun without being its object.
	repairs: words{"address", "clean", "cleanup", "correct", "debug", "fix", "handle", "patch", "polish"}, defective: words{"bug", "build", "ci", "code", "coverage", "eslint", "lint", "regression", "typescript"},
	notObjects: words{"available", "incoming", "needed", "pending", "required"},
}
