import { type Mutant, mutantsOf } from "./mutant.ts";

/** Mutants of tool calls and their results, and of the data of the profiles, for the rows of the omp seeds. */
export const ompToolMutants: readonly Mutant[] = [
  ...mutantsOf("adapters/hooks/emit/tool-call.ts", [
    // A block is an answer like another.
    [
      ["omp-tool-call-answer", "omp-pre-block", "author-block-stops", "author-powers"],
      "if (answer.block) return",
      "if (answer.block === undefined && last === null) return",
    ],
    [["omp-conflict-tool-call", "author-block-last"], "last = answer;", "last ??= answer;"],
    [
      ["omp-error-tool-call", "omp-error-tool-call-blocks", "omp-pre-throw", "author-block-throw"],
      "throw error;",
      "return undefined;",
    ],
  ]),
  ...mutantsOf("adapters/hooks/emit/tool-result.ts", [
    [
      "author-example-redactor",
      "if (fields === undefined) continue;",
      "if (fields === undefined) { changed = true; continue; }",
    ],
    // A failure is told to nobody.
    [
      ["omp-flow-error", "omp-post-failed", "author-tool-result", "author-result-failed"],
      'chain.handlers("tool_result")',
      '(event.isError ? [] : chain.handlers("tool_result"))',
    ],
    ["author-result-order", 'chain.handlers("tool_result")', '[...chain.handlers("tool_result")].reverse()'],
    ["omp-conflict-tool-result", "    changed = true;", "    changed = true;\n    break;"],
    [
      ["omp-post-content", "author-result-content"],
      "next.content = fields.content as ContentPart[]",
      "next.content = [...base.content, ...(fields.content as ContentPart[])]",
    ],
    [["omp-post-details", "author-result-details"], "next.details = fields.details", "void fields.details"],
    ["omp-tool-result-answer", "next.isError = fields.isError", "void fields.isError"],
  ]),
  ...mutantsOf("adapters/hooks/tool-wrapper.ts", [
    [
      "author-tool-call",
      'await this.#runner.emitToolCall({ type: "tool_call",',
      '{ block: false, input: params };\n      void ({ type: "tool_call",',
    ],
    [
      "omp-pre-before",
      "const call = await this.#judge(",
      "await this.#tool.execute(toolCallId, params, signal);\n    const call = await this.#judge(",
    ],
    // Modules of extensions are not asked.
    [
      "omp-one-wrapper",
      "await this.#judge(toolCallId, params)",
      "(this.#runner.profile.extensionEvents ? { block: false, input: params } : await this.#judge(toolCallId, params))",
    ],
    ["omp-flow-block", "if (call.block) throw", "if (call.block && call.input === undefined) throw"],
    [["omp-pre-reason", "author-block-reason"], 'call.reason ?? "the call', '"the call'],
    ["omp-run", "this.#privateCopy(call.input), signal, update)", "this.#privateCopy(call.input), undefined, update)"],
    ["omp-post-payload", "toolName: this.name, input: call.input }", "toolName: this.name, input: {} }"],
    [
      ["omp-flow-success", "omp-can-result", "omp-example-redact"],
      "{ ...rest, ...outcome.result } :",
      "{ ...outcome.result, ...rest } :",
    ],
  ]),
  ...mutantsOf("adapters/hooks/profiles.ts", [
    [["omp-extension-runner", "author-factory-extension"], "ompHookApi, omp }", "ompHookApi, omp: ompHookApi }"],
    ["author-superset", "profile.extensionEvents || hookApiEvents", "hookApiEvents"],
    ["author-extension-only", "extensionEvents: false", "extensionEvents: true"],
    ["author-factory-plain", 'factory: "sync",', 'factory: "sync or async",'],
    ["author-factory-synchronous", "lateOn: false", "lateOn: true"],
    ["author-result-original", 'toolResult: "original",', 'toolResult: "chained",'],
    [["author-result-is-error", "omp-cannot-status"], "isErrorApplied: false", "isErrorApplied: true"],
    [["author-result-rethrow", "omp-cannot-continue"], 'failedTool: "rethrown",', 'failedTool: "replaced",'],
    ["omp-cannot-input", 'input: "frozen",', 'input: "mutable",'],
    ["omp-conflict-start", 'startMessages: "first",', 'startMessages: "accumulate",'],
    ["omp-auto-compaction", '"auto_compaction_end",', ""],
    [["omp-auto-retry", "author-auto"], '"auto_retry_start",', ""],
    [["omp-notices", "author-notices"], '"todo_reminder",', ""],
  ]),
];
