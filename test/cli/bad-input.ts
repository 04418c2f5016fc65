import { mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { demoPolicy, type Ran, run, type Scratch } from "./run.ts";

/** A home and a project below a scratch folder; a command that is run here finds nothing of the machine's own. */
export class World {
  readonly #root: string;

  constructor(scratch: Scratch) {
    this.#root = scratch.path;
    for (const folder of ["home", "project"]) mkdirSync(join(this.#root, folder), { recursive: true });
  }

  path(name: string): string {
    return join(this.#root, "project", name);
  }

  put(name: string, content: string | Uint8Array): void {
    mkdirSync(dirname(this.path(name)), { recursive: true });
    writeFileSync(this.path(name), content);
  }

  run(args: readonly string[], stdin = ""): Promise<Ran> {
    const home = join(this.#root, "home");
    const env = { HOME: home, XDG_STATE_HOME: join(home, "state"), XDG_CONFIG_HOME: join(home, "config"), PATH: "" };
    return run(args, { cwd: join(this.#root, "project"), home, env, stdin, answer: "yes" });
  }

  /** Every file of home and project with its bytes, every link with where it leads. */
  snapshot(): ReadonlyMap<string, string> {
    const found = new Map<string, string>();
    const open = [this.#root];
    for (let folder = open.pop(); folder !== undefined; folder = open.pop())
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        const path = join(folder, entry.name);
        if (entry.isDirectory()) open.push(path);
        else if (entry.isSymbolicLink()) found.set(path, `-> ${readlinkSync(path)}`);
        else found.set(path, readFileSync(path, "latin1"));
      }
    return found;
  }
}

/** Something that is no usable file, put at a name of a world. */
export interface BadInput {
  readonly what: string;
  put(world: World, name: string): void;
}

const content = (what: string, bytes: string | Uint8Array): BadInput => ({
  what,
  put: (world, name) => world.put(name, bytes),
});

/** What is no file at all, or none that can be read; also for root, whom no permission stops. */
export const noFiles: readonly BadInput[] = [
  { what: "nothing", put: () => {} },
  { what: "a folder with nothing in it", put: (world, name) => mkdirSync(world.path(name), { recursive: true }) },
  {
    what: "a link to nowhere",
    put: (world, name) => {
      mkdirSync(dirname(world.path(name)), { recursive: true });
      symlinkSync("gone", world.path(name));
    },
  },
  {
    what: "a link to itself",
    put: (world, name) => {
      mkdirSync(dirname(world.path(name)), { recursive: true });
      symlinkSync(world.path(name), world.path(name));
    },
  },
  { what: "a file in place of its folder", put: (world, name) => world.put(dirname(name), "a file\n") },
];

/** What is no text. */
export const noTexts: readonly BadInput[] = [
  content("an empty file", ""),
  content("bytes that are no text", new Uint8Array([0xff, 0xfe, 0x00, 0x80, 0x41, 0x0a])),
  content("10 MB", new Uint8Array(10_485_760).fill(0x61)),
];

/** What begins as a policy and is none. */
export const noPolicies: readonly BadInput[] = [
  ...noFiles,
  ...noTexts,
  content("half of a policy", demoPolicy.slice(0, demoPolicy.indexOf("FORBIDDEN } }"))),
  content("a policy that ends in a quotation", `${demoPolicy}      more: ["touch`),
  content("a policy that is indented by tabs", demoPolicy.replaceAll("  ", "\t")),
  content("a policy with a tab in one line", demoPolicy.replace("    action", "\taction")),
  content("10 MB of a policy", demoPolicy + "# filling\n".repeat(1_048_576)),
  content("a policy with CRLF and an error", `${demoPolicy}rule: none\n`.replaceAll("\n", "\r\n")),
  content("a policy with a byte order mark and an error", `\ufeff${demoPolicy}rule: none\n`),
];

/** Spellings of a file that mean what the file means. */
export const alike: readonly (readonly [string, (text: string) => string])[] = [
  ["CRLF", (text) => text.replaceAll("\n", "\r\n")],
  ["a byte order mark", (text) => `\ufeff${text}`],
  ["both", (text) => `\ufeff${text.replaceAll("\n", "\r\n")}`],
];
