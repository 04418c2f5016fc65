import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { execa } from "execa";
import { generatedFiles } from "./generate/files.ts";

/**
 * `npm run generate` writes every generated file; with `--check` it writes nothing, names the files that
 * are out of date and exits 1. Pages are made with modules that are generated too, so a process that writes a module starts
 * another one (`--again`), which reads it.
 */
const root = join(import.meta.dirname, "..");
const check = process.argv.includes("--check");
let stale = 0;
let wroteModule = false;

for (const [path, text] of await generatedFiles(root)) {
  const file = join(root, path);
  const current = await readFile(file, "utf8").catch(() => undefined);
  if (current === text) continue;
  stale += 1;
  console.log(`${check ? "out of date" : "written"}: ${path}`);
  if (check) continue;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  wroteModule ||= /\.[jt]s$/.test(path);
}

if (wroteModule && !process.argv.includes("--again"))
  await execa(process.execPath, [...process.execArgv, import.meta.filename, "--again"], { stdio: "inherit" });

if (check && stale > 0) {
  console.error("run `npm run generate`");
  process.exitCode = 1;
}
