/**
 * What facts say about an event, as conditions see it. Field names are those of the policy language
 * (language section 4), hence snake case. Everything here is plain data.
 */

/** How sure the facts are: all effects listed; certain and possible effects listed; no effects known. */
export type Understanding = "understood" | "opaque" | "unknown";

/**
 * A path as a value. `lexical` is resolved against the working directory without looking at the disk,
 * `real` has its deepest existing parent made real. Both absolute, `/`-separated, without trailing slash.
 * `pattern` is true when `text` held an unexpanded glob: the path then stands for all it may match.
 */
export interface PathValue {
  readonly kind: "path";
  readonly text: string;
  readonly lexical: string;
  readonly real: string;
  readonly pattern: boolean;
  /** True where the volume folds letter case; both forms are then compared folded. */
  readonly fold: boolean;
  /** Begins with a part that is not known, which counts as empty: in `/` itself it lies only if that part is. */
  readonly loose?: true;
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
}

/** Whether a word is one text, stands for all that a glob matches, or is not known. */
export type WordKind = "literal" | "pattern" | "unknown";

/** One shell word after folding. For `unknown` words `text` holds what is constant, for messages only. */
export interface Word {
  readonly text: string;
  readonly kind: WordKind;
}

/** One option as given, by its canonical spelling (`--recursive` for `-r` where the program says so). */
export interface OptionValue {
  /** Every spelling of the option, e.g. `["-r", "-R", "--recursive"]`. */
  readonly names: readonly string[];
  readonly value?: string;
}

/** A redirection of a command; `path` is absent where its target is a descriptor or not known. */
export interface Redirect {
  readonly operator: string;
  readonly path?: PathValue;
  readonly certain: boolean;
}

/** One simple command of a shell text, wrappers peeled. Offsets are into the outermost text. */
export interface ShellCommand {
  /** Canonical program name (base name, multi-call tools resolved); empty when it cannot be known. */
  readonly program: string;
  readonly subcommand?: string;
  /** All words after the program, folded. */
  readonly words: readonly Word[];
  /** Operands (what is not an option nor its value), folded text. */
  readonly operands: readonly string[];
  readonly options: readonly OptionValue[];
  /** Variables assigned for this command. */
  readonly env: Readonly<Record<string, string>>;
  /** Programs that forwarded to this one, outermost first, e.g. `["sudo", "timeout"]`. */
  readonly wrappers: readonly string[];
  readonly redirects: readonly Redirect[];
  /** Index of the command whose output this one reads, and the one that reads this one's; -1 when none. */
  readonly piped_from: number;
  readonly piped_to: number;
  /** Working directory when it runs; empty when unknown. */
  readonly cwd: string;
  readonly span: { readonly start: number; readonly end: number };
  /** False when the program or a word that matters is not known, or it may not run at all by the text alone. */
  readonly certain: boolean;
  /** The command as folded text, for messages. */
  readonly text: string;
}

/** A shell text, parsed and unwrapped. */
export interface ShellFacts {
  readonly dialect: string;
  readonly commands: readonly ShellCommand[];
  /** Each pipeline as indices into `commands`. */
  readonly pipelines: readonly (readonly number[])[];
}

/** What every effect says: who causes it, and how sure it is. */
export interface EffectBase {
  /** Program or tool that causes it. */
  readonly via: string;
  readonly certain: boolean;
  /** Index into `shell.commands`, or -1 when no shell command causes it. */
  readonly command: number;
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
}
/** Something deletes a file or folder. */
export interface DeleteEffect extends EffectBase {
  readonly path: PathValue;
  readonly recursive: boolean;
}
/**
 * Where code comes from that a shell or interpreter runs: `text` of the call itself, a `file`, the `network` (downloaded
 * in this call, also by way of a file, a variable or a substitution), `decoded` (printed by a decoder such as
 * `base64 -d`), other `input`. Empty for a program that is run, and where it cannot be told.
 */
export type RunSource = "text" | "file" | "network" | "decoded" | "input" | "";

/** Something runs a program or code; `target` names it. */
export interface RunEffect extends EffectBase {
  readonly target: string;
  readonly source: RunSource;
}
/**
 * Something talks to a host. `upload`: data is sent to it, or something there is changed (a body, a file, a method
 * other than GET). `download`: something is only asked for. `both`: either way, where that is interactive or not known
 * (`ssh`, `nc`, a database's client, a lookup whose name may carry data). Who guards against data that leaves asks for
 * what is not `download`.
 */
export interface NetworkEffect extends EffectBase {
  readonly url: UrlValue;
  readonly direction: "upload" | "download" | "both";
  /**
   * What is certain of an effect that is not, where its host is: `unless` and exceptions that ask for nothing else of it
   * hold by this.
   */
  readonly surely?: SureNetwork;
}

/** A network effect of which the host is certain: where the traffic goes, without path and query. */
export interface SureNetwork extends EffectBase {
  readonly url: Omit<UrlValue, "text" | "path" | "query">;
  readonly direction: NetworkEffect["direction"];
}
/** Something installs a package. */
export interface InstallEffect extends EffectBase {
  readonly manager: string;
  readonly source: string;
  readonly name: string;
}
/** Something pushes to a remote repository. */
export interface PushEffect extends EffectBase {
  readonly remote: string;
  readonly target: { readonly branch: string };
  readonly forced: boolean;
  readonly mirror: boolean;
  readonly delete: boolean;
}
/** Something changes a setting, or ends a process; `target` names it. */
export interface TargetEffect extends EffectBase {
  readonly target: string;
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

/** Name of a list of effects. */
export type EffectKind = keyof Effects;

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

/** Kinds of what is odd about text; each has a count of its own. */
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
  /** The code point as `U+200B`; empty where the text could not be looked at. */
  readonly code: string;
  /** What the character is, in words. */
  readonly name: string;
}

/** What is odd about the text of an event: counts by kind, which do not overlap, and the first places. */
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
  /** Offsets into the shell text, where there is one. */
  readonly span?: { readonly start: number; readonly end: number };
}

/** Facts of one payload revision. Each is computed when first asked for and then kept. Never throws. */
export interface FactSet {
  readonly understanding: Understanding;
  readonly doubts: readonly Doubt[];
  readonly shell: ShellFacts | undefined;
  readonly effects: Effects | undefined;
  readonly secrets: readonly SecretFact[];
  readonly text: TextFacts;
}
