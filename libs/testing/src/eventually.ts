import { setTimeout as delay } from 'node:timers/promises';

/** Ends a hang and measures nothing: a slow machine must not fail a test. */
const DEADLINE_MS = 60_000;
const INTERVAL_MS = 10;

/**
 * Polls `look` until `isReached` accepts its result, and returns that result.
 * @param context added to the error, for state that `look` does not return
 * @throws Error with the last result after 60 s
 */
export async function eventually<Value>(
  look: () => Value | Promise<Value>,
  isReached: (seen: Value) => boolean = Boolean,
  context: () => unknown = () => undefined,
): Promise<Value> {
  const deadline = performance.now() + DEADLINE_MS;
  for (;;) {
    const seen = await look();
    if (isReached(seen)) return seen;
    if (performance.now() > deadline)
      throw new Error(
        `not reached within ${DEADLINE_MS / 1000} s: ${JSON.stringify({ seen, context: context() })}`,
      );
    await delay(INTERVAL_MS);
  }
}
