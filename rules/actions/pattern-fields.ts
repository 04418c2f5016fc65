import type { ActionParameter } from "./about.ts";

/** Fields of a pattern of `redact`. */
export const patternFields: readonly ActionParameter[] = [
  {
    name: "name",
    type: "raw",
    required: true,
    doc: "Name of what the pattern finds; it stands in the default replacement.",
  },
  { name: "regex", type: "raw", required: true, doc: "RE2 pattern." },
  {
    name: "replacement",
    type: "raw",
    required: false,
    default: "[REDACTED:<name>]",
    doc: "Text in place of a match; `{match[n]}` is group n, `{match[0]}` the match.",
  },
  {
    name: "secret",
    type: "int",
    required: false,
    default: "0",
    doc: "Group that is the secret, which the next two look at; 0 is the whole match, and so is a group that matched nothing.",
  },
  {
    name: "min_entropy",
    type: "number",
    required: false,
    doc: "Least entropy of the secret, in bits for each character; a match with less is left alone.",
  },
  {
    name: "except",
    type: "list(regex)",
    required: false,
    doc: "RE2 patterns; a match is left alone when one of them finds something in its secret.",
  },
];
