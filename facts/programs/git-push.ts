import type { Field } from "../shell/fields.ts";
import { skipsHooks } from "./git-history.ts";
import type { Call } from "./program.ts";

/**
 * `git push`: one effect per refspec. The destination branch is what stands right of the colon, `HEAD` and no
 * refspec at all the current branch (an empty name, which the effects fill in). A lease is forced as well;
 * conditions tell it apart by the option. Source: git-push(1); threats page, class 1 and 18.
 */
export function push(call: Call): void {
  if (call.has("--dry-run")) return;
  const repository = call.value("--repo");
  const [first, ...rest] = repository && call.operands.length === 0 ? [repository] : call.operands;
  const remote = first?.text ?? "";
  const forced = ["--force", "--force-with-lease", "--force-if-includes"].some((name) => call.has(name));
  const mirror = call.has("--mirror");
  const base = { remote, mirror, certain: (first?.kind ?? "literal") === "literal" };
  const refspecs = refspecsOf(rest);
  if (refspecs.length === 0) {
    const branch =
      mirror || call.has("--all") || call.has("--branches") ? "*" : call.has("--tags") ? "refs/tags/*" : "";
    call.to.push({
      ...base,
      branch,
      forced: forced || mirror,
      delete: call.has("--delete") || mirror || call.has("--prune"),
    });
  }
  for (const { field, tag } of refspecs) {
    const plus = field.text.startsWith("+");
    const text = plus ? field.text.slice(1) : field.text;
    const colon = text.lastIndexOf(":");
    const removes = colon === 0 && text.length > 1;
    const named = tag ? `refs/tags/${text}` : branchName(colon < 0 ? text : text.slice(colon + 1));
    // An unknown name may be any branch, not the current one, which an empty name stands for.
    const target = field.kind === "unknown" && named === "" ? "*" : named;
    call.to.push({
      ...base,
      branch: target,
      forced: forced || plus || mirror,
      delete: removes || call.has("--delete") || mirror || call.has("--prune"),
      certain: base.certain && field.kind === "literal",
    });
  }
  if (remote !== "") call.to.network(first as Field, "upload");
  else call.to.network("origin", "upload");
  skipsHooks(call);
  for (const name of ["--receive-pack", "--exec"]) {
    const program = call.value(name);
    if (!program) continue;
    call.to.run(program.text);
    call.to.doubt("git runs a program that it is given");
  }
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

/** `refs/heads/x` is branch `x`; `HEAD` and `@` are the current branch, given as empty. */
function branchName(ref: string): string {
  if (ref === "HEAD" || ref === "@" || ref === "") return "";
  return ref.startsWith("refs/heads/")
    ? ref.slice("refs/heads/".length)
    : ref.startsWith("heads/")
      ? ref.slice("heads/".length)
      : ref;
}
