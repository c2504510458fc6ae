import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { maintenanceStream } from './maintenance-commands.js';
import { maintainerOf } from '../testing.js';
import { ProjectionMaintenance } from '../maintenance/projection-maintenance.js';
import { maintainedNotes, notes } from '../testing/maintained-notes.fixture.js';
import { notesProjection } from '../testing/notes.fixture.js';
import { eventually } from '@nimo/testing';

describe('what maintainers ask for', () => {
  const { desk, acts, switchesTold, generations, status, statuses, stopAll, work } = maintainedNotes();

  it('tells of the switch at the end of a rebuild on behalf of who asked for it, and of an asked switch by the asking alone', async () => {
    await desk.maintenance.rebuild('notes');
    const first = {
      projection: 'notes',
      generation: 2,
      fromGeneration: 1,
      afterRebuild: true,
      actor: { kind: 'operator' },
    };
    expect(await eventually(switchesTold, (told) => told.length > 0)).toEqual([first]);
    await desk.maintainer.rebuild('notes', true);
    expect(await desk.maintenance.watchRebuild('notes')).toBe('held');
    await desk.maintainer.switchTo('notes', 3);
    await eventually(statuses, (seen) => seen.includes('3 live'));
    await desk.maintainer.switchTo('notes', 2);
    await eventually(statuses, (seen) => seen.includes('2 live'));
    expect(await switchesTold()).toMatchObject([
      { generation: 2, afterRebuild: true },
      { generation: 3, fromGeneration: 2 },
      { generation: 2, fromGeneration: 3 },
    ]);
    expect(await acts()).toHaveLength(5);
  });

  it('tells of a switch to a new version of the code, which nobody asked for', async () => {
    await desk.worker.stop();
    const newer = notesProjection({ version: 2 });
    await work(newer);
    expect(await eventually(switchesTold, (told) => told.length > 0)).toMatchObject([
      { generation: 2, fromGeneration: 1, actor: { kind: 'system' } },
    ]);
  });

  it('tells of a switch once where the worker died before or after it told, and does not switch again by that', async () => {
    await desk.maintenance.rebuild('notes');
    await eventually(switchesTold, (told) => told.length > 0);
    const [rebuild] = await desk.store.readStream(maintenanceStream('notes'));
    const asked = { actId: rebuild?.id, correlationId: rebuild?.id, actor: { kind: 'operator' } };
    await desk.worker.stop();
    // As it stands between the append and the row's being marked.
    await desk.pool.query(
      `update read.projection_generations set asked = $1 where name = 'notes' and generation = 2`,
      [JSON.stringify({ ...asked, fromGeneration: 1 })],
    );
    await work(notes);
    const isTold = (): Promise<boolean> =>
      generations().then((rows) => rows.every((row) => row.asked === null));
    expect(await eventually(isTold, (told) => told)).toBe(true);
    expect(await switchesTold()).toHaveLength(1);

    // As it stands between the switch and the append: a maintainer is the first to come by, and switches back.
    await stopAll();
    await desk.pool.query(
      `update read.projection_generations set asked = $1 where name = 'notes' and generation = 2`,
      [JSON.stringify({ ...asked, actId: randomUUID(), fromGeneration: 1 })],
    );
    await desk.maintainer.switchTo('notes', 1);
    expect(await switchesTold()).toMatchObject([{ generation: 2 }, { generation: 2 }, { generation: 1 }]);
    await work(notes);
    expect(await eventually(statuses, (seen) => seen.includes('1 live'))).toEqual(['1 live', '2 former']);
    await desk.maintenance.applyCommands('notes');
    expect(await statuses()).toEqual(['1 live', '2 former']);
  });

  it('gives an act its effect where who asked died before', async () => {
    await desk.store.append([
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

  it('gives each act its effect once, whoever settles it', async () => {
    await desk.maintainer.rebuild('notes', true);
    await Promise.all(Array.from({ length: 8 }, () => desk.maintenance.applyCommands('notes')));
    const other = await work(notes);
    expect(await desk.maintenance.watchRebuild('notes')).toBe('held');
    expect(await statuses()).toEqual(['1 live', '2 building']);
    await other.stop();
  });

  it('does not do again what was asked for, where the read side was thrown away', async () => {
    await desk.maintenance.rebuild('notes');
    await desk.maintainer.rebuild('notes', true);
    expect(await desk.maintenance.watchRebuild('notes')).toBe('held');
    await stopAll();
    await desk.pool.query('drop schema read cascade');
    await work(notes);
    await desk.maintenance.applyCommands('notes');
    expect(await statuses()).toEqual(['1 live']);
  });

  it('lets two maintainers ask for the same at once', async () => {
    const second = maintainerOf(
      new ProjectionMaintenance({ pool: desk.pool, store: desk.store.connect(), projections: [notes] }),
    );
    await Promise.all([desk.maintainer.rebuild('notes', true), second.rebuild('notes', true)]);
    expect(await desk.maintenance.watchRebuild('notes')).toBe('held');
    await Promise.all([desk.maintainer.switchTo('notes', 2), second.switchTo('notes', 2)]);
    expect(await eventually(statuses, (seen) => seen.includes('2 live'))).toEqual(['1 former', '2 live']);
    await Promise.all([desk.maintainer.verify('notes'), second.verify('notes')]);
    await eventually(
      status,
      ({ verification, lastVerification }) => verification === null && lastVerification !== null,
    );
    expect(await statuses()).toEqual(['1 former', '2 live']);
  });
});
