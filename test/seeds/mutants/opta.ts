import { type Mutant, mutantsOf } from "./mutant.ts";

const fits = "definition.event === event && ";
const block = 'if (verdict.outcome === "block")';
const noop = "override async fire(): Promise<HookResult> {";
const known = "const known = fields.filter((name) => ";
const valid = "if (!validateOptaConfig(value))";

/** The schema without what it says of one field of a hook. */
const lax = (field: string) =>
  `if (!validateOptaConfig(value?.hooks?.map ? { ...value, hooks: value.hooks.map((hook) => ({ ...hook, ${field} })) } : value))`;

/** Hooks of one event that never run. */
const never = (event: string) => `${fits}event !== "${event}" && `;

/** Mutants of the Opta adapter, for the rows of its seed: the events, configuration, variables and matchers. */
export const optaMutants: readonly Mutant[] = [
  ...mutantsOf("adapters/opta/compiled.ts", [
    [["opta.points", "opta.order"], fits, "false && "],
    [["opta.flow.start", "opta.site.start", "opta.parity.session"], fits, never("session.start")],
    [["opta.flow.pre", "opta.task.8"], fits, never("tool.pre")],
    ["opta.flow.post", fits, never("tool.post")],
    [["opta.flow.compact", "opta.site.compact", "opta.parity.compact"], fits, never("compact")],
    [["opta.flow.end", "opta.site.end"], fits, never("session.end")],
    [["opta.flow.error", "opta.site.error", "opta.parity.error"], fits, never("error")],
    ["opta.v4.prompt-pre", fits, never("prompt.pre")],
    ["opta.v4.stop", fits, never("stop")],
    ["opta.events", fits, 'definition.event.split(".")[0] === event.split(".")[0] && '],
    [["opta.filter", "opta.task.2"], fits, ""],
    ["opta.matcher.scope", " || !isToolEvent(event)) return undefined;", ") return undefined;"],
    ["opta.compile-once", "fitsTool(regex, event, tool));", "fitsTool(matcherOf(definition) as Regex, event, tool));"],
    [["opta.parity.pre", "opta.task.3"], ": regex.test(tool);", ": true;"],
    ["opta.parity.mcp", ": regex.test(tool);", ': !tool.startsWith("mcp__") && regex.test(tool);'],
    ["opta.parity.matcher", "engine.compile(matcher);", "engine.compile(`^(?:${matcher})$`);"],
    [
      "opta.v4.dedupe",
      "hookKey(hook.definition, hook.root)",
      "`${hookKey(hook.definition, hook.root)}${Math.random()}`",
    ],
  ]),
  ...mutantsOf("adapters/opta/config.ts", [
    [["opta.schema.event", "opta.task.7"], valid, lax('event: "error"')],
    ["opta.schema.command", valid, lax('command: "x"')],
    ["opta.schema.timeout", valid, lax("timeout: 100")],
    ["opta.schema.background", valid, lax("background: true")],
    ["opta.schema.matcher", known, `${known}name !== "matcher" && `],
    ["opta.example", known, `${known}name !== "timeout" && `],
    [
      "opta.schema.default",
      "data: { ...value, hooks } }",
      "data: (value.hooks ? { ...value, hooks } : value) as OptaConfig }",
    ],
    [
      "opta.parity.v3-stdout",
      "known.map((name) => [name, hook[name]])",
      '[["protocol", "json"], ...known.map((name) => [name, hook[name]])]',
    ],
  ]),
  ...mutantsOf("adapters/opta/context.ts", [
    ["opta.context", 'OPTA_MODEL: context.model ?? "",', 'OPTA_MODEL: "",'],
    ["opta.env.model", 'OPTA_MODEL: context.model ?? "",', ""],
    ["opta.env.event", "OPTA_EVENT: event,", ""],
    ["opta.env.session", "OPTA_SESSION_ID: context.session_id,", ""],
    ["opta.env.cwd", "OPTA_CWD: context.cwd,", ""],
    ["opta.env.tool-name", 'OPTA_TOOL_NAME: context.tool_name ?? "",', ""],
    ["opta.env.tool-args", 'OPTA_TOOL_ARGS: context.tool_args ?? "{}"', 'OPTA_TOOL_ARGS: "{}"'],
    [["opta.env.tool-result", "opta.parity.post"], '...(event === "tool.post" && {', "...(false && {"],
    ["opta.env.error", '...(event === "error" && {', "...(false && {"],
    ["opta.site.post", "export const resultBytes = 2_048;", "export const resultBytes = 4_096;"],
  ]),
  ...mutantsOf("adapters/opta/deciding.ts", [
    [["opta.flow.skip", "opta.site.pre", "opta.cancel", "opta.task.4"], block, "if (false)"],
    ["opta.result", 'reason: verdict.reason ?? "a hook refused"', 'reason: "a hook refused"'],
    ["opta.v4.updated-input", "current = next;", ""],
  ]),
  ...mutantsOf("adapters/opta/load.ts", [
    ["opta.files", 'const shared = reader.read(join(local, "config.json"), "project");', "const shared: never[] = [];"],
    ["opta.v4.plugins", "names = readdirSync(folder).sort();", "names = [];"],
  ]),
  ...mutantsOf("adapters/opta/manager.ts", [
    [
      ["opta.zero-cost", "opta.factory"],
      "hooks.length === 0 ? NoOpHookManager.shared :",
      "false ? NoOpHookManager.shared :",
    ],
    ["opta.core", 'definitions.map((definition) => ({ definition, scope: "user" })),', "[],"],
    ["opta.noop.class", noop, `${noop} return { ...noopResult };`],
    ["opta.task.1", noop, `${noop} return { cancelled: true };`],
    ["opta.background.default", "definition.background !== true", "definition.background === false"],
    ["opta.background.errors", "definition.background !== true", "true"],
    ["opta.parity.background", "if (hook.definition.background)", "if (false)"],
    [
      "opta.task.6",
      "startHook(hook, event, final, this.#options);",
      "await runHook(hook, event, final, this.#options);",
    ],
    [
      ["opta.cancel", "opta.task.4"],
      "for (const hook of hooks) texts.push(...said(await run(hook, context)));",
      "for (const hook of hooks) { const { errors } = await run(hook, context); if (errors.length > 0) return { result: { cancelled: true }, final: context }; }",
    ],
  ]),
  ...mutantsOf("adapters/opta/menu.ts", [["opta.v4.menu", "if (chosen === change)", "if (false)"]]),
  ...mutantsOf("adapters/opta/prompt-hook.ts", [
    ["opta.v4.prompts", "return answered(answer, name);", "return { errors: [] };"],
  ]),
  ...mutantsOf("adapters/opta/run-hook.ts", [
    ["opta.timeout.default", "definition.timeout ?? defaultTimeout", "definition.timeout ?? 60_000"],
    [
      "opta.shell",
      'runProgram(["sh", "-c", hook.definition.command ?? ""]',
      'runProgram((hook.definition.command ?? "").split(" ")',
    ],
    [["opta.parity.timeout", "opta.task.5"], "timeout: timeoutOf(hook),", "timeout: 60_000,"],
    ["opta.v4.stdin", "...(json && { input:", "...(false && { input:"],
    ["opta.v4.decision", 'stdout: json ? ran.stdout.toWellFormed() : "",', 'stdout: "",'],
    ["opta.v4.status", "show(ports, statusMessage, statusMessage);", ""],
  ]),
  ...mutantsOf("examples/opta/config.json", [
    ["opta.script.shipped", ".opta/hooks/auto-test.sh", ".opta/hooks/another.sh"],
  ]),
  ...mutantsOf("examples/opta/block-rm.sh", [["opta.script.block-rm", "grep -qE 'rm", "grep -qE 'unlink"]]),
  ...mutantsOf("examples/opta/auto-lint.sh", [["opta.script.auto-lint", "npx eslint --fix", "true"]]),
  ...mutantsOf("examples/opta/auto-test.sh", [["opta.script.auto-test", "npm test --", "true"]]),
];
