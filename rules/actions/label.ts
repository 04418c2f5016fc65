import type { ActionCode } from "../../schema/ports.ts";
import { text, texts } from "./parameters.ts";

/** Marks on the session, or on the files that are concerned, for later conditions. Source: semantics section 2. */
export const label: ActionCode = {
  name: "label",
  kind: "mark",
  mark: (parameters) => ({
    kind: "label",
    add: texts(parameters, "add"),
    on: text(parameters, "on") === "path" ? "path" : "session",
  }),
};
