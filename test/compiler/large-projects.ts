/** Projects that would take long to compile, by what makes them large: the texts of their policy files. */
export interface LargeProject {
  readonly name: string;
  readonly texts: readonly string[];
  /** Code of the finding that stops it; undefined where it is within the bounds. */
  readonly code: string | undefined;
}

const head = (i = 0): string => `version: 1\npolicy: p-${i}\n`;

function rule(k: number, when: string, more = ""): string {
  return `  - id: r-${k}
    event: tool_call
    each: { c: shell.commands }
    when: '${when}'
    action: block
    reason: no
${more}`;
}

function lines(count: number, line: (k: number) => string): string {
  return Array.from({ length: count }, (_, k) => line(k)).join("");
}

const plain = (k: number): string => rule(k, `c.program == "x${k}"`);
const one = `rules:\n${rule(0, "true")}`;
const untooled = (k: number, when: string): string =>
  `  - { id: r-${k}, event: tool_call, tool: t${k}, when: '${when}', action: block, reason: no }\n`;

/** The attack that was seen: 80 files of 1,000 rules each. */
export function manyRules(files: number, rules: number): string[] {
  return Array.from({ length: files }, (_, i) => `${head(i)}rules:\n${lines(rules, plain)}`);
}

/** The attack and its neighbours. */
export const largeProjects: readonly LargeProject[] = [
  { name: "80 files of 1,000 rules", texts: manyRules(80, 1_000), code: "HW013" },
  { name: "70 tiny files", texts: manyRules(70, 1), code: "HW013" },
  { name: "one file of a megabyte", texts: [`${head()}${"# x\n".repeat(200_000)}${one}`], code: "HW013" },
  { name: "a file over its own bound", texts: [`${head()}${"# xxxxxx\n".repeat(200_000)}${one}`], code: "HW013" },
  { name: "a long comment within the bounds", texts: [`${head()}# ${"x".repeat(400_000)}\n${one}`], code: undefined },
  {
    name: "a long text within the bounds",
    texts: [`${head()}description: "${"x".repeat(400_000)}"\n${one}`],
    code: undefined,
  },
  { name: "1,001 rules", texts: [`${head()}rules:\n${lines(1_001, plain)}`], code: "HW013" },
  {
    name: "1,001 conditions",
    texts: [`${head()}conditions:\n${lines(1_001, (k) => `  c${k}: 'tool.name == "x"'\n`)}${one}`],
    code: "HW013",
  },
  {
    name: "large patterns",
    texts: [`${head()}rules:\n${lines(40, (k) => rule(k, `c.program.matches("(\\\\p{L}|\\\\p{N}|x${k}){40}")`))}`],
    code: "HW013",
  },
  {
    name: "a list that every rule repeats",
    texts: [
      `${head()}lists:\n  l:\n${lines(5_000, (k) => `    - v-${k}\n`)}rules:\n${lines(300, (k) => rule(k, "c.program in lists.l"))}`,
    ],
    code: "HW013",
  },
  {
    name: "a parameter of 300,000 characters in every rule",
    texts: [
      `${head()}parameters:\n  s: { type: string, default: ${"x".repeat(300_000)} }\nrules:\n${lines(300, (k) => rule(k, "c.program == parameters.s"))}`,
    ],
    code: "HW013",
  },
  {
    name: "conditions in each other, for rules of many tools",
    texts: [
      `${head()}conditions:\n  c0: 'tool.name == "x"'\n${lines(90, (k) => `  c${k + 1}: 'tool.name == "x${k}" || conditions.c${k}'\n`)}rules:\n${lines(300, (k) => untooled(k, "conditions.c90"))}`,
    ],
    code: "HW013",
  },
  {
    name: "exceptions for every rule",
    texts: [
      `${head()}rules:\n${lines(500, (k) => untooled(k, "true"))}exceptions:\n${lines(500, () => `  - { rules: ["p-0/*"], when: 'tool.name == "x"', owner: x, reason: x }\n`)}`,
    ],
    code: "HW013",
  },
  { name: "unknown keys", texts: [`${head()}${lines(20_000, (k) => `k${k}: 1\n`)}${one}`], code: "HW013" },
  { name: "one key again and again", texts: [`${head()}${"k: 1\n".repeat(60_000)}`], code: "HW009" },
  { name: "an alias bomb", texts: [`${head()}a: &a [x]\n${lines(25, (k) => `b${k}: [*a, *a, *a]\n`)}`], code: "HW008" },
  { name: "anchors", texts: [`${head()}${lines(12_000, (k) => `a${k}: &a${k} x\n`)}`], code: "HW013" },
  { name: "syntax errors", texts: [`${head()}${"a: 'x' y\n".repeat(50_000)}`], code: "HW005" },
  { name: "brackets", texts: [`${head()}a: ${"[".repeat(200_000)}`], code: "HW010" },
  {
    name: "patterns of a redaction",
    texts: [
      `${head()}rules:\n  - id: a\n    event: tool_result\n    action:\n      redact:\n        patterns:\n${lines(60, (k) => `          - { name: n${k}, regex: '(\\p{L}){30}${k}' }\n`)}`,
    ],
    code: "HW013",
  },
];
