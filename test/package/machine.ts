import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawnSync } from "../bounded-process.ts";
import { root } from "./packed.ts";

/** Output of a program, and how it ended. */
export interface Said {
  readonly code: number | null;
  readonly text: string;
}

/** Programs that npm needs besides Node; no compiler, no make and no Python. */
const programs =
  "sh bash env uname cat sed dirname basename mkdir rm cp mv ls tar gzip chmod touch git readlink getconf ldd";

/** A scratch machine of one user: an empty home, an empty project, a prefix of npm, and programs without a compiler. */
export class Machine {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-machine-")));
  readonly home = this.#folder("home");
  readonly project = this.#folder("shop");
  /** Where `npm install --global` puts packages. */
  readonly prefix = this.#folder("prefix");
  readonly #bin = this.#folder("bin");

  constructor() {
    this.#folder("tmp");
    linkPrograms(this.#bin);
  }

  #folder(name: string): string {
    mkdirSync(join(this.root, name), { recursive: true });
    return join(this.root, name);
  }

  /** Variables of this machine; nothing of the real one but where packages come from, and what is kept of them. */
  get variables(): Readonly<Record<string, string>> {
    const told = (key: string): string =>
      spawnSync("npm", ["config", "get", key], { cwd: root, encoding: "utf8" }).stdout.trim();
    const passed = Object.entries(process.env).filter(([name]) =>
      /^(?:https?_proxy|no_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE)$/i.test(name),
    );
    return {
      ...(Object.fromEntries(passed) as Record<string, string>),
      PATH: `${join(this.prefix, "bin")}:${this.#bin}`,
      HOME: this.home,
      TMPDIR: join(this.root, "tmp"),
      npm_config_prefix: this.prefix,
      npm_config_registry: told("registry"),
      npm_config_cache: told("cache"),
      npm_config_logs_dir: join(this.root, "tmp"),
      npm_config_prefer_offline: "true",
      npm_config_update_notifier: "false",
    };
  }

  /** Runs a program to its end. */
  run(cwd: string, command: readonly string[], more: Readonly<Record<string, string>> = {}): Said {
    const [program = "", ...args] = command;
    const env = { ...this.variables, ...more };
    const options = { cwd, env, encoding: "utf8", timeout: 600_000 } as const;
    const { status, stdout, stderr, error } = spawnSync(program, args, options);
    return { code: status, text: `${stdout ?? ""}${stderr ?? ""}${error?.message ?? ""}` };
  }

  /** Runs `hookwarden` as it was installed, in the project. */
  hookwarden(...args: readonly string[]): Said {
    return this.run(this.project, ["hookwarden", ...args], { NO_COLOR: "1" });
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Fills a folder with links to Node, npm, what npm needs of a system, and more; there is no compiler among them. */
export function linkPrograms(bin: string, more: readonly string[] = []): void {
  mkdirSync(bin, { recursive: true });
  symlinkSync(process.execPath, join(bin, "node"));
  const compilers = ["python3", "python", "gcc", "g++", "cc", "c++", "make"];
  for (const name of new Set(["npm", ...programs.split(" "), ...more])) {
    if (compilers.includes(name)) throw new Error(`${name} has no place on the PATH of a scratch machine`);
    const found = ["/usr/bin", "/bin", join(process.execPath, "..")].map((folder) => join(folder, name));
    const real = found.find((path) => existsSync(path));
    if (real !== undefined) symlinkSync(realpathSync(real), join(bin, name));
  }
}

/** Bytes of all files below a folder; links count as nothing. */
export function bytesBelow(folder: string): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sum + bytesBelow(path);
    return entry.isFile() ? sum + statSync(path).size : sum;
  }, 0);
}

/** Files of a clone, by path: every one that git tracks or would track. */
export function filesOfClone(): readonly string[] {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const { stdout } = spawnSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 67_108_864 });
  return stdout.split("\0").filter((path) => path !== "" && existsSync(join(root, path)));
}
