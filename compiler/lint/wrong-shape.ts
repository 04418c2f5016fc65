/** Why a field never has a text, and what to write. */
export interface WrongShape {
  readonly why: string;
  readonly help: string;
  readonly instead?: string;
  /** Set if the test can still hold, but tests only part of the text. */
  readonly seen?: "in part";
}
