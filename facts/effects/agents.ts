import type { Environment } from "../../schema/judged-event.ts";
import { spend } from "../meter.ts";
import { isUnread } from "../paths/fixtures.ts";
import { placeOf } from "../paths/resolve.ts";
import { beneath } from "../paths/wiring.ts";
import type { Draft } from "../shell/draft.ts";
import type { Field } from "../shell/fields.ts";
import { codeOf, variablesIn } from "./code-settings.ts";
import { movesLater } from "./later-environment.ts";
import type { Sink } from "./sink.ts";

/** No variable of theirs has a longer name. */
const longestName = 128;

/** A host of agents as a program: which of its words disable our hooks, or give it other settings. */
interface AgentRow {
  /** Names of the programs, and the last parts of the names of their packages. */
  readonly names: string;
  /** Options, with or without a value, in addition to those of every host (`everywhere`). */
  readonly options?: RegExp;
  /** Values of an option, `option=value`, where others of it are harmless. */
  readonly values?: RegExp;
  /** Its first words that change the wiring. */
  readonly verbs?: RegExp;
  /** Variables, in addition to those that move any host. */
  readonly variables?: RegExp;
  /** Options that name the folder it works in. */
  readonly folder?: RegExp;
  /** True for a host that never calls a hook of ours. */
  readonly unhooked?: true;
}

/** Options of any host that remove hooks or name other settings. */
const everywhere =
  /^--?(?:(?:no|disable|without|skip|ignore)-?(?:all-?)?(?:hooks?|extensions?|plugins?|user-config|settings|config|rules|profile)|(?:hooks?|extensions?|plugins?)=(?:false|off|none|0)|settings?(?:-file|-dir|-sources)?|setting-sources|config-(?:dir|file|path)|user-data-dir|data-dir|home(?:-dir)?|agent-dir|profile-dir|hooks-dir|system-settings|dangerously[\w-]*|allow-dangerously[\w-]*|bare|pure|safe-mode|isolated|simple)$/;
const everyVerb =
  /^(?:hooks?|plugins?|extensions?|features?) (?:disable\S*|uninstall|remove|rm|unlink|off|delete|migrate)\b/;
const everyVariable =
  /^(?:APPDATA|LOCALAPPDATA|(?:\w{1,40}_)?(?:DISABLE|NO|SKIP)_(?:\w{1,40}_)?(?:HOOKS?|EXTENSIONS?|PLUGINS?))$/;

/** One row for each host; from their own `--help` and documentation. */
const rows: readonly AgentRow[] = [
  {
    names: "claude claude-code claude-agent-sdk",
    options: /^--(?:plugin-dir|plugin-url|agents-dir|mcp-config-only)$/,
    values: /^--permission-mode=bypassPermissions$/,
    verbs: /^config (?:set|add|remove|rm) .*(?:hook|env|permission|plugin|settings)/i,
    variables: /^CLAUDE_(?:CODE_)?(?:CONFIG|SIMPLE|MANAGED|SETTINGS|USE_NATIVE|ENV_FILE)\w*$/,
  },
  {
    names: "codex codex-cli",
    options: /^(?:-p|--profile|--profile-v2|--ignore-user-config|--ignore-rules|--yolo)$/,
    values:
      /^(?:-c|--config|--disable|--enable)=["']?.*(?:hook|features|profile|notify|projects|trust|config_file|experimental)/i,
    verbs: /^features (?:disable|enable) .*hook/i,
    variables: /^CODEX_(?:HOME|CONFIG\w*|MANAGED\w*|SQLITE_HOME)$/,
    folder: /^(?:-C|--cd|--add-dir)$/,
  },
  {
    names: "gemini gemini-cli qwen qwen-code",
    values: /^(?:-e|--extensions)=none$/,
    variables: /^(?:GEMINI|QWEN)_(?=\w*$)\w*(?:HOME|PATH|TRUST|DIR)/,
  },
  {
    names: "copilot github-copilot-cli",
    options: /^--(?:disable-builtin-mcps|no-custom-instructions)$/,
    variables: /^COPILOT_(?:HOME|CONFIG\w*|\w*DIR)$/,
  },
  {
    names: "opencode opencode-ai",
    options: /^--config$/,
    variables: /^OPENCODE_(?:CONFIG\w*|PURE|DISABLE\w*|TUI_CONFIG|PERMISSION)$/,
    folder: /^--dir$/,
  },
  {
    names: "pi pi-coding-agent omp oh-my-pi",
    options: /^(?:-ne|-e|--extension|--hook|--config|--no-builtin-tools|-nbt)$/,
    verbs: /^(?:remove|uninstall|disable|config)\b/,
    variables: /^(?:PI|OMP)_(?:CODING_AGENT_\w+|CONFIG\w*|\w*DIR|\w*HOME)$/,
  },
  {
    names: "cline",
    options: /^--(?:config|data-dir)$/,
    variables: /^CLINE_(?=\w*$)\w*(?:DIR|HOME|CONFIG)/,
    folder: /^(?:-c|--cwd)$/,
  },
  { names: "cursor-agent cursor-cli", options: /^--config$/, variables: /^CURSOR_(?=\w*$)\w*(?:DIR|HOME|CONFIG)/ },
  {
    names: "goose",
    options: /^--(?:no-profile|config)$/,
    variables: /^GOOSE_(?=\w*$)\w*(?:DIR|HOME|CONFIG|PATH|ROOT)/,
  },
  { names: "opta", options: /^--config$/, variables: /^OPTA_(?=\w*$)\w*(?:DIR|HOME|CONFIG)/ },
  {
    names: "aider aider-chat amp crush droid auggie openhands plandex codebuff kilocode kiro-cli kimi-cli mistral-vibe",
    unhooked: true,
  },
];

const byName: ReadonlyMap<string, AgentRow> = new Map(
  rows.flatMap((row) => row.names.split(" ").map((name) => [name, row] as const)),
);

/** Package of a host in a path, as its interpreter is given it. */
const packaged =
  /\/(?:@anthropic-ai\/(claude-code)|@openai\/(codex)|@google\/(gemini-cli)|@qwen-code\/(qwen-code)|@github\/(copilot)|(opencode-ai)|@(?:mariozechner|earendil-works|oh-my-pi)\/(pi-coding-agent)|(cline))\//;
const interpreters = /^(?:node|nodejs|bun|bun-node|deno-run|tsx)$/;

/** Wrappers behind which another user, root or machine has the home. */
const otherHomes: ReadonlySet<string> = new Set(
  "sudo doas su runuser run0 gosu su-exec setuidgid chroot arch-chroot schroot proot fakechroot unshare nsenter bwrap firejail docker podman nerdctl machinectl flatpak toolbox distrobox".split(
    " ",
  ),
);
const onlyAsking =
  /^(?:--?h(?:elp)?|--?v(?:ersion)?|-V|help|version|--list-\w+|doctor|completion|login|logout|update|upgrade)$/;
/** Words that configure a host without hooks, and start none. */
const settingVerb = /^(?:mcp|config|auth|models?|providers?|permissions?|threads?|logs?|dirs|schema)$/;
const assigning = /^(?:export|declare|typeset|readonly|set|setenv|unset)$/;

/**
 * Finds starts of agent hosts that would run without our hooks: with hooks removed, with other settings or another home, or
 * outside the folder of the session. Reported as settings: `agent <name> <why>`.
 */
export class AgentStarts {
  readonly #environment: Environment;
  /** Variables that the text has set for all later commands, with their values. */
  readonly #set = new Map<string, string>();
  /** The same for programs that code starts; by the interpreter. */
  readonly #code = new Map<string, ReadonlyMap<string, string>>();

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  see(draft: Draft, sink: Sink): void {
    spend(1);
    if (assigning.test(draft.program)) this.#assign(draft);
    const code = codeOf(draft);
    if (code !== "")
      this.#code.set(draft.program, new Map([...(this.#code.get(draft.program) ?? []), ...variablesIn(code)]));
    const found = agentOf(draft);
    if (!found) return;
    const { name, row, words } = found;
    spend(4 * words.length + draft.env.size + this.#set.size + draft.wrappers.length);
    if (words.length <= 2 && words.every((word) => onlyAsking.test(word.text))) return;
    if (row.unhooked && settingVerb.test(words[0]?.text ?? "")) return;
    const why = row.unhooked ? "without hooks" : this.#why(draft, row, words);
    if (why !== undefined) sink.config(`agent ${name} ${why}`);
  }

  #assign(draft: Draft): void {
    spend(draft.args.length);
    if (this.#set.size > 256) return;
    for (const { text } of draft.args) {
      const equals = text.indexOf("=");
      if (equals > 0) this.#set.set(text.slice(0, equals), text.slice(equals + 1));
      else if (draft.program === "unset") this.#set.set(text, "");
    }
  }

  #why(draft: Draft, row: AgentRow, words: readonly Field[]): string | undefined {
    const variable = this.#variable(draft, row);
    if (variable !== undefined) return `with ${variable}`;
    const wrapper = draft.wrappers.find((one) => otherHomes.has(one));
    if (wrapper !== undefined) return `behind ${wrapper}`;
    const verb = words
      .filter((word) => !word.text.startsWith("-"))
      .slice(0, 6)
      .map((word) => word.text.slice(0, 256))
      .join(" ");
    if (everyVerb.test(verb) || row.verbs?.test(verb) === true) return verb.slice(0, 80);
    return option(row, words) ?? this.#folder(draft, row, words);
  }

  #variable(draft: Draft, row: AgentRow): string | undefined {
    const coded = draft.wrappers.flatMap((wrapper) => [...(this.#code.get(wrapper) ?? [])]);
    spend(coded.length);
    const given = [...[...draft.env].map(([name, value]) => [name, value.text] as const), ...this.#set, ...coded];
    const own = (name: string, value: string): boolean =>
      (name === "HOME" || name === "USERPROFILE") && placeOf(value) === placeOf(this.#environment.home);
    return given.find(
      ([name, value]) =>
        name.length <= 128 &&
        !own(name, value) &&
        name !== "PATH" &&
        name !== "SHELL" &&
        (everyVariable.test(name) ||
          (name.length <= longestName && row.variables?.test(name) === true) ||
          movesLater(name, value)),
    )?.[0];
  }

  /** Returns why the host starts outside the session's folder, where the project's settings do not apply; otherwise undefined. */
  #folder(draft: Draft, row: AgentRow, words: readonly Field[]): string | undefined {
    const at = row.folder === undefined ? -1 : words.findIndex((word) => row.folder?.test(word.text) === true);
    if (at >= 0) return `in ${(words[at + 1]?.text ?? "").slice(0, 80)}`;
    const inline = words.find((word) => row.folder?.test(word.text.split("=")[0] ?? "") === true);
    if (inline) return `in ${inline.text.slice(0, 80)}`;
    const workspace = placeOf(this.#environment.workspace);
    if (workspace === "") return undefined;
    if (draft.cwd === "") return "in a folder that is not known";
    // The settings of a fixture are anyone's to write.
    if (isUnread(draft.cwd, this.#environment)) return `in ${draft.cwd.slice(0, 80)}`;
    return beneath(draft.cwd, workspace) === undefined && beneath(workspace, draft.cwd) === undefined
      ? `in ${draft.cwd.slice(0, 80)}`
      : undefined;
  }
}

/** Returns the option that changes how a host runs; an unknown word without quotes may be one. */
function option(row: AgentRow, words: readonly Field[]): string | undefined {
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as Field;
    if (word.text === "--" && word.kind === "literal") return undefined;
    if (word.kind === "unknown" && word.open && !word.text.startsWith("/")) return "with options that are not known";
    const text = word.text.slice(0, 1_024);
    if (!text.startsWith("-")) continue;
    const equals = text.indexOf("=");
    const name = equals < 0 ? text : text.slice(0, equals);
    const isShort = /^-[a-z]./.test(text) && equals !== 2;
    const pair = equals < 0 ? `${name}=${(words[i + 1]?.text ?? "").slice(0, 1_024)}` : text;
    const attached = isShort ? `${text.slice(0, 2)}=${text.slice(2)}` : pair;
    if (everywhere.test(name) || everywhere.test(text) || row.options?.test(name) === true) return `with ${name}`;
    if (row.values?.test(pair) === true || row.values?.test(attached) === true) return `with ${pair.slice(0, 80)}`;
  }
  return undefined;
}

function agentOf(draft: Draft): { name: string; row: AgentRow; words: readonly Field[] } | undefined {
  const row = byName.get(draft.program);
  if (row) return { name: draft.program, row, words: draft.args };
  if (!interpreters.test(draft.program)) return undefined;
  spend(draft.args.length);
  const at = draft.args.findIndex((word) => packaged.test(word.text.slice(0, 1_024)));
  const name = packaged
    .exec(draft.args[at]?.text.slice(0, 1_024) ?? "")
    ?.slice(1)
    .find((one) => one !== undefined);
  const found = name === undefined ? undefined : byName.get(name);
  return name !== undefined && found ? { name, row: found, words: draft.args.slice(at + 1) } : undefined;
}
