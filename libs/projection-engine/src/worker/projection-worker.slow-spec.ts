import { expect, it } from '@jest/globals';
import { InMemoryEventStore } from '@nimo/event-store/testing';
import { createTestDatabase, eventually } from '@nimo/testing';
import { listGenerations } from '../generations/generations.js';
import { liveHash } from '../testing.js';
import { appendOf, type NoteEvent, notesProjection } from '../testing/notes.fixture.js';
import { ProjectionWorker } from './projection-worker.js';

const FOLD_MS = 100;
/** In total longer than a lease of 3 s. */
const NOTES = 45;

it('a projection worker keeps its lease through a fold that takes longer than a lease', async () => {
  const database = await createTestDatabase();
  const pool = database.pool();
  const store = new InMemoryEventStore();
  const errors: unknown[] = [];
  const slow = notesProjection({
    refuse(event) {
      if (event.type !== 'SomethingElse') block(FOLD_MS);
    },
  });
  const newWorker = (): ProjectionWorker =>
    new ProjectionWorker({
      ...{ pool, store, projections: [slow], retryMs: 20 },
      onError: (error) => errors.push(error),
    });
  const [holder, rival] = [newWorker(), newWorker()];
  try {
    await holder.start();
    await store.append([appendOf({ type: 'SomethingElse' })]);
    await liveHash(pool, slow, store);
    const [before] = await listGenerations(pool, ['notes']);
    await rival.start();
    await store.append(Array.from({ length: NOTES }, (_, index) => appendOf(noteOf(index))));
    const head = await store.head();
    const [after] = await eventually(
      () => listGenerations(pool, ['notes']),
      ([row]) => row?.position === head,
    );
    expect([after?.owner, after?.epoch]).toEqual([before?.owner, before?.epoch]);
    expect(errors).toEqual([]);
  } finally {
    await Promise.all([holder.stop(), rival.stop()]);
    await store.close();
    await database.drop();
  }
});

const noteOf = (index: number): NoteEvent => ({
  type: 'NoteWritten',
  id: `n${index}`,
  author: 'ann',
  text: 'slow',
});

/** Blocks the thread. */
function block(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
