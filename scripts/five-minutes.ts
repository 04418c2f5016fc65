import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { renew } from "./transcript/renew.ts";

/**
 * `tsx scripts/five-minutes.ts` carries out docs/guide/five-minutes.md with the built command, in a scratch folder and with a
 * scratch home, and writes what it prints now into the page; with `--check` it writes nothing, and exits with 1 when the
 * page says something else.
 */
const root = join(import.meta.dirname, "..");
const page = join(root, "docs", "guide", "five-minutes.md");
const command = join(root, "dist", "bin", "hookwarden.js");
const scratch = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-minutes-")));
const [folder, home] = [join(scratch, "shop"), join(scratch, "home")];
for (const each of [folder, home]) mkdirSync(each);
try {
  const before = readFileSync(page, "utf8");
  const after = await renew(before, folder, async (args, input) => {
    const env = { PATH: process.env["PATH"] ?? "", HOME: home, NO_COLOR: "1" };
    const options = {
      cwd: folder,
      env,
      encoding: "utf8",
      timeout: 120_000,
      ...(input !== undefined && { input }),
    } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args], options);
    return { code: status ?? 3, text: stdout + stderr };
  });
  if (after === before) console.log("docs/guide/five-minutes.md: up to date");
  else if (process.argv.includes("--check")) {
    console.error("docs/guide/five-minutes.md says something else; run `npx tsx scripts/five-minutes.ts`");
    process.exitCode = 1;
  } else {
    writeFileSync(page, after);
    console.log("docs/guide/five-minutes.md: written");
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
