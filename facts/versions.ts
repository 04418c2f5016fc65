import { urlClassesVersion } from "./network/classes.ts";
import { pathClassesVersion } from "./paths/classes.ts";
import { programsVersion } from "./programs/registry.ts";
import { detectorsVersion } from "./secrets/detectors.ts";
import { caseFoldingVersion } from "./tables/case-folding.ts";
import { confusablesVersion } from "./tables/confusables.ts";
import { idnaVersion } from "./tables/punycode.ts";
import { scriptsVersion } from "./tables/scripts.ts";
import { compositionVersion } from "./tables/settled.ts";
import { textTablesVersion } from "./text/facts.ts";

/**
 * The version of every table that facts depend on, by name. Plans and audit records contain the versions that they were checked
 * or judged with, so that a replay knows whether it uses the same tables.
 */
export const dataVersions: Readonly<Record<string, string>> = {
  shell: "1",
  programs: programsVersion,
  effects: "1",
  paths: pathClassesVersion,
  network: urlClassesVersion,
  secrets: detectorsVersion,
  text: textTablesVersion,
  case_folding: caseFoldingVersion,
  composition: compositionVersion,
  confusables: confusablesVersion,
  idna: idnaVersion,
  scripts: scriptsVersion,
};
