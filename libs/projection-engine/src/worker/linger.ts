/** Long enough for some events to share a transaction, and too short for anybody to notice. */
export const MIN_MS = 25;
/** Of what is shown to those who did not ask for it, nobody sees that it is a quarter of a second old. */
const MAX_MS = 250;
/** Of the time that the last tick took: so a loop that has much to do rests three quarters of its time, and its ticks carry more. */
const SHARE = 3;

/** How long the next events are gathered by those for whom nobody waits. @param lastTickMs how long the last ones took */
export const lingerMs = (lastTickMs: number): number =>
  Math.min(MAX_MS, Math.max(MIN_MS, SHARE * lastTickMs));
