import { describe, expect, it } from '@jest/globals';
import { exchangeTable, interceptPool } from '../testing/intercepted-pool.fixture.js';
import { maintainedNotes, notes } from '../testing/maintained-notes.fixture.js';
import { notesProjection } from '../testing/notes.fixture.js';
import { eventually } from '@nimo/testing';

describe('verifying a live projection', () => {
  const { fixture, commandTypes, append, start, status, statuses, work, workUpTo } = maintainedNotes();

  it('compares the live rows with the log, and finds a wrong row', async () => {
    const verified = await fixture.maintenance.verify('notes');
    expect(verified).toMatchObject({ outcome: 'EQUAL' });
    // The command is itself event 301, which the live generation may read before or after it is hashed.
    expect([300, 301]).toContain(verified?.ordinal);
    await fixture.pool.query(
      `update read.notes__g1 set edits = edits + 1 where id = (select min(id) from read.notes__g1)`,
    );
    expect(await fixture.maintenance.verify('notes')).toMatchObject({ outcome: 'DIFFERENT' });
    expect(await statuses()).toEqual(['1 live']);
    expect(await commandTypes()).toEqual([
      'ProjectionVerificationStarted',
      'ProjectionVerificationFinished',
      'ProjectionVerificationStarted',
      'ProjectionVerificationFinished',
    ]);
    expect((await status()).lastVerification).toMatchObject({ outcome: 'DIFFERENT' });
  });

  it('continues after an interruption, and compares with the state at the start', async () => {
    await fixture.worker.stop();
    const { open, worker: first } = await workUpTo(5);
    await fixture.maintainer.verify('notes');
    await eventually(status, ({ verification }) => (verification?.done ?? 0) >= 60);
    open();
    await first.stop();
    await append(50);
    await work(notes);
    const { lastVerification } = await eventually(status, ({ verification }) => verification === null);
    expect(lastVerification?.outcome).toBe('EQUAL');
    expect(lastVerification?.ordinal).toBeLessThanOrEqual(301);
    expect(await commandTypes()).toEqual(['ProjectionVerificationStarted', 'ProjectionVerificationFinished']);
  });

  it('raises no false alarm when the rows move to another table, as with new scoring rules', async () => {
    await fixture.worker.stop();
    const attempts: string[] = [];
    const intercepted = interceptPool(fixture.pool, 'declare canonical_rows', async () => {
      if (attempts.length > 0) return;
      attempts.push(await exchangeTable(fixture.pool, 'read.notes__g1'));
    });
    await start([notes], { pageSize: 20, pool: intercepted });
    expect(await fixture.maintenance.verify('notes')).toMatchObject({ outcome: 'EQUAL' });
    expect(attempts).toEqual(['locked out']);
    await eventually(
      () => exchangeTable(fixture.pool, 'read.notes__g1'),
      (outcome) => outcome === 'exchanged',
    );
  });

  it('stops when cancelled', async () => {
    await fixture.worker.stop();
    const { open } = await workUpTo(5);
    await fixture.maintainer.verify('notes');
    await eventually(status, ({ verification }) => (verification?.done ?? 0) > 0);
    const cancelling = fixture.maintainer.cancelVerification('notes');
    // Any earlier, the verification might finish first.
    await eventually(commandTypes, (seen) => seen.includes('ProjectionVerificationCancelled'));
    open();
    await cancelling;
    expect(await statuses()).toEqual(['1 live']);
    expect(await fixture.maintenance.verify('notes')).toMatchObject({ outcome: 'EQUAL' });
  });

  it('fails at an event that the code can no longer handle', async () => {
    await fixture.worker.stop();
    const allergic = notesProjection({
      refuse(event) {
        if (event.type === 'NoteEdited') throw new Error('refused');
      },
    });
    await work(allergic);
    expect(await fixture.maintenance.verify('notes')).toMatchObject({
      outcome: 'FAILED',
      error: expect.stringContaining('refused'),
    });
    expect(await statuses()).toEqual(['1 live']);
  });
});
