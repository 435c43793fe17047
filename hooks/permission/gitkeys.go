package permission

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/hookbridge/bridge/internal/git"
	"github.com/hookbridge/bridge/internal/shell"
)

// keys are keys of some sections.
type keys struct{ sections, keys string }

// harmlessKeys are the keys, by their sections, that make no command of the tables run
// a program, reach a network or read outside of the repository; a star is all keys, and
// a section with a sub-section ends with one. Left out for that reason are, among
// others, core.pager, diff.external, textconv, filters, include, alias (an old git may
// lack a command of the tables), log.showSignature, log.diffMerges, diff.submodule,
// status.submoduleSummary, pretty, extensions.partialClone, remote.*.promisor and, because
// a user may have installed the filter of git-lfs, lfs.extension.*.clean. Keys
// that only a command outside of the tables reads (rebase, commit, mergetool) are
// harmless, and so are those of which git knows nothing (vscode, gitflow).
var harmlessKeys = []keys{
	{"advice color color.* column difftool difftool.* mergetool mergetool.* gui gitflow gitflow.* github gitlab hub vscode oh-my-zsh gitbutler pack repack rerere", "*"},
	{"add", "ignoreerrors"},
	{"am apply", "keepcr threeway ignorewhitespace whitespace"},
	{"blame", "blankboundary coloring date showemail showroot markunblamablelines markignoredlines"},
	{"branch", "autosetupmerge autosetuprebase"},
	{"branch.*", "remote merge rebase pushremote description mergeoptions base vscode-merge-base gh-merge-base github-pr-owner-number github-pr-base-branch"},
	{"checkout", "defaultremote guess workers thresholdforparallelism"},
	{"clean", "requireforce"},
	{"commit tag", "gpgsign forcesignannotated verbose cleanup status"},
	{"commitgraph", "generationversion maxnewfilters readchangedpaths changedpathsversion"},
	{"core", "repositoryformatversion filemode bare logallrefupdates ignorecase precomposeunicode symlinks autocrlf eol safecrlf quotepath abbrev compression loosecompression bigfilethreshold preloadindex untrackedcache longpaths protectntfs protecthfs commentchar commentstring whitespace trustctime checkstat hidedotfiles fscache sharedrepository sparsecheckout sparsecheckoutcone checkroundtripencoding commitgraph multipackindex createobject deltabasecachelimit editor filesreflocktimeout packedrefstimeout fsmonitorhookversion fsync fsyncmethod fsyncobjectfiles maxtreedepth notesref packedgitlimit packedgitwindowsize restrictinheritedhandles warnambiguousrefs usereplacerefs unsetenvvars"},
	{"diff", "algorithm renames renamelimit colormoved colormovedws mnemonicprefix noprefix srcprefix dstprefix context interhunkcontext indentheuristic autorefreshindex dirstat ignoresubmodules relative statgraphwidth statnamewidth suppressblankempty wserrorhighlight wordregex tool guitool"},
	{"diff.*", "xfuncname funcname binary wordregex algorithm"},
	{"extensions", "refstorage worktreeconfig relativeworktrees preciousobjects noop"},
	{"feature", "manyfiles experimental"},
	{"fetch", "prune prunetags parallel writecommitgraph fsckobjects showforcedupdates output all"},
	{"gc", "auto autodetach autopacklimit pruneexpire worktreepruneexpire reflogexpire reflogexpireunreachable packrefs writecommitgraph aggressivedepth aggressivewindow bigpackthreshold cruftpacks"},
	{"gpg", "format mintrustlevel"},
	{"grep", "linenumber column patterntype extendedregexp fullname threads"},
	{"http", "postbuffer"},
	{"i18n", "commitencoding logoutputencoding"},
	{"index", "version threads sparse recordendofindexentries recordoffsettable skiphash"},
	{"init", "defaultbranch"},
	{"interactive", "singlekey"},
	{"lfs", "url pushurl repositoryformatversion allowincompletepush fetchinclude fetchexclude fetchrecentrefsdays concurrenttransfers locksverify setlockablereadonly skipdownloaderrors activitytimeout dialtimeout tlstimeout"},
	{"lfs.*", "access locksverify"},
	{"log", "date decorate initialdecorationset excludedecoration abbrevcommit follow graphcolors showroot mailmap"},
	{"mailmap", "blob"},
	{"maintenance", "auto autodetach strategy"},
	{"maintenance.*", "enabled auto schedule"},
	{"merge", "ff conflictstyle log stat renames renamelimit directoryrenames autostash branchdesc defaulttoupstream renormalize tool guitool verbosity"},
	{"notes", "displayref mergestrategy rewriteref rewritemode"},
	{"pull", "rebase ff octopus twohead autostash"},
	{"push", "default autosetupremote followtags gpgsign recursesubmodules useforceifincludes"},
	{"rebase", "autosquash autostash updaterefs stat missingcommitscheck abbreviatecommands backend forkpoint rebasemerges instructionformat maxlabellength reschedulefailedexec"},
	{"receive", "autogc denycurrentbranch denydeletecurrent denydeletes denynonfastforwards fsckobjects"},
	{"remote", "pushdefault"},
	{"remote.*", "url fetch pushurl push tagopt prune prunetags mirror skipdefaultupdate skipfetchall followremotehead gh-resolved"},
	{"sequence", "editor"},
	{"stash", "showincludeuntracked showpatch showstat index"},
	{"status", "short branch showstash relativepaths showuntrackedfiles renames renamelimit aheadbehind displaycommentprefix"},
	{"submodule", "active fetchjobs propagatebranches alternateerrorstrategy stickyrecursiveclone"},
	{"submodule.*", "url active branch ignore shallow fetchrecursesubmodules"},
	{"transfer", "fsckobjects unpacklimit"},
	{"user author committer", "name email signingkey useconfigonly"},
	{"versionsort", "suffix prereleasesuffix"},
	{"worktree", "guessremote userelativepaths"},
}

// transportKeys are harmless as long as git talks to no other repository: they choose
// programs and hosts.
var transportKeys = []keys{
	{"core", "sshcommand gitproxy askpass"},
	{"ssh", "variant"},
	{"credential credential.* http http.* protocol protocol.*", "*"},
	{"url.*", "insteadof pushinsteadof"},
}

// harmless judges a key, section.key or section.*.key, of a repository whose work tree
// is at tree.
func (r *repositories) harmless(key, value, tree string) bool {
	dot := strings.LastIndexByte(key, '.')
	section, name := key[:dot], key[dot+1:]
	if listed(harmlessKeys, section, name) || !r.remote && listed(transportKeys, section, name) {
		return true
	}
	if !plainValue(value) {
		return false
	}
	switch key {
	case "core.fsmonitor":
		return value == "false"
	case "extensions.objectformat":
		// bridge can read an index with short hashes only.
		return value == "sha1"
	case "core.hookspath":
		// This is the only hook that reading commands run.
		dir, _ := git.Leads(tree, value)
		_, err := os.Lstat(filepath.Join(dir, "post-index-change"))
		return dir == "" || errors.Is(err, fs.ErrNotExist)
	case "branch.sort", "tag.sort":
		return !strings.Contains(value, "signature")
	case "submodule.*.update":
		return shell.HasWord("checkout rebase merge none", value)
	case "core.attributesfile", "core.excludesfile", "blame.ignorerevsfile", "mailmap.file", "diff.orderfile", "commit.template":
		// git shows lines of them in its messages.
		file, plain := git.Leads(tree, value)
		return shell.HasWord(".gitattributes .gitignore .git-blame-ignore-revs .gitmessage .mailmap .gitorderfile", value) && (file == "" || plain)
	}
	return false
}

// listed looks a key up.
func listed(in []keys, section, name string) bool {
	for _, known := range in {
		// Most rows have this form.
		if strings.Contains(known.sections, section) && shell.HasWord(known.sections, section) && (known.keys == "*" || shell.HasWord(known.keys, name)) {
			return true
		}
	}
	return false
}

// plainValue reports a value that git uses as written. It expands values such as ~/ and %(prefix)/.
func plainValue(value string) bool {
	return value != "" && strings.Trim(value, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-") == ""
}
