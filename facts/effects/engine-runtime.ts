import type { Environment } from "../../schema/judged-event.ts";
import { spend } from "../meter.ts";
import { pathClass } from "../paths/classes.ts";
import { unknownFolder } from "../paths/resolve.ts";
import type { Draft } from "../shell/draft.ts";
import type { Field } from "../shell/fields.ts";
import type { Sink } from "./sink.ts";

/**
 * Version managers of Node by name: the words that remove a version, and a pattern of places whose path tells the version.
 * Source: their own documentation. As texts, since few commands are one of these.
 */
const managers: Readonly<Record<string, readonly [verbs: string, place: string]>> = {
  nvm: ["uninstall unload deactivate", "/versions/node/VERSION/|/nvm/VERSION/"],
  fnm: ["uninstall", "/(?:fnm|\\.fnm)/node-versions/VERSION/"],
  n: ["rm - prune uninstall", "/n/versions/node/VERSION/|/n/bin/node$"],
  volta: ["uninstall", "/(?:\\.volta|volta)/tools/image/node/VERSION/"],
  mise: ["uninstall remove rm prune implode", "/(?:mise|\\.mise|rtx)/installs/node(?:js)?/VERSION/"],
  rtx: ["uninstall remove rm prune implode", "/(?:mise|\\.mise|rtx)/installs/node(?:js)?/VERSION/"],
  asdf: ["uninstall plugin", "/\\.?asdf[^/]*/installs/nodejs/VERSION/"],
  nodenv: ["uninstall", "/\\.?nodenv/versions/VERSION/"],
  nodebrew: ["uninstall", "/\\.nodebrew/(?:node|current)/VERSION/"],
  nvs: ["rm remove unlink", "/\\.?nvs/node/VERSION/"],
  pnpm: ["env", "/pnpm/nodejs/VERSION/"],
  brew: ["uninstall remove rm unlink", "/Cellar/node(?:@\\d+)?/VERSION/|/homebrew/bin/node$|/opt/node(?:@\\d+)?/"],
  port: ["uninstall deactivate", "/opt/local/bin/node$"],
  conda: ["uninstall remove", "/(?:ana|mini|mamba|micromamba|conda)[^/]*/.*bin/node$"],
  "nix-env": ["-e --uninstall", "/\\.nix-profile/|/nix/store/.*nodejs"],
};

const version = String.raw`v?(\d[\w.-]*)`;

/** Subcommands of git that change files of the working tree without naming them. */
const treeChanges: ReadonlySet<string> = new Set(
  "checkout switch restore reset clean pull merge rebase stash apply am rm mv revert cherry-pick bisect read-tree checkout-index sparse-checkout".split(
    " ",
  ),
);

/**
 * Reports effects that remove the engine's Node or files without naming them: uninstalls by the version manager of the Node that
 * hosts use, and git in a folder of the engine. Reported as settings: `engine uninstall …`, `engine git …`.
 */
export function reportRuntime(draft: Draft, environment: Environment, sink: Sink): void {
  const { engine } = environment;
  if (engine === undefined || engine.length === 0) return;
  spend(1);
  if (draft.program === "git") changedByGit(draft, environment, sink);
  const row = Object.hasOwn(managers, draft.program) ? managers[draft.program] : undefined;
  if (!row) return;
  const verbs = row[0].split(" ");
  const verb = draft.args.findIndex((word) => verbs.includes(word.text));
  spend(draft.args.length);
  if (verb < 0) return;
  const named = draft.args.slice(verb + 1);
  const holds = new RegExp(row[1].replace("VERSION", version), "i");
  for (const place of engine) {
    spend(2 + named.length + (place.length >> 4));
    const found = holds.exec(place);
    if (
      !found ||
      !takes(
        named,
        found.slice(1).find((group) => group !== undefined),
      )
    )
      continue;
    sink.config(`engine uninstall ${draft.program} ${named.map((word) => word.text).join(" ")}`.trim());
    return;
  }
}

/** True if the words name this version, by a part of it, or say nothing of versions: an alias, all of them, a word not known. */
function takes(named: readonly Field[], installed: string | undefined): boolean {
  if (installed === undefined) return true;
  const versions = named
    .filter((word) => word.kind === "literal")
    .map((word) => /^(?:node(?:js)?@)?v?(\d[\d.]*)/i.exec(word.text)?.[1])
    .filter((one) => one !== undefined);
  if (versions.length === 0) return named.length === 0 || named.some((word) => !isOther(word));
  return versions.some((one) => installed === one || installed.startsWith(`${one.replace(/\.$/, "")}.`));
}

/** True for a tool of another name: `mise uninstall python@3.12`. */
function isOther(word: Field): boolean {
  return (
    word.kind === "literal" &&
    /^[a-z][\w-]*(?:@.*)?$/is.test(word.text) &&
    !/^(?:node|nodejs|all|lts|latest|current|stable|system|default|env|add|remove|rm)(?:@|\/|$)/i.test(word.text)
  );
}

function changedByGit(draft: Draft, environment: Environment, sink: Sink): void {
  spend(2 * draft.args.length);
  const verb = draft.args.find((word) => treeChanges.has(word.text));
  if (!verb) return;
  const at = draft.args.findIndex((word) => /^(?:-C|--work-tree)$/.test(word.text));
  const inline = draft.args.find((word) => word.text.startsWith("--work-tree="))?.text.slice(12);
  const given = inline ?? draft.env.get("GIT_WORK_TREE")?.text ?? (at < 0 ? undefined : draft.args[at + 1]?.text);
  const folder = sink.resolve(given ?? ".", draft.cwd === "" ? unknownFolder : draft.cwd, false);
  if (pathClass("engine_place", folder, environment, "any")) sink.config(`engine git ${verb.text}`);
}
