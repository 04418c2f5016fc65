import { pathToFileURL } from "node:url";
import { canaryCommand, passingCommand } from "./canary-payloads.ts";

/**
 * The host of a canary: loads the module that a host would load, with the canary policy, and asks it about calls. Prints the
 * refusal by case; null if the call may run. Called as `probe.js <host> <module> <policy> <policy that hangs>`.
 */
const [host = "", module = "", policy = "", hanging = ""] = process.argv.slice(2);
const cwd = process.cwd();

/** Asks about a call and returns the refusal's text; null if the call may run. */
type Ask = (command: string | undefined) => Promise<string | null>;

type Handler = (event: object, context: object) => unknown;

/** pi and omp: an extension that registers handlers. */
async function extension(make: (options: object) => (api: object) => unknown, options: object): Promise<Ask> {
  const handlers: Handler[] = [];
  const api = new Proxy(
    {
      on(event: string, handler: Handler) {
        if (event === "tool_call") handlers.push(handler);
        return () => undefined;
      },
    },
    { get: (target, name) => (name === "on" ? target.on : () => undefined) },
  );
  await make(options)(api);
  const none = (): undefined => undefined;
  const ui = { confirm: async () => false, select: async () => undefined, notify: none, setStatus: none };
  const session = { getSessionId: () => "canary", getSessionFile: none, getBranch: () => [], getEntries: () => [] };
  const context = { cwd, hasUI: false, ui, sessionManager: session };
  return async (command) => {
    const input = command === undefined ? "garbage" : { command };
    for (const handler of handlers) {
      const event = { type: "tool_call", toolName: "bash", toolCallId: "canary", input };
      const answer = (await handler(event, context)) as { block?: boolean; reason?: string } | undefined;
      if (answer?.block === true) return answer.reason ?? "";
    }
    return null;
  };
}

/** OpenCode: a plugin that returns hooks; it refuses by throwing. */
async function plugin(make: (options: object) => (input: object) => Promise<object>, options: object): Promise<Ask> {
  const hooks = (await make(options)({ directory: cwd, worktree: cwd, project: {}, client: {} })) as Record<
    string,
    (input: object, output: object) => Promise<void>
  >;
  return async (command) => {
    const args = command === undefined ? "garbage" : { command, description: "a canary" };
    try {
      await hooks["tool.execute.before"]?.({ tool: "bash", sessionID: "canary", callID: "canary" }, { args });
      return null;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  };
}

async function main(): Promise<void> {
  const loaded = (await import(pathToFileURL(module).href)) as Record<string, never>;
  const makers: Readonly<Record<string, string>> = {
    pi: "createExtension",
    omp: "createOmpExtension",
    gastown: "createGastownExtension",
    opencode: "createPlugin",
  };
  const make = loaded[makers[host] ?? ""] as never;
  const guardedBy = (path: string): Promise<Ask> => {
    const guard = { policies: [path], audit: false };
    if (host === "opencode") return plugin(make, guard);
    return extension(make, host === "gastown" ? { guard } : guard);
  };
  const ask = await guardedBy(policy);
  const answers = { block: await ask(canaryCommand), pass: await ask(passingCommand), garbage: await ask(undefined) };
  const hang = await (await guardedBy(hanging))(passingCommand);
  process.stdout.write(`${JSON.stringify({ ...answers, hang })}\n`);
}

await main();
// Handles that a guard keeps open must not keep the canary running.
process.exit(0);
