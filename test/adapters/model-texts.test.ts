import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "rolldown/utils";
import { describe, expect, it } from "vitest";
import { codex } from "../../adapters/one-shot/codex.ts";
import { wordsOf, wordsUnasked } from "../../adapters/one-shot/dialect.ts";
import { denialText, faultText, internalFault, noPolicy, unaskedText } from "../../adapters/pi/denial.ts";
import { readYaml } from "../../compiler/read.ts";
import { toValue } from "../../compiler/yaml-node.ts";
import type { Decision } from "../../schema/generated.ts";
import { runTimeTexts } from "../../scripts/generate/run-time-texts.ts";
import { packFile, packNames } from "../../store/packs.ts";

/**
 * What a model may read. It never says how the guard is taken out, switched off or gone round, and it names a command that is a
 * human's only together with the human.
 */
const verbs =
  "take|takes|remove|delete|disable|deactivate|unwire|uninstall|unset|kill|stop|end|skip|bypass|turn off|switch off";
const guard = "hook|hooks|guard|extension|hookwarden|policy|policies|plugin|rule|settings";
/** An order, at the beginning of a clause: `or remove the extension`. */
const orders = new RegExp(
  `(?:^|[.;:,(] ?|\\n|\\b(?:or|and|then|to|please) )(?:${verbs})\\b(?![^.;:\\n]{0,60}(?:outside the agent|human))[^.;:\\n]{0,40}\\b(?:${guard})\\b`,
  "i",
);
const switches =
  /--no-(?:verify|extensions|hooks)|disableAllHooks|hooks ?= ?false|HOOKWARDEN_\w+=|hookwarden\/unattended|--inside-agents/;
const decisions = /hookwarden (?:install|uninstall|trust|approve|reload|token|audit prune)\b/;

function faultOf(text: string): string | undefined {
  if (/\bhookwarden uninstall\b/.test(text)) return "names `uninstall`";
  if (orders.test(text)) return `orders: ${orders.exec(text)?.[0]}`;
  if (switches.test(text)) return `names a switch: ${switches.exec(text)?.[0]}`;
  return decisions.test(text) && !/human/.test(text) ? "names a human's command without the human" : undefined;
}

const faults = (texts: Iterable<readonly [where: string, text: string]>): string[] =>
  [...texts].flatMap(([where, text]) => {
    const fault = faultOf(text);
    return fault === undefined ? [] : [`${where}: ${fault}: ${text}`];
  });

describe("this test", () => {
  it.each([
    "put a policy into .hookwarden/, or take the hook out of the agent's settings",
    "see `hookwarden new policy`, or remove the extension",
    "Run `hookwarden uninstall claude-code`.",
    "let it run once with `hookwarden approve`",
    "start the agent with --no-extensions",
    "Disable the guard for this call.",
  ])("knows a way round: %s", (text) => expect(faultOf(text)).toBeDefined());

  it.each([
    "Ask a human to remove it outside the agent.",
    "ending {k.target} would stop the guard of this agent",
    "a human must run `hookwarden install` again, in a terminal of their own",
  ])("lets pass: %s", (text) => expect(faultOf(text)).toBeUndefined());
});

const root = join(import.meta.dirname, "../..");

/** Files of adapters whose texts no model reads: they install, look and report for a human at a terminal. */
const forHumans = /^adapters\/(?:install\/(?!(?:cline|omp|opencode|own-file|command)\.ts)|opta\/load\.ts)/;

/** Every text of a source file that has more than one word, templates with `…` for what is put in. */
function textsIn(path: string): (readonly [string, string])[] {
  const { program } = parseSync(path, readFileSync(join(root, path), "utf8"));
  const found: (readonly [string, string])[] = [];
  const open: unknown[] = [program];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (typeof node !== "object" || node === null) continue;
    const text = textOf(node as Readonly<Record<string, unknown>>);
    if (text?.includes(" ")) found.push([path, text]);
    open.push(...Object.values(node));
  }
  return found;
}

function textOf({ type, value, quasis }: Readonly<Record<string, unknown>>): string | undefined {
  if (type === "Literal" && typeof value === "string") return value;
  if (type !== "TemplateLiteral") return undefined;
  const parts = quasis as readonly { readonly value: { readonly cooked: string } }[];
  return parts.map((part) => part.value.cooked).join("…");
}

describe("texts that a model may read", () => {
  it("of adapters: refusals, faults and notices", () => {
    const files = (readdirSync(join(root, "adapters"), { recursive: true }) as string[])
      .map((name) => `adapters/${name}`)
      .filter((path) => path.endsWith(".ts") && !forHumans.test(path));
    expect(files.length).toBeGreaterThan(100);
    // What is told to the human alone, on a screen or standard error, and marks by which `install` knows its own files.
    const known = [
      /keeps th(?:ose|e plan) it began with/,
      /policies on disk changed/,
      /hookwarden: written by/,
      /^(?:OpenCode|put MCP)/,
    ];
    const texts = files.flatMap(textsIn).filter(([, text]) => !known.some((each) => each.test(text)));
    expect(faults(texts)).toEqual([]);
  });

  it("of the client's script, which refuses where no Node starts", () => {
    const lines = readFileSync(join(root, "adapters/one-shot/hookwarden-client.sh"), "utf8").split("\n");
    expect(faults(lines.filter((line) => /reason|Blocked/.test(line)).map((line) => ["client", line]))).toEqual([]);
  });

  it("of codes that are raised while an agent runs", () => {
    const own = Object.entries(runTimeTexts).filter(([code]) => code.startsWith("HW5"));
    expect(own.length).toBeGreaterThan(10);
    // Their pages are for a human, who may be told of a human's commands.
    const texts = own.flatMap(([code, { means, next }]) =>
      [means, next].map((text) => [code, `human: ${text}`] as const),
    );
    expect(faults(texts)).toEqual([]);
  });

  it("of shipped packs: reason, guidance, and what actions say", () => {
    const texts = packNames().flatMap((pack) => {
      const { root: tree } = readYaml(pack, readFileSync(packFile(pack) ?? ""));
      if (!tree) throw new Error(`${pack} is no YAML`);
      const { rules } = toValue(tree) as { readonly rules: readonly Rule[] };
      return rules.flatMap(({ id, reason, guidance, action }) =>
        [reason, guidance, ...words(action)].flatMap((text) => (text ? [[`${pack}/${id}`, text] as const] : [])),
      );
    });
    expect(texts.length).toBeGreaterThan(200);
    expect(faults(texts)).toEqual([]);
  });
});

interface Rule {
  readonly id: string;
  readonly reason?: string;
  readonly guidance?: string;
  readonly action?: unknown;
}

/** Texts of parameters that are shown. */
function words(action: unknown): string[] {
  if (Array.isArray(action)) return action.flatMap(words);
  if (typeof action !== "object" || action === null) return [];
  return Object.entries(action).flatMap(([key, value]) =>
    typeof value === "string" && ["content", "prompt", "message", "marker"].includes(key) ? [value] : words(value),
  );
}

const asked = {
  outcome: "ask",
  rule: "p/r",
  reason: "it leaves the machine",
  guidance: "Use the mirror.",
  answered: "rule",
  errors: [],
  matched: [{ rule: "p/r", outcome: "ask" }],
  changes: {},
} as unknown as Decision;

describe("a call that nobody can be asked about", () => {
  it("is told as one that waits, and nothing of it says that it is final", () => {
    expect(wordsUnasked(asked)).toBe(
      [
        "Blocked by hookwarden until a human approves (rule p/r, HW510): it leaves the machine",
        "Use the mirror.",
        "Nobody can be asked here: only a human lets it run, in a terminal of their own. Ask them, then repeat this exact call.",
      ].join("\n"),
    );
    expect(unaskedText(asked)).not.toMatch(/final|hookwarden approve|sha256/);
    expect(wordsOf({ ...asked, outcome: "block" } as Decision)).toMatch(/\nThis is final for this call/);
  });

  it("is refused so on Codex, which cannot ask", () => {
    const call = codex.read({
      hook_event_name: "PreToolUse",
      session_id: "s",
      turn_id: "1",
      model: "m",
      cwd: "/home/dev/app",
      tool_name: "Bash",
      tool_input: { command: "ls" },
    });
    if (call === "ignored" || "unreadable" in call) throw new Error("not a call");
    const { stdout } = codex.reply(call, asked, { skipPrompt: false });
    expect(stdout).toContain("until a human approves (rule p/r, HW510)");
    expect(stdout).not.toContain("final");
  });

  it("says why where the rule has no reason", () => {
    const { reason: _, ...bare } = asked;
    expect(unaskedText(bare as Decision)).toContain("HW510): a policy rule asks a human");
    expect(denialText({ ...bare, outcome: "block" } as Decision)).toContain("a policy rule forbids it");
  });
});

describe("a fault", () => {
  it("without a policy asks the human", () => {
    expect(faultText(noPolicy)).toBe(
      "Blocked by hookwarden (HW012): no policy was found\nask the human to run `hookwarden init` in this project, or to put a policy into ~/.config/hookwarden/",
    );
  });

  it("that nobody foresaw asks the human too", () => {
    expect(faultText(internalFault(new Error("x")))).toMatch(/HW506.*x\n.*ask the human to report this/);
  });
});
