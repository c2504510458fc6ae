import { setTimeout as delay } from 'node:timers/promises';

const LOOK_EVERY_MS = 5;

/** Waits until it holds, for a minute at most; then tells what was seen last. */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  seen: () => unknown = () => '',
  patienceMs = 60_000,
  lookEveryMs = LOOK_EVERY_MS,
): Promise<void> {
  const end = performance.now() + patienceMs;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`${what} did not come about: ${JSON.stringify(seen())}`);
    await delay(lookEveryMs);
  }
}
