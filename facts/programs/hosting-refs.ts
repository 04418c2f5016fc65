import { anyText } from "../../schema/approximation.ts";
import { spendText } from "../meter.ts";
import { type Field, rewritten, shapeOf, textOfField } from "../shell/fields.ts";
import { withoutEnd } from "../text/ends.ts";
import type { Call } from "./program.ts";

/** A request to the interface of a code host, as a client's words tell it. */
export interface HostRequest {
  /** In upper case. */
  readonly method: string;
  /** The address or its path. */
  readonly path: Field;
  /** Texts of the body: JSON, or `name=value` each. */
  readonly body: readonly Field[];
  /** True if the body, or a part of it, is in a file. */
  readonly isUnseen: boolean;
}

/** Paths that name a branch: what stands before the name, what it is a name of, and what may follow. Source: the hosts' references. */
const named: readonly (readonly [methods: RegExp, path: RegExp])[] = [
  // GitHub, Gitea and Forgejo: a ref, a branch, its new name.
  [/^(?:DELETE|PATCH|PUT|POST)$/, /\brepos\/[^/?#]+\/[^/?#]+\/git\/refs\//],
  [/^(?:DELETE|PATCH)$/, /\brepos\/[^/?#]+\/[^/?#]+\/branches\//],
  [/^POST$/, /\brepos\/[^/?#]+\/[^/?#]+\/branches\//],
  // GitLab.
  [/^DELETE$/, /\bprojects\/[^/?#]+\/repository\/branches\//],
  // Bitbucket.
  [/^DELETE$/, /\brepositories\/[^/?#]+\/[^/?#]+\/refs\/branches\//],
];

/** Paths below which a request changes a branch that its body or query names, and the name of that part. */
const told: readonly (readonly [methods: RegExp, path: RegExp, part: string])[] = [
  [/^POST$/, /\brepos\/[^/?#]+\/[^/?#]+\/git\/refs(?:[?#]|$)/, "ref"],
  [/^POST$/, /\brepos\/[^/?#]+\/[^/?#]+\/merges(?:[?#]|$)/, "base"],
  [/^POST$/, /\brepos\/[^/?#]+\/[^/?#]+\/merge-upstream(?:[?#]|$)/, "branch"],
  [/^POST$/, /\brepos\/[^/?#]+\/[^/?#]+\/branches(?:[?#]|$)/, "new_branch_name"],
  [/^(?:PUT|POST|DELETE)$/, /\brepos\/[^/?#]+\/[^/?#]+\/contents(?:[/?#]|$)/, "branch"],
  [/^POST$/, /\bprojects\/[^/?#]+\/repository\/(?:branches|commits)(?:[?#]|$)/, "branch"],
  [/^(?:PUT|POST|DELETE)$/, /\bprojects\/[^/?#]+\/repository\/files\//, "branch"],
  [/^POST$/, /\brepositories\/[^/?#]+\/[^/?#]+\/src(?:[?#]|$)/, "branch"],
];

/** Changes of GitHub's GraphQL interface that move or remove a branch. */
const moving = /\b(?:createCommitOnBranch|mergeBranch|(?:create|update|delete)Refs?)\b/;

/** Longest text that is searched for the name of a branch, in UTF-16 units. */
const longest = 8_192;

/** Reports a request that creates, moves or deletes a branch at a code host as the push that it amounts to. */
export function reportRefs(call: Call, request: HostRequest): void {
  const { method, path } = request;
  const shape = shapeOf(path);
  if (shape.length > longest || /^(?:GET|HEAD|OPTIONS)$/.test(method)) return;
  spendText(16 * shape.length);
  const remote = /^https?:\/\//i.test(path.text) ? textOfField(path) : "";
  const forced = method !== "DELETE" && isForced(request);
  for (const [methods, pattern] of named) {
    const rest = methods.test(method) ? behind(pattern, shape) : undefined;
    if (rest === undefined || /^(?:[?#]|$)/.test(rest) || rest.includes("/protection")) continue;
    if (method === "POST" && !/\/rename(?:[?#]|$)/.test(rest)) continue;
    const word = rewritten(path, (text) => branchIn(behind(pattern, text) ?? ""));
    const certain = word.kind === "literal";
    return call.to.push({
      remote,
      branch: textOfField(word),
      forced,
      mirror: false,
      delete: method === "DELETE",
      certain,
    });
  }
  for (const [methods, pattern, part] of told) {
    if (!methods.test(method) || !pattern.test(shape)) continue;
    const word = partOf(request, part);
    const branch = word ? textOfField(rewritten(word, branchIn)) : anyText(part);
    return call.to.push({ remote, branch, forced, mirror: false, delete: false, certain: word?.kind === "literal" });
  }
}

/** Reports a GraphQL text that changes a branch; which one, its variables say. */
export function reportMutation(call: Call, text: string): void {
  const told = text.slice(0, longest);
  spendText(told.length);
  if (!isMutation(told) || !moving.test(told)) return;
  const removes = /\bdeleteRefs?\b/.test(told);
  const forced = /\bforce\s{0,8}:\s{0,8}true\b/.test(told);
  call.to.push({ remote: "", branch: anyText("branch"), forced, mirror: false, delete: removes, certain: false });
}

/** True for a GraphQL text that changes something. */
export function isMutation(text: string): boolean {
  spendText(text.length);
  return /\bmutation\b/.test(text);
}

/** The text behind the first match of a pattern. */
function behind(pattern: RegExp, text: string): string | undefined {
  const found = pattern.exec(text);
  return found ? text.slice(found.index + found[0].length) : undefined;
}

/** The branch of `heads/x`, `refs/heads/x`, `x/rename` or `x?query`; a tag stays `refs/tags/x`. */
function branchIn(text: string): string {
  const end = text.search(/[?#]/);
  const name = withoutEnd(decoded(end < 0 ? text : text.slice(0, end)).replace(/\/rename$/, ""), "/");
  if (/^(?:refs\/)?tags\//.test(name)) return `refs/${name.replace(/^refs\//, "")}`;
  return name.replace(/^(?:refs\/)?heads\//, "");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The value of a part of the body or the query; undefined if no seen text has it. */
function partOf({ body, path }: HostRequest, part: string): Field | undefined {
  for (const word of [...body, path]) {
    const shape = shapeOf(word);
    spendText(Math.min(shape.length, longest));
    if (shape.length <= longest && valueIn(shape, part) !== undefined)
      return rewritten(word, (text) => valueIn(text, part) ?? "");
  }
  return undefined;
}

/** The value that JSON, or a text of `name=value` between `&`, gives to a name. */
function valueIn(text: string, part: string): string | undefined {
  const at = text.indexOf(`"${part}"`);
  const found = at < 0 ? null : /^\s*:\s*"([^"]*)/.exec(text.slice(at + part.length + 2));
  if (found) return found[1];
  for (const piece of text.slice(text.indexOf("?") + 1).split("&"))
    for (const sign of ["=", ":="]) if (piece.startsWith(part + sign)) return piece.slice(part.length + sign.length);
  return undefined;
}

/** True where the body says `force`, or is not seen. */
function isForced({ body, isUnseen }: HostRequest): boolean {
  return (
    isUnseen || body.some(({ text }) => /(?:^|&)force:?=(?:true|1)\b|"force"\s*:\s*true/.test(text.slice(0, longest)))
  );
}

/** Body texts of a client's options; a value with `@` names a file. */
export function bodyOf(call: Call, names: readonly string[]): Pick<HostRequest, "body" | "isUnseen"> {
  const values = names.flatMap((name) => call.values(name));
  const isFile = ({ text }: Field): boolean => /^(?:[^=]*=)?@/.test(text);
  return { body: values.filter((value) => !isFile(value)), isUnseen: values.some(isFile) };
}
