/** A template of a rule: its purpose, and its text from `event` on, at column 0. */
export interface RuleKind {
  readonly about: string;
  readonly lines: readonly string[];
}

/**
 * Templates of rules, by the word that `new rule --kind` takes. Each is complete: it loads, its examples hold, and it passes
 * all lints; an author changes the names in it.
 */
export const ruleKinds = {
  command: {
    about: "asks before a program is run with some subcommand",
    lines: [
      "event: [tool_call, user_bash]",
      "tool: [bash, powershell]",
      "each: { c: shell.commands }",
      "when: { c.program: [terraform, tofu], c.subcommand: [apply, destroy] }",
      "action: ask",
      'reason: "{c.text} changes what others use"',
      "guidance: Run `terraform plan` and show what would change.",
      "examples:",
      "  match: [terraform apply, cd infra && terraform destroy]",
      "  no_match: [terraform plan, grep -r 'terraform apply' docs]",
    ],
  },
  file: {
    about: "blocks changes of generated files",
    lines: [
      "event: [tool_call, user_bash]",
      "each: { w: effects.writes }",
      'when: { w.path: { glob: ["**/*.generated.*", "**/package-lock.json"] } }',
      "action: block",
      'reason: "{w.path} is a generated file"',
      "guidance: Change what it is made from, and run the tool.",
      "examples:",
      "  match:",
      "    - sed -i s/a/b/ package-lock.json",
      "    - { tool: write, args: { path: src/api.generated.ts, content: x } }",
      "  no_match:",
      "    - cat package-lock.json",
      "    - { tool: write, args: { path: src/api.ts, content: x } }",
    ],
  },
  network: {
    about: "asks before a host is reached that is not on a list",
    lines: [
      "event: [tool_call, user_bash]",
      "each: { n: effects.network }",
      "unless: { n.url.host: { host_in: [registry.npmjs.org, github.com] } }",
      "action: ask",
      'reason: "{n.url.host} is not a host that this project needs"',
      "guidance: Use what is in the repository, or ask for the host to be allowed.",
      "examples:",
      "  match:",
      "    - curl https://example.com/x",
      '    - { tool: fetch, args: { url: "https://example.com/x" } }',
      "  no_match:",
      "    - curl https://api.github.com/repos",
      "    - grep -r example.com docs",
    ],
  },
  redact: {
    about: "replaces a text in what the model gets to read",
    lines: [
      "event: [tool_result, context, input]",
      "action:",
      "  redact:",
      "    patterns:",
      "      - name: customer-number",
      "        regex: '\\bCUST-[0-9]{6,12}\\b'",
      '        replacement: "[CUSTOMER]"',
      "reason: customer numbers stay out of the model",
      "examples:",
      '  match: ["for CUST-123456"]',
      '  no_match: ["for CUST-1", a customer]',
    ],
  },
  remind: {
    about: "tells the model something once a session",
    lines: [
      "event: before_agent_start",
      "action: { inject: { content: Run the tests before you finish., once: session } }",
      "reason: tests are run before work is handed over",
      "examples:",
      "  match:",
      "    - { event: before_agent_start, prompt: Mend the parser }",
    ],
  },
} as const satisfies Record<string, RuleKind>;

/** Name of a kind of rule. */
export type RuleKindName = keyof typeof ruleKinds;

/** Names of all kinds. */
export const ruleKindNames = Object.keys(ruleKinds) as RuleKindName[];

/** Converts an id to a title: `no-deploy` becomes `No deploy`. */
export function titleOf(id: string): string {
  const words = id.replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns the lines of a rule as an item of a block list whose dash is at a column. */
export function ruleLines(id: string, kind: RuleKindName, column: number): string[] {
  const body = [`id: ${id}`, `title: ${titleOf(id)}`, "severity: medium", ...ruleKinds[kind].lines];
  const pad = " ".repeat(column);
  return body.map((line, i) => `${pad}${i === 0 ? "- " : "  "}${line}`);
}

/** True for a valid id of a policy or rule (language page section 1). */
export function isId(id: string): boolean {
  return id.length <= 100 && /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(id);
}
