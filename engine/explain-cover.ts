import { shownText } from "../schema/approximation.ts";
import type { EffectBase, PathValue, ShellCommand, UrlValue } from "../schema/facts.ts";
import { EvaluationError } from "../schema/ports.ts";
import { type Cover, coverOf, firstUncovered, type Uncovered } from "./coverage.ts";
import { evaluateRule, type View } from "./evaluate-rule.ts";
import type { Hide } from "./explain-mask.ts";
import type { LinkedRule } from "./link-plan.ts";

/** Description of a part of the call that no matching `allow` covers, and what to write to cover it. */
export interface UncoveredText {
  readonly what: string;
  readonly next: string;
}

/** Describes the first part of the call that the matching `allow` rules do not cover; undefined if there is none. */
export function uncoveredText(
  rules: readonly LinkedRule[],
  views: readonly View[],
  hide: Hide,
): UncoveredText | undefined {
  const allows = rules.filter(
    ({ rule }) => rule.mode === "enforce" && rule.actions.some(({ action }) => action === "allow"),
  );
  for (const view of views) {
    const matching = allows.filter((linked) => {
      const result = evaluateRule(linked, view);
      return result.kind === "match" && !result.unsure;
    });
    if (matching.length === 0) continue;
    const covers = matching.flatMap((linked): Cover[] => {
      const cover = coverOf(linked, view);
      return cover && !(cover instanceof EvaluationError) ? [cover] : [];
    });
    if (covers.length === 0) return notUnderstood;
    const found = firstUncovered(covers, view.facts);
    if (found) return { what: hide(whatOf(found)), next: nextOf(found) };
  }
  return undefined;
}

const notUnderstood: UncoveredText = {
  what: "the call, which is not fully understood",
  next: "say `allow: { opaque: true }` where the rule is to speak for what is not known too",
};

const verbs: Readonly<Record<string, string>> = {
  reads: "the read of",
  writes: "the write to",
  deletes: "the delete of",
  runs: "the run of",
  network: "the connection to",
  installs: "the install of",
  pushes: "the push to",
  config: "the setting",
  kills: "the end of",
};

function whatOf(found: Uncovered): string {
  switch (found.kind) {
    case "nothing":
      return "any command of the call";
    case "command":
      return commandOf(found.command);
    case "elsewhere":
      return `${commandOf(found.command)}: its program is called from \`${found.command.path?.lexical ?? "a place that is not known"}\``;
    case "altered":
      return `${commandOf(found.command)}: \`${found.by}\` makes it another run`;
    case "wrapper":
      return `${commandOf(found.command)}: \`${found.by}\` runs it as another user or on another machine`;
    case "doubt":
      return `${commandOf(found.command)}: what it does is not known`;
    default: {
      const by = found.command ? ` by ${commandOf(found.command)}` : "";
      return `${verbs[found.kind]} \`${placeOf(found.effect)}\`${by}`;
    }
  }
}

function commandOf({ text }: ShellCommand): string {
  return `\`${shownText(text)}\``;
}

function placeOf(effect: EffectBase): string {
  const { path, url, target, name, remote } = effect as EffectBase & {
    readonly path?: PathValue;
    readonly url?: UrlValue;
    readonly target?: unknown;
    readonly name?: string;
    readonly remote?: string;
  };
  return path?.lexical ?? url?.text ?? name ?? remote ?? (typeof target === "string" ? target : "");
}

function nextOf(found: Uncovered): string {
  switch (found.kind) {
    case "nothing":
      return "bind a rule to one of its commands: `each: { c: shell.commands }`";
    case "command":
      return "name its program in a rule with `each: { c: shell.commands }`";
    case "elsewhere":
      return "name the program by its place: `c.path: { within: … }`";
    case "altered":
      return `name \`${found.by}\` in a test of the rule, of \`c.env\` or of the options`;
    case "wrapper":
      return `ask for it in the rule: \`c.wrappers: { contains: ${found.by} }\``;
    case "doubt":
      return "say `allow: { opaque: true }` in a rule on that command";
    default: {
      const own = `allow it in a rule of its own: \`each: { e: effects.${found.kind} }\``;
      return found.command && found.kind !== "reads" && found.kind !== "runs"
        ? `${own}, or say \`allow: { effects: [${found.kind}] }\` in that of the command`
        : own;
    }
  }
}
