import { type Mutant, mutantsOf } from "./mutant.ts";

const option = "if (option !== undefined) return fromOption(option, cwd);";
const builtIn = "return places.gastownMode ?";
const blocks = 'const blocks = answer.decision === "deny"';
const code = "result.exitCode === blockingCode || unsure";
const refuse = "if (isFault(found)) this.#refuse(found, context);";
const begin = "return `<hook-context>";

/** Mutants of the Gastown adapter, for the rows of its seed: configuration, decisions, arguments, context and the log. */
export const gastownMutants: readonly Mutant[] = [
  ...mutantsOf("adapters/gastown/config.ts", [
    [["gt-config-runtime", "gt-accept-flag"], option, ""],
    ["gt-config-order", "if (option !== undefined)", "if (option !== undefined && variable === undefined)"],
    [
      "gt-config-no-fallback",
      option,
      'const given = option === undefined ? undefined : fromOption(option, cwd); if (given && !("problem" in given)) return given;',
    ],
    ["gt-config-env", 'if (variable !== undefined && variable.trim() !== "")', "if (false)"],
    ["gt-config-default", builtIn, "return true ?"],
    ["gt-config-none", builtIn, "return false ?"],
    ["gt-config-claude", "places.claudeSettings ? fromClaude(cwd)", "true ? fromClaude(cwd)"],
    [
      ["gt-config-excludes", "gt-accept-defaults"],
      ": compiled([hooks.value])",
      ": compiled([builtInHooks, hooks.value])",
    ],
    ["gt-config-validated", "if (validateGastownHooks(value)) return", "return"],
    ["gt-not-events", "[...new Set(silent)]", "[]"],
    ["gt-v1-defaults", ', command: "bd sync" }', ', command: "bd flush" }'],
    ["gt-v1-timeout", "const hookTime = 5_000;", "const hookTime = 60_000;"],
    ["gt-migration", 'Object.hasOwn(parsed.value, "hooks") ? parsed.value["hooks"] : parsed.value', "parsed.value"],
  ]),
  ...mutantsOf("adapters/gastown/hooks.ts", [
    ["gt-config-flag", 'pi.registerFlag("hooks-config", {', 'pi.registerFlag("hooks", {'],
    ["gt-config-validated", "if (this.#loaded) return", "if (this.#loaded && !this.#config) return"],
    ["gt-config-error", "configSource: source, reason: problem,", 'configSource: "default",'],
    [
      ["gt-config-disabled", "gt-accept-invalid"],
      refuse,
      `${refuse} if (isFault(found)) this.#config = loadConfig({ ...this.#places(context), variable: undefined }) as HookConfig;`,
    ],
    [["gt-input-limited", "gt-input-immutable"], "  input: event.input,", "  input: event as never,"],
    ["gt-context-next", "this.#blocks.clear();", ""],
    [
      "gt-not-ui",
      "return denied === undefined ? undefined : blocked(",
      'if (!(await context.ui.confirm("Run it?", event.toolName))) return blocked("not approved"); return denied === undefined ? undefined : blocked(',
    ],
  ]),
  ...mutantsOf("adapters/gastown/answer.ts", [
    ["gt-decision-json", "const given = answers.map(", "const given = answers.slice(9).map("],
    ["gt-decision-fields", 'own(given, "decision")', 'own(given, "verdict")'],
    ["gt-input-field", 'own(given, "updatedInput") ?? own(nested, "updatedInput")', "undefined"],
    ["gt-input-invalid", "const warnings = [unread ? unreadable : broken(text)]", "const warnings = [undefined]"],
    ["gt-input-keys", "if (!forbiddenKeys.has(key)) return value;", "return value;"],
    ["gt-context-prefer", "...((unread || odd) && { unread: true }),", "context: raw(text),"],
    ["gt-context-raw", "return { output: raw(text),", "return {"],
  ]),
  ...mutantsOf("adapters/gastown/run-hooks.ts", [
    [
      "gt-not-sandbox",
      "for (const [name, value] of Object.entries(env)) if",
      'for (const [name, value] of Object.entries(env)) if (name === "PATH" || name === "HOME") if',
    ],
    [["gt-decision-deny", "gt-accept-block"], `${blocks} ||`, "const blocks ="],
    ["gt-decision-allow", blocks, `${blocks} || answer.decision === "allow"`],
    ["gt-decision-ask", blocks, `${blocks} || answer.decision === "ask"`],
    ["gt-decision-ask-warned", 'if (decision === "ask") warnings.push', "if (false) warnings.push"],
    ["gt-decision-reason", "const reason = fault ?? answer.reason ??", "const reason = fault ??"],
    [["gt-decision-context", "gt-accept-context"], "return answer.context ?? answer.output;", "return answer.output;"],
    [["gt-decision-exit", "gt-accept-v1"], "const blockingCode = 2;", "const blockingCode = 3;"],
    [["gt-input-merge", "gt-accept-input"], "replaceArguments(input, next);", ""],
    [
      "gt-input-shallow",
      "const next = { ...input, ...answer.input };",
      'const next = { ...input, ...Object.fromEntries(Object.entries(answer.input).map(([key, value]) => [key, typeof value === "object" ? { ...(input[key] as object), ...value } : value])) };',
    ],
    ["gt-v1-shell", '["/bin/sh", "-lc", hook.command]', '["/bin/sh", "-c", hook.command]'],
    ["gt-v1-shell", "input: JSON.stringify(told),", ""],
    ["gt-v1-timeout", "timeout: hook.timeout,", ""],
    ["gt-v1-missing", code, `result.exitCode === missingCode || ${code}`],
    ["gt-v1-open", code, "(result.exitCode ?? 1) !== 0 || unsure"],
  ]),
  ...mutantsOf("adapters/gastown/context-block.ts", [
    ["gt-context-structured", begin, `return lines.join("\\n"); ${begin}`],
    ["gt-context-block", begin, "return `<text>"],
    ["gt-context-next", "this.#delivered.push(", "this.#delivered = []; this.#delivered.push("],
    ["gt-context-next", "const block = this.take();", "const block = undefined;"],
    [
      ["gt-context-order", "gt-accept-order"],
      "const lines = entries.map(",
      "const lines = [...entries].reverse().map(",
    ],
    ["gt-context-order", ".sort((a, b) => (a.call ?? 0) - (b.call ?? 0))", ""],
  ]),
  ...mutantsOf("adapters/gastown/log.ts", [
    ["gt-log-fields", "durationMs: entry.durationMs,", ""],
    ["gt-log-level", ' || (!verbose && entry.level === "info")', ""],
    ["gt-log-sensitive", "const cut = clean.slice(0, limits.captured).toWellFormed();", "const cut = value;"],
    ["gt-log-redaction", "const clean = mask(value);", "const clean = value;"],
    ["gt-log-caps", "const cut = clean.slice(0, limits.captured)", "const cut = clean"],
    [
      "gt-log-quiet",
      "attempt(() => file(line));",
      'attempt(() => file(line)); if (mask(entry.stdout ?? "") !== (entry.stdout ?? "")) screen("masked");',
    ],
    ["gt-log-metadata", "...(verbose && redacted.length > 0 ?", "...(false ?"],
  ]),
  ...mutantsOf("adapters/gastown/matcher.ts", [
    ["gt-not-matchers", "fits.some((fit) => fit(subject))", "fits.every((fit) => fit(subject))"],
    ["gt-not-matchers", " && texts.some((one) => wanted.test(one))", ""],
  ]),
];
