import type { Ir } from "../../../engine/plan.ts";
import type { Claim } from "../claims.ts";
import { conjunctions } from "../conjunctions.ts";
import { plainKey } from "../guards.ts";
import { nodesIn } from "../label-uses.ts";
import type { Finding, Lint } from "../lint.ts";
import type { LintedRule } from "../policy.ts";
import { writtenPath } from "../typing.ts";

/** Lint: a relation of two commands or of two places is asked for the wrong way round. */
export const turnedRound: Lint = {
  code: "HW698",
  name: "turned-round",
  why: "In `curl … | sh` the output of `curl` goes to `sh`: the shell is what `curl` is `piped_to`. And a file lies `within` the workspace, while the workspace lies in no file.",
  advice: "Write what is small or early before the test, and what it goes to or lies in behind it.",
  bad: [
    {
      title: "a download that reads from a shell, and a shell that writes to a download",
      at: ["c.piped_from.program: [sh, bash]", "piped_to.program: curl"],
      policy: `  - id: scripts
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: { c.program: [curl, wget], c.piped_from.program: [sh, bash] }
    action: block
    reason: a script of the web runs
    guidance: read it first
  - id: some
    event: [tool_call, user_bash]
    when: { some: { shell.commands: { program: [bash, python], piped_to.program: curl } } }
    action: ask
    reason: a script of the web runs
`,
    },
    {
      title: "a folder in a file",
      at: [
        "environment.workspace.within(w.path)",
        "environment.cwd.within(r.path)",
        "environment.home.within(x.path)",
        "environment.workspace.within(args.path)",
      ],
      policy: `  - id: outside
    event: tool_call
    each: { w: effects.writes }
    when: "!environment.workspace.within(w.path)"
    action: ask
    reason: it is outside
  - id: inside
    event: tool_call
    each: { r: effects.reads }
    when: "!environment.cwd.within(r.path) && r.path.ext == 'pem'"
    action: ask
    reason: it is a key
  - id: home
    event: tool_call
    when: effects.writes.exists(x, !environment.home.within(x.path))
    action: ask
    reason: it is not of the project
  - id: argument
    event: tool_call
    tool: write
    when: environment.workspace.within(args.path)
    action: ask
    reason: it is of the project
`,
    },
  ],
  good: [
    {
      title: "the relations as they are, and a request whose other tests say that it sends",
      policy: `  - id: scripts
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: { c.program: [curl, wget], c.piped_to.program: [sh, bash] }
    action: ask
    reason: a script of the web runs
  - id: shells
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: { c.program: [sh, bash], c.piped_from.program: [curl, wget] }
    action: ask
    reason: a script of the web runs
  - id: sends
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: { c.program: curl, c.piped_from.program: [bash, python], c: { has_option: --data-binary } }
    action: ask
    reason: it sends what a script prints
  - id: made
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: { c.program: curl, c.piped_from.program: [python, node] }
    action: ask
    reason: it sends what a script prints
  - id: reads
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: { c.program: curl, c.piped_from.program: [cat, tar] }
    action: ask
    reason: it sends a file
`,
    },
    {
      title: "a file in a folder, and folders above the workspace that are deleted, moved or searched",
      policy: `  - id: outside
    event: tool_call
    each: { w: effects.writes }
    when: "!w.path.within(environment.workspace)"
    action: ask
    reason: it is outside
  - id: deletes
    event: tool_call
    each: { d: effects.deletes }
    when: environment.workspace.within(d.path)
    action: ask
    reason: all is lost
  - id: searches
    event: tool_call
    each: { r: effects.reads }
    when: r.recursive && environment.workspace.within(r.path)
    action: ask
    reason: it reads all of the project
`,
    },
  ],
  ofItems: true,
  rule(rule) {
    const { typed, claims } = rule;
    const conditions = [typed?.when, typed?.unless].filter((ir) => ir !== undefined);
    const pipes = conditions.flatMap((ir) => turnedPipes(ir, claims));
    return [...pipes, ...turnedPlaces(rule)];
  },
};

const downloads: ReadonlySet<string> = new Set(["curl", "wget", "aria2c", "http", "https", "xh"]);
const shells: ReadonlySet<string> = new Set(["sh", "bash", "zsh", "dash", "ksh", "ash", "fish", "pwsh", "powershell"]);
const interpreters: ReadonlySet<string> = new Set(["python", "python3", "node", "perl", "ruby", "php", "deno", "bun"]);

const isDownload = (names: readonly string[]): boolean => names.every((name) => downloads.has(name));
/** An interpreter often prints data to send, so that one shell must be among them. */
const isShell = (names: readonly string[]): boolean =>
  names.some((name) => shells.has(name)) && names.every((name) => shells.has(name) || interpreters.has(name));

interface ProgramTest {
  readonly term: Ir;
  readonly claim: Claim;
  readonly names: readonly string[];
  /** Key of the command: itself, or the one that it is piped to or from. */
  readonly command: string;
  readonly name: string;
  readonly pipe: "piped_to" | "piped_from" | undefined;
}

function turnedPipes(ir: Ir, claims: readonly Claim[]): Finding[] {
  const byCall = new Map(claims.map((claim) => [claim.call, claim]));
  return conjunctions(ir).flatMap(({ terms }): Finding[] => {
    const tests = terms.flatMap((term) => programTest(term, byCall.get(term)) ?? []);
    return tests.flatMap((other): Finding[] => {
      const { pipe, command, claim, name } = other;
      const own = tests.find((test) => test.pipe === undefined && test.command === command);
      if (!pipe || !own) return [];
      const isTurned =
        pipe === "piped_from"
          ? isDownload(own.names) && isShell(other.names)
          : isShell(own.names) && isDownload(other.names);
      if (!isTurned || terms.some((term) => saysMore(term, [own, other]))) return [];
      const right = `${name}${pipe === "piped_from" ? "piped_to" : "piped_from"}.program`;
      const [first] = own.names;
      const [second] = other.names;
      const [early, late] = pipe === "piped_from" ? [second, first] : [first, second];
      return [
        {
          span: claim.span,
          message: `this asks for \`${early} | ${late}\`, where what the shell prints goes to \`${late}\``,
          help: `write \`${right}\` for \`${late} | ${early}\``,
        },
      ];
    });
  });
}

function programTest(term: Ir, claim: Claim | undefined): ProgramTest | undefined {
  if (!claim?.values || claim.negated || (claim.operator !== "equals" && claim.operator !== "in")) return undefined;
  const { subject, values } = claim;
  if (subject.k !== "field" || subject.name !== "program" || values.length === 0) return undefined;
  const names = values.filter((value) => typeof value === "string");
  if (names.length < values.length) return undefined;
  const { of } = subject;
  const index = of.k === "index" ? of.index : undefined;
  const at = index?.k === "field" ? index : undefined;
  if (of.k === "index" && at?.name !== "piped_from" && at?.name !== "piped_to") return undefined;
  const element = at ? at.of : of;
  if (element.k !== "slot") return undefined;
  const name = /^element\d+$/.test(element.name) ? "" : `${writtenPath(element)}.`;
  return { term, claim, names, command: plainKey(element), name, pipe: at?.name as ProgramTest["pipe"] };
}

/** True for a term about a command that is neither of two tests, nor the presence of a pipe. */
function saysMore(term: Ir, tests: readonly ProgramTest[]): boolean {
  if (tests.some((test) => test.term === term)) return false;
  const nodes = nodesIn(term);
  const isPresence =
    term.k === "has" || (term.k === "call" && term.fn === "number.greater_equal" && term.args[1]?.k === "const");
  return !isPresence && nodes.some((node) => node.k === "slot" && plainKey(node) === tests[0]?.command);
}

/** Tools whose path is that of a file. */
const ofFiles: ReadonlySet<string> = new Set(["write", "edit", "read"]);
const folders: ReadonlySet<string> = new Set(["workspace", "cwd", "home"]);

function turnedPlaces({ typed, claims }: LintedRule): Finding[] {
  const found = claims.filter((claim) => claim.operator === "within" && folderOf(claim) !== undefined);
  if (found.length === 0 || !typed) return [];
  const nodes = [typed.when, typed.unless].flatMap((ir) => (ir ? nodesIn(ir) : []));
  if (nodes.some((node) => node.k === "field" && node.name === "recursive")) return [];
  const lists = new Map<number, Ir[]>();
  const bind = (slot: number, list: Ir): void => void lists.set(slot, [...(lists.get(slot) ?? []), list]);
  if (typed.each) bind(typed.each.slot, typed.each.list);
  for (const node of nodes) if (node.k === "loop") bind(node.slot, node.list);
  return found.flatMap(({ call, span, path, negated }): Finding[] => {
    const operand = call.k === "call" ? call.args[1] : undefined;
    const place = operand?.k === "call" && operand.fn === "path.of" ? operand.args[0] : operand;
    if (place?.k !== "field" || place.name !== "path") return [];
    const isArgument = place.of.k === "root" && place.of.name === "args";
    // A folder that is copied or searched as a whole may hold the project or the home folder.
    if (!isArgument && !negated) return [];
    const of = place.of.k === "slot" ? (lists.get(place.of.slot) ?? []) : [];
    const isFile = isArgument
      ? typed.tools.length > 0 && typed.tools.every((tool) => ofFiles.has(tool))
      : of.length > 0 && of.every((ir) => ir.k === "root" && /^effects\.(?:writes|reads)$/.test(ir.name));
    if (!isFile) return [];
    const file = writtenPath(place);
    const above = isArgument ? "" : `; for folders above it test \`${writtenPath(place.of)}.recursive\` too`;
    return [
      {
        span,
        message: `this asks whether \`${path}\` lies in \`${file}\`, and a file has no folder in it`,
        help: `write \`${file}.within(${path})\`${above}`,
      },
    ];
  });
}

/** Returns the folder of the environment that a claim tests. */
function folderOf({ path }: Claim): string | undefined {
  const [root, name = "", ...more] = path.split(".");
  return root === "environment" && folders.has(name) && more.length === 0 ? name : undefined;
}
