/**
 * Facts about an event, as conditions see them. Field names are those of the policy language (language section 4), hence snake
 * case. Everything here is plain data.
 */

import type { Approximation, Text } from "./approximation.ts";
import type { JudgedEvent } from "./judged-event.ts";

/** How sure the facts are: all effects listed; certain and possible effects listed; no effects known. */
export type Understanding = "understood" | "opaque" | "unknown";

/**
 * The part of a folder's content that is taken: all; files neither hidden nor ignored (`visible`); files that git may track
 * (`tracked`); or files of a language (`sources`, whose names are in `only`). Globs match names.
 */
export interface TreeTakes {
  readonly what: "all" | "visible" | "tracked" | "sources";
  /** Set where links are followed: files behind a link are not seen. */
  readonly follows?: true;
  readonly only?: readonly string[];
  readonly not?: readonly string[];
  /** Folders that are not entered. */
  readonly notFolders?: readonly string[];
}

/** A folder's content as found on the disk (decision 27). */
export interface TreeContent {
  /** The tests that were asked about: globs as policies write them, and classes as `is: secret`. */
  readonly asked: ReadonlySet<string>;
  /** Paths that pass some floating test of the plan, each with everything below it. */
  readonly found: readonly PathValue[];
  /** Why more may lie there; absent where all of it was seen. */
  readonly unseen?: string;
}

/**
 * A path as a value. `lexical` is resolved against the working directory without looking at the disk, `real` has its deepest
 * existing parent made real. Both absolute, `/`-separated, without trailing slash. `pattern` is true if `text` had an unexpanded
 * glob: the path then represents everything that it may match.
 */
export interface PathValue {
  readonly kind: "path";
  readonly text: string;
  readonly lexical: string;
  readonly real: string;
  readonly pattern: boolean;
  /** True where the volume folds letter case; both forms are then compared folded. */
  readonly fold: boolean;
  /** Set where the beginning is unknown and counts as empty: the path lies in `/` itself only if that part is empty. */
  readonly loose?: true;
  /** True if everything below is taken or filled as well; a test of a path below it may then hold. */
  readonly tree?: true;
  /** The part of the tree that is taken, if not all of it. */
  readonly takes?: TreeTakes;
  /** Content found on the disk beneath the path, or among a glob's matches; absent where no test of the plan asks for it. */
  readonly content?: TreeContent;
  /**
   * Set where only part of the path is known: conditions use this and none of the texts above. Those are a guess, used to guard
   * files of the session.
   */
  readonly partly?: PartlyKnownPath;
  /** Set in one reading of a partly known path: a wildcard is an unknown part, and does not match everything in a folder. */
  readonly holes?: true;
  /** Of a glob: its wildcards also match a leading dot of a name; with `folders`, its `**` also matches hidden folders. */
  readonly dots?: "names" | "folders";
}

/** A partly known absolute path in both forms; `tree` if everything below is taken or filled. */
export interface PartlyKnownPath {
  readonly lexical: Approximation;
  readonly real: Approximation;
  readonly tree?: true;
}

/** A URL as a value; every part is a string, empty when absent. `host` is lower case, without brackets or final dot. */
export interface UrlValue {
  readonly kind: "url";
  readonly text: string;
  readonly scheme: string;
  readonly host: string;
  readonly port: string;
  readonly path: string;
  readonly query: string;
  readonly userinfo: string;
  /** Set where only part of the URL is known: conditions use this and none of the texts above, which are a guess. */
  readonly partly?: PartlyKnownUrl;
}

/** The known parts of a partly known URL. */
export type PartlyKnownUrl = {
  readonly [part in "text" | "scheme" | "host" | "port" | "path" | "query" | "userinfo"]: Text;
};

/** Kind of a word: one text, a glob that means all its matches, or unknown. */
export type WordKind = "literal" | "pattern" | "unknown";

/** One shell word after folding. For an `unknown` word, `text` holds the known part. */
export interface Word {
  readonly text: Text;
  readonly kind: WordKind;
  /** Set if it may be several words or none. */
  readonly several?: true;
}

/** One option as given, by its canonical spelling (`--recursive` for `-r` where the program says so). */
export interface OptionValue {
  /** Every spelling of the option, e.g. `["-r", "-R", "--recursive"]`; one that is known in part where others may be meant. */
  readonly names: readonly Text[];
  readonly value?: Text;
  /** Set for `--flag=false`: the flag is not given. */
  readonly off?: true;
  /** Set if it may be several options or none: an unknown word may be no option, or may cancel it. */
  readonly several?: true;
}

/** A redirection of a command; `path` is absent where its target is a descriptor or not known. */
export interface Redirect {
  readonly operator: string;
  readonly path?: PathValue;
  readonly certain: boolean;
}

/** One simple command of a shell text, wrappers peeled. Offsets are into the outermost text. */
export interface ShellCommand {
  /** Canonical program name (base name, multi-call tools resolved), or its known parts. */
  readonly program: Text;
  /** Path of the program if it is called by path; `real` is its real folder with the name as called. */
  readonly path?: PathValue;
  /** Called by a path that is no place of the system's programs: where a test loosens, it is not the program of that name. */
  readonly elsewhere?: true;
  /** Variables, options, and wrappers called by their own path, that make the run differ from what its words say. */
  readonly altered?: readonly string[];
  /** Its wrappers that change user, machine or root. */
  readonly changing?: readonly string[];
  /** Set where no table has the program: its effects on its words are guessed. */
  readonly unlisted?: true;
  /** Its words are data, as those of `echo` are, or it filters text, as `sort` does: beyond its effects it changes nothing. */
  readonly harmless?: true;
  readonly subcommand?: Text;
  /** All words after the program, folded. */
  readonly words: readonly Word[];
  /** Operands (what is not an option nor its value), folded text. */
  readonly operands: readonly Text[];
  readonly options: readonly OptionValue[];
  /** Variables assigned for this command. */
  readonly env: Readonly<Record<string, Text>>;
  /** Programs that forwarded to this one, outermost first, e.g. `["sudo", "timeout"]`. */
  readonly wrappers: readonly Text[];
  readonly redirects: readonly Redirect[];
  /** Index of the command whose output this one reads, and of the command that reads its output; -1 if there is none. */
  readonly piped_from: number;
  readonly piped_to: number;
  /** Working directory when it runs; empty when unknown. */
  readonly cwd: string;
  readonly span: { readonly start: number; readonly end: number };
  /** False when the program or a word that matters is unknown. Effects of a command that a branch may skip are not certain. */
  readonly certain: boolean;
  /** The command as folded text. */
  readonly text: Text;
}

/** A shell text, parsed and unwrapped. */
export interface ShellFacts {
  readonly dialect: string;
  readonly commands: readonly ShellCommand[];
  /** Each pipeline as indices into `commands`. */
  readonly pipelines: readonly (readonly number[])[];
  /** Some of the commands hold a text that is known in part. */
  readonly open?: true;
}

/** Fields of every effect: its cause, and how sure it is. */
export interface EffectBase {
  /** Program or tool that causes it. */
  readonly via: string;
  readonly certain: boolean;
  /** Index into `shell.commands`, or -1 when no shell command causes it. */
  readonly command: number;
  /** Set where the effect may not happen but its place is known: waivers and allows look at the place. */
  readonly placed?: true;
  /** Set together with `placed` if it is uncertain only because a branch or a jump of the text may skip it. */
  readonly reachable?: true;
  /**
   * Set where the effect happens only if a text that the call writes is run, at a known place: waivers look at the place, allows
   * do not.
   */
  readonly written?: true;
}

/** Something reads a file or folder. */
export interface ReadEffect extends EffectBase {
  readonly path: PathValue;
  readonly recursive: boolean;
  /** Only names, sizes, dates are read. */
  readonly metadata_only: boolean;
}
/** Something makes or changes a file. */
export interface WriteEffect extends EffectBase {
  readonly path: PathValue;
  readonly recursive: boolean;
}
/** Something deletes a file or folder. */
export interface DeleteEffect extends EffectBase {
  readonly path: PathValue;
  readonly recursive: boolean;
}
/**
 * Source of the code that a shell or interpreter runs: `text` of the call itself, a `file`, the `network` (downloaded in this
 * call, also by way of a file, a variable or a substitution), `decoded` (printed by a decoder such as `base64 -d`), other
 * `input`. Empty for a program that is run, and where it cannot be told.
 */
export type RunSource = "text" | "file" | "network" | "decoded" | "input" | "";

/** Something runs a program or code; `target` names it. */
export interface RunEffect extends EffectBase {
  readonly target: Text;
  readonly source: RunSource;
}
/**
 * A connection to a host. `upload`: data is sent to it, or changed there (a body, a file, a method other than GET). `download`:
 * data is only requested. `both`: either direction, because it is interactive or unknown (`ssh`, `nc`, a database client, a
 * lookup whose name may contain data). A rule against outgoing data tests for any direction but `download`.
 */
export interface NetworkEffect extends EffectBase {
  readonly url: UrlValue;
  readonly direction: "upload" | "download" | "both";
}
/** Something installs a package. */
export interface InstallEffect extends EffectBase {
  readonly manager: string;
  readonly source: Text;
  readonly name: Text;
  /** True if the call names one version, or no package of its own; unknown where the name is. */
  readonly pinned: boolean | Approximation;
}
/** Something pushes to a remote repository. */
export interface PushEffect extends EffectBase {
  readonly remote: Text;
  /** The branch there; partly known where the call does not name it. */
  readonly target: { readonly branch: Text };
  readonly forced: boolean;
  readonly mirror: boolean;
  readonly delete: boolean;
}
/** Something changes a setting, or ends a process; `target` names it. */
export interface TargetEffect extends EffectBase {
  readonly target: Text;
}

/** All effects of a call, by kind, in source order. */
export interface Effects {
  readonly reads: readonly ReadEffect[];
  readonly writes: readonly WriteEffect[];
  readonly deletes: readonly DeleteEffect[];
  readonly runs: readonly RunEffect[];
  readonly network: readonly NetworkEffect[];
  readonly installs: readonly InstallEffect[];
  readonly pushes: readonly PushEffect[];
  readonly config: readonly TargetEffect[];
  readonly kills: readonly TargetEffect[];
}

/** A possible effect of unseen code. Only its kind is known, and no list of effects holds it. */
export interface UnseenEffect extends EffectBase {
  /** For people. */
  readonly of: Approximation;
}

/** Name of a list of effects. */
export type EffectKind = keyof Effects;

/** A kind of facts that may hold values which are known in part: effects of a kind, or the commands of a shell. */
export type ApproximateKind = EffectKind | "commands";

/** Every list of effects by name. */
export const effectKinds = [
  "reads",
  "writes",
  "deletes",
  "runs",
  "network",
  "installs",
  "pushes",
  "config",
  "kills",
] as const;

/** One place where a detector found a secret. The value itself is never a fact. */
export interface SecretFact {
  readonly detector: string;
  /** Dotted place in the payload, e.g. `content[0].text`. */
  readonly where: string;
  readonly confidence: "high" | "medium" | "low";
}

/** Kinds of oddities in text; each has a count of its own. */
export const textOddities = ["invisible", "bidi", "ansi", "tag", "control", "overwrite", "mixed_script"] as const;

/** A kind of oddity. */
export type TextOddity = (typeof textOddities)[number];

/** One place where text is odd. */
export interface TextPlace {
  readonly kind: TextOddity;
  /** Dotted place in the payload, e.g. `args.command`. */
  readonly where: string;
  /** Offset into the text there, in UTF-16 units. */
  readonly offset: number;
  /** The code point as `U+200B`; empty if the text could not be examined. */
  readonly code: string;
  /** Name of the character, in words. */
  readonly name: string;
}

/** Oddities in the text of an event: counts by kind, which do not overlap, and the first places. */
export interface TextFacts {
  readonly invisible: number;
  readonly bidi: number;
  readonly ansi: number;
  readonly tags: number;
  readonly controls: number;
  readonly overwrites: number;
  readonly mixed_scripts: boolean;
  /** At most `limits.textPlaces`, in the order of the text. */
  readonly places: readonly TextPlace[];
}

/** Why a call is not fully understood, for `explain` and reasons. */
export interface Doubt {
  readonly reason: string;
  /** Offsets into the shell text, if there is one. */
  readonly span?: { readonly start: number; readonly end: number };
}

/** A script that stood on the disk before the call that runs it: its real path, and what stood in it. */
export interface SeenScript {
  readonly path: string;
  readonly text: string;
}

/** Facts of one payload revision. Each is computed when first asked for and then kept. Never throws. */
export interface FactSet {
  readonly understanding: Understanding;
  readonly doubts: readonly Doubt[];
  readonly shell: ShellFacts | undefined;
  readonly effects: Effects | undefined;
  readonly secrets: readonly SecretFact[];
  readonly text: TextFacts;
  /** Requested facts that took too much work: they mark each place as not examined, and give no answer to a condition. */
  readonly untold?: ReadonlySet<"secrets" | "text"> | undefined;
  /** Kinds of facts with a partly known value (`Approximation`); undefined if there are none. */
  readonly approximate?: ReadonlySet<ApproximateKind> | undefined;
  /**
   * The same call, read with the further declarations of a project's policies. These only add possible effects. It is judged in
   * addition to this reading, so that a repository cannot revoke a refusal. Absent if the declarations do not concern the call.
   */
  readonly further?: FactSet | undefined;
  /**
   * The same call with decisive words in place of unknown ones (decision 29). It is judged beside this reading too. Absent where
   * no such word is unknown.
   */
  readonly supposed?: FactSet | undefined;
  /** Set on such a reading: the author's text for the supposed word. Any match of it is open. */
  readonly supposes?: string | undefined;
  /**
   * Further effects that the call may have through unseen code that it runs: a stream, a download, an unknown text or file. A
   * test of effects of a kind may hold for them. Lists, sizes and loops over every effect do not see them.
   */
  readonly unseen?: Readonly<Record<EffectKind, UnseenEffect>> | undefined;
  /** The scripts on the disk that were read because the call runs them. */
  readonly scripts?: readonly SeenScript[] | undefined;
  /** Calls carried in the arguments of the call, each as an event of its own; absent where the arguments cannot carry any. */
  readonly carried?: readonly JudgedEvent[] | "too many";
}
