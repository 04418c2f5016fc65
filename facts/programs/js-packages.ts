import { literalField, rewritten, textOfField } from "../shell/fields.ts";
import { optionList } from "./grammar.ts";
import { canonicalManager } from "./managers.ts";
import { add, configures, globalGroup, runs, runsPackage, scriptsRun, unknownBelow } from "./package-effects.ts";
import { managerOptions } from "./package-runners.ts";
import { installOne } from "./package-sources.ts";
import { type Call, exactly, type Program, type Subcommand, subcommand } from "./program.ts";
import { publish } from "./publishing.ts";

/** `npm publish` and other commands that change a package for everyone; a folder or archive that is published is no name. */
function changesPackages(call: Call): void {
  const [first, ...rest] = call.operands;
  if (/^(?:ls|list|get|get-status)$/.test(first?.text ?? "")) return;
  const verb = packageVerbs.get(call.subcommand) ?? call.subcommand;
  const names =
    call.subcommand === "publish" ? [] : packageVerbs.has(call.subcommand) ? call.operands.slice(0, 1) : rest;
  publish(call, "npm", "registry.npmjs.org", verb, names.slice(0, 1));
}

const packageVerbs: ReadonlyMap<string, string> = new Map([
  ["publish", "publish"],
  ["unpublish", "delete"],
  ["deprecate", "deprecate"],
]);

/** `yarn npm publish` and similar commands: like `yarn publish`, one word later. */
function yarnPublishes(call: Call): void {
  const [verb] = call.operands;
  if (verb?.text === "publish") publish(call, "npm", "registry.npmjs.org", "publish", []);
  else runs(call);
}

/** `yarn workspace NAME add …`: like `yarn add`, behind the name of a package in the project. */
function addsToWorkspace(call: Call): void {
  const [, verb, ...packages] = call.operands;
  if (!verb || !/^(?:add|upgrade|up|install)$/.test(verb.text)) return unknownBelow(call);
  for (const word of packages) installOne(call, "yarn", word);
  scriptsRun(call, "yarn");
}

/** Options of a subcommand of one manager. */
function jsOptions(manager: string): readonly string[] {
  return [
    ...managerOptions(manager),
    ...optionList(`
      -g --global; -D --save-dev --dev; --ignore-scripts; --location=; -f --force; -P --save-prod; -E --save-exact; -O --save-optional;
      --frozen-lockfile; --no-audit; --no-fund; --legacy-peer-deps; --if-present
    `),
  ];
}

/** `yarn workspaces foreach -A add x`: a command in several packages of the project. */
function inWorkspaces(call: Call): void {
  const at = call.operands.findIndex((word) => /^(?:add|upgrade|up|install)$/.test(word.text));
  if (/^(?:list|info)$/.test(call.operands[0]?.text ?? "")) return;
  if (at < 0) return unknownBelow(call);
  for (const word of call.operands.slice(at + 1)) installOne(call, "yarn", word);
  scriptsRun(call, "yarn");
}

/** `npm create vite`: runs the package `create-vite`. An address stays as it is. */
function creates(call: Call): void {
  const [template] = call.operands;
  if (!template) return;
  const name = rewritten(template, (text) => {
    if (/[:]|^\.{0,2}\//.test(text)) return text;
    const [, scope = "", base = "", version = ""] = /^(@[^/]*\/?)?([^@]*)(@.*)?$/s.exec(text) ?? [];
    if (scope === "" && base.includes("/")) return text;
    if (scope !== "" && base === "") return `${scope.replace(/\/$/, "")}/create${version}`;
    return `${scope}create-${base}${version}`;
  });
  installOne(call, canonicalManager(call.program), name);
  call.to.run(textOfField(name));
  call.to.doubt("a package's program is run");
}

function jsManager(name: string): readonly Subcommand[] {
  const options = jsOptions(name);
  return [
    subcommand(
      "install i ci ic install-clean add a in ins inst isntall clean-install install-test it update up upgrade import link dedupe",
      options,
      add(name),
    ),
    subcommand("run run-script test t tst start stop restart build dev lint", options, runs),
    {
      names: ["exec", "x", "dlx"],
      // `npm` reads its own options wherever they are; the others leave those behind the name to the program.
      grammar: { options: [...managerOptions(name), ...runnerOptions], stop: name !== "npm" },
      effects: runsPackage,
    },
    subcommand("create init innit", [...managerOptions(name), ...runnerOptions], creates),
    subcommand(
      "publish unpublish deprecate dist-tag owner access",
      [...options, "--dry-run", "--tag="],
      changesPackages,
    ),
    ...(name === "yarn"
      ? [
          subcommand("npm", options, yarnPublishes),
          subcommand("workspace", options, addsToWorkspace),
          subcommand(
            "workspaces",
            [...options, ...optionList("--from=; --include=; --exclude=; -j --jobs=; -A --all")],
            inWorkspaces,
          ),
          globalGroup([subcommand("add upgrade", options, add("yarn")), subcommand("list bin dir remove", options)]),
        ]
      : []),
    subcommand("config c", options, configures),
    subcommand("set", options, (call) => {
      const [name] = call.operands;
      if (name) call.to.config(name.text.replace(/=.*$/s, ""), name.kind !== "unknown");
    }),
    subcommand(
      "ls list ll la view info show v outdated audit why explain version help search root prefix bin ping doctor fund pack query licenses",
      options,
    ),
    subcommand("uninstall remove rm un r unlink prune cache store", options, (call) =>
      call.to.write(literalField("node_modules", call.draft.place)),
    ),
  ];
}

const runnerOptions: readonly string[] = ["-y --yes", "-p --package=", "-c --call=", "--no", "--no-install"];

/** Managers of packages of JavaScript. Source: their manuals. */
export const jsPrograms: readonly Program[] = ["npm", "pnpm", "yarn", "bun"].map((name) =>
  exactly({
    names: [name],
    grammar: { options: [...managerOptions(name), "-g --global", "--package="], stop: true },
    subcommands: jsManager(name),
    effects: (call) => {
      if (call.subcommand !== "") return;
      if (call.operands.length === 0) {
        // Without a word, yarn installs what the project lists.
        if (name === "yarn" && !call.has("--version") && !call.has("-v")) add(name)(call);
        return;
      }
      call.to.run([name, ...call.operands.slice(0, 1).map((word) => word.text)].join(" "));
      call.to.doubt("what the package script does is not analysed");
    },
  }),
);
