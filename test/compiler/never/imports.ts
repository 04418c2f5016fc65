import { readFileSync } from "node:fs";
import { join } from "node:path";
import { importClaude } from "../../../authoring/import/claude.ts";
import { importGitleaks } from "../../../authoring/import/gitleaks.ts";
import { importHookify } from "../../../authoring/import/hookify.ts";
import { importOpta } from "../../../authoring/import/opta.ts";
import { importSigma } from "../../../authoring/import/sigma.ts";
import { createRegexEngine } from "../../../facts/regex.ts";

/** Files of other products as their users have them, each turned into a policy by its importer. */

const regex = createRegexEngine();
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Permissions of Claude Code, one by one and all together. */
const permissions =
  `Bash(curl:*)|Bash(git push:*)|Bash(npm publish:*)|Bash(docker run:*)|Bash(kubectl delete:*)|Bash(rm:*)
Bash(npm run test:*)|Bash(ls:*)|Bash(pip3 install:*)|Bash(python3.11 manage.py:*)|Bash(terraform apply:*)|Bash(gh pr create:*)
Bash(systemctl restart:*)|Bash(make deploy)|Bash(cargo publish)|Bash(sudo:*)|Bash(ssh:*)|Bash(aws s3 rm:*)|Bash(psql:*)
Read(./.env)|Read(./secrets/**)|Read(~/.ssh/**)|Read(//etc/passwd)|Read(src/**)|Edit(docs/**)|Edit(/migrations/**)
Write(config/*.json)|Write(.github/workflows/*)|WebFetch|WebFetch(domain:example.com)|WebFetch(domain:*.corp.test)|WebSearch
mcp__github|mcp__github__*|mcp__db__drop_table|NotebookEdit(notes/**)|Glob(build/**)|Grep(logs/**)|Task(Explore)|Bash`
    .split(/[|\n]/)
    .filter((text) => text !== "");

const claude = (lists: object): string | undefined =>
  importClaude([{ name: "settings.json", bytes: bytes(JSON.stringify({ permissions: lists })) }], regex).policy;

const hookify = (name: string, ...lines: string[]): string | undefined => {
  const text = ["---", `name: ${name}`, "enabled: true", ...lines, "---", "Not like this."].join("\n");
  return importHookify([{ name: `hookify.${name}.local.md`, bytes: bytes(text) }], regex).policy;
};

const sigma = (title: string, ...detection: string[]): string | undefined => {
  const head = `title: ${title}\nid: 0e1a2b3c-0000-4000-8000-000000000000\nstatus: test\nlogsource:\n  product: linux\n  category: process_creation\nlevel: high\n`;
  const text = `${head}detection:\n${detection.map((line) => `  ${line}\n`).join("")}  condition: s\n`;
  return importSigma([{ name: `${title}.yml`, bytes: bytes(text) }], regex).policy;
};

const gitleaks = (id: string, more = ""): string | undefined => {
  const text = `[[rules]]\nid = "${id}"\ndescription = "a key"\nregex = '''${id}-[a-z0-9]{20}'''\nkeywords = ["${id}"]\n${more}`;
  return importGitleaks(".gitleaks.toml", bytes(text), regex).policy;
};

const opta = (): string | undefined => {
  const file = join(import.meta.dirname, "..", "..", "..", "examples", "opta", "config.json");
  return importOpta("config.json", readFileSync(file), regex).policy;
};

/** Every policy that the files above become, with what it was made of; a file that becomes none is left out. */
export function importedPolicies(): readonly { readonly of: string; readonly policy: string }[] {
  const made: readonly (readonly [string, string | undefined])[] = [
    ...permissions.flatMap((one): [string, string | undefined][] => [
      [`deny ${one}`, claude({ deny: [one] })],
      [`ask ${one}`, claude({ ask: [one] })],
      [`allow ${one}`, claude({ allow: [one] })],
    ]),
    [
      "all of Claude Code",
      claude({ deny: permissions.slice(0, 12), ask: permissions.slice(12, 24), allow: permissions.slice(24) }),
    ],
    ["hookify command", hookify("curl", "event: bash", "action: block", "pattern: curl\\s+-k")],
    ["hookify ask", hookify("make", "event: bash", "action: ask", "pattern: make")],
    ["hookify warn", hookify("npm", "event: bash", "pattern: npm publish")],
    ["hookify file", hookify("env", "event: file", "action: block", "pattern: \\.env$")],
    ["hookify prompt", hookify("word", "event: prompt", "action: block", "pattern: deploy now")],
    ["sigma image", sigma("Curl Run", "s:", "  Image|endswith: /curl", "  CommandLine|contains: ' -o '")],
    ["sigma words", sigma("Cron Change", "s:", "  CommandLine|contains|all:", "    - crontab", "    - '-e'")],
    ["sigma start", sigma("Copy", "s:", "  CommandLine|startswith: 'scp '")],
    ["gitleaks", gitleaks("our-key")],
    ["gitleaks with an allow list", gitleaks("app-token", "[rules.allowlist]\nregexes = ['''example''']\n")],
    ["opta", opta()],
  ];
  return made.flatMap(([of, policy]) => (policy === undefined ? [] : [{ of, policy }]));
}
