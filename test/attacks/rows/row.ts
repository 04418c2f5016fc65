/** What an attack aims at. */
export const attackClasses = [
  "delay",
  "environment",
  "project policies",
  "place",
  "daemon",
  "self-change",
  "around it",
  "envelope",
  "untrusted project",
  "trail",
] as const;

export type AttackClass = (typeof attackClasses)[number];

/** An attack that tests of this repository carry out by themselves, without a real host. */
export interface AttackRow {
  readonly id: string;
  readonly class: AttackClass;
  /** Hosts or programs that it is carried out on. */
  readonly host: string;
  readonly attack: string;
  /** What happens without the guard. */
  readonly control: string;
  /** What happens with it; for one that cannot be closed, the reason. */
  readonly guarded: string;
  readonly closable: boolean;
  /** `file > name of the test`, as `test/seeds/faults.ts` reads them. */
  readonly tests: readonly string[];
}

/** Attacks of one kind that one file of tests carries out, each under the name of its test or of its row in a table there. */
export interface AttackGroup extends Pick<AttackRow, "class" | "host" | "control" | "guarded"> {
  /** False where nothing of ours can close them; `guarded` then says why. */
  readonly closable?: false;
  readonly file: string;
  readonly attacks: readonly (readonly [attack: string, test: string])[];
}
