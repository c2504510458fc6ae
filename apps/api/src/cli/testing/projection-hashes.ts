import { projections } from '@nimo/projections';
import { canonicalHash, listGenerations } from '@nimo/projection-engine';
import type { Runtime } from '../../platform/runtime/runtime.js';
import { withProjections } from '../cli-session.js';

/** Only ends a hang: a slow machine must not fail the test. */
const TIMEOUT_MS = 200_000;

/** Hash of every projection after the whole log is applied. Equal installations have equal hashes. */
export async function projectionHashes(runtime: Runtime): Promise<Readonly<Record<string, string>>> {
  const { pool, store, waiter } = runtime;
  const names = projections.map(({ name }) => name);
  return withProjections(runtime, async () => {
    const { stale } = await waiter.waitFor(names, (await store.head()) ?? '', TIMEOUT_MS);
    if (stale) throw new Error('the projections did not catch up in time');

    const live = (await listGenerations(pool, names)).filter(({ status }) => status === 'live');
    const hashes: Record<string, string> = {};
    for (const projection of projections) {
      const generation = live.find(({ name }) => name === projection.name)?.generation ?? 1;
      hashes[projection.name] = await canonicalHash(pool, projection, generation);
    }
    return hashes;
  });
}
