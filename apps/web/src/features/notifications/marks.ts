/** How often marking notifications as seen has begun or ended, for counts that were asked for before. */
let changes = 0;

export const marksUntilNow = (): number => changes;

export function noteMark(): void {
  changes += 1;
}
