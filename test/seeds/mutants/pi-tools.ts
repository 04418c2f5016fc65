import { type Mutant, mutantsOf } from "./mutant.ts";

const asked = 'ask(chain, registration, { ...event, type: "tool_call", input })';
const blocked = "if (answer.block) return {";
const judged = "const call = await this.#judge(toolCallId, params);";
const known = '["bash", "read", "write", "edit"].includes(name)';

/** Mutants of calls and results of tools, and of the order of handlers, for the rows of the pi seed. */
export const piToolMutants: readonly Mutant[] = [
  ...mutantsOf("adapters/hooks/emit/tool-call.ts", [
    [
      "pi-call-sequential",
      asked,
      '(((started as { all?: Map<Registration, ReturnType<typeof ask>> }).all ??= new Map(chain.handlers("tool_call").map((one) => [one, ask(chain, one, { ...event, type: "tool_call", input })]))).get(registration) as ReturnType<typeof ask>)',
    ],
    [
      "pi-call-block-stops",
      blocked,
      `for (const later of answer.block ? chain.handlers("tool_call").slice(chain.handlers("tool_call").indexOf(registration) + 1) : []) await ask(chain, later, { ...event, input }); ${blocked}`,
    ],
    ["pi-call-payload", asked, 'ask(chain, registration, { ...event, type: "tool_call", toolCallId: "", input })'],
    [
      "pi-call-allow",
      "if (answer === undefined) continue;",
      "if (answer === undefined) return { block: true, input };",
    ],
  ]),
  ...mutantsOf("adapters/hooks/events.ts", [
    ["pi-call-narrow-known", "return event.toolName === name;", `return !${known} && event.toolName === name;`],
    ["pi-call-narrow-custom", "return event.toolName === name;", `return ${known} && event.toolName === name;`],
  ]),
  ...mutantsOf("adapters/hooks/tool-wrapper.ts", [
    [
      "pi-call-payload",
      '{ type: "tool_call", toolCallId, toolName: this.name,',
      '{ type: "tool_call", toolCallId: "", toolName: this.name,',
    ],
    ["pi-call-when", judged, `await this.#tool.execute(toolCallId, params, signal, onUpdate); ${judged}`],
    [
      "pi-result-when",
      "return this.#failed(event, error, call);",
      "void this.#failed(event, error, call).catch(() => {}); throw error;",
    ],
    [
      "pi-result-failed",
      "const handled = await runToolResultHandlers(chain, given);",
      "const handled = { result: untouched(given), changed: false };",
    ],
    ["pi-result-failed-changed", 'chain.profile.failedTool === "replaced" && handled.changed', "false"],
  ]),
  ...mutantsOf("adapters/hooks/emit/tool-result.ts", [
    ["pi-result-sequential", "    changed = true;", "    changed = true; break;"],
    ["pi-result-accumulates", 'chain.profile.toolResult === "chained" ? current : original', "original"],
    ["pi-result-evolving", 'chain.profile.toolResult === "chained" ? current : copied(original)', "copied(original)"],
    ["pi-result-payload", "{ ...event, ...base }", '{ ...event, ...base, toolCallId: "", input: {} }'],
    ["pi-result-override", 'if (Object.hasOwn(fields, "details")) next.details = fields.details;', ""],
    ["pi-result-flip", "next.isError = fields.isError;", "next.isError = next.isError || fields.isError;"],
    [
      "pi-result-nothing",
      "if (fields === undefined) continue;",
      "if (fields === undefined) { current = { ...current, content: [] }; changed = true; continue; }",
    ],
  ]),
  ...mutantsOf("adapters/hooks/api.ts", [
    ["pi-order-registration", "list.push(registration);", "list.unshift(registration);"],
  ]),
];
