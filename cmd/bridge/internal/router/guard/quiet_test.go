package guard_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// ordinary are commands of everyday work, one per line.
const ordinary = `
go build ./...
go build -o bin/server ./cmd/server
go test -race -count=1 ./...
go test ./... 2>&1 | tee /tmp/test.log
go generate ./... && git diff --exit-code
go run ./cmd/bridge hooks
go clean -cache
make clean all
make -j8 -C build
cargo build --release
cargo clean
npm ci
npm run build -- --mode production
npx tsc --noEmit
yarn install --frozen-lockfile
pnpm -r test
pip install -r requirements.txt
python3 -m venv .venv && . .venv/bin/activate
python -c 'import shutil; print(1)'
pytest -x -q tests/ | tail -20
mvn -q clean package
./gradlew clean build
cmake -B build -S . && cmake --build build
docker build -t app .
docker run --rm -v "$PWD":/src app make
docker compose up -d
docker system prune -f
kubectl delete pod web-1
terraform plan -out plan.tfplan
rm -rf node_modules
rm -rf node_modules dist build .next
rm -rf ./build/*
rm -rf build/ dist/
rm -rf "$TMPDIR"
rm -rf -- build
rm -rf target/debug
rm -rf ~/.cache/go-build
rm -rf /tmp/work
rm -rf /var/tmp/x/*
rm -rf "$(mktemp -d)"
rm -rf vendor && go mod vendor
rm -rf .pytest_cache __pycache__
rm -rf *.egg-info
rm -rf test-*
rm -rf [0-9]*
rm -rf src/{a,b}
rm -rf {build,dist}
rm -rf packages/*/dist
rm -f *.o *.log
rm -f ???.tmp
rm -f .eslintcache
rm a.txt b.txt
rm -r docs/old
rmdir empty
x=build; rm -rf $x
x=build; rm -rf "$x"/*
DIR=$(mktemp -d); cd "$DIR" && rm -rf *
for d in a b c; do rm -rf $d/node_modules; done
for f in *.bak; do rm "$f"; done
while read -r f; do rm -rf "$f"; done < list
dirs=(dist build); rm -rf "${dirs[@]}"
find . -name '*.orig' -delete
find . -name '*.pyc' ! -path './venv/*' -delete
find build ! -name keep -delete
find . -path ./.git -prune -o -name '*.tmp' -exec rm {} +
find . -name .git -prune -o -type f -name '*.bak' -delete
find . -name .gitkeep -delete
find vendor -mindepth 2 -name .git -exec rm -rf {} +
git checkout main && git pull && git checkout - && git push -f
find . -type f -name '*.pyc' -delete
find . -name node_modules -type d -prune -exec rm -rf {} +
find . -path ./.git -prune -o -name '*.tmp' -print
find build -type f -delete
find . -empty -type d -delete
find . -mtime +7 -delete
find src -name '*.go' -exec sed -i 's/foo/bar/g' {} +
find . -type f -exec grep -l TODO {} +
find . -type f -newer x -exec rm {} \;
find . -name '*.sh' -exec chmod +x {} \;
sed -i 's/foo/bar/' main.go
sed -i.bak 's/a/b/' src/a.ts
sed -i -e 's/a/b/' -e 's/c/d/' README.md
sed -i '' 's/a/b/' README.md
sed -i s/.git/.svn/ a.txt
sed -i 's#.git/hooks#.githooks#' Makefile
sed -n '1,20p' .git/config
sed -i '/.git\/config/d' docs/a.md
sed -i 's/x/y/' $(git ls-files '*.go')
perl -pi -e 's/.git/.svn/g' a.txt
perl -0pi -e 's/a/b/' a.txt
awk '{print $1}' .git/HEAD
awk -i inplace '{print}' a.txt
grep -rn 'rm -rf /' .
grep -r foo --exclude-dir .git .
rg --hidden -g '!.git' foo
cp a.txt b.txt
cp -r src/ backup/
cp -t dst a b
cp .env.example .env
cp .git/config /tmp/config
cp -r ../template/. .
cp x/settings.json config/settings.json
mv a.txt b.txt
mv src/a.go src/b.go
mv *.txt docs/
mv -t docs a.md b.md
mv build/bridge bin/
install -m 755 bin/x /usr/local/bin/x
ln -s ../a b
ln -sf .git/hooks hooks-link
touch a.txt
touch -r .git/HEAD stamp
mkdir -p .claude/commands
mkdir -p ~/.config/app
chmod +x scripts/*.sh
chmod -R u+w build
chown -R me:me build
truncate -s 0 app.log
echo x > out.txt
echo x >> .gitignore
echo '.git/' >> .dockerignore
printf '%s\n' a b > list
cat > config.json <<'EOF'
cat a b | tee out.txt
cat .git/config
dd if=/dev/zero of=disk.img bs=1M count=1
tar czf src.tar.gz --exclude .git .
tar -xzf src.tar.gz -C /tmp/x
tar xf a.tar
tar --exclude=.git -cf - . | ssh host 'tar xf -'
unzip -o a.zip -d build
zip -r a.zip . -x '.git/*'
rsync -a --delete --exclude .git ./ host:/srv/app/
rsync -a --delete src/ dst/
rsync -av src/ dst/ --exclude .git
scp a.txt host:/tmp/
curl -fsSL https://example.com -o page.html
curl -O https://example.com/a.tgz
curl -d @body.json -H 'X: y' https://example.com
wget -q https://example.com/a.tgz
wget -O - https://example.com | tar xz
sort -o a.txt a.txt
sort -u a b > c
uniq a b
split -l 100 a.txt part-
patch -p1 < a.diff
diff -u a b > a.diff
gcc -o a a.c
jq '.a = 1' package.json > tmp && mv tmp package.json
yq -i '.version = "2"' chart.yaml
git status
git add -A && git commit -m 'remove .git/hooks and rm -rf /'
git commit --amend --no-edit
git push
git push -u origin feature
git push --force-with-lease
git push -f origin feature
git push -f origin HEAD
git push -f origin $(git branch --show-current)
git push origin +feature
git push origin main
git push origin HEAD:main
git push --tags
git push -f origin v1.2.3
git push origin --delete old
git push origin :old
git push -o ci.skip origin feature
git -C sub push
git -c user.name=x push origin feature
git push origin 'refs/tags/*'
git push origin refs/heads/feature:refs/heads/feature
b=feature; git push -f origin $b
git checkout -b feature2
git checkout -- src/a.go
git restore .
git restore --staged .claude/settings.json
git rm -r --cached node_modules
git rm --cached .claude/settings.json
git mv a b
git clean -fdx
git reset --hard origin/main
git rebase -i main
git stash -u
git worktree add ../wt -b x
git worktree remove ../wt
git config core.hooksPath .githooks
git archive -o a.tar HEAD
git diff --output=a.diff
git branch -D old
sudo apt-get install -y jq
sudo -u postgres psql -c 'select 1'
sudo --user postgres rm -rf /tmp/x
env --chdir sub make
env -u A B=c make test
timeout --signal KILL 60 go test ./...
timeout 60 npm test
nice -n 10 make
nohup ./server > server.log 2>&1 &
flock /tmp/l -c 'make build'
flock -w 5 /tmp/l make
xargs -n 1 rm < list
ls | xargs -I {} echo {}
git ls-files -z | xargs -0 sed -i 's/a/b/'
stdbuf -oL make
time make
watch -n 5 kubectl get pods
bash -c 'cd sub && make'
sh -c "rm -rf build"
su - app -c 'ls'
cd build && rm -rf *
(cd sub && rm -rf dist)
(cd .git && ls -la); touch x
(cd / && ls) && rm -rf build
x=$(cd .git && pwd); echo "$x" > a.txt
pushd sub && make && popd
pkill -x node
kill 1234
bridge doctor
bridge ralph cancel
bridge install --dry-run
bridge uninstall --help
claude plugin list
claude plugin uninstall other
rm .claude/ralph-loop.local.md
rm -rf .omc
rm .claude/commands/x.md
cp commands.md .claude/
cp -r skills .claude
mv a.md b.md .claude/commands/
tar xf agents.tar -C .claude/agents
touch .claude
cat ~/.config/bridge/config.json
cp ~/.config/bridge/config.json /tmp/x
jq .permissions .claude/settings.json
rm /tmp/bridge
cp bin/bridge /tmp/bridge
ip link add name br0 type bridge
bridge link show
find . -path '*/__pycache__/*' -delete
find . -path './build/*' -delete
find . -path ./.git -prune -o -type f -exec sed -i 's/a/b/' {} +
find . -type f -not -path '*/.git/*' -exec sed -i 's/a/b/' {} +
find src -type f -exec sed -i 's/a/b/' {} +
find . -name '*.md' -exec sed -i 's/a/b/' {} +
find . -type f -name '*.sh' -exec chmod +x {} \;
find . -maxdepth 1 -type f -exec sed -i 's/a/b/' {} +
find . \( -name node_modules -o -name dist \) -prune -exec rm -rf {} +
find . -type d \( -name a -o -name b \) -exec rm -rf {} +
find . -name '*.tmp' -o -name '*.bak' -exec rm {} +
find . -not -path './.git/*' -name '*.orig' -delete
find . -exec grep -l foo {} \; -delete
find . -type f -exec grep -q foo {} \; -exec sed -i s/foo/bar/ {} \;
find ~/.cache -type f -mtime +7 -delete
find ~ -name '*.tmp' -delete
find / -name core -delete
find . -type l -delete
find . -name '*.log' -mtime +7 -delete
ls | xargs -n1 echo
xargs rm -f <<< "a b"
cat files | xargs -I{} sh -c 'rm "$1"' _ {}
bash -c 'rm -rf "$1"' _ build
rm -rf $(ls -d build*)
rm -rf $(ls build)
rm -f $(which foo)
rm -rf "$(dirname "$0")/build"
rm -rf "$(realpath build)"
cd "$(dirname "$0")" && rm -rf build
cd $(dirname $PWD) && ls
rm -rf ${DIR:-build}/x
rm -rf "${OUT:-$PWD/out}"
rm -rf ${PREFIX:-/usr/local}/share/x
rm -rf .*_cache
rm -f .claude/*.tmp
rm -rf .claude/worktrees/*
rm .claude/commands/*.md
rm -f ~/.local/share/foo/*
rm ~/.config/*.bak
git config -f .gitmodules submodule.x.path y
git config --file .gitmodules --get submodule.x.path
git bundle create ../x.bundle HEAD
git push origin --delete feature
git push --prune origin 'refs/tags/*'
git push -d origin x
git submodule foreach 'rm -rf build'
git rebase -x 'make' main
git -c alias.x='!make' x
set -e; rm -rf build
set -- *.go; gofmt -l "$@"
pwsh -Command 'Get-ChildItem'
pwsh -c 'Remove-Item -Recurse build'
uv run rm -rf build
npx rimraf dist node_modules
npx rimraf '**/*.js'
trash build
poetry run black .
tmux new -d 'npm start'
source <(kubectl completion bash)
bash <(echo 'make')
wget -P downloads https://x/y
curl -O https://x/config
curl -LO https://github.com/a/b/archive/main.tar.gz
gzip a.log
zip -r a.zip src
strip bin/app
pushd build && rm -rf * && popd
cd build && rm -rf * && cd - && ls
cd build; cd ..; rm -f *.o
rm -rf !(x)/y
rm -rf build/!(keep)
rm -rf ~+/build
env FOO=bar npx jest
watchexec -e go -- go test ./...
hyperfine 'rm -rf build' 'make'
git commit -am "fix: rm -rf / in docs"
git push --force-with-lease origin feature
git push origin --delete feature
git push origin :feature
git push origin v1.0
git push origin HEAD
git push origin HEAD:refs/for/main
git rebase --exec 'make test' main
git bisect run make test
git reset --hard HEAD~1
git config user.name x
git config --global alias.co checkout
git rm --cached a
git rm -r src/old
git submodule foreach git pull
git submodule foreach 'git checkout main || true'
git -c core.pager=cat log
git -c user.name=x commit -m y
find . -path ./.git -prune -o -type f -print
find . -path ./.git -prune -o -name '*.go' -exec gofmt -l {} +
find . -path ./.git -prune -o -name '*.orig' -delete
find . -path ./node_modules -prune -o -name '*.ts' -print | xargs wc -l
find . -name '*.pyc' -delete
find . -name __pycache__ -type d -exec rm -rf {} +
find . -name node_modules -prune -exec rm -rf {} +
find . -type d -empty -delete
find . -name '*.go' | xargs sed -i 's/a/b/'
find . -type f -name '*.js' -exec sed -i 's/a/b/g' {} +
find . -type f -not -path './.git/*' -exec grep -l x {} +
find . -type f -exec chmod 644 {} +
find build -mindepth 1 -delete
find /tmp/x -delete
find . \( -name '*.o' -o -name '*.a' \) -delete
find . -name '*.go' -exec sh -c 'gofmt -l "$1"' _ {} \;
find . -name '*.tmp' -exec sh -c 'rm "$1"' _ {} \;
find src -name '*.go' -exec sh -c 'mv "$1" "${1%.go}.txt"' _ {} \;
rm -rf build
rm -rf ./build dist/
rm -rf build/*
rm -rf dist/* coverage/
rm -rf "$PWD/build"
rm -rf ${BUILD:-build}
rm -rf "${TMPDIR:-/tmp}/x"
rm -rf /tmp/x
rm -rf $HOME/.cache/x
rm -rf src/*.o
rm -f *.log
rm -rf .venv venv .pytest_cache
rm -rf .next .turbo
rm -f .gitignore.bak
rm .gitignore
rm -rf .github
rm -f .gitattributes
rm -rf $(find . -name '*.pyc')
rm -f $(git ls-files --deleted)
d=$(mktemp -d); cd "$d" && touch x; rm -rf "$d"
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
for d in a b c; do rm -rf "$d/build"; done
for d in packages/*; do rm -rf "$d/node_modules"; done
for d in */; do (cd "$d" && make); done
for f in $(ls *.txt); do mv "$f" "${f%.txt}.md"; done
while read f; do rm "$f"; done < list.txt
cd build && rm -rf ./* && cmake ..
mkdir -p build && cd build && cmake .. && make -j4
(cd build && rm -rf *)
cd src && find . -name '*.o' -delete
npm run build -- --watch=false
npx jest --coverage
npx rimraf dist
npx prettier --write .
pnpm exec eslint --fix src
poetry run pytest -x
uv run pytest
bundle exec rspec
echo 'rm -rf /' >> notes.md
echo "git push -f origin main" | grep push
awk '{print $1}' a > b
curl -sSL https://x -o /tmp/x.tgz && tar xzf /tmp/x.tgz -C /tmp
curl -fsSL https://x | sh
wget -qO- https://x | tar xz
wget https://x/y.tgz
unzip a.zip
unzip -q a.zip -d vendor
rsync -a --exclude .git ./ /tmp/x/
rsync -av --delete src/ /tmp/backup/
rsync -a --delete dist/ user@host:/srv
docker build -t x . && docker run --rm -v "$PWD":/w x rm -rf /w/build
ssh host 'rm -rf /srv/x'
xargs -n1 echo < list
cat list | xargs rm -f
git ls-files '*.orig' | xargs rm -f
git branch --merged | grep -v main | xargs git branch -d
git for-each-ref --format='%(refname:short)' | xargs -n1 git push origin --delete
bash -c 'cd build && make'
bash <(curl -s https://x)
sh -c 'rm -rf build'
set -- a b; rm -rf "$1"
set -euo pipefail; rm -rf build
f() { rm -rf "$1"; }; f build
x=build; rm -rf "$x"
x=build; rm -rf "./$x"/*
rm -rf "$x"
rm -rf .claude/tmp
tmux new -d 'make'
hyperfine 'make'
rm ~/.local/share/applications/*.desktop
rm -rf ~/.local/share/Trash/*
rm *.txt
rm -f .*.swp
rm -rf .*cache
rm -f .DS_Store */.DS_Store
gofmt -w $(git ls-files '*.go')
rm -rf $(go env GOCACHE)
rm -rf "$(npm root)"
`

// TestOrdinaryWorkIsLeftAlone: the guards neither ask about nor refuse everyday work.
func TestOrdinaryWorkIsLeftAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "feature")
	hooked := `{"model": "opus", "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "bridge", "args": ["--hook=stop"]}]}]}}`
	file := filepath.Join(w.project, ".claude", "settings.json")
	w.write(file, hooked)
	n := 0
	for line := range strings.Lines(ordinary) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		n++
		w.want("Bash", bash(line), "", "")
	}
	if n < 350 {
		t.Errorf("the table has only %d commands", n)
	}
	for _, edit := range []map[string]any{
		{"file_path": file, "old_string": "opus", "new_string": "sonnet"},
		{"file_path": file, "old_string": `"hooks":`, "new_string": `"permissions": {"allow": ["Bash(ls)"]}, "hooks":`},
		{"file_path": file, "old_string": `"bridge"`, "new_string": `"/opt/bin/bridge"`},
		{"file_path": file, "old_string": `["--hook=stop"]`, "new_string": `["--hook=stop"], "timeout": 20`},
		{"file_path": file, "old_string": `{"Stop"`, "new_string": `{"Notification": [{"hooks": [{"type": "command", "command": "say"}]}], "Stop"`},
		{"file_path": file, "old_string": "absent", "new_string": "x"},
		{"file_path": w.project + "/.vscode/settings.json", "old_string": "a", "new_string": "b"},
		{"file_path": w.project + "/docs/hooks.md", "old_string": "--hook=stop", "new_string": ""},
		{"file_path": w.project + "/.gitignore", "old_string": "a", "new_string": "b"},
		{"file_path": w.project + "/.github/workflows/ci.yml", "old_string": "a", "new_string": "b"},
	} {
		w.want("Edit", edit, "", "")
	}
	for path, content := range map[string]string{
		file: strings.Replace(hooked, "opus", "haiku", 1), w.project + "/.claude/settings.local.json": `{"permissions": {}}`, w.project + "/.claude/commands/x.md": "x", w.project + "/src/bridge/main.go": "package main",
		w.project + "/plugin/hooks/hooks.json": "{}", w.project + "/bridge.json": "{}", w.home + "/.config/app/config.json": "{}", w.home + "/notes.md": "rm -rf /",
	} {
		w.want("Write", map[string]string{"file_path": path, "content": content}, "", "")
	}
	w.want("NotebookEdit", map[string]string{"notebook_path": w.project + "/a.ipynb", "new_source": "x"}, "", "")
}
