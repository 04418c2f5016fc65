import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { executedPages, type Printed, renew } from "./transcript/renew.ts";

/**
 * `tsx scripts/five-minutes.ts` carries out the pages of docs/guide that are executed with the built command, each in a
 * scratch folder and with a scratch home, and writes what it prints now into the page; with `--check` it writes nothing, and
 * exits with 1 when a page says something else.
 */
const root = join(import.meta.dirname, "..");
const command = join(root, "dist", "bin", "hookwarden.js");
for (const name of executedPages) await renewPage(name);

async function renewPage(name: string): Promise<void> {
  const [page, shown] = [join(root, "docs", "guide", name), `docs/guide/${name}`];
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-minutes-")));
  const [folder, home] = [join(scratch, "shop"), join(scratch, "home")];
  for (const each of [folder, home]) mkdirSync(each);
  try {
    const before = readFileSync(page, "utf8");
    const after = await renew(before, folder, async (args, input) => runCommand(args, input, folder, home));
    if (after === before) console.log(`${shown}: up to date`);
    else if (process.argv.includes("--check")) {
      console.error(`${shown} says something else; run \`npx tsx scripts/five-minutes.ts\``);
      process.exitCode = 1;
    } else {
      writeFileSync(page, after);
      console.log(`${shown}: written`);
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function runCommand(args: readonly string[], input: string | undefined, folder: string, home: string): Printed {
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args], {
    cwd: folder,
    env: { PATH: process.env["PATH"] ?? "", HOME: home, NO_COLOR: "1" },
    encoding: "utf8",
    timeout: 120_000,
    ...(input !== undefined && { input }),
  });
  return { code: status ?? 3, text: stdout + stderr };
}
