import {
  existsSync,
  linkSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { locked } from "../../store/lock.ts";
import { execFileSync } from "../bounded-process.ts";

let folder: string;
let lock: string;
let owners: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hookwarden-owner-"));
  lock = join(folder, "a.lock");
  owners = join(folder, "owners");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const many = 20;
const names = () => (existsSync(owners) ? readdirSync(owners) : []);
const gone = (): string => execFileSync(process.execPath, ["-p", "process.pid"], { encoding: "utf8" }).trim();

/** Takes the lock often; gives what it said each time, and how many names it had. */
function often(times = many): { said: Set<string>; links: number[] } {
  const said = new Set<string>();
  const links: number[] = [];
  for (let n = 0; n < times; n++)
    locked(lock, () => {
      said.add(readFileSync(lock, "utf8"));
      links.push(statSync(lock).nlink);
    });
  return { said, links };
}

describe("a process that takes many locks of a folder", () => {
  it("makes a file for each at first, then gives one file a second name, and says the same of itself", () => {
    const { said, links } = often();
    expect([...said]).toEqual([expect.stringMatching(new RegExp(`^${process.pid} `))]);
    expect(links.slice(0, 8)).toEqual(Array(8).fill(1));
    expect(links.slice(8)).toEqual(Array(many - 8).fill(2));
    expect(existsSync(lock)).toBe(false);
    expect(names()).toHaveLength(1);
  });

  it("gives several locks of the folder at the same time", () => {
    often();
    const other = join(folder, "b.lock");
    expect(locked(lock, () => locked(other, () => [existsSync(lock), existsSync(other)]))).toEqual([true, true]);
    expect([existsSync(lock), existsSync(other)]).toEqual([false, false]);
  });

  it("waits for the lock of another, and takes over that of a process that is gone", () => {
    often();
    writeFileSync(lock, "1 another-machine\n");
    expect(() => locked(lock, () => "done", 50)).toThrow(/another-machine/);
    expect(readFileSync(lock, "utf8")).toBe("1 another-machine\n");
    writeFileSync(lock, `${gone()} ${hostname()}\n`);
    expect(locked(lock, () => "done")).toBe("done");
    expect(existsSync(lock)).toBe(false);
  });

  it("does not free a lock that somebody else has by then", () => {
    often();
    locked(lock, () => {
      rmSync(lock);
      writeFileSync(lock, "1 another-machine\n");
    });
    expect(readFileSync(lock, "utf8")).toBe("1 another-machine\n");
    // The file with its own name is what it was.
    expect(readFileSync(join(owners, names()[0] ?? ""), "utf8")).toMatch(new RegExp(`^${process.pid} `));
  });

  it("takes a lock that it made and was not told of, and none that it holds", () => {
    often();
    linkSync(join(owners, names()[0] ?? ""), lock);
    expect(locked(lock, () => "done", 50)).toBe("done");
    expect(existsSync(lock)).toBe(false);
    expect(() => locked(lock, () => locked(lock, () => "done", 50), 50)).toThrow(`${process.pid} `);
    expect(existsSync(lock)).toBe(false);
  });

  it("goes on when its file is removed, and makes another in time", () => {
    often();
    const [first] = names();
    rmSync(owners, { recursive: true });
    expect(often().links.at(-1)).toBe(2);
    expect(names()).toHaveLength(1);
    expect(names()).not.toEqual([first]);
  });

  it("makes a file for each where it cannot have one of its own", () => {
    writeFileSync(owners, "");
    expect(often().links).toEqual(Array(many).fill(1));
    expect(existsSync(lock)).toBe(false);
  });

  it("removes files of processes that are gone, and no others", () => {
    const { said } = often();
    const [own = ""] = names();
    const elsewhere = join(folder, "elsewhere");
    const left = {
      dead: `${gone()} ${hostname()}\n`,
      alive: [...said][0] ?? "",
      foreign: "1 another-machine\n",
      none: "",
    };
    const script = workerOf(join(folder, "worker.mjs"));
    for (const [name, text] of Object.entries(left)) writeFileSync(join(owners, name), text);
    utimesSync(join(owners, "none"), new Date(0), new Date(0));
    execFileSync(process.execPath, [script, lock, String(many), elsewhere]);
    // The other process has removed its own when it ended.
    expect(names().sort()).toEqual(["alive", "foreign", own].sort());
    expect(readFileSync(elsewhere, "utf8")).toBe("2");
  });

  it("leaves nothing behind where it was alone", () => {
    execFileSync(process.execPath, [workerOf(join(folder, "worker.mjs")), lock, String(many), join(folder, "said")]);
    expect(readdirSync(folder).sort()).toEqual(["said", "worker.mjs"]);
  });
});

/** A program that takes the lock named first that often, and says how many names it had at last. */
function workerOf(outfile: string): string {
  const contents = `
    import { statSync, writeFileSync } from "node:fs";
    import { locked } from "./store/lock.ts";
    const [lock, times, out] = process.argv.slice(2);
    for (let n = 0; n < Number(times); n++) locked(lock, () => writeFileSync(out, String(statSync(lock).nlink)));
  `;
  const resolveDir = join(import.meta.dirname, "..", "..");
  buildSync({
    stdin: { contents, resolveDir, loader: "ts" },
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "silent",
  });
  return outfile;
}
