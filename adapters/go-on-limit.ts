/**
 * Times in a row that a rule may send an agent on which was about to stop; then it stops all the same. Without an end, a
 * rule that can never be satisfied would keep an agent working, and paying, for ever.
 */
export const goOnLimit = 8;
