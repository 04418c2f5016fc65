import { existsSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { fileDiagnostic, readPolicyFile } from "../../store/policy-file.ts";
import { type CheckConfig, configPath, type ReadConfig, readConfig } from "./config.ts";

/**
 * The configurations of a check, each file read once. With `given`, that file applies to every policy. Otherwise a policy
 * has the nearest `.hookwarden/check.yaml` at or above its folder, up to the root of the repository.
 */
export class CheckConfigs {
  readonly #given: string | undefined;
  readonly #cwd: string;
  readonly #read = new Map<string, ReadConfig>();
  readonly #nearest = new Map<string, string | undefined>();
  readonly #missing: Diagnostic[] = [];

  constructor(cwd: string, given?: string) {
    this.#cwd = cwd;
    this.#given = given;
    if (given !== undefined) this.#load(resolve(cwd, given), given);
  }

  /** Returns the configuration for a policy file (or, without one, for the working directory); undefined if there is none. */
  for(path?: string): CheckConfig | undefined {
    if (this.#given !== undefined) return this.#read.get(resolve(this.#cwd, this.#given))?.config;
    const found = this.#find(path === undefined ? this.#cwd : dirname(path));
    return found === undefined ? undefined : this.#load(found, found)?.config;
  }

  /** Faults of the requested configurations. */
  get diagnostics(): readonly Diagnostic[] {
    return [...this.#missing, ...[...this.#read.values()].flatMap(({ diagnostics }) => diagnostics)];
  }

  /** Sources of configurations by name, for rendering. */
  get sources(): ReadonlyMap<string, ReadConfig["source"]> {
    return new Map([...this.#read.values()].map(({ source }) => [source.name, source]));
  }

  #load(path: string, name: string): ReadConfig | undefined {
    const known = this.#read.get(path);
    if (known) return known;
    if (isFolder(path)) {
      this.#missing.push(fileDiagnostic("HW001", name, `\`${name}\` is a folder`, "name the file itself"));
      return undefined;
    }
    const file = readPolicyFile(path, name);
    if (!("bytes" in file)) {
      this.#missing.push(file);
      return undefined;
    }
    const read = readConfig(name, path, file.bytes);
    this.#read.set(path, read);
    return read;
  }

  #find(folder: string): string | undefined {
    if (this.#nearest.has(folder)) return this.#nearest.get(folder);
    const own = join(folder, configPath);
    const above = dirname(folder);
    const found = existsSync(own)
      ? own
      : above === folder || existsSync(join(folder, ".git"))
        ? undefined
        : this.#find(above);
    this.#nearest.set(folder, found);
    return found;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    // Reading it reports the reason.
    return false;
  }
}
