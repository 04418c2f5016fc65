/** What a test of a rule looks at. All of them are texts, so that every engine beside ours can look at them too. */
export type Field = "command" | "user";

/** One test of one field, of the kinds that every engine compared here can say. */
export type Test =
  | {
      readonly op: "contains" | "not_contains" | "starts_with" | "ends_with" | "equals";
      readonly of: Field;
      readonly text: string;
    }
  /** Both parts, the second anywhere behind the first: a pattern `a.*b` where there are patterns. */
  | { readonly op: "in_order"; readonly of: Field; readonly parts: readonly [string, string] }
  | { readonly op: "longer"; readonly of: Field; readonly length: number };

/** A rule that blocks a call of `bash` when every group holds; a group holds when any test of it does. */
export interface MixRule {
  readonly id: string;
  readonly groups: readonly (readonly Test[])[];
}

/** A call as the engines are given it, each in its own form. */
export interface MixEvent {
  readonly tool: string;
  readonly command: string;
  readonly user: string;
}

type Op = Exclude<Test, { op: "in_order" | "longer" }>["op"];

const test = (op: Op, text: string, of: Field = "command"): Test => ({ op, of, text });

/**
 * Kinds of rules that name a text which must be in the event: what an index can use. Each rule has texts of its own, so
 * that no engine can share anything between rules.
 */
const named: readonly ((n: number) => MixRule["groups"])[] = [
  (n) => [[test("contains", `drop-${n} `)]],
  (n) => [[test("contains", `purge-${n} `), test("contains", `erase-${n} `)]],
  (n) => [[test("starts_with", `deploy-${n} `)]],
  (n) => [[test("ends_with", ` target-${n}`)]],
  (n) => [[{ op: "in_order", of: "command", parts: [`release-${n} `, " production"] }]],
  (n) => [[test("contains", `push-${n} `)], [test("equals", "ci", "user")]],
  (n) => [[test("equals", `robot-${n}`, "user")], [test("contains", "login")]],
  (n) => [[test("contains", `from-${n} `)], [test("contains", ` into-${n}`)]],
  (n) => [[test("contains", `mount-${n} `), test("starts_with", `service-${n}-`, "user")]],
  (n) => [[test("contains", `apply-${n} `)], [test("not_contains", "dry-run")]],
];

/** Kinds that no text of the event rules out: an index must have them judged always. */
const unnamed: readonly ((n: number) => MixRule["groups"])[] = [
  (n) => [[{ op: "longer", of: "command", length: 4_000 + n }]],
  (n) => [[test("not_contains", "e")], [{ op: "longer", of: "user", length: 60 + n }]],
];

/** Parts of a mix that name nothing: none, one of 50 rules, and one of 6, as in the pack `recommended`. */
export const shares = { none: 0, some: 50, packs: 6 } as const;

/** So many rules; every `every`th is one that an index cannot take, none where it is 0. */
export function mix(count: number, every: number): readonly MixRule[] {
  return Array.from({ length: count }, (_, n) => {
    const isUnnamed = every > 0 && n % every === every - 1;
    const kinds = isUnnamed ? unnamed : named;
    const kind = kinds[(isUnnamed ? Math.floor(n / every) : n) % kinds.length] ?? (() => []);
    return { id: `r${n}`, groups: kind(n) };
  });
}

/** A call that no rule of a mix matches. */
export const quiet: MixEvent = {
  tool: "bash",
  command: "npm test -- --watch=false && git status --short | head -n 20",
  user: "dev",
};

/** A call that this rule matches, made from one that it does not. */
export function matching(rule: MixRule, event: MixEvent = quiet): MixEvent {
  return rule.groups.flatMap(([first]) => (first ? [first] : [])).reduce(met, event);
}

function met(event: MixEvent, one: Test): MixEvent {
  const text = event[one.of];
  const changed = (value: string): MixEvent => ({ ...event, [one.of]: value });
  switch (one.op) {
    case "contains":
      return changed(`${text} ${one.text} `);
    case "starts_with":
      return changed(`${one.text}${text}`);
    case "ends_with":
      return changed(`${text}${one.text}`);
    case "equals":
      return changed(one.text);
    case "not_contains":
      return changed(text.replaceAll(one.text, ""));
    case "in_order":
      return changed(`${text} ${one.parts.join(" x ")}`);
    case "longer":
      return changed(text.padEnd(one.length + 1, "."));
  }
}

/** The last rule of a mix that looks at one text of the command alone: none comes after it that could be left out. */
export function lastPlain(rules: readonly MixRule[]): MixRule {
  const found = rules.findLast(({ groups }) => groups.length === 1 && groups[0]?.[0]?.op === "contains");
  if (!found) throw new Error("there is no such rule");
  return found;
}

const paths: Readonly<Record<Field, string>> = {
  command: "args.command",
  user: "environment.user",
};

/** A rule's condition in CEL, which three of the engines read; the tool is not in it. */
export function expression(rule: MixRule): string {
  return rule.groups.map((group) => grouped(group.map(celTest))).join(" && ");
}

function grouped(tests: readonly string[]): string {
  return tests.length === 1 ? tests.join("") : `(${tests.join(" || ")})`;
}

function celTest(one: Test): string {
  const of = paths[one.of];
  switch (one.op) {
    case "contains":
      return `${of}.contains(${JSON.stringify(one.text)})`;
    case "not_contains":
      return `!${of}.contains(${JSON.stringify(one.text)})`;
    case "starts_with":
      return `${of}.startsWith(${JSON.stringify(one.text)})`;
    case "ends_with":
      return `${of}.endsWith(${JSON.stringify(one.text)})`;
    case "equals":
      return `${of} == ${JSON.stringify(one.text)}`;
    case "in_order":
      return `${of}.matches(${JSON.stringify(one.parts.join(".*"))})`;
    case "longer":
      return `size(${of}) > ${one.length}`;
  }
}

/** The surroundings of an expression: the event as CEL sees it. */
export function celContext({ tool, command, user }: MixEvent): {
  readonly tool: string;
  readonly args: { readonly command: string };
  readonly environment: { readonly user: string };
} {
  return { tool, args: { command }, environment: { user } };
}
