import { Approximation, type Hole, type Text } from "../../schema/approximation.ts";
import type { NetworkEffect, ReadEffect, ShellCommand } from "../../schema/facts.ts";
import { spend, spendText } from "../meter.ts";
import { describe } from "../programs/describe.ts";
import type { Draft } from "../shell/draft.ts";
import { type Field, piecesOf } from "../shell/fields.ts";
import { familyOf } from "../shell/names.ts";
import type { Sink } from "./sink.ts";

/** Programs whose output tells of this machine, its user or its settings, without reading a file that is listed. */
const telling =
  /\b(?:env|printenv|export|declare|typeset|compgen|whoami|id|hostname|hostnamectl|ifconfig|who|users|groups|last|history|ps|ls|find|tree|pass|security|secret-tool|keyring|pbpaste|xclip|xsel|wl-paste|git\s+(?:config|log|diff|show|remote|stash))\b/;

/** Options of clients whose values are sent with the request. */
const sentOptions: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  [
    ["curl", "--header --proxy-header --user-agent --cookie --user --referer --oauth2-bearer --url-query --request"],
    ["wget wget2", "--header --user-agent --user --password --referer"],
  ].flatMap(([names = "", options = ""]) =>
    names.split(" ").map((name) => [name, new Set(options.split(" "))] as const),
  ),
);

/** Clients whose operands are all sent. */
const sendsOperands: ReadonlySet<string> = new Set(["http", "https", "xh", "xhs"]);

/** Wrappers that make words of their input. */
const fromInput: ReadonlySet<string> = new Set(["xargs", "parallel", "gxargs"]);

/** Programs whose output tells little of the file that they read. */
const digests: ReadonlySet<string> = new Set(
  "sha1sum sha256sum sha512sum shasum md5sum md5 cksum b2sum wc cmp test".split(" "),
);

/** An address with a place for a line of the input behind its beginning. */
const replaced = /:\/\/[^\s'"|;&:{%]{1,512}(?::\d{1,5}[^\s'"|;&:{%]{0,512})?(?:\{\d{0,9}\}|%)/;

/** Variables that the text itself fills: a loop's, and those of `read` and its kin. */
const fills =
  /\b(?:for|read|mapfile|readarray|local|declare|typeset|export|readonly|select)\s([^;&|\n]{0,256})|\b(\w+)=/g;

/**
 * Corrects the direction of requests that carry what this machine holds: the output of a command that reads a file, or tells of
 * the machine, in their address, header or credentials. Such a request asks for something and sends something.
 */
export class SentOut {
  readonly #sink: Sink;
  readonly #text: string;
  readonly #networks: number;
  readonly #reads: number;
  #filled: ReadonlySet<string> | undefined;

  /** Notes which effects were reported before the text, in `text`. */
  constructor(text: string, sink: Sink) {
    this.#text = text;
    this.#sink = sink;
    this.#networks = sink.networks.length;
    this.#reads = sink.reads.length;
  }

  /** Corrects the requests reported since; `drafts` and `commands` are those of the text, by index. */
  correct(drafts: readonly Draft[], commands: readonly ShellCommand[]): void {
    const { networks } = this.#sink;
    for (let i = this.#networks; i < networks.length; i++) {
      const one = networks[i] as NetworkEffect;
      const draft = drafts[one.command];
      spend(2);
      if (one.direction !== "download" || !draft) continue;
      if (this.#carries(one, draft, commands)) networks[i] = { ...one, direction: "both" };
    }
  }

  #carries(one: NetworkEffect, draft: Draft, commands: readonly ShellCommand[]): boolean {
    const given = draft.wrappers.some((name) => fromInput.has(name))
      ? [{ hole: "tail", of: draft.program } as const]
      : [];
    const holes = [...holesIn(one.url.partly?.text), ...given, ...sentWords(draft).flatMap((word) => holesOf(word))];
    if (holes.length === 0) return false;
    spend(4 * holes.length);
    if (holes.some(({ of }) => of.startsWith("$(") && telling.test(of))) return true;
    spend(this.#sink.reads.length - this.#reads);
    const reads = this.#sink.reads.slice(this.#reads).filter((read) => this.#isOther(read, one));
    if (reads.length === 0) return false;
    spend(holes.length * reads.length);
    return holes.some((hole) => hole.hole === "tail" && this.#mayBe(hole, draft, reads, commands));
  }

  /** True for a read of content by another command than the request's own. */
  #isOther(read: ReadEffect, one: NetworkEffect): boolean {
    return !read.metadata_only && read.command !== one.command && !digests.has(read.via);
  }

  /** True for an unknown part that may be what one of these reads brought. */
  #mayBe({ of }: Hole, draft: Draft, reads: readonly ReadEffect[], commands: readonly ShellCommand[]): boolean {
    if (of.startsWith("$(") || of.startsWith("`") || of === "…")
      return of.includes("…") || reads.some(({ command }) => names(of, commands[command]?.program));
    const variable = /^\$\{?!?([A-Za-z_]\w*)/.exec(of)?.[1];
    if (variable !== undefined) return this.#isFilled(variable);
    return draft.wrappers.some((name) => fromInput.has(name)) && replaced.test(this.#text);
  }

  #isFilled(name: string): boolean {
    if (!this.#filled) {
      spendText(this.#text.length);
      const found = new Set<string>();
      for (const [, list, single] of this.#text.matchAll(fills)) {
        if (single !== undefined) found.add(single);
        for (const word of list?.match(/[A-Za-z_]\w*/g) ?? []) found.add(word);
      }
      this.#filled = found;
    }
    return this.#filled.has(name);
  }
}

/** True where the author's text of a substitution names a program; a redirection alone has no program. */
function names(of: string, program: unknown): boolean {
  if (typeof program !== "string" || program === "") return true;
  return of.split(/[^\w.+-]+/).some((word) => familyOf(word) === familyOf(program));
}

/** Words beside the address that a client sends. */
function sentWords(draft: Draft): readonly Field[] {
  if (draft.args.every(({ kind }) => kind !== "unknown")) return [];
  const name = familyOf(draft.program);
  const options = sentOptions.get(name);
  if (!options && !sendsOperands.has(name)) return [];
  const { args } = describe(draft.program, draft.args);
  spend(args.options.length + args.operands.length);
  const values = args.options.flatMap(({ names: all, value }) =>
    value && all.some((one) => options?.has(one)) ? [value] : [],
  );
  return sendsOperands.has(name) ? [...values, ...args.operands] : values;
}

function holesOf(word: Field): readonly Hole[] {
  return word.kind === "unknown" ? piecesOf(word).filter((piece) => typeof piece === "object") : [];
}

/** Unknown parts behind the known beginning of an address; one that is unknown as a whole is an address from elsewhere. */
function holesIn(text: Text | undefined): readonly Hole[] {
  if (!(text instanceof Approximation)) return [];
  return text.members.flatMap((pieces) => {
    const [first, ...rest] = pieces.filter((piece) => piece !== "");
    return typeof first === "string" ? rest.filter((piece) => typeof piece === "object") : [];
  });
}
