import { allTexts, anyText, type Hole, type Pieces, patternText, type Text } from "../../schema/approximation.ts";
import { type Field, mayBeMore, piecesOf, shapeOf, textOfField, wordShown } from "../shell/fields.ts";
import { skipsHooks } from "./git-history.ts";
import { at, here, namesRepository } from "./git-pathspec.ts";
import type { Call } from "./program.ts";

/**
 * `git push`: one effect per refspec. The destination branch is the part after the colon; for `HEAD`, or without a refspec, it is
 * the current branch. `--all`, `--mirror`, `:` and refspecs with `*` mean every matching branch. A push with a lease is also
 * forced; conditions distinguish it by the option. Source: git-push(1); threats page, class 1 and 18.
 */
export function push(call: Call): void {
  pushed(call, undefined);
}

/** `git send-pack`, which `push` runs over SSH: without a refspec it pushes every branch that both sides have. */
export function sendPack(call: Call): void {
  pushed(call, call.has("--stdin") ? anyText("--stdin") : allTexts([[tail("matching branches")]]));
}

/** Reports a push. `otherwise` names the branch where neither a refspec nor an option does; undefined means the current branch. */
function pushed(call: Call, otherwise: Text | undefined): void {
  if (call.has("--dry-run")) return;
  const repository = call.value("--repo");
  const [first, ...rest] = repository && call.operands.length === 0 ? [repository] : call.operands;
  const remote = first?.text ?? "";
  const given = first ? textOfField(first) : "";
  const forced = ["--force", "--force-with-lease", "--force-if-includes"].some((name) => call.has(name));
  const mirror = call.has("--mirror") || isMirrorBySetting(call, remote);
  const base = {
    remote: given,
    mirror,
    certain: (first?.kind ?? "literal") === "literal",
    folder: call.value("-C") && at(call, here(call)),
  };
  const named = refspecsOf(rest);
  const isBare = named.length === 0 && !mirror && !withoutRefspec(call);
  const refspecs = isBare ? refspecsOfSettings(call, remote) : named;
  const current = mayNameRefspecs(call.operands) ?? (isElsewhere(call) ? anyText("current branch") : undefined);
  if (refspecs.length === 0)
    call.to.push({
      ...base,
      branch: (mirror ? allTexts([[tail("--mirror")]]) : withoutRefspec(call)) ?? otherwise ?? current,
      forced: forced || mirror,
      delete: call.has("--delete") || mirror || call.has("--prune"),
    });
  for (const { field, tag } of refspecs) {
    const { plus, removes, branch } = readRefspec(field, tag);
    call.to.push({
      ...base,
      branch: branch ?? current,
      forced: forced || plus || mirror,
      delete: removes || call.has("--delete") || mirror || call.has("--prune"),
      certain: base.certain && field.kind === "literal",
    });
  }
  if (given !== "") call.to.network(first as Field, "upload");
  else call.to.network("origin", "upload");
  skipsHooks(call);
  for (const name of ["--receive-pack", "--exec"]) {
    const program = call.value(name);
    if (!program) continue;
    call.to.run(program.text);
    call.to.doubt("git runs a program that it is given");
  }
}

/** Returns the branch of a push whose words may hold unseen refspecs, as `$ARGS` and `"$@"` may; undefined without such words. */
function mayNameRefspecs(operands: readonly Field[]): Text | undefined {
  const word = operands.find(mayBeMore);
  return word && anyText(wordShown(word));
}

/** True for a push from a repository that is named separately from the folder, or with its own settings of what to push. */
function isElsewhere(call: Call): boolean {
  const isSetting = ({ text }: Field): boolean => /^(?:push\.default|remote\..*\.push)(?:=|$)/is.test(text);
  return namesRepository(call) || call.values("-c").some(isSetting);
}

/** Refspecs that `-c remote.<name>.push=…` sets for a push that names none; for every remote where the call names none. */
function refspecsOfSettings(call: Call, remote: string): { field: Field; tag: boolean }[] {
  return call.values("-c").flatMap((setting) => {
    const [, name, refspec] = /^remote\.(.+)\.push=(.+)$/is.exec(setting.text) ?? [];
    const isMeant = refspec !== undefined && setting.kind !== "unknown" && (remote === "" || name === remote);
    return isMeant ? [{ field: { ...setting, text: refspec }, tag: false }] : [];
  });
}

/** True if `-c remote.<name>.mirror` is set for the remote of the push. */
function isMirrorBySetting(call: Call, remote: string): boolean {
  return call.values("-c").some(({ text }) => {
    const [, name] = /^remote\.(.+)\.mirror(?:=(?:true|yes|on|1))?$/is.exec(text) ?? [];
    return name !== undefined && (remote === "" || name === remote);
  });
}

/** Returns the branches that options push without a refspec; undefined for the current branch alone. */
function withoutRefspec(call: Call): Text | undefined {
  for (const name of ["--all", "--branches"]) if (call.has(name)) return allTexts([[tail(name)]]);
  return call.has("--tags") ? allTexts([["refs/tags/", tail("--tags")]]) : undefined;
}

function tail(of: string): Hole {
  return { hole: "tail", of };
}

/** Reads one refspec; its branch is undefined for the current branch. */
function readRefspec(
  field: Field,
  tag: boolean,
): { readonly plus: boolean; readonly removes: boolean; readonly branch: Text | undefined } {
  const plus = field.text.startsWith("+");
  const text = plus ? field.text.slice(1) : field.text;
  // A refspec with nothing before the colon deletes the branch after it.
  const removes = (text.startsWith(":") && text.length > 1) || /^\+?:./s.test(shapeOf(field));
  if (field.kind !== "unknown" && text === ":") return { plus, removes, branch: allTexts([[tail(":")]]) };
  const target = targetOf(field.kind === "unknown" ? piecesOf(field) : [text]);
  if (tag) return { plus, removes, branch: patternText(["refs/tags/", ...target]) };
  return { plus, removes, branch: branchOf(target, field.kind === "unknown") };
}

/** The branch that a refspec pushes to; undefined for the current one. */
export function branchOfRefspec(field: Field): Text | undefined {
  const partly = field.kind === "unknown";
  return branchOf(targetOf(partly ? piecesOf(field) : [field.text]), partly);
}

/** Returns the part right of the colon. An unknown part is assumed to be part of a name, which has no colon. */
function targetOf(pieces: Pieces): Pieces {
  const at = pieces.findLastIndex((piece) => typeof piece === "string" && piece.includes(":"));
  const found = pieces[at];
  if (typeof found === "string") return [found.slice(found.lastIndexOf(":") + 1), ...pieces.slice(at + 1)];
  const [first, ...more] = pieces;
  return typeof first === "string" && first.startsWith("+") ? [first.slice(1), ...more] : pieces;
}

/** `refs/heads/x` is branch `x`; `HEAD` and `@` are the current branch, which is undefined; `*` means every branch that fits. */
function branchOf(target: Pieces, partly: boolean): Text | undefined {
  const [first = "", ...rest] = target;
  const pieces: Pieces = typeof first === "string" ? [branchName(first), ...rest] : target;
  if (!partly) {
    const name = pieces.join("");
    if (name === "") return undefined;
    return name.includes("*") ? allTexts([starred(name)]) : name;
  }
  return patternText(pieces);
}

/** Returns a name with a hole for each `*`; `refs/*` includes all branches. */
function starred(name: string): Pieces {
  if (name === "refs/*") return [tail(name)];
  return name.split("*").flatMap((part, i): Pieces => (i === 0 ? [part] : [tail("*"), part]));
}

/** `tag v1` is the refspec of that tag. */
function refspecsOf(words: readonly Field[]): { field: Field; tag: boolean }[] {
  const list: { field: Field; tag: boolean }[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as Field;
    const next = words[i + 1];
    if (word.text === "tag" && next) {
      list.push({ field: next, tag: true });
      i += 1;
    } else {
      list.push({ field: word, tag: false });
    }
  }
  return list;
}

/** The name of a branch; empty for the current one. */
function branchName(ref: string): string {
  if (ref === "HEAD" || ref === "@" || ref === "") return "";
  return ref.startsWith("refs/heads/")
    ? ref.slice("refs/heads/".length)
    : ref.startsWith("heads/")
      ? ref.slice("heads/".length)
      : ref;
}
