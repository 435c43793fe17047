package shell

// Options that log, show, diff and similar commands share. gitDanger lists those that are left out on purpose.
const gitDiffShort = "pusabwWiEFPgcmrtzRXM?C?B?D?U?S:G:l:"
const gitDiffLong = "patch no-patch unified? raw stat? compact-summary numstat shortstat dirstat? cumulative summary name-only name-status color? no-color color-moved? no-color-moved color-moved-ws= word-diff? word-diff-regex= color-words? no-renames rename-empty no-rename-empty check full-index binary abbrev? break-rewrites? find-renames? find-copies? find-copies-harder irreversible-delete diff-filter= pickaxe-all pickaxe-regex text ignore-cr-at-eol ignore-space-at-eol ignore-space-change ignore-all-space ignore-blank-lines ignore-matching-lines= inter-hunk-context= function-context exit-code quiet no-ext-diff no-textconv ignore-submodules? src-prefix= dst-prefix= no-prefix default-prefix line-prefix= ita-invisible-in-index minimal patience histogram diff-algorithm= anchored= indent-heuristic no-indent-heuristic relative? no-relative patch-with-stat patch-with-raw skip-to= rotate-to= cc combined-all-paths no-diff-merges"
const gitLogLong = " oneline graph no-graph all branches? tags? remotes? glob= exclude= author= committer= grep= grep-reflog= all-match invert-grep regexp-ignore-case basic-regexp extended-regexp fixed-strings perl-regexp since= after= until= before= since-as-filter= max-count= skip= merges no-merges min-parents? max-parents? no-min-parents no-max-parents first-parent reverse date-order author-date-order topo-order walk-reflogs decorate? no-decorate decorate-refs= decorate-refs-exclude= clear-decorations source follow full-history dense sparse simplify-merges simplify-by-decoration show-pulls ancestry-path? left-right left-only right-only cherry cherry-mark cherry-pick boundary merge not format? pretty? date= relative-date abbrev-commit no-abbrev-commit no-abbrev encoding= notes? no-notes show-notes? parents children count log-size no-walk? mailmap no-mailmap use-mailmap show-linear-break? full-diff root no-show-signature"

var gitDanger = []danger{
	{"--output", "writes the result to a file"},
	{"--ext-diff", "runs the diff program that the configuration names"},
	{"--textconv", "runs the conversion programs that the configuration names"},
	{"--show-signature", "runs gpg"},
	{"-O --open-files-in-pager", "opens a pager"},
	{"--submodule", "runs git in other repositories, with the programs that their configuration names"},
	{"--remerge-diff --diff-merges", "repeats merges, with the merge programs that the configuration names"},
	{"--no-index", "is approved for git diff only"},
}

// gitRows are the reading commands of git. They approve the command line. The condition
// GitConfig covers what the repository's own configuration makes git run: a clone cannot
// bring a .git/config along, but every program that writes files can. The alternatives
// were to require --no-ext-diff and the like, which nobody types, or not to approve git
// at all. Only builtins of git are listed: any other sub-command may be an alias that the
// repository defines.
var gitRows = []row{
	{name: "git status", at: true, short: "sbvzu?", needs: GitConfig, operands: revisions,
		long: "short branch show-stash porcelain? long verbose untracked-files? ignore-submodules? ignored? column? no-column ahead-behind no-ahead-behind renames no-renames find-renames? null"},
	{name: "git log|show", at: true, short: "n:L:" + gitDiffShort, digits: true, long: gitDiffLong + gitLogLong, operands: revisions, globs: prefixedGlobs, needs: GitConfig, danger: gitDanger, check: checkGitFormat},
	{name: "git whatchanged", at: true, short: "n:" + gitDiffShort, digits: true, long: gitDiffLong + gitLogLong, operands: revisions, needs: GitConfig, danger: gitDanger, check: checkGitFormat},
	{name: "git diff", at: true, short: gitDiffShort + "123", long: gitDiffLong + " cached staged merge-base base ours theirs no-index", operands: revisions, globs: prefixedGlobs, needs: GitConfig, danger: gitDanger, check: checkGitDiff},
	{name: "git diff-tree", at: true, short: gitDiffShort + "v", long: gitDiffLong + " root no-commit-id pretty? format? always merge-base", operands: revisions, needs: GitConfig, danger: gitDanger, check: checkGitFormat},
	{name: "git diff-index", at: true, short: gitDiffShort, long: gitDiffLong + " cached merge-base", operands: revisions, needs: GitConfig, danger: gitDanger},
	{name: "git diff-files", at: true, short: gitDiffShort + "0123q", long: gitDiffLong + " base ours theirs", operands: revisions, needs: GitConfig, danger: gitDanger},
	{name: "git range-diff", at: true, short: "psU?", long: "creation-factor= no-dual-color left-only right-only stat? no-patch patch unified? no-color color? no-ext-diff", operands: revisions, needs: GitConfig, danger: gitDanger},
	{name: "git blame", at: true, short: "bL:ltfnspewM?C?", digits: false, operands: revisions, needs: GitConfig,
		long: "root show-stats line-porcelain porcelain incremental show-name show-number show-email date= abbrev= color-lines color-by-age reverse first-parent ignore-rev= progress no-progress minimal",
		danger: []danger{
			{"--textconv", "runs the conversion programs that the configuration names"},
			{"--contents -S --ignore-revs-file", "reads a file that is no operand"},
		}},
	{name: "git annotate", at: true, short: "bL:ltfnspew", operands: revisions, needs: GitConfig, long: "porcelain show-email date= abbrev="},
	{name: "git shortlog", at: true, short: "nsecw?", long: "numbered summary email group= no-merges merges all since= until= after= before= author= committer grep= branches? tags? remotes? first-parent", operands: revisions, needs: GitConfig, check: checkGitFormat},
	{name: "git describe", at: true, long: "all tags contains abbrev= candidates= exact-match debug long match= exclude= always first-parent dirty?", operands: revisions, needs: GitConfig},
	{name: "git rev-parse", at: true, short: "q", operands: data, needs: GitConfig,
		long: "verify quiet short? abbrev-ref? symbolic symbolic-full-name all branches? tags? remotes? glob? exclude? disambiguate? show-toplevel show-prefix show-cdup show-superproject-working-tree git-dir absolute-git-dir git-common-dir git-path= path-format= is-inside-git-dir is-inside-work-tree is-bare-repository is-shallow-repository show-object-format? shared-index-path local-env-vars since? after? until? before? revs-only no-revs flags no-flags default= not sq-quote"},
	{name: "git rev-list", at: true, short: "n:iEFPg", digits: true, operands: revisions, needs: GitConfig, long: gitLogLong + " objects objects-edge timestamp header quiet disk-usage? bisect bisect-all reflog missing= filter= no-filter no-commit-header commit-header",
		danger: gitDanger, check: checkGitFormat},
	{name: "git ls-files", at: true, short: "zctdmosukirvfx:X@", operands: revisions, needs: GitConfig,
		long: "deduplicate cached deleted modified others ignored stage directory no-empty-directory unmerged killed resolve-undo exclude= exclude-from@ exclude-per-directory= exclude-standard error-unmatch with-tree= full-name abbrev? debug eol sparse format= recurse-submodules"},
	{name: "git ls-tree", at: true, short: "drtlz", operands: revisions, needs: GitConfig, long: "long name-only name-status object-only abbrev? full-name full-tree format="},
	{name: "git cat-file", at: true, short: "tsep", operands: revisions, needs: GitConfig, long: "allow-unknown-type",
		danger: []danger{{"--textconv --filters", "runs the programs that the configuration names"}}},
	{name: "git branch", at: true, short: "arvq", operands: revisions, needs: GitConfig, check: checkGitBranch,
		long: "all remotes verbose list show-current merged? no-merged? contains= no-contains= points-at= sort= format= color? no-color column? no-column abbrev? no-abbrev ignore-case quiet omit-empty",
		danger: []danger{
			{"-d -D --delete", "deletes a branch"},
			{"-m -M --move -c -C --copy -f --force", "changes a branch"},
			{"-u --set-upstream-to --unset-upstream --edit-description --track -t --create-reflog", "changes the configuration"},
		}},
	{name: "git tag", at: true, short: "ln?i", operands: data, needs: GitConfig, check: checkGitTag,
		long: "list sort= format= contains= no-contains= points-at= merged? no-merged? column? no-column ignore-case color? omit-empty",
		danger: []danger{
			{"-d --delete", "deletes a tag"},
			{"-a --annotate -s --sign -u --local-user -f --force -m --message -F --file -e --edit --create-reflog", "creates a tag"},
			{"-v --verify", "runs gpg"},
		}},
	{name: "git remote", at: true, short: "v", long: "verbose", needs: GitConfig},
	{name: "git remote get-url", at: true, long: "push all", operands: data, max: 1, needs: GitConfig},
	{name: "git remote show", at: true, operands: data, max: 1, needs: GitRemote, network: true, check: checkOrigin},
	{name: "git ls-remote", at: true, short: "htq", long: "heads tags branches refs quiet exit-code get-url sort= symref", operands: data, needs: GitRemote, network: true, check: checkOrigin,
		danger: []danger{
			{"--upload-pack --exec", "runs a program"},
			{"-o --server-option", "sends an option to the server"},
		}},
	{name: "git stash list", at: true, short: "pn:s", digits: true, long: "oneline stat? patch no-patch format? pretty? date= max-count= name-only name-status", needs: GitConfig, check: checkGitFormat},
	{name: "git stash show", at: true, short: "pu", long: "patch stat? numstat shortstat name-only name-status include-untracked only-untracked no-color color? no-ext-diff unified? word-diff?", operands: revisions, needs: GitConfig, danger: gitDanger},
	{name: "git reflog", at: true, short: "n:", digits: true, long: "oneline date= max-count= no-decorate format? pretty? all", needs: GitConfig, check: checkGitFormat},
	{name: "git reflog show", at: true, short: "n:", digits: true, long: "oneline date= max-count= no-decorate format? pretty? all", operands: revisions, needs: GitConfig, check: checkGitFormat},
	{name: "git config", raw: true, needs: GitConfig, check: checkGitConfig},
	{name: "git grep", at: true, short: "aiwvhHEGFPnlLzocpWe:A:B:C:qIr", digits: true, operands: patternThenPaths, needs: GitConfig + " " + TrackedFiles,
		long: "text ignore-case word-regexp invert-match full-name extended-regexp basic-regexp fixed-strings perl-regexp line-number column files-with-matches name-only files-without-match null only-matching count color? no-color break heading show-function after-context= before-context= context= function-context max-depth= recursive no-recursive threads= and or not all-match quiet cached exclude-standard no-textconv max-count=",
		danger: []danger{
			{"-O --open-files-in-pager", "runs a pager on the files"},
			{"--textconv", "runs the conversion programs that the configuration names"},
			{"--no-index --untracked --no-exclude-standard -f", "reads files that are not tracked"},
			{"--ext-grep", "runs another grep"},
		}},
	{name: "git merge-base", at: true, short: "a", long: "all octopus independent is-ancestor fork-point", operands: revisions, needs: GitConfig},
	{name: "git name-rev", at: true, long: "tags refs= exclude= all name-only no-undefined always", operands: revisions, needs: GitConfig},
	{name: "git for-each-ref", at: true, long: "count= sort= format= color? points-at= merged? no-merged? contains? no-contains? ignore-case shell perl python tcl exclude= omit-empty", operands: data, needs: GitConfig, check: checkGitFormat},
	{name: "git show-ref", at: true, short: "dqs", long: "head heads tags branches dereference hash? verify exists abbrev? quiet", operands: data, needs: GitConfig},
	// With a second operand symbolic-ref writes.
	{name: "git symbolic-ref", at: true, short: "q", long: "quiet short recurse no-recurse", operands: data, max: 1, needs: GitConfig,
		danger: []danger{{"-d --delete -m", "changes a reference"}}},
	{name: "git worktree list", at: true, short: "vz", long: "porcelain verbose", needs: GitConfig},
	{name: "git count-objects", at: true, short: "vH", long: "verbose human-readable", needs: GitConfig},
	{name: "git check-ignore", at: true, short: "qvn", long: "quiet verbose non-matching no-index", operands: revisions, needs: GitConfig},
	{name: "git check-attr", at: true, short: "a", long: "all cached source=", operands: revisions, needs: GitConfig},
	{name: "git cherry", at: true, short: "v", long: "verbose abbrev?", operands: revisions, needs: GitConfig},
	{name: "git show-branch", at: true, short: "ar", long: "all remotes current list topo-order date-order sparse more? no-name sha1-name no-color color?", operands: revisions, needs: GitConfig},
	{name: "git notes list|show", at: true, operands: revisions, needs: GitConfig},
	{name: "git fsck", at: true, long: "unreachable no-dangling full strict connectivity-only name-objects no-progress", needs: GitConfig,
		danger: []danger{{"--lost-found", "writes the objects it finds"}}},
	{name: "git var", at: true, operands: data, max: 1, needs: GitConfig},
	{name: "git version|--version", at: true, long: "build-options"},
}
