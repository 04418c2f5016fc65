/** Texts whose answers are kept, of one function. */
const kept = 1_024;

/**
 * Wraps a pure function of short texts in a bounded cache, for questions that are asked of the same text again and again. It
 * only saves repeated work, and changes no answer.
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
