/** Chains, pipelines, loops, substitutions: a template a line; `«kind»` is a word of `slots.ts`. */
const lines = String.raw`
git add «file» && git commit -m "«sentence»"
git add -A && git commit -m '«sentence»' && git push origin «branch»
git fetch origin && git rebase origin/main && npm ci && npm test
git diff --name-only main | grep '\.«ext»$' | xargs npx eslint
git log --format=%an | sort | uniq -c | sort -rn | head -«n»
git branch --merged | grep -v '\*' | xargs -n 1 git branch -d
git status --porcelain | awk '{print $2}' | while read -r f; do echo "$f"; done
git show «sha» --stat | tail -«n»; git log -1 --format='%B' «sha»
cd «folder» && rg -n '«symbol»' --type ts | head -«n»
cd «folder» && npm run build 2>&1 | tail -«n»
cd "$(git rev-parse --show-toplevel)" && npx vitest run «file» 2>&1 | grep -E 'FAIL|✓|×' | head -«n»
npm test 2>&1 | tee «name».log | tail -n «n»
npm run build > «name».log 2>&1 || (tail -«n» «name».log; exit 1)
(cd «folder» && npm ci && npm run «verb»)
npx tsc --noEmit 2>&1 | grep 'error TS' | cut -d'(' -f1 | sort | uniq -c | sort -rn
cat package.json | jq -r '.scripts | keys[]' | sort
cat «file» | grep -v '^\s*//' | sed 's/«noun»/«noun»/g' | sort -u > «file»
find «folder» -name '*.«ext»' -print0 | xargs -0 wc -l | sort -n | tail -«n»
find . -name '*.«ext»' -not -path './node_modules/*' | xargs grep -ln '«symbol»' | sort
find «folder» -type f -name '*.«ext»' -exec sed -i 's/«symbol»/«symbol»/g' {} \;
rg -l '«symbol»' «folder» | xargs sed -i 's/\b«symbol»\b/«symbol»/g'
rg --json '«symbol»' | jq -r 'select(.type=="match") | "\(.data.path.text):\(.data.line_number)"' | head -«n»
for f in «folder»/*.«ext»; do echo "== $f"; head -«n» "$f"; done
for i in 1 2 3 4 5; do curl -s -o /dev/null -w '%{http_code}\n' http://localhost:«port»/«noun»; sleep «n»; done
for d in «noun» «noun» «noun»; do (cd "packages/$d" && npm test) || echo "failed: $d"; done
for pkg in $(ls packages); do echo "$pkg: $(jq -r .version packages/$pkg/package.json)"; done
while ! nc -z localhost «port»; do sleep 1; done; echo ready
while read -r line; do echo "${"$"}{line%%,*}"; done < «folder»/«name».csv
if [ -f «file» ]; then cat «file»; else echo "no «noun»"; fi
if ! grep -q '«CONST»' «file»; then echo '«CONST»=«n»' >> «file»; fi
if [[ "$(node --version)" == v2* ]]; then npm ci; else echo "wrong version" >&2; exit 1; fi
case "$(uname)" in Darwin) open «file» ;; Linux) xdg-open «file» ;; esac
test -d node_modules || npm ci; npm run «verb»; echo "exit: $?"
set -euo pipefail; npm run lint; npm run build; npm test -- «folder»
set -e && cd «folder» && make clean && make -j$(nproc) && ctest --output-on-failure
export «CONST»=«n» «CONST»="«name»" && npm run «verb»
REV=$(git rev-parse --short HEAD); docker build -t "«noun»:$REV" .
VERSION=$(jq -r .version package.json); git tag "v$VERSION" && git push origin "v$VERSION"
TMP=$(mktemp -d); tar xzf «name».tar.gz -C "$TMP" && ls -la "$TMP" && rm -rf "$TMP"
OUT="${"$"}{OUT_DIR:-«folder»/out}"; mkdir -p "$OUT" && cp «file» "$OUT/"
docker ps --format '{{.Names}}\t{{.Status}}' | grep «noun»
docker compose down && docker compose build «noun» && docker compose up -d && docker compose logs --tail=«n» «noun»
docker run --rm -v "$(pwd)":/src -w /src «image» sh -c 'npm ci && npm test'
docker exec «name» sh -c "cd /app && ls -la && cat «file»"
kubectl get pods -n «ns» -o json | jq -r '.items[] | select(.status.phase != "Running") | .metadata.name'
kubectl -n «ns» get pods -l app=«noun» -o name | head -1 | xargs -I{} kubectl -n «ns» logs {} --tail=«n»
kubectl rollout restart deployment/«name» -n «ns» && kubectl rollout status deployment/«name» -n «ns» --timeout=«n»s
kubectl create configmap «name» --from-file=«file» --dry-run=client -o yaml | kubectl apply -f - -n «ns»
curl -s https://«host»/«noun» | jq '.data[] | {id, «noun»}' | head -«n»
curl -fsSL https://«host»/«name»-«version».tar.gz | tar xz -C «folder» --strip-components=1
curl -s -H "Authorization: Bearer $API_TOKEN" "https://«host»/v1/«noun»s?limit=«n»&sort=«noun»" | python3 -m json.tool
ps aux | grep '[n]ode «folder»' | awk '{print $2}' | xargs -r kill
lsof -ti :«port» | xargs kill -9
npm run dev > /tmp/«name».log 2>&1 & sleep «n»; curl -s localhost:«port»/«noun»; kill %1
sed -n '«n»,«n»p' «file» && echo ---- && sed -n '«n»,«n»p' «file»
head -«n» «file»; echo; echo '--- «noun»'; tail -«n» «file»
diff <(sort «file») <(sort «file») | head -«n»
comm -23 <(rg -o 'TODO\(\w+\)' «folder» | sort -u) <(cat «folder»/«name».txt | sort -u)
sort -t, -k«n» -n «folder»/«name».csv | awk -F, 'NR > 1 { a[$1] += $2 } END { for (k in a) print k, a[k] }' | sort -k2 -rn
tar cf - «folder» | gzip -9 > «name».tar.gz && ls -lh «name».tar.gz
mkdir -p «folder»/{«noun»,«noun»,«noun»} && touch «folder»/{«noun»,«noun»}/index.ts
echo "LIMIT=$((«n» * «n»))" | tee -a «folder»/.env.example
echo '{"«noun»": {"«noun»": [«n», «n», «n»], "«noun»": "«sentence»"}}' | jq -c '.«noun»' > «folder»/«name».json
f() { rg -n "$1" "${"$"}{2:-.}" | head -«n»; }; f '«symbol»' «folder»; f '«CONST»'
grep -rhoE "process\.env\.[A-Z_]+" «folder» | sort -u | sed 's/process.env.//' > «name».txt
xargs -a «folder»/«name».txt -P 4 -I{} sh -c 'curl -s "https://«host»/{}" -o "out/{}.json"'
[ "$(git status --porcelain | wc -l)" -eq 0 ] && echo clean || { git status --short; exit 1; }
ls -t «folder»/*.log | head -1 | xargs tail -«n»
make «verb» 2>&1 | awk '/error/ { print; n++ } END { exit n > 0 }'
cargo test 2>&1 | grep -E '^(test|error|warning: unused)' | grep -v ' ok$' | head -«n»
go test ./... 2>&1 | grep -v 'no test files' | grep -E '^(---|FAIL|ok)'
sudo systemctl restart «noun» && journalctl -u «noun» -n «n» --no-pager
ssh deploy@«noun».example.net 'cd /srv/«noun» && git pull && npm ci --omit=dev && sudo systemctl restart «noun»'
trap 'rm -f "$TMPFILE"' EXIT; TMPFILE=$(mktemp); curl -s https://«host»/«noun» > "$TMPFILE"; jq . "$TMPFILE"
echo «noun» | tr '[:lower:]' '[:upper:]' | xargs -I% grep -rn % «folder»
npx -y «package»@latest --help 2>&1 | head -«n»
jq --arg v "«version»" '.version = $v' package.json > package.json.tmp && mv package.json.tmp package.json
`;

/** Commands of several lines: here-documents and inline programs. */
const blocks: readonly string[] = [
  `python3 -c "
import json, sys
with open('«folder»/«name».json') as f:
    rows = json.load(f)
for key, value in sorted(rows.items()):
    print(key, len(value), '«noun»')
"`,
  `python3 - «file» <<'PY'
import re, sys
text = open(sys.argv[1]).read()
print(len(re.findall(r'«symbol»\\((.*?)\\)', text)))
PY`,
  `cat > «file» <<'END'
export function «symbol»(«noun»: string): string {
  return \`\${«noun»}-«n»\`;
}
END`,
  `cat <<END > «folder»/«name».env
LIMIT=«n»
REVISION=$(git rev-parse HEAD)
END`,
  `cat >> «file» << 'END'

## «sentence»

- «sentence»
- «sentence» (see \`«file»\`)
END`,
  `git commit -F - <<'END'
«noun»: «sentence»

«sentence». «sentence»,
«sentence».

Refs: #«n»
END`,
  `git commit -m "$(cat <<'END'
«sentence»

- «sentence»
- «sentence»
END
)"`,
  `gh pr create --title "«sentence»" --body "$(cat <<'END'
## Summary
- «sentence»
- «sentence»

## Test plan
- [ ] npm test -- «folder»
END
)"`,
  `node --input-type=module -e '
import { readFileSync } from "node:fs";
const rows = JSON.parse(readFileSync("«folder»/«name».json", "utf8"));
console.log(Object.entries(rows).map(([k, v]) => k + "=" + v).join("\\n"));
'`,
  `psql "$DATABASE_URL" <<SQL
select «noun», count(*)
from «noun»s
where created_at > '«date»'
group by 1 order by 2 desc limit «n»;
SQL`,
];

/** Every template once, in order. */
export const composed: readonly string[] = [...lines.split("\n").filter((line) => line !== ""), ...blocks];
