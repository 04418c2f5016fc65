import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { limits } from "../../schema/limits.ts";
import { userHome } from "../../store/user-home.ts";
import { repeatedKey } from "../install/jsonc.ts";
import { readRegularFile } from "../regular-file.ts";
import { compileHooks, type HookScope, mergeHooks, type ScopedHook } from "./compiled.ts";
import { type HookDefinition, OptaConfigError, OptaConfigSchema, unknownFields } from "./config.ts";
import { HookManager, type HookManagerOptions } from "./manager.ts";

/** A configuration file or plugin manifest that the loader found. */
export interface OptaFile {
  readonly path: string;
  readonly scope: HookScope;
  /** `sha256:…` of its bytes. */
  readonly digest: string;
}

/** A finding about a file for a human. An `error` closes the events that hooks guard until it is fixed. */
export interface OptaFinding {
  readonly severity: "error" | "warning";
  readonly path: string;
  /** JSON Pointer into the file. */
  readonly at: string;
  readonly message: string;
  readonly help: string;
}

/** Options of `loadOptaHooks`: the places to search, and whom to trust. */
export interface LoadOptions extends HookManagerOptions {
  /** Folder of the project; the process's working folder by default. */
  readonly project?: string;
  /** Home folder of the user. */
  readonly home?: string;
  /** Manifests of plugins that the host has loaded, besides those in the two plugin folders. */
  readonly manifests?: readonly string[];
  /** True if the hooks of a project may run. They come with a repository, hence from anyone; by default they run, as in Opta. */
  trusted?(file: OptaFile): boolean;
}

/** Result of `loadOptaHooks`, with a manager of all hooks. */
export interface LoadedHooks {
  readonly manager: HookManager;
  readonly hooks: readonly ScopedHook[];
  readonly files: readonly OptaFile[];
  readonly findings: readonly OptaFinding[];
}

/**
 * Loads the hooks of `~/.config/opta/config.json`, `.opta/config.json` and, last, of plugins. A plugin is a `manifest.json`
 * in a folder of `~/.config/opta/plugins/` or `.opta/plugins/`; its `hooks` have the form of a configuration's. A hook in
 * two of them runs once. A file that exists but cannot be used closes calls and prompts, with the reason. Never throws.
 */
export function loadOptaHooks(options: LoadOptions = {}): LoadedHooks {
  const { project = process.cwd(), home = userHome(), manifests = [], trusted = () => true, ...ports } = options;
  const reader = new Reader(trusted);
  const own = join(home, ".config", "opta");
  const local = join(project, ".opta");
  const user = reader.read(join(own, "config.json"), "user");
  // Only the user decides which of the machine's variables hooks may see.
  const pass = [...(ports.pass ?? []), ...reader.passed];
  const shared = reader.read(join(local, "config.json"), "project");
  const plugins = [
    ...reader.plugins(join(own, "plugins"), false),
    ...manifests.map((path) => reader.read(path, "plugin")),
    ...reader.plugins(join(local, "plugins"), true),
  ];
  const hooks = mergeHooks(user, shared, ...plugins);
  const { files, findings } = reader;
  const wrong = findings.find(({ severity }) => severity === "error");
  const manager = wrong
    ? HookManager.closed(`the hooks do not load: ${wrong.path}${wrong.at}: ${wrong.message}; ${wrong.help}`)
    : HookManager.of(hooks, { ...ports, pass });
  return { manager, hooks, files, findings };
}

class Reader {
  readonly files: OptaFile[] = [];
  readonly findings: OptaFinding[] = [];
  /** Variables that the user's own configuration passes on. */
  readonly passed: string[] = [];
  readonly #trusted: (file: OptaFile) => boolean;

  constructor(trusted: (file: OptaFile) => boolean) {
    this.#trusted = trusted;
  }

  /** Reads the hooks of the plugins in a folder, sorted by name. */
  plugins(folder: string, local: boolean): ScopedHook[][] {
    let names: string[];
    try {
      names = readdirSync(folder).sort();
    } catch {
      return [];
    }
    return names.map((name) => this.read(join(folder, name, "manifest.json"), "plugin", local));
  }

  /** Returns the hooks of one file; none if there is no file. */
  read(path: string, scope: HookScope, local = scope === "project"): ScopedHook[] {
    const bytes = this.#bytes(path);
    if (bytes === undefined) return [];
    const digest = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
    const file: OptaFile = { path, scope, digest };
    this.files.push(file);
    const config = this.#parsed(path, bytes);
    if (config === undefined) return [];
    const root = scope === "plugin" ? { root: dirname(path) } : {};
    try {
      const { hooks, passEnv = [] } = OptaConfigSchema.parse(config);
      if (scope === "user") this.passed.push(...passEnv);
      else if (passEnv.length > 0)
        this.#find("warning", path, "/passEnv", "only the user's own configuration passes variables", "put it there");
      const scoped = hooks.map((definition): ScopedHook => ({ definition, scope, ...root }));
      compileHooks(scoped);
      this.#unread(path, (config as { hooks?: object[] }).hooks ?? []);
      this.#idle(path, hooks);
      if (scoped.length === 0 || !local || this.#trusted(file)) return scoped;
      this.#find("warning", path, "", "the hooks of this project are not trusted and do not run", "trust them first");
    } catch (error) {
      this.#refused(path, error);
    }
    return [];
  }

  #bytes(path: string): Buffer | undefined {
    const file = readRegularFile(path, limits.policyBytes);
    if (file === "absent") return undefined;
    if (file === "no file")
      this.#find("error", path, "", "it is no regular file", "put a file in its place, or remove it");
    else if (file === "too large") this.#find("error", path, "", "the file is too large", "keep it below 1 MiB");
    else if (!("system" in file)) return Buffer.from(file.bytes);
    else if (file.system !== "ENOTDIR")
      this.#find("error", path, "", `the file cannot be read (${file.system})`, "make it readable, or remove it");
    return undefined;
  }

  #parsed(path: string, bytes: Buffer): unknown {
    try {
      const text = bytes.toString("utf8").replace(/^\ufeff/, "");
      const value: unknown = JSON.parse(text);
      const repeated = repeatedKey(text);
      if (repeated === undefined) return value;
      const message = `\`${repeated}\` stands twice, and one of them would be left out`;
      this.#find("error", path, "", message, "make one of the two");
    } catch {
      this.#find("error", path, "", "the file is not JSON", "correct it, or remove it");
    }
    return undefined;
  }

  #refused(path: string, error: unknown): void {
    const help = "correct the hook, or remove it";
    if (error instanceof OptaConfigError)
      for (const { path: at, message } of error.issues) this.#find("error", path, at, message, help);
    else this.#find("error", path, "", error instanceof Error ? error.message : String(error), help);
  }

  #unread(path: string, hooks: readonly object[]): void {
    for (const [i, hook] of hooks.entries())
      for (const name of unknownFields(hook))
        this.#find("warning", path, `/hooks/${i}`, `\`${name}\` is no field of a hook`, "check its spelling");
  }

  /** Reports hooks that fit the schema but do less than they seem to. */
  #idle(path: string, hooks: readonly HookDefinition[]): void {
    for (const [i, { command, event, matcher }] of hooks.entries()) {
      if (command?.trim() === "")
        this.#find(
          "warning",
          path,
          `/hooks/${i}/command`,
          "the command is empty and lets everything pass",
          "give it one",
        );
      if (matcher !== undefined && event !== "tool.pre" && event !== "tool.post")
        this.#find("warning", path, `/hooks/${i}/matcher`, `\`${event}\` has no tool to match`, "remove the matcher");
    }
  }

  #find(severity: OptaFinding["severity"], path: string, at: string, message: string, help: string): void {
    this.findings.push({ severity, path, at, message, help });
  }
}
