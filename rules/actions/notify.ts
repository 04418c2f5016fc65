import { limits } from "../../schema/limits.ts";
import type { ActionCode } from "../../schema/ports.ts";
import { text } from "./parameters.ts";

/** Tells the human; an empty message is not shown. Source: semantics section 2. */
export const notify: ActionCode = {
  name: "notify",
  kind: "mark",
  mark: (parameters, context) => {
    const message = context.text("message").slice(0, limits.captured).toWellFormed();
    if (message === "") return undefined;
    const level = text(parameters, "level");
    return { kind: "notice", level: level === "warning" || level === "error" ? level : "info", message };
  },
};
