import type { Code } from "../diagnostics/codes.ts";
import type { Source, Span } from "../diagnostics/source.ts";
import type { Ir, Scope, Template } from "../engine/plan.ts";
import type { RegexEngine } from "../schema/ports.ts";
import type { TaintCheck } from "./check-taints.ts";
import type { YamlNode, YamlScalar } from "./yaml-node.ts";

/** Context of the rule in which its actions are checked. */
export interface ActionCheck {
  readonly source: Source;
  readonly regex: RegexEngine;
  readonly scope: Scope;
  /** Labels and conditions that tests of labels in an `allow` are checked against. */
  readonly taints: TaintCheck;
  report(code: Code, span: Span, message: string, help: string): void;
  /** Reports a label that no policy declares. */
  label(name: string, span: Span): void;
  /** Types the text of a template in the rule's environment. */
  template(node: YamlScalar): Template;
  /** Types a condition over `message.*`. */
  messageCondition(node: YamlNode): Ir | undefined;
}

/** Returns a sentence as part of a help text: its first letter in lower case, except in a name such as RE2, and no full stop. */
export function lowerFirst(sentence: string): string {
  return sentence.replace(/^[A-Z](?![A-Z0-9])/, (letter) => letter.toLowerCase()).replace(/\.$/, "");
}
