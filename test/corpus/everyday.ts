/** One-line commands that agents give every day, a template a line; `«kind»` is a word of `slots.ts`. */
const text = String.raw`
git status
git status --short --branch
git diff
git diff --stat
git diff HEAD~«n» -- «file»
git diff --name-only «branch»...HEAD
git diff --cached «file»
git log --oneline -«n»
git log --oneline --graph --decorate -n «n» «branch»
git log -p -S'«symbol»' -- «folder»
git log --since='«n» days ago' --author='«noun»' --pretty=format:'%h %ad %s' --date=short
git show «sha»:«file»
git show --stat «sha»
git blame -L «n»,+«n» «file»
git add «file» «file»
git add -A
git add -p «file»
git commit -m "«sentence»"
git commit -m "«noun»: «sentence»"
git commit --amend --no-edit
git commit -am 'fix(«noun»): «sentence»'
git commit -m "feat(«noun»): «sentence»" -m "«sentence». «sentence»."
git checkout -b «branch»
git checkout «branch» -- «file»
git switch «branch»
git switch -c «branch» origin/main
git restore --staged «file»
git stash push -m '«sentence»'
git stash pop
git fetch origin «branch»
git fetch --all --prune
git pull --rebase origin «branch»
git push origin «branch»
git push -u origin «branch»
git push --force-with-lease origin «branch»
git rebase «branch»
git rebase --continue
git cherry-pick «sha» «sha»
git merge --no-ff «branch»
git worktree add ../«name» «branch»
git branch --list 'feature/*'
git branch -d «branch»
git tag -a v«version» -m "«sentence»"
git remote -v
git config user.name
git rev-parse --abbrev-ref HEAD
git ls-files '*.«ext»'
git grep -n '«symbol»' -- '*.«ext»'
git -C «folder» status -s
git bisect good «sha»
gh pr create --title "«sentence»" --body "«sentence»" --base main
gh pr view «n» --json title,body,files
gh pr list --state open --limit «n»
gh run view «n» --log-failed
gh issue list --label «noun» --search "«noun» «verb»"
npm install
npm ci
npm install --save-dev «package»
npm install «package»@«version»
npm test
npm test -- --grep '«sentence»'
npm run build
npm run lint -- --fix «file»
npm run «verb»:«noun»
npm ls «package»
npm outdated --json
npm view «package» versions --json
npx tsc --noEmit -p «folder»/tsconfig.json
npx vitest run «file»
npx vitest run «folder» -t '«sentence»'
npx eslint «file» --max-warnings 0
npx prettier --check "«folder»/**/*.{ts,tsx}"
npx prisma migrate dev --name «verb»_«noun»
pnpm add -D «package» «package»
pnpm --filter «name» build
pnpm -r run test
yarn workspace @example/«noun» add «package»
yarn install --frozen-lockfile
bun test «file»
node --test «folder»
node «file» --«noun»=«n»
node -e "console.log(require('./package.json').version)"
node -e 'const «noun» = JSON.parse(require("fs").readFileSync("«folder»/«name».json", "utf8")); console.log(Object.keys(«noun»).length)'
tsx «file» --«noun» «file»
NODE_ENV=test npm run test:«noun»
CI=1 npm run «verb» -- --reporter=dot
DEBUG=«noun»:* node «file»
rg '«symbol»'
rg -n '«symbol»' «folder»
rg -n --type ts 'function «symbol»\(' «folder»
rg -l '«CONST»' --glob '!node_modules' --glob '*.«ext»'
rg -A «n» -B 2 'class «Symbol»' «folder»
rg -n "import .* from ['\"]«package»['\"]" «folder»
rg --files -g '*.«ext»' «folder»
rg -o '"«noun»":\s*"[^"]+"' «file»
grep -rn '«symbol»' «folder»
grep -rn --include='*.«ext»' '«CONST»' .
grep -E '^(export|import) ' «file»
grep -c '«noun»' «file»
grep -v '^#' «file»
find . -name '*.«ext»'
find «folder» -type f -name '*«noun»*' -not -path '*/node_modules/*'
find «folder» -maxdepth «n» -type d
find . -name '«name».«ext»' -mtime -«n» -print
find «folder» -name '*.«ext»' -exec grep -l '«symbol»' {} +
find . -type f -size +«n»k -not -path './.git/*'
find «folder» -name '*.log' -mtime +«n» -delete
fd -e «ext» «noun» «folder»
ls
ls -la
ls -la «folder»
ls -lh «folder»/*.«ext»
tree -L 2 -I 'node_modules|dist' «folder»
cat «file»
cat «file» «file»
cat -n «file»
head -«n» «file»
head -n «n» «file»
tail -n «n» «file»
tail -f logs/«name».log
sed -n '«n»,«n»p' «file»
sed -n '/«symbol»/,/^}/p' «file»
sed -i 's/«symbol»/«symbol»/g' «file»
sed -i -e 's/«noun»/«noun»/' -e '/«CONST»/d' «file»
sed -i.bak "s|https://«host»|https://«host»|g" «file»
sed -E 's/^([a-z]+)=(.*)$/\1: \2/' «file»
awk '{print $«n»}' «file»
awk -F, '{ sum += $«n» } END { print sum / NR }' «folder»/«name».csv
awk 'NR>=«n» && NR<=«n»' «file»
jq '.dependencies' package.json
jq -r '.«noun»[] | select(.«noun» == "«name»") | .id' «folder»/«name».json
yq '.services.«noun».image' docker-compose.yml
wc -l «file»
wc -l «folder»/*.«ext»
diff -u «file» «file»
cmp «file» «file»
file «file»
stat «file»
du -sh «folder»
df -h
mkdir -p «folder»/«name»
touch «file»
cp «file» «file»
cp -r «folder» «folder»-copy
mv «file» «file»
rm «file»
rm -f «file» «file»
rm -rf dist «folder»/dist
rm -rf node_modules/.cache
ln -s ../«folder» «folder»/«name»
chmod +x scripts/«name».sh
chmod 644 «file»
tar czf «name».tar.gz «folder»
tar xzf «name»-«version».tar.gz -C «folder»
unzip -o «name».zip -d «folder»
gzip -k «file»
rsync -av --exclude node_modules «folder»/ «folder»-backup/
cd «folder»
cd «folder» && npm test
cd «folder» && npm ci && npm run build
cd ..
pwd
which «noun» node python3
echo "«sentence»"
echo $PATH
echo "$HOME/«folder»"
printf '%s\n' «noun» «noun» «noun»
export «CONST»=«name»
env | grep «CONST»
date +%Y-%m-%d
uname -a
ps aux | grep «noun»
kill «n»
lsof -i :«port»
sleep «n»
python3 «file»
python3 -m pytest «folder»
python3 -m pytest «file» -k '«noun» and not «noun»' -x -q
python3 -m venv .venv
python3 -m http.server «port» --bind 127.0.0.1
python3 -m json.tool «file»
python3 -c 'import sys; print(sys.version)'
python3 -c "import json; d = json.load(open('«folder»/«name».json')); print(len(d['«noun»']))"
python manage.py makemigrations «noun»
python manage.py migrate
pip install -r requirements.txt
pip install «wheel»==«version»
pip show «wheel»
uv pip install «wheel» «wheel»
uv run pytest «folder»/«name».py
poetry add «wheel»
ruff check «folder» --fix
black «folder»
mypy --strict «file»
cargo build --release
cargo test «symbol» -- --nocapture
cargo clippy --all-targets -- -D warnings
cargo add «noun»@«version»
go build ./...
go test ./«folder»/... -run '^Test«Symbol»$' -v
go vet ./...
go mod tidy
gofmt -l «folder»
make
make «verb»
make -j«n» -C «folder» «noun»
cmake -S . -B build -DCMAKE_BUILD_TYPE=Release
mvn -q -DskipTests package
./gradlew :«noun»:test --tests '«Symbol»'
bundle exec rspec «file»:«n»
docker ps -a
docker build -t «name»:«version» .
docker build -f «folder»/Dockerfile --build-arg «CONST»=«version» -t example/«noun» «folder»
docker run --rm -it -p «port»:«port» «image»
docker run -d --name «name» -e «CONST»=«noun» -v "$PWD/«folder»:/app" «image» sleep «n»
docker exec -it «name» ls -la /app
docker exec «name» psql -U «noun» -c 'select count(*) from «noun»s'
docker logs --tail «n» «name»
docker compose up -d «noun»
docker compose logs -f --tail=«n» «noun» «noun»
docker image ls --filter reference='example/*'
kubectl get pods -n «ns»
kubectl get deploy «name» -n «ns» -o yaml
kubectl logs «pod» -n «ns» --tail=«n»
kubectl describe pod «pod» -n «ns»
kubectl exec -n «ns» «pod» -- printenv «CONST»
kubectl get events -n «ns» --sort-by=.lastTimestamp
helm template «name» «folder»/chart --values «folder»/values.yaml
terraform plan -out «name».plan
terraform fmt -check «folder»
aws s3 ls s3://example-«noun»/«folder»/
gcloud run services list --region «noun»-west1
curl -s https://«host»/«noun»/«n»
curl -sSf -o «name».json https://«host»/api/«noun»
curl -I http://«host»/«folder»
curl -X POST -H 'Content-Type: application/json' -d '{"«noun»": «n»}' http://localhost:«port»/«noun»s
wget -q https://«host»/«name»-«version».tar.gz -O «name».tar.gz
ssh deploy@«noun».example.net uptime
scp «file» deploy@«noun».example.net:/srv/«noun»/
psql -h localhost -U «noun» -d «noun»_dev -c "select id, «noun» from «noun»s where «noun» = '«name»' limit «n»;"
sqlite3 «name».db '.tables'
redis-cli get «noun»:«n»
openssl rand -hex «n»
base64 «file»
sort «file»
sort -u -k«n» «file»
uniq -c «file»
cut -d: -f«n» «file»
tr -d '\r' < «file»
xxd «file»
shellcheck scripts/«name».sh
shasum -a 256 «file»
timeout «n» npm test
time npm run build
nohup npm run dev > «name».log 2>&1 &
test -f «file» && cat «file»
[ -d «folder» ] || mkdir -p «folder»
command -v «noun»
type «noun»
history
true
`;

/** Every template once, in order. */
export const everyday: readonly string[] = text.split("\n").filter((line) => line !== "");
