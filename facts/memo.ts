/** Texts whose answers are kept, of one function. */
const kept = 1_024;

/**
 * A pure function of short texts with its answers kept, for what is asked of one text again and again: bounded, and only ever
 * a repetition of the same work, so that it changes no answer.
 */
export function keptByText<Answer>(of: (text: string) => Answer): (text: string) => Answer {
  const answers = new Map<string, Answer>();
  return (text) => {
    const known = answers.get(text);
    if (known !== undefined) return known;
    const answer = of(text);
    if (answers.size >= kept) answers.clear();
    answers.set(text, answer);
    return answer;
  };
}
