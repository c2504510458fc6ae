import { describe, expect, it } from '@jest/globals';
import { exchangeTable, meddledBefore } from '../testing/meddled-pool.fixture.js';
import { maintainedNotes, notes } from '../testing/maintained-notes.fixture.js';
import { notesProjection } from '../testing/notes.fixture.js';
import { eventually } from '@nimo/testing';

describe('verifying a projection while it serves', () => {
  const { desk, acts, append, start, status, statuses, work, workUpTo } = maintainedNotes();

  it('verifies the live rows against the log, and notices a row that is not as it should be', async () => {
    const verified = await desk.maintenance.verify('notes');
    expect(verified).toMatchObject({ outcome: 'EQUAL' });
    // The command is itself event 301, which the live generation may read before or after it is hashed.
    expect([300, 301]).toContain(verified?.ordinal);
    await desk.pool.query(
      `update read.notes__g1 set edits = edits + 1 where id = (select min(id) from read.notes__g1)`,
    );
    expect(await desk.maintenance.verify('notes')).toMatchObject({ outcome: 'DIFFERENT' });
    expect(await statuses()).toEqual(['1 live']);
    expect(await acts()).toEqual([
      'ProjectionVerificationStarted',
      'ProjectionVerificationFinished',
      'ProjectionVerificationStarted',
      'ProjectionVerificationFinished',
    ]);
    expect((await status()).lastVerification).toMatchObject({ outcome: 'DIFFERENT' });
  });

  it('goes on with a verification that was interrupted, and compares as of the moment when it began', async () => {
    await desk.worker.stop();
    const { open, worker: first } = await workUpTo(5);
    await desk.maintainer.verify('notes');
    await eventually(status, ({ verification }) => (verification?.done ?? 0) >= 60);
    open();
    await first.stop();
    await append(50);
    await work(notes);
    const { lastVerification } = await eventually(status, ({ verification }) => verification === null);
    expect(lastVerification?.outcome).toBe('EQUAL');
    expect(lastVerification?.ordinal).toBeLessThanOrEqual(301);
    expect(await acts()).toEqual(['ProjectionVerificationStarted', 'ProjectionVerificationFinished']);
  });

  it('verifies rows that somebody puts into another table just then, as new rules do, without a false alarm', async () => {
    await desk.worker.stop();
    const attempts: string[] = [];
    const meddling = meddledBefore(desk.pool, 'declare canonical_rows', async () => {
      if (attempts.length > 0) return;
      attempts.push(await exchangeTable(desk.pool, 'read.notes__g1'));
    });
    await start([notes], { pageSize: 20, pool: meddling });
    expect(await desk.maintenance.verify('notes')).toMatchObject({ outcome: 'EQUAL' });
    expect(attempts).toEqual(['locked out']);
    await eventually(
      () => exchangeTable(desk.pool, 'read.notes__g1'),
      (outcome) => outcome === 'exchanged',
    );
  });

  it('ends a verification that is cancelled', async () => {
    await desk.worker.stop();
    const { open } = await workUpTo(5);
    await desk.maintainer.verify('notes');
    await eventually(status, ({ verification }) => (verification?.done ?? 0) > 0);
    const cancelling = desk.maintainer.cancelVerification('notes');
    // Not before, or the verification may be over first.
    await eventually(acts, (seen) => seen.includes('ProjectionVerificationCancelled'));
    open();
    await cancelling;
    expect(await statuses()).toEqual(['1 live']);
    expect(await desk.maintenance.verify('notes')).toMatchObject({ outcome: 'EQUAL' });
  });

  it('fails a verification at an event that the code cannot digest any more', async () => {
    await desk.worker.stop();
    const allergic = notesProjection({
      refuse(event) {
        if (event.type === 'NoteEdited') throw new Error('indigestible');
      },
    });
    await work(allergic);
    expect(await desk.maintenance.verify('notes')).toMatchObject({
      outcome: 'FAILED',
      error: expect.stringContaining('indigestible'),
    });
    expect(await statuses()).toEqual(['1 live']);
  });
});
