import type { Span } from "../../diagnostics/source.ts";
import type { Ir } from "../../engine/plan.ts";
import { type Claim, textValues } from "./claims.ts";
import { irKey } from "./guards.ts";
import type { LintedPolicy, LintedRule } from "./policy.ts";

/** A constant in a test of a command: the kind of name, and the programs it belongs to. */
export interface CommandName {
  readonly of: "program" | "subcommand" | "option" | "wrapper" | "operand";
  readonly text: string;
  readonly span: Span;
  /** The test names a whole value, and no part of one. */
  readonly whole: boolean;
  readonly negated: boolean;
  /** The part of the rule that contains the test. */
  readonly part: Claim["part"];
  /** Programs that adjacent tests require; empty if there are none. */
  readonly programs: readonly string[];
  /** The claim that it comes from; undefined for an option. */
  readonly claim: Claim | undefined;
  readonly index: number;
}

/** Programs that a command is, by the command. */
type Programs = ReadonlyMap<string, readonly string[]>;

/** Names of programs, subcommands and options that the conditions of a rule test, in the order of the text. */
export function commandNames(rule: LintedRule): readonly CommandName[] {
  const { typed, claims, policy } = rule;
  if (!typed) return [];
  const walker = new Walker(new Map(claims.map((claim) => [claim.call, claim])), policy);
  const walk = (ir: Ir | undefined, part: Claim["part"]): void => {
    walker.part = part;
    if (ir) walker.walk(ir, new Map(), false);
  };
  walk(typed.when, "when");
  walk(typed.unless, "unless");
  for (const { when } of typed.exceptions) walk(when, "exception");
  // A word that is a subcommand elsewhere may be an operand of another one: `build` of `npm run build`.
  const isNamed = claims.some(({ field }) => field === "command.subcommand");
  return isNamed ? walker.found.filter(({ of }) => of !== "operand") : walker.found;
}

const kinds: ReadonlyMap<string, CommandName["of"]> = new Map([
  ["command.program", "program"],
  ["command.subcommand", "subcommand"],
  ["command.wrappers", "wrapper"],
  ["command.operands", "operand"],
]);

const whole: ReadonlySet<string> = new Set(["equals", "in"]);

class Walker {
  readonly found: CommandName[] = [];
  part: Claim["part"] = "when";
  readonly #byCall: ReadonlyMap<Ir, Claim>;
  readonly #policy: LintedPolicy;

  constructor(byCall: ReadonlyMap<Ir, Claim>, policy: LintedPolicy) {
    this.#byCall = byCall;
    this.#policy = policy;
  }

  walk(ir: Ir, programs: Programs, negated: boolean): void {
    switch (ir.k) {
      case "and": {
        const beside = new Map(programs);
        for (const arg of ir.args) {
          const asked = this.#programsOf(arg);
          if (asked) beside.set(asked.command, asked.names);
        }
        for (const arg of ir.args) this.walk(arg, beside, negated);
        return;
      }
      case "or":
        for (const arg of ir.args) this.walk(arg, programs, negated);
        return;
      case "not":
        this.walk(ir.arg, programs, !negated);
        return;
      case "if":
        for (const part of [ir.test, ir.then, ir.else]) this.walk(part, programs, negated);
        return;
      case "loop":
        this.walk(ir.list, programs, negated);
        if (ir.where) this.walk(ir.where, programs, negated);
        this.walk(ir.body, programs, negated);
        return;
      case "call":
        this.#call(ir, programs, negated);
        for (const arg of ir.args) this.walk(arg, programs, negated);
        return;
      default:
        return;
    }
  }

  /** Returns the command whose program a term tests, and the names it allows. */
  #programsOf(ir: Ir): { readonly command: string; readonly names: readonly string[] } | undefined {
    const claim = this.#byCall.get(ir);
    if (claim?.field !== "command.program" || !whole.has(claim.operator) || claim.subject.k !== "field")
      return undefined;
    return { command: irKey(claim.subject.of), names: textValues(claim).map(({ text }) => text) };
  }

  #call(ir: Ir & { readonly k: "call" }, programs: Programs, negated: boolean): void {
    if (ir.fn === "command.has_option" || ir.fn === "command.option") {
      const [command, name] = ir.args;
      if (!command || name?.k !== "const" || typeof name.value !== "string") return;
      const at = name.at ?? ir.at;
      if (at) this.#add("option", name.value, { start: at[0], end: at[1] }, programs.get(irKey(command)), negated);
      return;
    }
    const claim = this.#byCall.get(ir);
    const of = claim?.field === undefined ? undefined : kinds.get(claim.field);
    if (!claim || !of || claim.subject.k !== "field") return;
    if (of === "operand" && !claim.operator.startsWith("contains")) return;
    const beside = of === "subcommand" || of === "operand" ? programs.get(irKey(claim.subject.of)) : undefined;
    for (const { text, index } of textValues(claim))
      this.#add(of, text, this.#policy.valueSpan(claim, index), beside, negated, claim, index);
  }

  #add(
    of: CommandName["of"],
    text: string,
    span: Span,
    programs: readonly string[] = [],
    negated = false,
    claim?: Claim,
    index = 0,
  ): void {
    const isWhole =
      claim === undefined ||
      whole.has(claim.operator) ||
      ((of === "wrapper" || of === "operand") && claim.operator.startsWith("contains"));
    this.found.push({ of, text, span, whole: isWhole, negated, part: this.part, programs, claim, index });
  }
}
