import type { Doubt, Redirect, ShellCommand, ShellFacts, Understanding } from "../../schema/facts.ts";
import type { Environment } from "../../schema/judged-event.ts";
import { limits } from "../../schema/limits.ts";
import { spend } from "../meter.ts";
import { agentHome, unknownFolder } from "../paths/resolve.ts";
import { addedRow } from "../programs/declared.ts";
import { describe, report } from "../programs/describe.ts";
import { type GivenOption, isOpenOption, readArguments } from "../programs/grammar.ts";
import { reportNamedHosts } from "../programs/named-hosts.ts";
import { type Description, makeCall } from "../programs/program.ts";
import { builtInRow } from "../programs/registry.ts";
import { reportSchemaTask } from "../programs/schema-tasks.ts";
import { reportInitScript } from "../programs/service-managers.ts";
import { type Analysis, analyseShell } from "../shell/analyse.ts";
import type { Draft } from "../shell/draft.ts";
import {
  type Field,
  literalField,
  mayBeMore,
  textOfField,
  unknownVariable,
  withText,
  wordOf,
} from "../shell/fields.ts";
import { withoutVersion } from "../shell/names.ts";
import { isConnection } from "../shell/origins.ts";
import { AgentStarts } from "./agents.ts";
import { reportEnded, reportFoundEnded } from "./ended-processes.ts";
import { countsOf, EngineRuns } from "./engine-runs.ts";
import { reportRuntime } from "./engine-runtime.ts";
import { reportGuarded } from "./guarded.ts";
import { isPartlyKnown, knownTexts } from "./known-commands.ts";
import { reportLaterCommand, reportLaterWords } from "./later-environment.ts";
import { settingsWritten } from "./later-settings.ts";
import { reportLoaders } from "./loaders.ts";
import { MadeLinks } from "./made-links.ts";
import { reportLoose, reportRedirects } from "./redirects.ts";
import { type RunIdentity, runIdentity } from "./run-identity.ts";
import { SentOut } from "./sent-out.ts";
import { showing, showsSecret } from "./shown-variables.ts";
import type { Sink } from "./sink.ts";
import { codeSource, runsUnseen } from "./sources.ts";
import type { StandingScripts } from "./standing-scripts.ts";
import { suppose } from "./supposed.ts";
import { reportTrees } from "./tree-programs.ts";
import { TypedKeys } from "./typed-keys.ts";

/** Facts of one shell text; its effects are in the sink. */
export interface ShellReading {
  readonly understanding: Understanding;
  readonly doubts: readonly Doubt[];
  readonly shell: ShellFacts | undefined;
  /** Files that the text writes with a text that is known at least in part. */
  readonly written: readonly WrittenText[];
  /** Texts that it types into terminals and programs. */
  readonly typed: readonly string[];
  /** The first program that runs unseen code. */
  readonly unseen?: string;
  /** The first unknown word that decides what its command does. */
  readonly supposes?: string;
  /** A text without facts is no text of a shell; any other without facts is over a bound. */
  readonly syntax: boolean;
}

/** A text that a call puts into a file; `whole` is false for a part of one, such as the new text of an edit. */
export interface WrittenText {
  readonly path: string;
  readonly text: string;
  readonly whole: boolean;
  /** The file is longer than its writer can be followed; the text is its beginning. */
  readonly tooLong?: boolean;
}

// A globbed program word that may be more programs than this is taken for any program.
const candidatePrograms = 32;

/** The first program that runs unseen code. */
function unseenIn({ unseen, drafts }: Analysis): string | undefined {
  return unseen ?? drafts.find((draft) => runsUnseen(draft, drafts))?.program;
}

/** Reads what a shell text would run and do, in `environment` and from `cwd`. Source: language section 4. */
export function readShell(
  text: string,
  cwd: string,
  environment: Environment,
  dialect: string,
  sink: Sink,
  scripts?: StandingScripts,
): ShellReading {
  const { variables, workspace } = environment;
  const analysis = analyseShell(text, { cwd, home: agentHome(environment), workspace, variables, dialect });
  if (analysis.kind === "not_understood") return refused(analysis.reason, analysis.at, analysis.syntax);
  if (analysis.drafts.length > limits.shellCommands)
    return refused("the text has more commands than can be analysed", 0);
  const doubts: Doubt[] = [];
  const commands: ShellCommand[] = [];
  if (analysis.links.size > 0) sink.paths.links = new MadeLinks(analysis.links);
  const engine = new EngineRuns(environment, sink.files);
  const [kills, sent] = [sink.kills.length, new SentOut(text, sink)] as const;
  const engineRuns: Draft[] = [];
  const settings: WrittenText[] = [];
  const agents = new AgentStarts(environment);
  const typed = new TypedKeys();
  const { drafts, supposes, isCut } = suppose(analysis.drafts);
  for (const draft of drafts) {
    const before = countsOf(sink);
    const index = commands.length;
    sink.branch.follows(text, draft.place);
    commands.push(command(draft, index, sink, doubts, environment));
    if (draft.pipedTo >= 0 && isConnection(analysis.drafts[draft.pipedTo])) givenAway(sink, before.runs);
    reportRuntime(draft, environment, sink);
    agents.see(draft, sink);
    typed.see(draft);
    reportLaterWords(draft, before.writes, sink);
    const set = settingsWritten(draft);
    if (set) settings.push(set);
    const run = engine.runOf(draft, index, before, sink);
    if (run) engineRuns.push(run);
    if (showing.has(draft.program) && showsSecret(text, draft, analysis.drafts)) reportShown(draft, sink);
    if (sink.overflown) break;
  }
  // Behind all others, since pipelines name commands by their index.
  for (const run of engineRuns) {
    if (sink.overflown) break;
    commands.push(command(run, commands.length, sink, doubts, environment));
  }
  reportLoose(analysis.loose, sink, doubts);
  sent.correct(drafts, commands);
  reportFoundEnded(analysis.drafts, kills, sink);
  reportGuarded(sink, environment);
  for (const cwd of analysis.bombs) {
    sink.begin({ via: "shell", command: -1, cwd, certain: true });
    sink.kill("system");
  }
  scripts?.report(analysis.drafts, environment, sink, (script, folder, around, inner, deeper) =>
    readShell(script, folder, around, "bash", inner, deeper),
  );
  if (sink.overflown) return refused("the command has more effects than can be listed", 0);
  const open = [...analysis.drafts, ...engineRuns].some(isPartlyKnown);
  const unseen = unseenIn(analysis) ?? (isCut ? supposes : undefined);
  return {
    understanding: doubts.length > 0 ? "opaque" : "understood",
    doubts,
    shell: shellFacts(dialect, commands, analysis.pipelines, open),
    written: settings.length === 0 ? analysis.written : [...analysis.written, ...settings],
    typed: typed.texts,
    ...(unseen === undefined ? {} : { unseen }),
    ...(supposes === undefined ? {} : { supposes }),
    syntax: false,
  };
}

function shellFacts(
  dialect: string,
  commands: readonly ShellCommand[],
  pipelines: ShellFacts["pipelines"],
  open: boolean,
): ShellFacts {
  return open ? { dialect, commands, pipelines, open } : { dialect, commands, pipelines };
}

/** Reports a shell that reads unknown input and prints to a connection: the other end controls it. */
function givenAway(sink: Sink, from: number): void {
  spend(sink.runs.length - from);
  for (let i = from; i < sink.runs.length; i++) {
    const run = sink.runs[i] as (typeof sink.runs)[number];
    if (run.source === "input" || run.source === "") sink.runs[i] = { ...run, source: "network" };
  }
}

function reportShown(draft: Draft, sink: Sink): void {
  sink.read(literalField("/proc/self/environ", draft.place));
}

function refused(reason: string, at: number, syntax = false): ShellReading {
  return {
    understanding: "unknown",
    doubts: [{ reason, span: { start: at, end: at } }],
    shell: undefined,
    written: [],
    typed: [],
    syntax,
  };
}

function span(place: { readonly start: number; readonly end: number }): { start: number; end: number } {
  return { start: place.start, end: place.end };
}

/** Turns a draft into a fact and reports its effects. */
function command(draft: Draft, index: number, sink: Sink, doubts: Doubt[], environment: Environment): ShellCommand {
  spend(16 + 2 * draft.args.length + draft.env.size + draft.wrappers.length);
  const described = describe(draft.program, draft.args);
  const reasons = draft.doubts.slice();
  const before = sink.doubts.length;
  const connections = sink.networks.length;
  const isKnown = draft.certain || draft.possible === true;
  sink.begin({
    via: withoutVersion(draft.program),
    command: index,
    cwd: draft.cwd,
    certain: isKnown,
    reached: draft.certain,
    scheme: schemeOf(draft.program),
    source: codeSource(draft, described.args),
  });
  if (described.program) report(draft.program, draft, described, sink);
  else unknownProgram(draft, index, sink);
  if (!described.program || builtInRow(draft.program)) reportAdded(draft, index, sink);
  reportNamedHosts(draft, sink.networks.length > connections, sink);
  reportLoaders(draft, sink);
  reportLaterCommand(draft, sink);
  reportEnded(draft, sink);
  reportInitScript(draft, sink);
  reportTrees(draft, sink);
  const redirects = draft.redirects.length === 0 ? none : reportRedirects(draft.redirects, sink);
  if (sink.doubts.length > before) for (const doubt of sink.doubts.splice(before)) reasons.push(doubt.reason);
  const loose = described.program?.data !== true && draft.args.some(mayBeMore);
  if (!described.program)
    reasons.push(
      draft.program === "" ? "the program is not known" : `the program \`${draft.program}\` is not in the tables`,
    );
  else if (!isKnown) reasons.push("it is not certain that this is run");
  else if (loose) reasons.push("a word stands for any number of words");
  else if (described.program.data !== true && draft.args.some((word) => isOpenOption(word, described.args)))
    reasons.push("an option is not known");
  else if (sink.uncertain > 0 && reasons.length === 0) reasons.push("a word is not known");
  for (const reason of reasons) doubts.push({ reason, span: span(draft.place) });
  const identity = runIdentity(draft, described, sink, environment);
  return commandFact(draft, described, redirects, reasons.length === 0, identity);
}

const none: readonly Redirect[] = [];
const noVariables: Readonly<Record<string, string>> = Object.freeze({});

/** The draft as conditions see it. Every field by name: each command is here once, and spreads cost more than the rest. */
function commandFact(
  draft: Draft,
  described: Description,
  redirects: readonly Redirect[],
  certain: boolean,
  { path, elsewhere, altered, changing }: RunIdentity,
): ShellCommand {
  const { args } = described;
  const fact: { -readonly [key in keyof ShellCommand]: ShellCommand[key] } = {
    program: withoutVersion(draft.program),
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
  if (path) fact.path = path;
  if (elsewhere) fact.elsewhere = true;
  if (altered.length > 0) fact.altered = altered;
  if (changing.length > 0) fact.changing = changing;
  if (!described.program) fact.unlisted = true;
  if (described.program?.data || described.program?.filter) fact.harmless = true;
  if (described.subcommand !== "") fact.subcommand = described.subcommand;
  return isPartlyKnown(draft) ? { ...fact, ...knownTexts(draft, described) } : fact;
}

function textOf(word: Field): string {
  return word.text;
}

function optionOf({ names, value, off }: GivenOption): ShellCommand["options"][number] {
  if (off) return { names, value: value?.text ?? "", off };
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

/** Returns a word for messages, with an ellipsis for each unknown part. */
function shown(word: Field): string {
  return word.kind === "unknown" ? (word.template ?? word.text).split(`\${${unknownVariable}}`).join("…") : word.text;
}

function schemeOf(program: string): string {
  if (program === "curl" || program === "wget") return "http";
  return program === "git" ? "ssh" : "https";
}

/** Reports a program without a row: its run, and possible accesses for words that look like paths or addresses. */
function unknownProgram(draft: Draft, index: number, sink: Sink): void {
  sink.run(draft.program === "" ? textOfField(draft.name) : draft.program, draft.program !== "");
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
  for (const word of draft.args) {
    if (sink.overflown) break;
    spend(1 + (Math.min(word.text.length, 4096) >> 5));
    possibleAccess(word, anything, recursive, sink);
  }
}

/** Reports effects that policies declare, in addition to the tables. They do not change how the program's words are read. */
function reportAdded(draft: Draft, index: number, sink: Sink): void {
  const added = addedRow(draft.program);
  if (!added) return;
  const { row } = added;
  const certain = added.certain && (draft.certain || draft.possible === true);
  sink.begin({ via: withoutVersion(draft.program), command: index, cwd: draft.cwd, certain });
  const args = readArguments(row.grammar ?? {}, draft.args);
  row.effects?.(makeCall(draft, draft.program, "", args, sink));
}

const address = /^[A-Za-z][A-Za-z0-9+.-]*:\/\//;

function possibleAccess(word: Field, anything: boolean, recursive: boolean, sink: Sink): void {
  const equals = /^-[^=/]*=/.exec(word.text);
  const value = equals ? withText(word, word.text.slice(equals[0].length)) : word;
  if (address.test(value.text) || /^unix:[/~.]/.test(value.text)) {
    sink.network(value, "both", false);
    return;
  }
  if (!equals && word.text.startsWith("-")) return;
  if (!anything && !looksLikePath(value.text)) return;
  // A wholly unknown value may name a folder and take all of it.
  sink.read(value, { certain: false, recursive: anything });
  sink.write(value, false);
  // An unknown program with an entirely unknown word is not reported as deleting the root.
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
