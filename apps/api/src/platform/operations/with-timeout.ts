import { setTimeout as delay } from 'node:timers/promises';

/** What is asked for, or a rejection where that takes longer. */
export async function withTimeout<Value>(asked: Promise<Value>, milliseconds: number): Promise<Value> {
  const over = new AbortController();
  const late = delay(milliseconds, undefined, { signal: over.signal, ref: false }).then(() => {
    throw new Error(`no answer in ${milliseconds} ms`);
  });
  try {
    return await Promise.race([asked, late]);
  } finally {
    over.abort();
    late.catch(() => undefined);
  }
}
