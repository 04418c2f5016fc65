/**
 * Policies as authors write them from plain sentences: templates with words that projects have. No word is wrong, so that
 * `check` has nothing to say of them. The order is fixed, and the same in every run.
 */

/** A sentence with its rule: the keys of a rule without id, event, action and reason, and a call that it must match. */
interface Template {
  readonly sentence: string;
  readonly keys: string;
  readonly call: unknown;
  /** Words for `<a>`, each with what stands for `<b>` beside it. */
  readonly words: readonly (readonly [a: string, b?: string])[];
}

const call = (tool: string, args: object): object => ({ tool, args });

const places: readonly (readonly [string])[] = [
  ["secrets"],
  ["deploy/keys"],
  ["infra/prod"],
  ["migrations"],
  ["/srv/data"],
  ["~/.kube"],
  ["vendor"],
  ["db/backups"],
  ["config/production"],
  ["charts"],
  ["/opt/app"],
  ["~/.aws"],
  ["packages/core/dist"],
  ["public/uploads"],
  ["terraform/state"],
  [".circleci"],
  ["/var/lib/app"],
  ["~/notes"],
  ["third_party"],
  ["docs/legal"],
  ["test/golden"],
];

const templates: readonly Template[] = [
  {
    sentence: "nobody reads <a>",
    keys: 'each: { r: effects.reads }\nwhen: { r.path: { within: "<a>" }, r.metadata_only: false }',
    call: "cat <a>/x",
    words: places,
  },
  {
    sentence: "nobody writes to <a>",
    keys: 'each: { w: effects.writes }\nwhen: { w.path: { glob: "<a>/**" } }',
    call: "touch <a>/x",
    words: places,
  },
  {
    sentence: "nobody deletes <a>, except what lies in its folder tmp",
    keys: 'each: { d: effects.deletes }\nwhen: { d.path: { within: "<a>" } }\nunless: { d.path: { within: "<a>/tmp" } }',
    call: "rm <a>/x",
    words: places,
  },
  {
    sentence: "files that end in <a> are written by hand",
    keys: "each: { w: effects.writes }\nwhen: { w.path.ext: <a> }",
    call: "touch x.<a>",
    words: [["pem"], ["lock"], ["sql"], ["tf"], ["env"], ["pb"], ["snap"], ["min"], ["key"], ["p12"]],
  },
  {
    sentence: "files that are called <a> are not read",
    keys: 'each: { r: effects.reads }\nwhen: { r.path.name: { glob: "<a>" }, r.metadata_only: false }',
    call: "cat <b>",
    words: [
      ["*.pem", "a.pem"],
      [".env*", ".env.local"],
      ["id_rsa*", "id_rsa"],
      ["{credentials,token}.json", "token.json"],
      ["secret-[a-z]*", "secret-x"],
      ["backup-????.sql", "backup-2024.sql"],
      ["kubeconfig", "kubeconfig"],
      ["*.kdbx", "a.kdbx"],
      [".npmrc", ".npmrc"],
      [".netrc", ".netrc"],
    ],
  },
  {
    sentence: "pushes to <a> need a human",
    keys: "each: { p: effects.pushes }\nwhen: { p.target.branch: <b> }",
    call: "git push origin <a>",
    words: [
      ["main", "main"],
      ["master", "[main, master]"],
      ["release/2.0", '{ glob: "release/**" }'],
      ["prod-eu", "{ starts_with: prod- }"],
      ["trunk", "trunk"],
      ["1.0", '"1.0"'],
      ["hotfix/x", '{ matches: "^(hotfix|release)/" }'],
      ["v2-stable", "{ ends_with: -stable }"],
      ["develop", "[develop, staging]"],
      ["gh-pages", "gh-pages"],
    ],
  },
  {
    sentence: "<a> is not run with <b>",
    keys: "each: { c: shell.commands }\nwhen: { c.program: <a>, c: { has_option: <b> } }",
    call: "<a> <b> x",
    words: [
      ["curl", "--insecure"],
      ["wget", "--no-check-certificate"],
      ["npm", "--force"],
      ["rsync", "--delete"],
      ["chmod", "-R"],
      ["grep", "--recursive"],
      ["tar", "-x"],
      ["ssh", "-A"],
      ["docker", "--privileged"],
      ["node", "--inspect"],
    ],
  },
  {
    sentence: "<a> <b> needs a human",
    keys: "each: { c: shell.commands }\nwhen: { c.program: <a>, c.subcommand: <b> }",
    call: "<a> <b>",
    words: [
      ["git", "rebase"],
      ["terraform", "apply"],
      ["kubectl", "delete"],
      ["docker", "push"],
      ["npm", "publish"],
      ["helm", "upgrade"],
      ["cargo", "publish"],
      ["git", "[commit, tag]"],
      ["pulumi", "up"],
      ["brew", "uninstall"],
    ],
  },
  {
    sentence: "nobody runs <a>",
    keys: "each: { c: shell.commands }\nwhen: { c.program: <a> }",
    call: "<b> x",
    words: [
      ["python", "python3.12"],
      ["pip3", "pip"],
      ["nc", "nc"],
      ["crontab", "crontab"],
      ["[telnet, ftp]", "ftp"],
      ["gcc", "gcc"],
      ["ffmpeg", "ffmpeg"],
      ["psql", "psql"],
      ["vim", "vim"],
      ["{ glob: docker* }", "docker-compose"],
    ],
  },
  {
    sentence: "nothing runs by <a>",
    keys: "each: { c: shell.commands }\nwhen: { c.wrappers: { contains: <a> } }",
    call: "<a> ls",
    words: [["sudo"], ["doas"], ["nohup"], ["setsid"], ["nice"]],
  },
  {
    sentence: "nothing is sent to <a>",
    keys: 'each: { n: effects.network }\nwhen: { n.direction: [upload, both], n.url.host: { host_in: ["<a>"] } }',
    call: "curl -d @a https://<b>/",
    words: [
      ["pastebin.com", "pastebin.com"],
      ["*.ngrok.io", "a.ngrok.io"],
      ["transfer.sh", "transfer.sh"],
      ["10.0.0.1", "10.0.0.1"],
      ["webhook.site", "x.webhook.site"],
    ],
  },
  {
    sentence: "traffic goes by https, except to this machine",
    keys: "each: { n: effects.network }\nwhen: { n.url.scheme: <a> }\nunless: { n.url: { is: loopback } }",
    call: "curl <a>://a.test/",
    words: [["http"], ["ftp"]],
  },
  {
    sentence: "packages of <a> are looked at first",
    keys: "each: { i: effects.installs }\nwhen: { i.manager: <a>, i.source: registry }",
    call: "<b> left-pad",
    words: [
      ["npm", "npm install"],
      ["pip", "pip install"],
      ["cargo", "cargo add"],
      ["gem", "gem install"],
      ["[yarn, pnpm]", "yarn add"],
      ["apt-get", "apt-get install"],
      ["brew", "brew install"],
      ["go", "go get"],
    ],
  },
  {
    sentence: "on <a> this tool is not used",
    keys: "tool: fetch\nwhen: { environment.os: <a> }",
    call: { ...call("fetch", { url: "https://a.test/" }), environment: { os: "<b>" } },
    words: [
      ["linux", "linux"],
      ["darwin", "darwin"],
      ["windows", "windows"],
      ["win32", "windows"],
      ["macos", "darwin"],
      ["[linux, darwin]", "linux"],
    ],
  },
  {
    sentence: "in <a> nobody fetches",
    keys: "tool: fetch\nwhen: { host: <a> }",
    call: { ...call("fetch", { url: "https://a.test/" }), host: "<b>" },
    words: [
      ["claude-code", "claude-code"],
      ["claude", "claude-code"],
      ["gemini", "gemini-cli"],
      ["codex", "codex"],
      ["[cursor, windsurf]", "cursor"],
      ['{ glob: "c*" }', "codex"],
    ],
  },
  {
    sentence: "no tool of the server <a>",
    keys: 'tool: "<a>"',
    call: call("<b>", {}),
    words: [
      ["mcp__github__*", "mcp__github__get_issue"],
      ["mcp__*__{delete,drop}_*", "mcp__db__drop_table"],
      ["mcp__slack__post_message", "mcp__slack__post_message"],
      ["mcp__db_[a-z]*__query", "mcp__db_main__query"],
      ["mcp__*", "mcp__x__y"],
      ["computercontroller__*", "computercontroller__web_search"],
    ],
  },
  {
    sentence: "an argument of a server's tool says <a>",
    keys: "tool: mcp__shop__order\nwhen: { <a> }",
    call: call("mcp__shop__order", { name: "gold", count: 12, items: ["a", "gold"], deep: { key: "x" } }),
    words: [
      ["args.name: gold"],
      ["args.name: { starts_with: go }"],
      ["args.count: { gt: 10 }"],
      ["args.items: { contains: gold }"],
      ["some: { args.items: { starts_with: go } }"],
      ["args.deep.key: { present: true }"],
      ["args.items: { size: { ge: 2 } }"],
    ],
  },
  {
    sentence: "a search for <a> is recorded",
    keys: "tool: [grep, glob]\nwhen: { args.pattern: { <a> } }",
    call: call("grep", { pattern: "<b>" }),
    words: [
      ["contains: password", "password"],
      ["contains_any: [token, secret]", "token"],
      ["matches: '(?i)api.?key'", "API_KEY"],
      ["equals: TODO", "TODO"],
      ["not_in: [x, y]", "z"],
      ["size: { gt: 2 }", "abc"],
    ],
  },
  {
    sentence: "what a human types is not <a>",
    keys: "when: { input.text: { <a> } }",
    call: { event: "input", text: "<b>" },
    words: [
      ["contains: deploy now", "please deploy now"],
      ["matches: '\\bAB-[0-9]+\\b'", "see AB-12"],
      ["starts_with: [/nuke, /reset]", "/reset"],
      ["size: { gt: 10 }", "a long text that says nothing"],
    ],
  },
  {
    sentence: "late, in long sessions and for sub-agents: <a>",
    keys: "tool: fetch\nwhen: <a>",
    call: call("fetch", { url: "https://a.test/" }),
    words: [
      ["'now.getHours() >= 0 || now.getHours() < 6'"],
      ["'session.turn < 200 && agent.depth < 3'"],
      ["{ session.turn: { lt: 50 }, agent.depth: 0 }"],
      ["'size(session.labels) == 0 || session.labels.exists(l, l == \"injected\")'"],
      ["'now.getDayOfWeek() in [0, 1, 2, 3, 4, 5, 6]'"],
      ["{ any: [{ environment.branch: main }, { environment.branch: { present: true } }] }"],
      ["{ not: { environment.user: { in: [ci, bot] } } }"],
    ],
  },
  {
    sentence: "secrets of the kind <a> do not leave",
    keys: "when: { some: { secrets: { <a> } } }",
    call: "echo ghp_0123456789abcdefghijABCDEFGHIJ012345",
    words: [
      ["detector: secrets/github-token"],
      ["detector: [secrets/github-token, secrets/npm-token]"],
      ['detector: { glob: "secrets/*-token" }'],
      ["confidence: high"],
      ["detector: { starts_with: secrets/git }"],
    ],
  },
  {
    sentence: "settings <a> stay as they are",
    keys: "each: { g: effects.config }\nwhen: { g.target: { <a> } }",
    call: "<b>",
    words: [
      ["starts_with: core.", "git config core.hooksPath x"],
      ["equals: user.email", "git config user.email x"],
      ['glob: "github delete **"', "gh api -X DELETE repos/o/r"],
    ],
  },
  {
    sentence: "<a> asks at most twice",
    keys: "tool: <a>\nbudget: { limit: 1, within: 10m }",
    call: [call("<a>", { path: "a", content: "" }), call("<a>", { path: "b", content: "" })],
    words: [["read"], ["write"], ["edit"], ["Read"], ["list"]],
  },
  {
    sentence: "after a fetch, <a> needs a human",
    keys: "tool: <a>\nsequence: { after: [{ tool: fetch }], within: { calls: 5 } }",
    call: [call("fetch", { url: "https://a.test/" }), call("<a>", { path: "a", content: "" })],
    words: [["read"], ["write"], ["edit"], ["list"]],
  },
];

/** One policy from a sentence. */
export interface SentencePolicy {
  readonly sentence: string;
  readonly text: string;
}

const filled = (text: string, a: string, b: string): string => text.replaceAll("<a>", a).replaceAll("<b>", b);

/** What a call says of a list of values is the first of them. */
const firstOf = (word: string): string => /^\[([^,\]]+)/.exec(word)?.[1] ?? word;

/** Every policy of every template. */
export function sentencePolicies(): readonly SentencePolicy[] {
  return templates.flatMap(({ sentence, keys, call, words }) =>
    words.map(([a, b = a]) => {
      const example = filled(JSON.stringify(call), firstOf(a), firstOf(b));
      const isInput = /input\.text/.test(keys);
      const event = isInput ? "input" : keys.startsWith("each") ? "[tool_call, user_bash]" : "tool_call";
      const rule = [`event: ${event}`, ...filled(keys, a, b).split("\n"), "action: ask", `reason: "no"`];
      const text = `version: 1\npolicy: p\nrules:\n  - id: r\n    title: A rule\n${rule.map((line) => `    ${line}\n`).join("")}    examples:\n      match: [${example}]\n`;
      return { sentence: filled(sentence, a, b), text };
    }),
  );
}
