package shell

import "strings"

// githubRows are the reading sub-commands of gh. --web opens a browser,
// --show-token prints the token. All of them read over the network; most ask git about
// the repository.
var githubRows = []row{
	{name: "gh pr list", at: true, equals: true, short: "s:L:A:a:B:H:l:S:q:R:", long: "state= limit= author= assignee= base= head= label= search= json= jq= repo= draft", needs: GitConfig, network: true, bans: &noAddress, check: checkGh, danger: ghDanger},
	{name: "gh pr view", at: true, equals: true, short: "cq:R:", long: "comments json= jq= repo=", operands: data, max: 1, needs: GitConfig, network: true, bans: &noAddress, check: checkGh, danger: ghDanger},
	{name: "gh pr diff", at: true, equals: true, short: "R:", long: "name-only patch color= repo=", operands: data, max: 1, needs: GitConfig, network: true, bans: &noAddress, check: checkGh, danger: ghDanger},
	{name: "gh pr checks", at: true, equals: true, short: "q:R:", long: "required json= jq= repo=", operands: data, max: 1, needs: GitConfig, network: true, bans: &noAddress, check: checkGh, danger: ghDanger},
	{name: "gh pr status", at: true, equals: true, short: "cq:R:", long: "conflict-status json= jq= repo=", needs: GitConfig, network: true, bans: &noAddress, check: checkGh, danger: ghDanger},
	{name: "gh issue list", at: true, equals: true, short: "s:L:A:a:l:m:S:q:R:", long: "state= limit= author= assignee= label= milestone= search= mention= json= jq= repo=", needs: GitConfig, network: true, bans: &noAddress, check: checkGh, danger: ghDanger},
	{name: "gh issue view", at: true, equals: true, short: "cq:R:", long: "comments json= jq= repo=", operands: data, max: 1, needs: GitConfig, network: true, bans: &noAddress, check: checkGh, danger: ghDanger},
	{name: "gh issue status", at: true, equals: true, short: "q:R:", long: "json= jq= repo=", needs: GitConfig, network: true, bans: &noAddress, check: checkGh, danger: ghDanger},
	{name: "gh run list", at: true, equals: true, short: "L:b:w:s:u:e:c:q:R:", long: "limit= branch= workflow= status= user= event= commit= json= jq= repo=", needs: GitConfig, network: true, bans: &noAddress, check: checkGh, danger: ghDanger},
	{name: "gh run view", at: true, equals: true, short: "va:j:q:R:", long: "log log-failed verbose job= attempt= exit-status json= jq= repo=", operands: data, max: 1, needs: GitConfig, network: true, bans: &noAddress, check: checkGh, danger: ghDanger},
	{name: "gh workflow list", at: true, equals: true, short: "aL:q:R:", long: "all limit= json= jq= repo=", needs: GitConfig, network: true, bans: &noAddress, check: checkGh, danger: ghDanger},
	{name: "gh workflow view", at: true, equals: true, short: "yr:R:", long: "yaml ref= repo=", operands: data, max: 1, needs: GitConfig, network: true, bans: &noAddress, check: checkGh, danger: ghDanger},
	{name: "gh repo view", at: true, equals: true, short: "b:q:", long: "branch= json= jq=", operands: data, max: 1, needs: GitConfig, network: true, bans: &noAddress, check: checkGh, danger: ghDanger},
	{name: "gh repo list", at: true, equals: true, short: "L:l:q:", long: "limit= language= json= jq= fork source archived no-archived visibility= topic=", operands: data, max: 1, network: true, bans: &noAddress, check: checkGh, danger: ghDanger},
	{name: "gh release list", at: true, equals: true, short: "L:q:R:", long: "limit= json= jq= repo= exclude-drafts exclude-pre-releases", needs: GitConfig, network: true, bans: &noAddress, check: checkGh, danger: ghDanger},
	{name: "gh release view", at: true, equals: true, short: "q:R:", long: "json= jq= repo=", operands: data, max: 1, needs: GitConfig, network: true, bans: &noAddress, check: checkGh, danger: ghDanger},
	{name: "gh label list", at: true, equals: true, short: "L:S:q:R:", long: "limit= search= json= jq= repo= sort= order=", needs: GitConfig, network: true, bans: &noAddress, check: checkGh, danger: ghDanger},
	{name: "gh search issues|prs", at: true, equals: true, short: "L:R:q:", long: "limit= repo= owner= state= label= author= json= jq= sort= order=", operands: data, network: true, bans: &noAddress, check: checkGh, danger: ghDanger},
	{name: "gh search code", at: true, equals: true, short: "L:R:q:", long: "limit= repo= owner= filename= extension= language= json= jq=", operands: data, network: true, bans: &noAddress, check: checkGh, danger: ghDanger},
	{name: "gh search repos", at: true, equals: true, short: "L:q:", long: "limit= owner= language= json= jq= sort= order=", operands: data, network: true, bans: &noAddress, check: checkGh, danger: ghDanger},
	{name: "gh auth status", network: true, danger: ghDanger},
	{name: "gh status", network: true},
	// Without fields or a method gh api sends GET.
	{name: "gh api", at: true, equals: true, short: "iq:", long: "include jq= paginate slurp cache=", operands: data, max: 1, needs: GitConfig, network: true, bans: &noAddress, check: checkGh, danger: ghAPIDanger},
}

var ghDanger = []danger{
	{"--web", "opens a browser"},
	{"--show-token", "prints the token"},
}

var ghAPIDanger = []danger{
	{"-X --method -f --raw-field -F --field --input -H --header", "sends something other than a plain GET"},
	{"--hostname", "sends the token to another host"},
}

// checkGh rejects other repositories than OWNER/REPO, and jq filters that read the
// environment.
func checkGh(c *call) *refusal {
	for _, o := range c.options {
		switch o.name {
		case "-q", "--jq":
			if containsName(o.value, "env") || containsName(o.value, "ENV") {
				return &refusal{"script", o.src, "The jq filter reads the environment."}
			}
		case "-R", "--repo":
			if strings.Count(o.value, "/") != 1 || strings.Contains(o.value, ":") {
				return &refusal{"option-value", o.src, "Only OWNER/REPO is approved."}
			}
		}
	}
	return nil
}
