import { expect } from '@jest/globals';
import type { EventStore } from '@nimo/event-store';
import { projections, REWRITING_EVENTS } from '@nimo/projections';
import { ProjectionMaintenance, ProjectionWorker } from '@nimo/projection-engine';
import type { Pool } from 'pg';

/** Runs a worker in this process and expects every projection to equal a full rebuild. */
export async function expectVerified({
  pool,
  store,
}: {
  readonly pool: Pool;
  readonly store: EventStore;
}): Promise<void> {
  const errors: unknown[] = [];
  const onError = (error: unknown): void => void errors.push(error);
  const worker = new ProjectionWorker({ pool, store, projections, rewriting: REWRITING_EVENTS, onError });
  const maintenance = new ProjectionMaintenance({ pool, store, projections });
  try {
    await worker.start();
    for (const { name } of projections) {
      const result = await maintenance.verify(name);
      expect([name, result?.outcome, result?.rebuiltHash]).toEqual([name, 'EQUAL', result?.liveHash]);
    }
  } finally {
    // Even after a failed expectation, because the store is closed next.
    await worker.stop();
  }
  expect(errors).toEqual([]);
}
