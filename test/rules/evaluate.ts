import { type Checked, type CheckOptions, checkCondition } from "../../compiler/check/check.ts";
import { parseExpression } from "../../compiler/parse/expression.ts";
import { Source } from "../../diagnostics/source.ts";
import type { Frame } from "../../engine/link.ts";
import { link } from "../../engine/link.ts";
import type { Ir } from "../../engine/plan.ts";
import { SessionState } from "../../engine/session-state.ts";
import { hermeticFiles } from "../../facts/paths/files.ts";
import { createRegexEngine } from "../../facts/regex.ts";
import { type Environment, environmentOf } from "../../rules/environment.ts";
import { dyn } from "../../rules/types.ts";
import { functions } from "../../rules/vocabulary.ts";
import type { Effects, FactSet, PathValue, ShellCommand } from "../../schema/facts.ts";
import type { JudgedEvent } from "../../schema/judged-event.ts";
import { limits } from "../../schema/limits.ts";
import type { EvaluationError, Value, Vocabulary } from "../../schema/ports.ts";

/** One event, its facts, and a way from the text of an expression to its value, for tables of expressions. */

export const regex = createRegexEngine();
export const vocabulary: Vocabulary = {
  functions,
  actions: new Map(),
  mask: (text) => text,
  recordMask: () => ({ mask: (value) => ({ value, found: [] }) }),
};

export function pathValue(text: string, real = text, pattern = false): PathValue {
  return { kind: "path", text, lexical: text, real, pattern, fold: false };
}

export const command: ShellCommand = {
  program: "rm",
  words: [
    { text: "-r", kind: "literal" },
    { text: "build", kind: "literal" },
  ],
  operands: ["build"],
  options: [{ names: ["-r", "-R", "--recursive"] }],
  env: {},
  wrappers: ["sudo"],
  redirects: [],
  piped_from: -1,
  piped_to: -1,
  cwd: "/home/dev/app",
  span: { start: 0, end: 11 },
  certain: true,
  text: "rm -r build",
};

export const noEffects: Effects = {
  reads: [],
  writes: [],
  deletes: [],
  runs: [],
  network: [],
  installs: [],
  pushes: [],
  config: [],
  kills: [],
};

export const facts: FactSet = {
  understanding: "understood",
  doubts: [],
  shell: { dialect: "bash", commands: [command], pipelines: [[0]] },
  effects: {
    ...noEffects,
    deletes: [{ path: pathValue("/home/dev/app/build"), recursive: true, via: "rm", certain: true, command: 0 }],
  },
  secrets: [],
  text: { invisible: 0, bidi: 0, ansi: 0, tags: 0, controls: 0, overwrites: 0, mixed_scripts: false, places: [] },
};

export const event: JudgedEvent = {
  event: "tool_call",
  id: "e1",
  time: Date.UTC(2026, 10, 21, 20, 0, 0),
  host: "pi",
  call_id: "c1",
  tool: { name: "bash", host_name: "Bash", server: undefined },
  args: { command: "rm -r build", timeout: 5, nested: { list: [1, 2], text: "a😀" } },
  args_raw: {},
  environment: {
    cwd: "/home/dev/app",
    workspace: "/home/dev/app",
    home: "/home/dev",
    user: "dev",
    os: "linux",
    shell: "bash",
    branch: "feature/x",
    default_branch: undefined,
    case_insensitive: false,
    interactive: false,
    variables: { NODE_ENV: "test" },
    engine: ["/opt/node/bin/node"],
  },
  session: { id: "s1", labels: ["secret"], turn: 3 },
  agent: { id: "main", depth: 0, type: "" },
  definition: undefined,
  result: undefined,
  messages: undefined,
  prompt: undefined,
  system_prompt: undefined,
  input: undefined,
  command: undefined,
  exclude_from_context: false,
  fields: {},
};

/** Any tool: arguments are dyn. */
export const anyTool = environmentOf(["tool_call"], []);
export const bash = environmentOf(["tool_call"], ["bash"]);

export function frameOf(over: { event?: Partial<JudgedEvent>; facts?: Partial<FactSet>; steps?: number } = {}): Frame {
  return {
    event: { ...event, ...over.event },
    facts: { ...facts, ...over.facts },
    files: hermeticFiles(undefined),
    regex,
    session: new SessionState().view(event),
    slots: [],
    steps: over.steps ?? limits.steps,
  };
}

export function check(
  text: string,
  environment: Environment = anyTool,
  options: Partial<CheckOptions> = {},
): Checked & { readonly source: Source } {
  const source = new Source("test", text);
  const { expression, diagnostics } = parseExpression(source);
  const checked = checkCondition(expression, environment, {
    source,
    polarity: "block",
    regex,
    expect: dyn,
    ...options,
  });
  return { ...checked, diagnostics: [...diagnostics, ...checked.diagnostics], source };
}

export function run(
  ir: Ir,
  frame: Frame = frameOf(),
  conditions: Readonly<Record<string, Ir>> = {},
): Value | EvaluationError {
  return link(ir, vocabulary, regex, (name) => conditions[name])(frame);
}

/** The value of an expression on the sample event; its first diagnostic as text when it does not load. */
export function evaluate(
  text: string,
  environment: Environment = anyTool,
  frame: Frame = frameOf(),
  options: Partial<CheckOptions> = {},
): Value | EvaluationError | { readonly refused: string } {
  const { ir, diagnostics } = check(text, environment, options);
  const first = diagnostics[0];
  return ir ? run(ir, frame) : { refused: `${first?.code} ${first?.message}` };
}
