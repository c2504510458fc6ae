import { listGenerations } from '@nimo/projection-engine';
import { projections } from '@nimo/projections';
import type { Runtime } from '../../platform/runtime/runtime.js';

/** Until the screens show it all, whichever process brings the read side on. Nobody waits for a projection that is stopped. */
export async function follow(
  { pool, store, waiter }: Runtime,
  signal: AbortSignal,
  onFollowing: () => void,
): Promise<void> {
  const head = await store.head();
  if (head === undefined) return;
  onFollowing();
  let isStale = true;
  while (isStale && !signal.aborted) {
    const generations = await listGenerations(
      pool,
      projections.map(({ name }) => name),
    );
    const led = generations.filter(({ status, error }) => status === 'live' && error === null);
    ({ stale: isStale } = await waiter.waitFor(
      led.map(({ name }) => name),
      head,
    ));
  }
}
