import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { maintenanceStream } from './maintenance-commands.js';
import { maintainerOf } from '../testing.js';
import { ProjectionMaintenance } from '../maintenance/projection-maintenance.js';
import { maintainedNotes, notes } from '../testing/maintained-notes.fixture.js';
import { notesProjection } from '../testing/notes.fixture.js';
import { eventually } from '@nimo/testing';

describe('maintenance commands', () => {
  const { fixture, commandTypes, reportedSwitches, generations, status, statuses, stopAll, work } =
    maintainedNotes();

  it('log the switch after a rebuild as its requester, and do not log a requested switch twice', async () => {
    await fixture.maintenance.rebuild('notes');
    const first = {
      projection: 'notes',
      generation: 2,
      fromGeneration: 1,
      afterRebuild: true,
      actor: { kind: 'operator' },
    };
    expect(await eventually(reportedSwitches, (switches) => switches.length > 0)).toEqual([first]);
    await fixture.maintainer.rebuild('notes', true);
    expect(await fixture.maintenance.watchRebuild('notes')).toBe('held');
    await fixture.maintainer.switchTo('notes', 3);
    await eventually(statuses, (seen) => seen.includes('3 live'));
    await fixture.maintainer.switchTo('notes', 2);
    await eventually(statuses, (seen) => seen.includes('2 live'));
    expect(await reportedSwitches()).toMatchObject([
      { generation: 2, afterRebuild: true },
      { generation: 3, fromGeneration: 2 },
      { generation: 2, fromGeneration: 3 },
    ]);
    expect(await commandTypes()).toHaveLength(5);
  });

  it('log the switch to a new code version as the system', async () => {
    await fixture.worker.stop();
    const newer = notesProjection({ version: 2 });
    await work(newer);
    expect(await eventually(reportedSwitches, (switches) => switches.length > 0)).toMatchObject([
      { generation: 2, fromGeneration: 1, actor: { kind: 'system' } },
    ]);
  });

  it('log a switch once if the worker dies before or after the append, and do not repeat the switch', async () => {
    await fixture.maintenance.rebuild('notes');
    await eventually(reportedSwitches, (switches) => switches.length > 0);
    const [rebuild] = await fixture.store.readStream(maintenanceStream('notes'));
    const asked = { actId: rebuild?.id, correlationId: rebuild?.id, actor: { kind: 'operator' } };
    await fixture.worker.stop();
    // The state between the append and the update of the row.
    await fixture.pool.query(
      `update read.projection_generations set asked = $1 where name = 'notes' and generation = 2`,
      [JSON.stringify({ ...asked, fromGeneration: 1 })],
    );
    await work(notes);
    const isReported = (): Promise<boolean> =>
      generations().then((rows) => rows.every((row) => row.asked === null));
    expect(await eventually(isReported, (reported) => reported)).toBe(true);
    expect(await reportedSwitches()).toHaveLength(1);

    // The state between the switch and the append; then a maintainer switches back before any worker runs.
    await stopAll();
    await fixture.pool.query(
      `update read.projection_generations set asked = $1 where name = 'notes' and generation = 2`,
      [JSON.stringify({ ...asked, actId: randomUUID(), fromGeneration: 1 })],
    );
    await fixture.maintainer.switchTo('notes', 1);
    expect(await reportedSwitches()).toMatchObject([{ generation: 2 }, { generation: 2 }, { generation: 1 }]);
    await work(notes);
    expect(await eventually(statuses, (seen) => seen.includes('1 live'))).toEqual(['1 live', '2 former']);
    await fixture.maintenance.applyCommands('notes');
    expect(await statuses()).toEqual(['1 live', '2 former']);
  });

  it('take effect even if the requesting process died after the append', async () => {
    await fixture.store.append([
      {
        streamId: maintenanceStream('notes'),
        expectedRevision: 'any',
        events: [
          {
            id: crypto.randomUUID(),
            type: 'ProjectionRebuildStarted',
            data: { projection: 'notes', hold: false },
            metadata: {},
          },
        ],
      },
    ]);
    expect(await eventually(statuses, (seen) => seen.includes('2 live'))).toEqual(['1 former', '2 live']);
  });

  it('take effect once when many processes apply them', async () => {
    await fixture.maintainer.rebuild('notes', true);
    await Promise.all(Array.from({ length: 8 }, () => fixture.maintenance.applyCommands('notes')));
    const other = await work(notes);
    expect(await fixture.maintenance.watchRebuild('notes')).toBe('held');
    expect(await statuses()).toEqual(['1 live', '2 building']);
    await other.stop();
  });

  it('are not repeated after the read side was dropped', async () => {
    await fixture.maintenance.rebuild('notes');
    await fixture.maintainer.rebuild('notes', true);
    expect(await fixture.maintenance.watchRebuild('notes')).toBe('held');
    await stopAll();
    await fixture.pool.query('drop schema read cascade');
    await work(notes);
    await fixture.maintenance.applyCommands('notes');
    expect(await statuses()).toEqual(['1 live']);
  });

  it('can be sent by two maintainers at the same time', async () => {
    const second = maintainerOf(
      new ProjectionMaintenance({ pool: fixture.pool, store: fixture.store.connect(), projections: [notes] }),
    );
    await Promise.all([fixture.maintainer.rebuild('notes', true), second.rebuild('notes', true)]);
    expect(await fixture.maintenance.watchRebuild('notes')).toBe('held');
    await Promise.all([fixture.maintainer.switchTo('notes', 2), second.switchTo('notes', 2)]);
    expect(await eventually(statuses, (seen) => seen.includes('2 live'))).toEqual(['1 former', '2 live']);
    await Promise.all([fixture.maintainer.verify('notes'), second.verify('notes')]);
    await eventually(
      status,
      ({ verification, lastVerification }) => verification === null && lastVerification !== null,
    );
    expect(await statuses()).toEqual(['1 former', '2 live']);
  });
});
