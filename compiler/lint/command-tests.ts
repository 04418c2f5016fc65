import type { Span } from "../../diagnostics/source.ts";
import type { Ir } from "../../engine/plan.ts";
import { type Claim, textValues } from "./claims.ts";
import { irKey } from "./guards.ts";
import type { LintedPolicy, LintedRule } from "./policy.ts";
import { writtenPath } from "./typing.ts";

/**
 * A constant in a test of a command: the kind of name, and the programs it belongs to. A cause is the program or tool in `via` of an
 * effect.
 */
export interface CommandName {
  readonly of: "program" | "subcommand" | "option" | "wrapper" | "operand" | "cause";
  readonly text: string;
  readonly span: Span;
  /** The test names a whole value, and no part of one. */
  readonly whole: boolean;
  readonly negated: boolean;
  /** The part of the rule that contains the test. */
  readonly part: Claim["part"];
  /** Programs that adjacent tests require; empty if there are none. */
  readonly programs: readonly string[];
  /** Of an option: subcommands that adjacent tests require; of an operand: their beginnings. Empty if there are none. */
  readonly subcommands: readonly string[];
  /** The command as the author writes it, with a dot behind it: `c.`; empty where it has no name. */
  readonly command: string;
  /** The test names the beginning of a value. */
  readonly begins: boolean;
  /** Of an operand: all that the tests beside it require of the command, itself among them. */
  readonly together: readonly string[];
  /** The claim that it comes from; undefined for an option. */
  readonly claim: Claim | undefined;
  readonly index: number;
}

/** Requirements of adjacent tests on one command. */
interface Asked {
  readonly programs?: readonly string[] | undefined;
  readonly subcommands?: readonly string[] | undefined;
  /** Operands that must all be there. */
  readonly operands?: readonly string[];
  /** Words with which the subcommand begins. */
  readonly groups?: readonly string[];
  /** Another test looks at the subcommand: a word that is a subcommand elsewhere may be an operand of that one. */
  readonly named?: boolean | undefined;
}

/** Requirements on commands, by the command. */
type Beside = ReadonlyMap<string, Asked>;

/** Names of programs, subcommands and options that the conditions of a rule test, in the order of the text. */
export function commandNames(rule: LintedRule): readonly CommandName[] {
  const { typed, claims, policy } = rule;
  if (!typed) return [];
  const walker = new Walker(new Map(claims.map((claim) => [claim.call, claim])), policy);
  // A waiver is judged only where `when` holds.
  const held = walker.askedBy(typed.when);
  const walk = (ir: Ir | undefined, part: Claim["part"]): void => {
    walker.part = part;
    if (ir) walker.walk(ir, part === "when" ? new Map() : held, false);
  };
  walk(typed.when, "when");
  walk(typed.unless, "unless");
  for (const { when } of typed.exceptions) walk(when, "exception");
  return walker.found;
}

const kinds: ReadonlyMap<string, CommandName["of"]> = new Map([
  ["command.program", "program"],
  ["command.subcommand", "subcommand"],
  ["command.wrappers", "wrapper"],
]);

function kindOf(field: string): CommandName["of"] | undefined {
  return kinds.get(field) ?? (field.endsWith(".via") ? "cause" : undefined);
}

const whole: ReadonlySet<string> = new Set(["equals", "in"]);

class Walker {
  readonly found: CommandName[] = [];
  part: Claim["part"] = "when";
  readonly #byCall: ReadonlyMap<Ir, Claim>;
  readonly #policy: LintedPolicy;
  /** Commands whose operands a loop goes through, by the loop's variable. */
  readonly #loops = new Map<number, Ir>();

  constructor(byCall: ReadonlyMap<Ir, Claim>, policy: LintedPolicy) {
    this.#byCall = byCall;
    this.#policy = policy;
  }

  /** Returns what a condition asks of commands, as far as all that it leads to may rest on it. */
  askedBy(ir: Ir | undefined): Beside {
    const all = new Map<string, Asked>();
    if (ir) this.#ask(ir, all, true);
    return new Map([...all].map(([command, { programs, named }]) => [command, { programs, named }]));
  }

  walk(ir: Ir, beside: Beside, negated: boolean): void {
    switch (ir.k) {
      case "and": {
        const all = new Map(beside);
        for (const arg of ir.args) this.#ask(arg, all, true);
        for (const arg of ir.args) this.walk(arg, all, negated);
        return;
      }
      case "or":
        for (const arg of ir.args) this.walk(arg, beside, negated);
        return;
      case "not":
        this.walk(ir.arg, beside, !negated);
        return;
      case "if":
        for (const part of [ir.test, ir.then, ir.else]) this.walk(part, beside, negated);
        return;
      case "loop":
        if (ir.list.k === "field" && ir.list.name === "operands") this.#loops.set(ir.slot, ir.list.of);
        this.walk(ir.list, beside, negated);
        if (ir.where) this.walk(ir.where, beside, negated);
        this.walk(ir.body, beside, negated);
        return;
      case "call":
        this.#call(ir, beside, negated);
        for (const arg of ir.args) this.walk(arg, beside, negated);
        return;
      default:
        return;
    }
  }

  /** Adds what a term asks of commands. `certain` where the term must hold; else only whether it looks at the subcommand. */
  #ask(ir: Ir, all: Map<string, Asked>, certain: boolean): void {
    if (ir.k === "or") for (const arg of ir.args) this.#ask(arg, all, false);
    if (ir.k === "and") for (const arg of ir.args) this.#ask(arg, all, certain);
    if (ir.k === "not") this.#ask(ir.arg, all, false);
    if (ir.k !== "call") return;
    const claim = this.#byCall.get(ir);
    const add = (command: Ir, more: Asked): void => {
      const key = irKey(command);
      all.set(key, { ...all.get(key), ...more });
    };
    const asked = this.#operandsOf(ir, claim);
    if (asked && certain && (asked.texts.length < 2 || requiresAll(claim))) {
      const before = all.get(irKey(asked.command))?.operands ?? [];
      const texts = asked.texts.map(({ text }) => text).filter((text) => !before.includes(text));
      if (before.length < mostTogether) add(asked.command, { operands: [...before, ...texts] });
    }
    if (claim?.subject.k !== "field") return;
    if (claim.field === "command.subcommand") add(claim.subject.of, { named: true });
    if (certain && claim.field === "command.subcommand") add(claim.subject.of, { groups: groupsOf(claim) });
    if (!certain || !whole.has(claim.operator)) return;
    const texts = textValues(claim).map(({ text }) => text);
    if (claim.field === "command.program") add(claim.subject.of, { programs: texts });
    if (claim.field === "command.subcommand") add(claim.subject.of, { subcommands: texts });
  }

  #call(ir: Ir & { readonly k: "call" }, beside: Beside, negated: boolean): void {
    const at = (command: Ir | undefined): Asked => (command && beside.get(irKey(command))) ?? {};
    const claim = this.#byCall.get(ir);
    if (ir.fn === "command.has_option" || ir.fn === "command.option") {
      const [command, name] = ir.args;
      if (!command || name?.k !== "const" || typeof name.value !== "string") return;
      const span = spanOf(name) ?? spanOf(ir);
      const { programs, subcommands } = at(command);
      if (span) this.#add({ of: "option", text: name.value, span, subject: command, programs, subcommands }, negated);
      return;
    }
    const operands = this.#operandsOf(ir, claim);
    if (operands) {
      const { programs = [], named, groups = [], operands: others = [] } = at(operands.command);
      if (named && groups.length === 0) return;
      const all = operands.texts.map(({ text }) => text);
      const own = requiresAll(claim) ? all : undefined;
      for (const { text, span, index } of operands.texts) {
        const together = own ?? [text];
        const of = { subject: operands.command, programs, subcommands: groups };
        const word = { of: "operand", text, span, ...of, claim, index } as const;
        this.#add({ ...word, together: others.includes(text) ? others : together }, negated);
      }
      return;
    }
    const of = claim?.field === undefined ? undefined : kindOf(claim.field);
    if (!claim || !of || claim.subject.k !== "field") return;
    const subject = claim.subject.of;
    const programs = of === "subcommand" ? at(subject).programs : undefined;
    for (const { text, index } of textValues(claim))
      this.#add({ of, text, span: this.#policy.valueSpan(claim, index), subject, programs, claim, index }, negated);
  }

  /** Returns the operands that a call compares with, and whose they are: by `contains`, an index, a loop, or `in`. */
  #operandsOf(ir: Ir & { readonly k: "call" }, claim: Claim | undefined): OperandTest | undefined {
    const [word, list] = ir.args;
    if (ir.fn === "list.in" && word?.k === "const" && list?.k === "field" && list.name === "operands") {
      const span = spanOf(word) ?? spanOf(ir);
      if (typeof word.value !== "string" || !span) return undefined;
      return { command: list.of, texts: [{ text: word.value, span, index: 0 }] };
    }
    const command = claim && this.#ofOperand(claim);
    if (!claim || !command) return undefined;
    return {
      command,
      texts: textValues(claim).map((one) => ({ ...one, span: this.#policy.valueSpan(claim, one.index) })),
    };
  }

  #ofOperand({ subject, operator, field }: Claim): Ir | undefined {
    if (subject.k === "field")
      return field === "command.operands" && /^(?:contains|equals)/.test(operator) ? subject.of : undefined;
    if (!whole.has(operator)) return undefined;
    if (subject.k === "slot") return this.#loops.get(subject.slot);
    return subject.k === "index" && subject.of.k === "field" && subject.of.name === "operands"
      ? subject.of.of
      : undefined;
  }

  #add({ subject, ...name }: Added, negated: boolean): void {
    const { of, claim, text, programs = [], subcommands = [], together = [text], index = 0 } = name;
    const operator = claim?.operator;
    const isWhole =
      operator === undefined ||
      of === "operand" ||
      whole.has(operator) ||
      (of === "wrapper" && operator.startsWith("contains"));
    const begins = operator === "starts_with" || operator === "glob";
    const written = subject.k === "slot" && /^element\d/.test(subject.name) ? "…" : writtenPath(subject);
    const command = written.includes("…") ? "" : `${written}.`;
    const { part } = this;
    const tested = { begins, negated, part, programs, subcommands, command, together, index };
    this.found.push({ ...name, claim, whole: isWhole, ...tested });
  }
}

/** Most operands that are taken together. */
const mostTogether = 16;

/** True for a test that holds only where every one of its operands is there. */
function requiresAll(claim: Claim | undefined): boolean {
  return claim?.operator === "contains_all" || (claim?.operator === "equals" && claim.subject.k === "field");
}

/** Returns the words with which a subcommand that a test leaves begins. */
function groupsOf(claim: Claim): readonly string[] {
  const texts = textValues(claim).map(({ text }) => text);
  if (whole.has(claim.operator)) return texts;
  const ends = claim.operator === "glob" ? / \*{1,2}$/ : claim.operator === "starts_with" ? / $/ : undefined;
  return ends && texts.every((text) => ends.test(text)) ? texts.map((text) => text.replace(ends, "")) : [];
}

interface OperandTest {
  readonly command: Ir;
  readonly texts: readonly { readonly text: string; readonly span: Span; readonly index: number }[];
}

type Added = Pick<CommandName, "of" | "text" | "span"> & {
  /** The command that the test is about. */
  readonly subject: Ir;
  readonly programs?: readonly string[] | undefined;
  readonly subcommands?: readonly string[] | undefined;
  readonly together?: readonly string[];
  readonly claim?: Claim | undefined;
  readonly index?: number;
};

function spanOf({ at }: Ir): Span | undefined {
  return at && { start: at[0], end: at[1] };
}
