import type { FactSet } from "../schema/facts.ts";
import type { DecisionError } from "../schema/generated.ts";
import type { JudgedEvent } from "../schema/judged-event.ts";
import {
  type ActionContext,
  EvaluationError,
  type Payload,
  type ProgramAnswer,
  type Pseudonym,
} from "../schema/ports.ts";
import { argumentsMisfit } from "./argument-fit.ts";
import { canonicalJson } from "./canonical.ts";
import { messageView } from "./evaluate-roots.ts";
import type { View } from "./evaluate-rule.ts";
import { payloadDigest } from "./event-digest.ts";
import type { EventTrees } from "./event-trees.ts";
import { withheldMessage, withheldText } from "./failure.ts";
import type { Frame } from "./link.ts";
import type { LinkedAction, LinkedRule } from "./link-plan.ts";
import { payloadOf, withPayload } from "./payload.ts";
import { reservedSlots } from "./plan.ts";
import { renderText, templateValue } from "./render-text.ts";

/** A change that one action made, by digests of the payload before and after. */
export interface Applied {
  readonly rule: string;
  readonly action: string;
  readonly before: string;
  readonly after: string;
}

/** Ports of transforms and deliveries: what they read from the engine besides the revision. */
export interface TransformPorts {
  factsOf(event: JudgedEvent): FactSet;
  mask(text: string): string;
  once(rule: string, scope: "turn" | "session"): boolean;
  readonly boundary: string;
  readonly pseudonym: Pseudonym;
  /** Answers of programs that are known, by the key of their request. */
  readonly answers: ReadonlyMap<string, ProgramAnswer>;
  /** Answers of the disk about folders of the event. */
  readonly trees: EventTrees;
}

/** The revision after a transform, what changed it, and what could not be processed. */
export interface TransformResult {
  readonly view: View;
  readonly applied: readonly Applied[];
  readonly errors: readonly DecisionError[];
  /** Set when nothing of the payload could be processed. */
  readonly failed: EvaluationError | undefined;
}

/** Runs one transform on one revision. Of a message list, only the messages that could not be processed are withheld. */
export function applyTransform(
  linked: LinkedRule,
  action: LinkedAction,
  view: View,
  frame: Frame,
  ports: TransformPorts,
): TransformResult {
  const before = payloadOf(view.event);
  const errors: DecisionError[] = [];
  const ignored = (message: string): void => void errors.push({ code: "HW502", message, rule: linked.rule.id });
  const context = actionContext(linked, action, frame, ports, ignored);
  const run = (payload: Payload): Payload | EvaluationError =>
    action.code.transform?.(payload, action.plan.parameters, context) ?? payload;
  let after = run(before);
  if (after instanceof EvaluationError) {
    if (!before.messages) return { view, applied: [], errors, failed: after };
    after = byMessage(before, run, linked.rule.id, errors);
  }
  if (after instanceof EvaluationError) return { view, applied: [], errors, failed: after };
  const misfit = argumentsMisfit(view.event, before, after);
  if (misfit) return { view, applied: [], errors, failed: misfit };
  if (after === before) return { view, applied: [], errors, failed: undefined };
  const event = withPayload(view.event, after);
  const applied = {
    rule: linked.rule.id,
    action: action.code.name,
    before: payloadDigest(before),
    after: payloadDigest(after),
  };
  return { view: { ...view, event, facts: ports.factsOf(event) }, applied: [applied], errors, failed: undefined };
}

/**
 * Runs a transform on each message separately, and on the rest of the payload, which must be processed as a whole. A message that
 * fails again is replaced by a placeholder (semantics section 4, `context`).
 */
function byMessage(
  payload: Payload,
  run: (payload: Payload) => Payload | EvaluationError,
  rule: string,
  errors: DecisionError[],
): Payload | EvaluationError {
  const rest: Payload = { ...payload, messages: [] };
  const beside = run(rest);
  if (beside instanceof EvaluationError) return beside;
  let changed = beside !== rest;
  const messages = (payload.messages ?? []).flatMap((message) => {
    const result = run({ messages: [message] });
    const error = result instanceof EvaluationError ? { code: result.code, message: result.message, rule } : undefined;
    const kept = error ? withheld(message, error) : ((result as Payload).messages ?? []);
    if (kept.length === 1 && kept[0] === message) return kept;
    changed = true;
    if (error) errors.push(error);
    return kept;
  });
  return changed ? { ...beside, messages } : payload;
}

/** Returns the placeholder of a message. A message that already equals its placeholder is kept, so that withholding settles. */
function withheld(message: unknown, error: DecisionError): readonly unknown[] {
  const placeholder = withheldMessage(message, withheldText(error));
  return [canonicalJson(placeholder) === canonicalJson(message) ? message : placeholder];
}

/** Returns the context of an action: its templates and conditions by name, on the frame of the match. */
export function actionContext(
  linked: LinkedRule,
  action: LinkedAction,
  frame: Frame,
  ports: TransformPorts,
  ignored: (message: string) => void = () => {},
): ActionContext {
  return {
    ignored,
    event: frame.event,
    regex: frame.regex,
    rule: linked.rule.id,
    get boundary() {
      return ports.boundary;
    },
    pseudonym: ports.pseudonym,
    once: (scope) => ports.once(linked.rule.id, scope),
    text: (name) => renderText(action.templates.get(String(name)) ?? [], frame, ports.mask),
    value: (name) => templateValue(action.templates.get(String(name)) ?? [], frame),
    names: (prefix) => [...action.templates.keys()].filter((name) => name.startsWith(`${prefix}.`)),
    test: (name, message) => {
      const condition = action.conditions.get(String(name));
      if (!condition) return true;
      frame.slots[reservedSlots.message] = messageView(message);
      const held = condition(frame);
      return held instanceof EvaluationError ? held : held === true;
    },
  };
}
