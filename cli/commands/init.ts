import { basename, join, relative, resolve } from "node:path";
import { packGroups, packListText } from "../../authoring/new/pack-list.ts";
import { idOf, type NewPolicy, policyText, suiteText } from "../../authoring/new/policy-text.ts";
import { editorSchemas } from "../../authoring/new/schemas.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { didYouMean } from "../../diagnostics/suggest.ts";
import { discoverRoots } from "../../store/discover.ts";
import { packNames } from "../../store/packs.ts";
import { fileDiagnostic } from "../../store/policy-file.ts";
import { homeOf, knownInstaller } from "../host-wiring.ts";
import { exit, type Io } from "../io.ts";
import { writeNewFiles } from "../new-files.ts";
import { prettyDiagnostics } from "../report/pretty.ts";
import { install } from "./install.ts";

/** Options of `init`. */
export interface InitOptions {
  /** Host to wire hookwarden into, as `install` does. */
  readonly host?: string;
  /** Packs to import: `pack` as single names, `packs` as one list with commas; none with `--no-packs`. */
  readonly pack?: readonly string[];
  readonly packs?: string | false;
  /** List the packs, and write nothing. */
  readonly list?: boolean;
  /** Ask nothing. */
  readonly yes?: boolean;
}

/** Packs that suit everyone, and take effect in a project before a human trusts its policy. */
const offered = ["shell-safety", "secrets"] as const;

/**
 * `init`: writes a first policy with a rule, examples, a suite and the schemas for editors, into `.hookwarden` here. Shows
 * the packs of the installed package and asks which to import, if there is a terminal and no option decides. It changes no
 * existing file: if one is in the way, it writes nothing and returns 2.
 */
export async function init(options: InitOptions, io: Io): Promise<number> {
  if (options.list) {
    await io.out(packListText(packGroups()));
    return exit.fine;
  }
  const installer = options.host === undefined ? undefined : knownInstaller(options.host, io);
  if (options.host !== undefined && !installer) return exit.unusable;
  const packs = await packsFor(options, io);
  const unknown = packs.filter((pack) => !packNames().includes(pack));
  if (unknown.length > 0) return refuse(unknown.map(noPack), io);
  const folder = join(io.cwd, ".hookwarden");
  const { references, copies } = editorSchemas(folder);
  const rule = { id: "generated-files", kind: "file" } as const;
  const policy: NewPolicy = { id: idOf(basename(io.cwd)), packs, rule, schemas: references };
  const texts = new Map([
    ["policy.yaml", policyText(policy)],
    ["policy.test.yaml", suiteText(policy, "policy.yaml")],
  ]);
  const known = policyThere(folder, io.cwd);
  if (known !== undefined) return refuse([known], io);
  const faults = writeNewFiles(folder, ".hookwarden", texts, "move it away, and run this again; nothing was written");
  if (faults.length > 0) return refuse(faults, io);
  // Existing schemas stay unchanged.
  const copied = [...copies].filter((copy) => writeNewFiles(folder, ".hookwarden", new Map([copy]), "").length === 0);
  const written = [...texts.keys(), ...copied.map(([name]) => name)];
  await io.out(written.map((name) => `.hookwarden/${name} written\n`).join(""));
  const wired = options.host === undefined ? exit.fine : await install(options.host, {}, io);
  if (wired !== exit.fine) return wired;
  await io.out(`\n${summary(options.host, packs, io)}${nextSteps(options.host, packs)}`);
  return exit.fine;
}

/** Returns the finding for a policy that is in the folder already; `new policy` adds a second one. */
function policyThere(folder: string, cwd: string): Diagnostic | undefined {
  const [first] = discoverRoots({ project: folder }, cwd).files;
  // A file with the folder's own name is found too, and is no place for a policy of this project.
  if (!first || first.path === folder) return undefined;
  const name = relative(cwd, first.name);
  const rest = name === join(".hookwarden", "policy.yaml") ? "" : ` --policy ${name}`;
  const help = `add to it with \`hookwarden new rule <id>${rest}\`; nothing was written`;
  return fileDiagnostic("HW702", name, `\`${name}\` is there already`, help);
}

/** Summary of the policy, and of its effect so far, which is none. */
function summary(host: string | undefined, packs: readonly string[], io: Io): string {
  const imports = packs.length === 0 ? "it imports no pack" : `it imports ${listed(packs)}`;
  const lines = [
    `The policy has one rule of its own, and ${imports}.`,
    host === undefined
      ? "Nothing is enforced yet: no agent asks hookwarden before you run `hookwarden install <host>`."
      : `${host} asks hookwarden from its next start on.`,
    ...(isHome(io)
      ? [
          "This is your home folder: the policy holds for agents that start here. For every project write `~/.config/hookwarden/`.",
        ]
      : []),
  ];
  return `${lines.join("\n")}\n`;
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

function isHome(io: Io): boolean {
  return resolve(io.cwd) === resolve(homeOf(io));
}

function nextSteps(host: string | undefined, packs: readonly string[]): string {
  const all = offered as readonly string[];
  const steps = [
    "next:",
    "  hookwarden check             checks types, lints and examples",
    "  hookwarden test              runs the suite",
    ...(host === undefined ? ["  hookwarden install <host>    lets an agent's host ask hookwarden"] : []),
    `  ${`hookwarden doctor ${host ?? "<host>"}`.padEnd(28)} proves that a block blocks`,
    "later:",
    "  hookwarden new rule <id>     adds a rule",
    ...(packs.every((pack) => all.includes(pack))
      ? []
      : ["  hookwarden trust             lets these packs do more than block and ask"]),
  ];
  return `${steps.join("\n")}\n`;
}

/** Returns the packs of the options, or else of the human's answer; an empty line takes all offered packs. */
async function packsFor({ pack, packs, yes }: InitOptions, io: Io): Promise<readonly string[]> {
  if (packs === false) return [];
  if (pack !== undefined || packs !== undefined) return namesIn([...(pack ?? []), packs ?? ""]);
  if (yes === true || !io.ask) return offered;
  await io.out(`${packListText(packGroups())}\n`);
  const answer = (await io.ask(`packs to import, or none [${offered.join(" ")}] `)).trim();
  if (answer === "") return offered;
  return answer === "none" ? [] : namesIn([answer]);
}

/** Returns the names in their order, each once, with any separator. */
function namesIn(texts: readonly string[]): string[] {
  const names = texts.flatMap((text) => text.split(/[\s,]+/)).map((name) => name.replace(/^pack:/, ""));
  return [...new Set(names.filter((name) => name !== ""))];
}

function noPack(pack: string): Diagnostic {
  return fileDiagnostic("HW701", pack, `there is no pack \`${pack}\``, didYouMean(pack, packNames()));
}

function refuse(diagnostics: readonly Diagnostic[], io: Io): number {
  io.err(prettyDiagnostics(diagnostics, new Map(), io.color));
  return exit.unusable;
}
