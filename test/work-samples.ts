/** Looks at each pair of numbers below `n`, in one function. */
export function pairs(n: number): number {
  let odd = 0;
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) if ((i + j) % 2 === 1) odd++;
  return odd;
}

/** Calls a function for each number below `n`. */
export function each(n: number): number {
  let sum = 0;
  for (let i = 0; i < n; i++) sum += small(i);
  return sum;
}

function small(n: number): number {
  return n % 7;
}

/** The same by callbacks of a list. */
export function callbacks(n: number): number {
  return Array.from({ length: n }, (_, i) => i).filter((i) => i % 3 === 0).length;
}

/** Looks through the rest of a text for each of its characters: native code whose work nobody counts. */
export function native(n: number): number {
  const text = "a".repeat(n);
  let found = 0;
  for (let i = 0; i < n; i++) if (text.indexOf("b", i) >= 0) found++;
  return found;
}
