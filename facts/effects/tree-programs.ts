import { spend } from "../meter.ts";
import type { TreeChange } from "../programs/program.ts";
import type { Draft } from "../shell/draft.ts";
import { type Field, homeField, literalField } from "../shell/fields.ts";
import type { Sink } from "./sink.ts";

/** A program that brings a whole folder or changes one, apart from those whose rows say so themselves. */
interface Carrier {
  /** Words allowed as the first operand; absent if any operand is allowed. */
  readonly verb?: RegExp;
  readonly how: TreeChange;
  /** Source of its target: the last word, the value of an option, the working folder, or the home folder. */
  readonly to: "last" | "here" | "home" | RegExp;
}

const local = /^(?![a-z][\w+.-]*:\/\/)(?!(?:s3|gs|az):)(?![\w.@-]{2,}:)/i;

/** Rows by program; from their manuals. */
const carriers: Readonly<Record<string, readonly Carrier[]>> = {
  svn: [
    { verb: /^(?:export|checkout|co)$/, how: "replaced", to: "last" },
    { verb: /^(?:update|up|switch|sw|revert|merge)$/, how: "tracked", to: "here" },
  ],
  hg: [
    { verb: /^(?:clone|archive)$/, how: "replaced", to: "last" },
    { verb: /^(?:update|up|checkout|co|revert|pull|merge|import|unshelve|shelve|purge)$/, how: "tracked", to: "here" },
  ],
  sl: [{ verb: /^(?:goto|go|update|checkout|revert|pull|rebase|unshelve|shelve|purge)$/, how: "tracked", to: "here" }],
  jj: [{ verb: /^(?:edit|new|restore|abandon|rebase|undo|op|next|prev|squash)$/, how: "tracked", to: "here" }],
  fossil: [{ verb: /^(?:open|update|checkout|revert|merge)$/, how: "tracked", to: "here" }],
  gh: [
    { verb: /^(?:pr (?:checkout|co)|repo sync)\b/, how: "tracked", to: "here" },
    { verb: /^repo clone\b/, how: "replaced", to: "last" },
  ],
  glab: [{ verb: /^mr checkout\b/, how: "tracked", to: "here" }],
  stow: [{ how: "replaced", to: /^(?:-t|--target)$/ }],
  chezmoi: [{ verb: /^(?:apply|update|init)$/, how: "replaced", to: "home" }],
  yadm: [{ verb: /^(?:clone|pull|checkout|reset|restore|bootstrap|alt)$/, how: "replaced", to: "home" }],
  rcup: [{ how: "replaced", to: "home" }],
  mackup: [{ verb: /^(?:restore|uninstall|link)$/, how: "replaced", to: "home" }],
  dotbot: [{ how: "replaced", to: "home" }],
  "home-manager": [{ verb: /^switch$/, how: "replaced", to: "home" }],
  degit: [{ how: "replaced", to: "last" }],
  tiged: [{ how: "replaced", to: "last" }],
  giget: [{ how: "replaced", to: "last" }],
  docker: [{ verb: /^(?:cp|container cp)\b/, how: "replaced", to: "last" }],
  podman: [{ verb: /^(?:cp|container cp)\b/, how: "replaced", to: "last" }],
  kubectl: [{ verb: /^cp\b/, how: "replaced", to: "last" }],
  aws: [{ verb: /^s3 (?:sync|cp|mv)\b/, how: "replaced", to: "last" }],
  gsutil: [{ verb: /^(?:rsync|cp|mv)\b/, how: "replaced", to: "last" }],
  rclone: [{ verb: /^(?:copy|sync|move|bisync)$/, how: "replaced", to: "last" }],
  adb: [{ verb: /^pull$/, how: "replaced", to: "last" }],
  ditto: [{ how: "replaced", to: "last" }],
  robocopy: [{ how: "replaced", to: "last" }],
  unrar: [{ verb: /^[xe]$/, how: "replaced", to: "last" }],
  unar: [{ how: "replaced", to: /^(?:-o|-output-directory)$/ }],
  unsquashfs: [{ how: "replaced", to: /^(?:-d|-dest)$/ }],
  ouch: [{ verb: /^d(?:ecompress)?$/, how: "replaced", to: /^(?:-d|--dir)$/ }],
  restic: [{ verb: /^restore$/, how: "replaced", to: /^(?:-t|--target)$/ }],
  borg: [{ verb: /^extract$/, how: "replaced", to: "here" }],
  jar: [{ verb: /^-?[^\Wx]*x\w*$/, how: "replaced", to: "here" }],
  pax: [{ how: "replaced", to: "here" }],
};

/** Reports the folders that such a command fills or changes; places on another machine do not count. */
export function reportTrees(draft: Draft, sink: Sink): void {
  const rows = Object.hasOwn(carriers, draft.program) ? carriers[draft.program] : undefined;
  if (!rows) return;
  spend(2 * draft.args.length);
  const words = draft.args.filter((word) => !word.text.startsWith("-"));
  const first = words
    .slice(0, 3)
    .map((word) => word.text.slice(0, 64))
    .join(" ");
  for (const { verb, how, to } of rows) {
    if (verb && !verb.test(verb.source.includes(" ") || verb.source.includes("\\b") ? first : (words[0]?.text ?? "")))
      continue;
    const target = placeOf(draft, words, to);
    if (target && local.test(target.text)) sink.tree(target, how);
    return;
  }
}

function placeOf(draft: Draft, words: readonly Field[], to: Carrier["to"]): Field | undefined {
  if (to === "here") return literalField(".", draft.place);
  if (to === "home") return homeField("~", draft.place);
  if (to === "last") return words.length > 1 ? words.at(-1) : undefined;
  const at = draft.args.findIndex((word) => to.test(word.text));
  const inline = draft.args.find((word) => to.test(word.text.split("=")[0] ?? "") && word.text.includes("="));
  if (inline) return { ...inline, text: inline.text.slice(inline.text.indexOf("=") + 1), verbatim: -1 };
  return at < 0 ? undefined : draft.args[at + 1];
}
