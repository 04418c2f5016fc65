import type { ParameterDraft } from "./policy-draft.ts";

/** Parses a parameter's value from a command line; undefined if it does not fit the type. List items are separated by commas. */
export function fromText(type: ParameterDraft["type"], given: string): unknown {
  const parts = given === "" ? [] : given.split(",").map((part) => part.trim());
  const whole = /^-?\d{1,15}$/;
  switch (type) {
    case "string":
      return given;
    case "bool":
      return given === "true" ? true : given === "false" ? false : undefined;
    case "int":
      return whole.test(given) ? Number(given) : undefined;
    case "list(string)":
      return parts;
    default:
      return parts.every((p) => whole.test(p)) ? parts.map(Number) : undefined;
  }
}
