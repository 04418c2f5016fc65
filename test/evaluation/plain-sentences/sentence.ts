/** A call as an author thinks of it: a shell command, or a tool with its arguments. */
export type PlainCall = string | ToolCall;

/** A call of a tool that is no shell. */
export interface ToolCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** A sentence, the rule that the manual leads its author to, and calls that the sentence speaks of or does not. */
export interface PlainSentence {
  readonly sentence: string;
  /** Policy, or rules alone, in the first spelling that comes to mind. */
  readonly policy: string;
  /** Ten calls that it speaks of: a block, or a question where something is not known. */
  readonly stops: readonly PlainCall[];
  /** Ten harmless neighbours, which pass. */
  readonly passes: readonly PlainCall[];
}

/** A call of a tool, with its canonical or its host's name. */
export function tool(name: string, args: Readonly<Record<string, unknown>>): ToolCall {
  return { tool: name, args };
}

/** A patch in the form of `apply_patch`, from its inner lines. */
export function patch(...lines: readonly string[]): ToolCall {
  return tool("apply_patch", { input: ["*** Begin Patch", ...lines, "*** End Patch"].join("\n") });
}
