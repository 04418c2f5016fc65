import type { Doubt, Redirect, ShellCommand, ShellFacts, Understanding } from "../../schema/facts.ts";
import type { Environment } from "../../schema/judged-event.ts";
import { limits } from "../../schema/limits.ts";
import { unknownFolder } from "../paths/resolve.ts";
import { type Description, describe, report } from "../programs/describe.ts";
import type { GivenOption } from "../programs/grammar.ts";
import { reportSchemaTask } from "../programs/schema-tasks.ts";
import { analyseShell } from "../shell/analyse.ts";
import type { Draft, FoldedRedirect } from "../shell/draft.ts";
import { type Field, literalField, unknownVariable, withText, wordOf } from "../shell/fields.ts";
import { isConnection } from "../shell/origins.ts";
import { reportLoaders } from "./loaders.ts";
import { showing, showsSecret } from "./shown-variables.ts";
import type { Sink } from "./sink.ts";
import { codeSource } from "./sources.ts";

/** Facts of one shell text; its effects are in the sink. */
export interface ShellReading {
  readonly understanding: Understanding;
  readonly doubts: readonly Doubt[];
  readonly shell: ShellFacts | undefined;
  /** Files that the text writes with a text that is known at least in part. */
  readonly written: readonly WrittenText[];
}

/** A text that a call puts into a file; `whole` is false for a part of one, such as the new text of an edit. */
export interface WrittenText {
  readonly path: string;
  readonly text: string;
  readonly whole: boolean;
}

// A globbed program word that may be more programs than this is taken for any program.
const candidatePrograms = 32;

/** What a shell text would run and do, in `environment` and from `cwd`. Source: language section 4. */
export function readShell(
  text: string,
  cwd: string,
  environment: Environment,
  dialect: string,
  sink: Sink,
): ShellReading {
  const analysis = analyseShell(text, { cwd, home: environment.home, variables: environment.variables, dialect });
  if (analysis.kind === "not_understood") return refused(analysis.reason, analysis.at);
  if (analysis.drafts.length > limits.shellCommands)
    return refused("the text has more commands than can be analysed", 0);
  const doubts: Doubt[] = [];
  const commands: ShellCommand[] = [];
  if (analysis.links.size > 0) sink.links = analysis.links;
  for (const draft of analysis.drafts) {
    const before = sink.runs.length;
    commands.push(command(draft, commands.length, sink, doubts));
    if (draft.pipedTo >= 0 && isConnection(analysis.drafts[draft.pipedTo])) givenAway(sink, before);
    if (showing.has(draft.program) && showsSecret(text, draft, analysis.drafts)) reportShown(draft, sink);
    if (sink.overflown) break;
  }
  for (const loose of analysis.loose) {
    if (sink.overflown) break;
    sink.begin({ via: "shell", command: -1, cwd: loose.cwd, certain: true });
    reportRedirect(loose.redirect, sink);
    if (sink.uncertain > 0)
      doubts.push({ reason: "the target of a redirection is not known", span: span(loose.place) });
  }
  for (const cwd of analysis.bombs) {
    sink.begin({ via: "shell", command: -1, cwd, certain: true });
    sink.kill("system");
  }
  if (sink.overflown) return refused("the command has more effects than can be listed", 0);
  return {
    understanding: doubts.length > 0 ? "opaque" : "understood",
    doubts,
    shell: { dialect, commands, pipelines: analysis.pipelines },
    written: analysis.written,
  };
}

/** A shell that reads what is not known and prints into a connection is run by who is at its other end. */
function givenAway(sink: Sink, from: number): void {
  for (let i = from; i < sink.runs.length; i++) {
    const run = sink.runs[i] as (typeof sink.runs)[number];
    if (run.source === "input" || run.source === "") sink.runs[i] = { ...run, source: "network" };
  }
}

function reportShown(draft: Draft, sink: Sink): void {
  sink.read(literalField("/proc/self/environ", draft.place));
}

function refused(reason: string, at: number): ShellReading {
  return {
    understanding: "unknown",
    doubts: [{ reason, span: { start: at, end: at } }],
    shell: undefined,
    written: [],
  };
}

function span(place: { readonly start: number; readonly end: number }): { start: number; end: number } {
  return { start: place.start, end: place.end };
}

/** Turns a draft into a fact and reports its effects. */
function command(draft: Draft, index: number, sink: Sink, doubts: Doubt[]): ShellCommand {
  const described = describe(draft.program, draft.args);
  const reasons = draft.doubts.slice();
  const before = sink.doubts.length;
  sink.begin({
    via: draft.program,
    command: index,
    cwd: draft.cwd,
    certain: draft.certain,
    scheme: schemeOf(draft.program),
    source: codeSource(draft, described.args),
  });
  if (described.program) report(draft.program, draft, described, sink);
  else unknownProgram(draft, index, sink);
  reportLoaders(draft, sink);
  const redirects = draft.redirects.length === 0 ? none : reportRedirects(draft.redirects, sink);
  if (sink.doubts.length > before) for (const doubt of sink.doubts.splice(before)) reasons.push(doubt.reason);
  const loose = described.program?.data !== true && draft.args.some(isLoose);
  if (!described.program)
    reasons.push(
      draft.program === "" ? "the program is not known" : `the program \`${draft.program}\` is not in the tables`,
    );
  else if (!draft.certain) reasons.push("it is not certain that this is run");
  else if (loose) reasons.push("a word stands for any number of words");
  else if (sink.uncertain > 0 && reasons.length === 0) reasons.push("a word is not known");
  for (const reason of reasons) doubts.push({ reason, span: span(draft.place) });
  return commandFact(draft, described, redirects, reasons.length === 0);
}

/** True for a word that may be any number of words. */
function isLoose(word: Field): boolean {
  return word.open && word.kind === "unknown";
}

const none: readonly Redirect[] = [];
const noVariables: Readonly<Record<string, string>> = Object.freeze({});

/** The draft as conditions see it. Every field by name: each command is here once, and spreads cost more than the rest. */
function commandFact(
  draft: Draft,
  described: Description,
  redirects: readonly Redirect[],
  certain: boolean,
): ShellCommand {
  const { args } = described;
  const fact: { -readonly [key in keyof ShellCommand]: ShellCommand[key] } = {
    program: draft.program,
    words: draft.args.map(wordOf),
    operands: args.operands.map(textOf),
    options: args.options.map(optionOf),
    env: draft.env.size === 0 ? noVariables : textsOf(draft.env),
    wrappers: draft.wrappers,
    redirects,
    piped_from: draft.pipedFrom,
    piped_to: draft.pipedTo,
    cwd: draft.cwd,
    span: span(draft.place),
    certain,
    text: shownAll(draft),
  };
  if (described.subcommand !== "") fact.subcommand = described.subcommand;
  return fact;
}

function textOf(word: Field): string {
  return word.text;
}

function optionOf({ names, value }: GivenOption): ShellCommand["options"][number] {
  return value ? { names, value: value.text } : { names };
}

function shownAll(draft: Draft): string {
  let text = shown(draft.name);
  for (const word of draft.args) text += ` ${shown(word)}`;
  return text;
}

function textsOf(env: Draft["env"]): Readonly<Record<string, string>> {
  return Object.fromEntries(Array.from(env, ([name, value]) => [name, value.text]));
}

/** A word for messages: what is not known is an ellipsis. */
function shown(word: Field): string {
  return word.kind === "unknown" ? (word.template ?? word.text).split(`\${${unknownVariable}}`).join("…") : word.text;
}

function schemeOf(program: string): string {
  if (program === "curl" || program === "wget") return "http";
  return program === "git" ? "ssh" : "https";
}

/** A program without a row: it is run; words that look like paths or addresses are possible accesses. */
function unknownProgram(draft: Draft, index: number, sink: Sink): void {
  sink.run(draft.program === "" ? shown(draft.name) : draft.program, draft.program !== "");
  // A program of the project or of elsewhere is a file that is read to be run.
  if (draft.name.kind === "literal" && /^(?:\.{0,2}|~)\/|^[\w.-]+\//.test(draft.name.text)) sink.read(draft.name);
  if (draft.candidates.length > 0 && draft.candidates.length <= candidatePrograms) {
    for (const candidate of draft.candidates) {
      sink.begin({ via: candidate, command: index, cwd: draft.cwd, certain: false });
      report(candidate, draft, describe(candidate, draft.args), sink);
    }
    return;
  }
  reportSchemaTask(draft.program, draft, sink);
  const anything = draft.program === "";
  const recursive = draft.args.some(
    (word) => /^-[A-Za-z]*[rR]|^--recursive$/.test(word.text) || (word.kind === "unknown" && word.open),
  );
  for (const word of draft.args) possibleAccess(word, anything, recursive, sink);
}

const address = /^[A-Za-z][A-Za-z0-9+.-]*:\/\//;

function possibleAccess(word: Field, anything: boolean, recursive: boolean, sink: Sink): void {
  const equals = /^-[^=/]*=/.exec(word.text);
  const value = equals ? withText(word, word.text.slice(equals[0].length)) : word;
  if (address.test(value.text)) {
    sink.network(value, "both", false);
    return;
  }
  if (!equals && word.text.startsWith("-")) return;
  if (!anything && !looksLikePath(value.text)) return;
  sink.read(value, { certain: false });
  sink.write(value, false);
  // What a program that nobody knows would delete is not said to be the root by a word that says nothing.
  if (anything) sink.delete(value.kind === "unknown" && value.text === "" ? placeless(value) : value, recursive, false);
}

function placeless(word: Field): Field {
  return { ...word, text: unknownFolder, template: `\${${unknownVariable}}${unknownFolder}` };
}

/** True for texts that are shaped like a path: a slash, a leading dot or tilde, a file extension. */
export function looksLikePath(text: string): boolean {
  return (
    text.length <= 4096 &&
    !/[\n\0]/.test(text) &&
    (text.includes("/") || /^[.~]/.test(text) || /^[\w@%+-][\w@%+. -]*\.[A-Za-z]\w{0,9}$/.test(text))
  );
}

function reportRedirects(redirects: readonly FoldedRedirect[], sink: Sink): readonly Redirect[] {
  const facts: Redirect[] = [];
  for (const redirect of redirects) {
    if (sink.overflown) break;
    const fact = reportRedirect(redirect, sink);
    if (fact) facts.push(fact);
  }
  return facts;
}

/** Effects of a redirection: `>` and kin write, `<` reads, `/dev/tcp/…` is a connection. Duplications do nothing. */
function reportRedirect(redirect: FoldedRedirect, sink: Sink): Redirect | undefined {
  const { operator, target } = redirect;
  if (!target) return redirect.data ? { operator, certain: redirect.data.kind !== "unknown" } : undefined;
  if ((operator === ">&" || operator === "<&") && /^(?:\d*-?|-)$/.test(target.text)) return undefined;
  const socket = /^\/dev\/(tcp|udp)\/([^/]+)\/([^/]+)$/.exec(target.text);
  if (socket) sink.network(withText(target, `${socket[1]}://${socket[2]}:${socket[3]}`), "both");
  else if (operator === "<" || operator === "<&") sink.read(target);
  else {
    if (operator === "<>") sink.read(target);
    sink.write(target);
  }
  const path = sink.path(target);
  return path
    ? { operator, path: path.value, certain: path.certain }
    : { operator, certain: target.kind !== "unknown" };
}
