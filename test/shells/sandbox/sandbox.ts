import { spawn } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawnSync } from "../../bounded-process.ts";
import { buildImage } from "./image.ts";
import { refusal } from "./safe.ts";
import type { Shell } from "./shells.ts";

/** The observed result of one script, from the shell and from strace. */
export interface Ran {
  /** Name of its scratch folder: `/w/<name>`; it began in `p/q` within. */
  readonly name: string;
  /** Exit status; undefined if the batch ended before it. */
  readonly status: number | undefined;
  readonly errors: string;
}

/** The observed results of a batch of scripts. */
export interface RanBatch {
  readonly scripts: readonly Ran[];
  readonly trace: string;
}

const nobody = 65534;
const batchLimit = 600_000;

/**
 * A place for generated scripts: a root with the allowed programs alone and for reading only, an unprivileged user in
 * namespaces of its own (user, mount, process, network), scratch folders in memory, limits on time and size.
 */
export class Sandbox {
  private readonly folder: string;
  private batches = 0;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** Builds the sandbox. Throws an Error whose sentence says what this machine lacks and what to do. */
  static open(shells: readonly Shell[]): Sandbox {
    if (process.platform !== "linux")
      throw new Error("the shell harness needs Linux: it isolates scripts by namespaces and looks at them by strace");
    const folder = mkdtempSync(join(tmpdir(), "hookwarden-shells-"));
    const sandbox = new Sandbox(folder);
    try {
      chmodSync(folder, 0o755);
      buildImage(join(folder, "image"), shells);
      sandbox.requireNamespaces();
    } catch (error) {
      sandbox.close();
      throw error;
    }
    return sandbox;
  }

  private requireNamespaces(): void {
    const [program = "", ...args] = this.entering(["true"]);
    const { status, stderr, error } = spawnSync(program, args, { encoding: "utf8", timeout: 20_000 });
    if (status === 0) return;
    const why = error?.message ?? stderr.trim().slice(-300);
    throw new Error(
      `this machine lets no unprivileged user make namespaces, without which no generated script may run (${why}); ` +
        "allow them (sysctl kernel.unprivileged_userns_clone=1, in a container also its seccomp profile) and run this again",
    );
  }

  /** The command that runs something as nobody in new namespaces. */
  private entering(command: readonly string[]): readonly string[] {
    const drop =
      process.getuid?.() === 0 ? ["setpriv", `--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups", "--"] : [];
    const apart = [
      "unshare",
      "--user",
      "--map-root-user",
      "--mount",
      "--pid",
      "--net",
      "--ipc",
      "--uts",
      "--fork",
      "--kill-child",
    ];
    return [...drop, ...apart, ...command];
  }

  /** Runs scripts by one shell, one after the other, each in a fresh folder with the same files. Runs none if one is refused. */
  async run(shell: Shell, texts: readonly string[]): Promise<RanBatch> {
    for (const text of texts) {
      const why = refusal(text);
      if (why !== undefined) throw new Error(`a script may not run, because ${why}:\n${text}`);
    }
    const batch = join(this.folder, `batch${this.batches++}`);
    mkdirSync(join(batch, "in"), { recursive: true });
    mkdirSync(join(batch, "out"));
    try {
      if (process.getuid?.() === 0) chownSync(join(batch, "out"), nobody, nobody);
      const names = texts.map((_, i) => String(i).padStart(4, "0"));
      for (const [i, name] of names.entries()) writeFileSync(join(batch, "in", name), texts[i] ?? "");
      writeFileSync(join(batch, "shell"), `${shell.command.join("\n")}\n`);
      await this.enter(batch);
      const out = (name: string): string => {
        const file = join(batch, "out", name);
        return existsSync(file) ? readFileSync(file, "latin1") : "";
      };
      const scripts = names.map((name) => {
        const status = out(`${name}.status`).trim();
        return { name, status: status === "" ? undefined : Number(status), errors: out(`${name}.err`) };
      });
      return { scripts, trace: out("trace") };
    } finally {
      rmSync(batch, { recursive: true, force: true });
    }
  }

  private enter(batch: string): Promise<void> {
    const enter = readFileSync(join(import.meta.dirname, "enter.sh"), "utf8");
    const [program = "", ...args] = this.entering(["sh", "-c", enter, "enter.sh", join(this.folder, "image"), batch]);
    return new Promise((resolve, reject) => {
      const env = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" };
      const child = spawn(program, args, {
        env,
        stdio: ["ignore", "ignore", "pipe"],
        timeout: batchLimit,
        killSignal: "SIGKILL",
      });
      let errors = "";
      child.stderr.on("data", (chunk) => (errors += String(chunk)));
      child.on("error", reject);
      child.on("close", (status, signal) => {
        if (existsSync(join(batch, "out", "trace"))) resolve();
        else reject(new Error(`the sandbox could not be entered (${status ?? signal}): ${errors.trim().slice(-400)}`));
      });
    });
  }

  /** Removes what it made. */
  close(): void {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}
