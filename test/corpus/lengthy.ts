import type { Random } from "../properties/language/random.ts";
import { filled } from "./slots.ts";

type Maker = (random: Random) => string;

const many = (random: Random, low: number, high: number, template: string): string[] =>
  random.times(low + random.below(high - low), () => filled(template, random));

const compile: Maker = (random) =>
  filled(
    `${random.pick(["gcc", "clang", "g++"])} -O2 -Wall -Wextra ${many(random, 4, 30, "-I«folder»/include").join(" ")} ` +
      `${many(random, 2, 20, "-D«CONST»=«n»").join(" ")} -c «folder»/«name».c -o build/«name».o`,
    random,
  );

const bundle: Maker = (random) =>
  filled(
    `npx esbuild «file» --bundle --platform=node --target=node20 ${many(random, 4, 40, "--external:«package»").join(" ")} ` +
      `${many(random, 0, 12, `--define:«CONST»='"«name»"'`).join(" ")} --outfile=dist/«name».js`,
    random,
  );

const staged: Maker = (random) =>
  filled(`git add ${many(random, 6, 60, "«file»").join(" ")} && git commit -m "«sentence»"`, random);

const tested: Maker = (random) => `npx vitest run ${many(random, 6, 50, "«file»").join(" \\\n  ")}`;

const container: Maker = (random) =>
  filled(
    `docker run --rm ${many(random, 3, 25, "-e «CONST»=«name»").join(" ")} ${many(random, 1, 10, '-v "$PWD/«folder»:/app/«folder»"').join(" ")} ` +
      `--network «noun» «image» sh -c 'npm ci && npm run «verb» -- --«noun» «n»'`,
    random,
  );

const source: Maker = (random) =>
  `cat > ${filled("«file»", random)} <<'EOF'\n${many(
    random,
    8,
    40,
    "export const «symbol» = (value: string): string => `${value}/«name»`; // «sentence»",
  ).join("\n")}\nEOF`;

const program: Maker = (random) =>
  `python3 <<'PY'\nimport json\nrows = []\n${many(
    random,
    4,
    25,
    "rows.append({'«noun»': '«name»', '«noun»': «n»})  # «sentence»",
  ).join("\n")}\nprint(json.dumps(rows))\nPY`;

const script: Maker = (random) =>
  `set -euo pipefail\n${random
    .times(4 + random.below(22), () =>
      filled(
        random.pick([
          'echo "== «sentence»"',
          "mkdir -p «folder»/«name»",
          'cp «file» "$PWD/«folder»/"',
          "if [ ! -f «file» ]; then\n  npm run «verb»\nfi",
          "for f in «folder»/*.«ext»; do\n  sed -i 's/«symbol»/«symbol»/g' \"$f\"\ndone",
          "«CONST»=$(git rev-parse HEAD)",
          "npx eslint «file» || true",
          "grep -rn '«symbol»' «folder» | head -«n»",
          "# «sentence»",
          "npm test -- «folder» > «name».log 2>&1",
        ]),
        random,
      ),
    )
    .join("\n")}`;

const chain: Maker = (random) =>
  many(
    random,
    5,
    25,
    random.pick(["cat «file»", "sed -n '«n»,«n»p' «file»", "echo '--- «name»'; head -«n» «file»"]),
  ).join(random.pick([" && ", "; "]));

const posted: Maker = (random) =>
  filled(
    `curl -s -X POST https://«host»/api/«noun» -H 'Content-Type: application/json' ${many(random, 0, 6, "-H 'X-«Symbol»: «sha»'").join(" ")} ` +
      `-d '{${many(random, 4, 40, '"«noun»_«n»": "«sentence»"').join(", ")}}' | jq -r '.«noun»'`,
    random,
  );

const described: Maker = (random) =>
  filled(
    `gh pr create --title "«sentence»" --body "$(cat <<'EOF'\n## Summary\n${many(random, 4, 30, "- «sentence» in `«file»`").join("\n")}\n\n## Test plan\n${many(random, 2, 8, "- [ ] npm test -- «folder»").join("\n")}\nEOF\n)"`,
    random,
  );

const replaced: Maker = (random) =>
  `sed -i ${many(random, 3, 30, "-e 's/«symbol»/«symbol»/g'").join(" ")} ${many(random, 1, 20, "«file»").join(" ")}`;

/** Makers of the long commands: builds, generated files, scripts; from some 300 characters to 4 KB. */
export const lengthy: readonly Maker[] = [
  compile,
  bundle,
  staged,
  tested,
  container,
  source,
  program,
  script,
  chain,
  posted,
  described,
  replaced,
];
