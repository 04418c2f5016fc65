import { limits } from "../../schema/limits.ts";
import type { ActionCode } from "../../schema/ports.ts";
import { field, text } from "./parameters.ts";

/**
 * Text for the model. The runtime joins several in rule order and wraps what is not from the policy itself; text over
 * `limits.injected` is cut, empty text is not delivered and does not use up `once`. Source: semantics section 2.
 */
export const inject: ActionCode = {
  name: "inject",
  kind: "deliver",
  deliver: (_payload, parameters, context) => {
    const content = cut(context.text("content"), limits.injected);
    if (content === "") return undefined;
    const once = text(parameters, "once");
    if ((once === "turn" || once === "session") && !context.once(once)) return undefined;
    const as = text(parameters, "as");
    return {
      rule: context.rule,
      as: as === "append" || as === "system" ? as : "message",
      content,
      custom_type: text(parameters, "custom_type") ?? "hookwarden",
      display: field(parameters, "display") !== false,
    };
  },
};

/** Cuts a text to a number of UTF-16 units, never within a character. */
function cut(value: string, length: number): string {
  if (value.length <= length) return value;
  const whole = (value.codePointAt(length - 1) as number) > 0xffff ? length - 1 : length;
  return value.slice(0, whole);
}
