package reach

import (
	"fmt"
	"os"
	"path"
	"strings"
	"testing"
)

// sample is a name that a pattern matches.
func sample(pattern string) string {
	if strings.HasSuffix(pattern, ".env*") {
		return strings.ReplaceAll(pattern, "*", ".local")
	}
	return strings.ReplaceAll(pattern, "*", "x")
}

// TestEveryNameOfTheTable: each name is found as written, in capitals, and anywhere in a path.
func TestEveryNameOfTheTable(t *testing.T) {
	t.Parallel()
	s := NewSecrets(nil)
	for _, class := range Classes() {
		for pattern := range strings.FieldsSeq(class.Names) {
			name := sample(pattern)
			for _, spelled := range []string{name, strings.ToUpper(name), "a/b/" + name, name + "/below", "HEAD:" + name, name + ".", name + " "} {
				// The first questions and the many questions of a search are answered in different ways.
				if !s.Has(spelled) || !NewSecrets(nil).Has(spelled) {
					t.Errorf("%s: %q is not found", class.What, spelled)
				}
			}
		}
	}
	for name := range strings.FieldsSeq(Exceptions) {
		if name = sample(name); s.Has(name) || NewSecrets(nil).Has(name) {
			t.Errorf("%q is taken for a secret", name)
		}
	}
	for pattern := range strings.FieldsSeq(Doubtful) {
		if name := "a/" + sample(pattern); !s.Unsure(path.Dir(name), path.Base(name)) || s.Has(name) {
			t.Errorf("%q: what is in it does not decide", name)
		}
	}
}

// TestNamesOfSecrets: names that tools write, and names that only look like them.
func TestNamesOfSecrets(t *testing.T) {
	t.Parallel()
	s := NewSecrets(nil)
	for _, name := range strings.Fields(".env .env~ .env-prod .env2 .env.production.local prod.env .claude/.credentials.json .claude.json .claude.json.backup .bash_history .zsh_history .python_history .node_repl_history " +
		".config/gh/hosts.yml a.p12 a.pfx a.jks a.kdbx a.ppk secrets.yml secrets.yaml secrets.json config/secrets.yml app-secrets.prod.json terraform.tfstate terraform.tfstate.backup prod.tfvars .dockercfg .docker/config.json " +
		"server.key .config/gcloud/credentials.db .cargo/credentials .cargo/credentials.toml .vault-token .my.cnf .pgpass .netrc .npmrc .pypirc kubeconfig .kube/config .aws/credentials id_ed25519_work id_rsa.bak deploy_rsa " +
		".git/config sub/.git/config .git/modules/a/config .git/config.worktree .codex/auth.json my-service-account-1.json credentials.json aws-credentials.yml .vault_pass.txt .github_token") {
		if !s.Has(name) {
			t.Errorf("%q is not found", name)
		}
	}
	for _, name := range strings.Fields("a.go .environment .env.example .env.production.sample .envrc.template id_rsa.pub config .github/config internal/token/token.go tokens.json secrets.go secret_test.py password.go monkey.js keys.ts " +
		".docker/Dockerfile environment .gitconfig a.crt hosts.yml main.tf history.md config/app.yml package.json credentials.go x.environment") {
		if s.Has(name) {
			t.Errorf("%q is taken for a secret", name)
		}
	}
}

// TestNamesOfTheUser: the user can add names to the table and remove names from it.
func TestNamesOfTheUser(t *testing.T) {
	t.Parallel()
	s := NewSecrets([]string{"*.vault", "Config/prod.yml", " ", "!", "!*.tfvars", "!lib/secrets", "vault"})
	for name, want := range map[string]bool{
		"a.vault": true, "a/B.VAULT": true, "config/prod.yml": true, "x/config/prod.yml": true, "prod.yml": false, "config/x/prod.yml": false, "a.tfvars": false, "lib/secrets/x.go": false, "secrets/x.go": true, "vault/x": true, "vaults": false, ".env": true,
	} {
		if s.Has(name) != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
}

// TestTableIsDocumented: docs/permissions.md lists the names of the table.
func TestTableIsDocumented(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/permissions.md")
	if err != nil {
		t.Fatal(err)
	}
	code := func(names string) string { return "`" + strings.Join(strings.Fields(names), "` `") + "`" }
	var rows []string
	for _, class := range Classes() {
		rows = append(rows, fmt.Sprintf("| %s | %s |", class.What, code(class.Names)))
	}
	rows = append(rows, "| exceptions: not secrets | "+code(Exceptions)+" |", "| secrets only if they contain a token | "+code(Doubtful)+" |")
	if table := strings.Join(rows, "\n"); !strings.Contains(string(text), table) {
		t.Errorf("docs/permissions.md lacks this table:\n%s", table)
	}
}

func BenchmarkNamed(b *testing.B) {
	s := NewSecrets(nil)
	for b.Loop() {
		s.Named("internal/shell", "table_text.go")
	}
}

func BenchmarkNewSecrets(b *testing.B) {
	for b.Loop() {
		NewSecrets(nil)
	}
}
