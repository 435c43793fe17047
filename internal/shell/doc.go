// Package shell answers two questions about a command line of the Bash tool
// without running anything: does it only read ([Analyse]), and which commands
// does it contain ([Walk])?
//
// [Analyse] is an allow-list. It approves a line only if the line is made of
// simple commands joined by |, &&, ||, ; and newlines, if every word is a
// literal after unquoting, if the program, the sub-command and each option
// are in the tables of this package, and if nothing is redirected except
// between descriptors and to /dev/null. Everything else is [NoOpinion]: the
// person is asked. An approval never depends on a list of dangerous commands;
// the dangerous options in the tables only make the explanation better.
//
// Decisions that a caller must know:
//
//   - Files. The package touches no file system, so it does not know where a
//     path leads. An Allow says "this reads", not "this reads what it may".
//     [Result.Paths] lists every operand that names, or may name, a file; the caller
//     has to follow it on the disk (package reach). [Path.Below] says whether what is
//     in the file is read or only its name, and what a command that searches a
//     directory (grep -r, rg, find -L) reads there.
//   - Input redirection from a literal file is a read: it is allowed, except
//     from /dev and /proc (bash opens /dev/tcp/host/port as a connection), and
//     the file is listed in Paths. Here-strings of a literal word are data.
//     Here-documents are not approved.
//   - cd is allowed only as the first commands of a line that continues with
//     && alone, so that whatever follows runs there or not at all. The target
//     must begin with /, ./ or ../ or be . or .., because CDPATH would redirect any
//     other. It becomes [Result.Dir], and each Path says which directory it is
//     relative to.
//   - Globs. An expansion can produce words that look like options. Only
//     programs without a dangerous option take a glob anywhere; most take one
//     that begins with a literal character; where the number of operands
//     matters (uniq IN OUT) there is none. A component such as ".*" is refused: it can
//     match "..".
//   - Both bash and zsh. The client runs the line in the user's shell. Words
//     that zsh expands and bash does not (=ls, ^x) are refused, and both
//     dialects must parse the line into the same words.
//   - Aliases, functions and variables that the user's own start-up files
//     define are the user's configuration and stay out of the model.
//   - Programs that execute what a repository configures. See [Condition]: an
//     Allow is conditional on them.
//   - Environment variables may hold credentials: env, export, set and jq's
//     $ENV are not approved, printenv only for names that look harmless.
package shell
