import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ensureBuilt } from "../hosts/guard-files.ts";

const root = join(import.meta.dirname, "../..");

/** The files that a guide shows: fenced blocks whose first line names a file after the language. */
export function filesOfGuide(path: string): ReadonlyMap<string, string> {
  const blocks = readFileSync(join(root, path), "utf8").matchAll(/^```\w+ ([\w./-]+)\n([\s\S]*?)^```$/gm);
  return new Map([...blocks].map(([, name = "", text = ""]) => [name, text]));
}

/** A folder with some files and the built package, as somebody has it who followed a guide. */
export class GuideFolder {
  readonly path = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-guide-")));

  constructor(files: ReadonlyMap<string, string>) {
    ensureBuilt();
    mkdirSync(join(this.path, "node_modules"));
    symlinkSync(root, join(this.path, "node_modules/hookwarden"));
    for (const [name, text] of files) {
      mkdirSync(dirname(join(this.path, name)), { recursive: true });
      writeFileSync(join(this.path, name), text);
    }
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
