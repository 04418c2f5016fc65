import type { TestOperator } from "./ast.ts";

/** A form of a condition, or an operator of a test, with a condition that has it. */
export interface TestAbout {
  readonly doc: string;
  /** A condition as `when` takes it, in YAML; its variables are those of `testVariables`. */
  readonly example: string;
  /** A shell command that the example matches. */
  readonly holds: string;
  /** A shell command that the example does not match. */
  readonly fails: string;
}

const about = (doc: string, example: string, holds: string, fails: string): TestAbout => ({
  doc,
  example,
  holds,
  fails,
});

/** Variables of the examples, with the list from which `each` takes them. */
export const testVariables: Readonly<Record<string, string>> = {
  c: "shell.commands",
  d: "effects.deletes",
  i: "effects.installs",
  n: "effects.network",
  p: "effects.pushes",
};

/** How tests are put together to a condition. */
export const conditionForms: Readonly<Record<string, TestAbout>> = {
  "path: value": about("The value is equal to this.", "{ c.program: curl }", "curl a.example", "wget a.example"),
  "path: [value, …]": about(
    "The value is equal to one of these.",
    "{ c.program: [curl, wget] }",
    "wget a.example",
    "ls",
  ),
  "path: { operator: value }": about(
    "The operator holds. Of several operators, each must hold.",
    "{ args.command: { starts_with: git, not_equals: git status } }",
    "git push",
    "git status",
  ),
  "path: { not: { operator: value } }": about(
    "The operator does not hold.",
    "{ c.program: npm, c.subcommand: { not: { starts_with: run } } }",
    "npm install left",
    "npm run build",
  ),
  "tests side by side": about("All of them hold.", "{ c.program: git, c.subcommand: push }", "git push", "git pull"),
  all: about(
    "All conditions of the list hold.",
    "{ all: [{ c.program: git }, { c.subcommand: push }] }",
    "git push",
    "git pull",
  ),
  any: about(
    "At least one condition of the list holds.",
    "{ any: [{ c.program: curl }, { c.subcommand: push }] }",
    "git push",
    "git pull",
  ),
  not: about(
    "The condition does not hold.",
    "{ c.program: git, not: { c.subcommand: [status, log] } }",
    "git push",
    "git log",
  ),
  some: about(
    "At least one element of the list passes the tests. Their paths begin at the element.",
    "{ some: { effects.deletes: { path: { glob: 'src/**' } } } }",
    "rm src/a.ts",
    "rm dist/a.js",
  ),
  every: about(
    "Every element of the list passes the tests. An empty list passes too.",
    "{ effects.deletes: { size: { ge: 1 } }, every: { effects.deletes: { path: { glob: 'src/**' } } } }",
    "rm src/a.ts",
    "rm src/a.ts dist/a.js",
  ),
  none: about(
    "No element of the list passes the tests.",
    "{ shell.commands: { size: 1 }, none: { shell.commands: { program: git } } }",
    "ls",
    "git log",
  ),
  "a text": about(
    "An expression, with [functions and operators](functions.md).",
    `'c.program == "git" && c.operands.size() > 1'`,
    "git push origin main",
    "git push",
  ),
  expr: about(
    "An expression among other tests.",
    "{ c.program: git, expr: 'c.operands.size() > 1' }",
    "git push origin main",
    "git push",
  ),
};

/** The question that each operator of a test asks. */
export const testAbout: Readonly<Record<TestOperator, TestAbout>> = {
  equals: about("Equal to this.", "{ c.program: { equals: curl } }", "curl a.example", "wget a.example"),
  not_equals: about("Not equal to this.", "{ p.remote: { not_equals: origin } }", "git push fork", "git push origin"),
  in: about("One of these.", "{ c.program: { in: [curl, wget] } }", "wget a.example", "ls"),
  not_in: about("None of these.", "{ c.program: git, c.subcommand: { not_in: [status, log] } }", "git push", "git log"),
  contains: about(
    "The list has this element, or the text contains it.",
    "{ args.command: { contains: TODO } }",
    "echo TODO",
    "echo done",
  ),
  contains_any: about(
    "The list has one of these.",
    "{ c.operands: { contains_any: [main, master] } }",
    "git push origin main",
    "git push origin dev",
  ),
  contains_all: about(
    "The list has all of these.",
    "{ c.operands: { contains_all: [origin, main] } }",
    "git push origin main",
    "git push fork main",
  ),
  starts_with: about(
    "The text begins with this.",
    "{ i.name: { starts_with: '@acme/' } }",
    "npm i @acme/ui",
    "npm i left",
  ),
  ends_with: about("The text ends with this.", "{ d.path: { ends_with: .sql } }", "rm a.sql", "rm a.txt"),
  glob: about(
    "Matches one of these globs; `*` stays inside a path component, `**` crosses. A path is matched in any folder unless the glob is absolute.",
    "{ d.path: { glob: ['src/**', 'docs/*.md'] } }",
    "rm src/a/b.ts",
    "rm docs/old/a.md",
  ),
  matches: about(
    "The regular expression (RE2) finds a match.",
    "{ args.command: { matches: 'v[0-9]+' } }",
    "git tag v12",
    "git tag next",
  ),
  cidr: about(
    "The address is in this network.",
    "{ n.url.host: { cidr: 10.0.0.0/8 } }",
    "curl http://10.1.2.3/",
    "curl http://192.0.2.1/",
  ),
  host_in: about(
    "The host is one of these, or a subdomain of one.",
    "{ n.url.host: { host_in: [acme.example] } }",
    "curl https://api.acme.example/",
    "curl https://notacme.example/",
  ),
  lookalike_of: about(
    "The text resembles one of these but equals none.",
    "{ n.url.host: { lookalike_of: [github.com] } }",
    "curl https://g1thub.com/",
    "curl https://github.com/",
  ),
  is: about("Belongs to one of these [classes](#classes).", "{ d.path: { is: secret } }", "rm .env", "rm a.txt"),
  within: about("Lies in this folder, or is it.", "{ d.path: { within: src } }", "rm src/a.ts", "rm a.ts"),
  has_option: about(
    "The command has this option, in any of its spellings.",
    "{ c: { has_option: --force } }",
    "git push -f",
    "git push",
  ),
  lt: about("Less than this.", "{ effects.deletes: { size: { gt: 0, lt: 2 } } }", "rm a", "rm a b"),
  le: about("At most this.", "{ effects.deletes: { size: { ge: 1, le: 2 } } }", "rm a b", "rm a b c"),
  gt: about("More than this.", "{ effects.deletes: { size: { gt: 2 } } }", "rm a b c", "rm a b"),
  ge: about("At least this.", "{ effects.deletes: { size: { ge: 2 } } }", "rm a b", "rm a"),
  present: about("Whether the field is there.", "{ c.subcommand: { present: true } }", "git push", "ls"),
  size: about(
    "The number of elements or characters, or a comparison of it.",
    "{ c.operands: { size: 2 } }",
    "git push origin main",
    "ls",
  ),
};
