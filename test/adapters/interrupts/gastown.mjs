// A host that gives the extension one event, and has no answer of its own to Ctrl+C, as pi has none in print mode.
import { createGastownExtension } from "hookwarden/gastown";

const handlers = new Map();
const pi = {
  on: (name, handler) => handlers.set(name, handler),
  registerFlag: () => undefined,
  getFlag: () => undefined,
};
const cwd = process.cwd();
await createGastownExtension({ guard: false, log: { file: () => undefined, screen: () => undefined } })(pi);
const type = process.argv[2];
const call = { toolName: "bash", toolCallId: "1", input: { command: "true" } };
const event = { type, ...call, prompt: "go", content: [], isError: false };
await handlers.get(type)(event, { cwd, hasUI: false, ui: {}, sessionManager: {} });
