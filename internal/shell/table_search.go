package shell

// searchRows are programs that search files by content or name.
var searchRows = []row{
	{name: "grep|egrep|fgrep", at: true, short: "EFGPe:f@ivywxcLlm:oqsbHhnTZA:B:C:aIrRUz", digits: true, operands: patternThenPaths, globs: anyGlobs, check: checkGrep,
		long: "extended-regexp fixed-strings basic-regexp perl-regexp regexp= file@ ignore-case no-ignore-case invert-match word-regexp line-regexp count color? colour? files-without-match files-with-matches max-count= only-matching quiet silent no-messages byte-offset with-filename no-filename label= line-number initial-tab null after-context= before-context= context= group-separator= no-group-separator text binary-files= exclude= exclude-from@ exclude-dir= include= recursive dereference-recursive line-buffered binary null-data devices= directories= help version"},
	{name: "rg", at: true, equals: true, short: "A:B:C:E:e:f@Fg:HhIiLlMm:Nn.oPpqSsT:t:UuvVwxacj:d:0r:", operands: patternThenPaths, globs: prefixedGlobs, check: checkRg,
		long: "after-context= before-context= context= encoding= regexp= file@ fixed-strings glob= iglob= with-filename no-filename ignore-case follow files-with-matches files-without-match max-columns= max-count= no-line-number line-number only-matching pcre2 pretty quiet smart-case case-sensitive type= type-not= multiline multiline-dotall unrestricted invert-match word-regexp line-regexp text count count-matches threads= max-depth= maxdepth= null replace= color= colors= column no-column files heading no-heading hidden no-hidden ignore-file@ json no-ignore no-ignore-vcs no-ignore-parent no-ignore-dot no-ignore-global no-ignore-messages no-messages no-config line-buffered no-unicode passthru sort= sortr= stats trim type-list vimgrep one-file-system crlf glob-case-insensitive max-filesize= engine= byte-offset binary debug include-zero help version",
		danger: []danger{
			{"--pre --pre-glob", "runs a program on every file"},
			{"--hostname-bin", "runs a program"},
			{"-z --search-zip", "starts decompressors"},
		}},
	{name: "find", raw: true, check: checkFind},
	{name: "fd", at: true, equals: true, short: fdShort, long: fdLong, operands: patternThenPaths, globs: prefixedGlobs, check: checkFollow,
		danger: []danger{{"-x --exec -X --exec-batch", "runs a program on the results"}, {"-l --list-details", "starts ls"}}},
	{name: "fdfind", at: true, equals: true, short: fdShort, long: fdLong, operands: patternThenPaths, globs: prefixedGlobs, check: checkFollow},
}

const fdShort = "HIuisgFaLpd:t:e:S:E:c:j:01qV"
const fdLong = "hidden no-ignore no-ignore-vcs no-ignore-parent unrestricted case-sensitive ignore-case glob regex fixed-strings absolute-path follow full-path max-depth= min-depth= exact-depth= type= extension= size= exclude= changed-within= changed-before= newer= older= color= threads= print0 max-results= quiet show-errors base-directory@ search-path@ strip-cwd-prefix one-file-system prune and= owner= path-separator= help version"
