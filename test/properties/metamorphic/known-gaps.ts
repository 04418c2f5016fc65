/** Pairs that break a property today. The suite fails as soon as one no longer does, so that it is taken out. */
export interface KnownGap {
  /** Name of a transformation, of the place of a mention, or of two transformations joined by " after applying ". */
  readonly transformation: string;
  /** Commands of the seeds concerned. */
  readonly seeds: readonly string[];
  readonly reason: string;
}

/** Strict calls that a transformation makes weaker. */
export const weakened: readonly KnownGap[] = [];

/** Mentions of a strict call that are not allowed. */
export const strictMentions: readonly KnownGap[] = [];

/** Benign calls that a harmless transformation makes strict. */
export const strictBenign: readonly KnownGap[] = [];
