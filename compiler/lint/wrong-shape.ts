/** Why a field never has a text, and what to write. */
export interface WrongShape {
  readonly why: string;
  readonly help: string;
  readonly instead?: string;
  /** True where the test can hold all the same, but does not look at all of the text. */
  readonly seen?: "in part";
}
