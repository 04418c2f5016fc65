import { createRequire } from "node:module";
import { join } from "node:path";
import { createRegexEngine } from "../facts/regex.ts";

/**
 * Says once which regex engine the tests run with. `HOOKWARDEN_TEST_REGEX=re2js` keeps the addon from every process of the
 * run, as on a machine that could not build it: the script engine then takes over.
 */
export default function chooseRegexEngine(): void {
  if (process.env["HOOKWARDEN_TEST_REGEX"] === "re2js") {
    const hide = join(import.meta.dirname, "hide-addon.cjs");
    process.env["NODE_OPTIONS"] = `${process.env["NODE_OPTIONS"] ?? ""} --require ${JSON.stringify(hide)}`.trim();
    createRequire(import.meta.url)(hide);
  }
  const { name, version } = createRegexEngine();
  console.log(`regex engine: ${name} ${version}`);
}
