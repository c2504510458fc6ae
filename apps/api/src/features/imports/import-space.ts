import type { CommandBus } from '@nestjs/cqrs';
import { spaceDecider } from '@nimo/domain';
import type { EventStore } from '@nimo/event-store';
import type { ProjectionWaiter } from '@nimo/projection-engine';
import type { Pool } from 'pg';
import { ChangeSpace } from '../spaces/commands/change-space.js';
import { AddSubject } from '../spaces/commands/add-subject.js';
import { CreateSpace } from '../spaces/commands/create-space.js';
import type { ImportContexts } from './import-contexts.js';
import { ImportError } from './import-error.js';
import type { ImportIds } from './import-ids.js';

const COLOR = '3b6fb6';
const DESCRIPTION =
  'A community of Stack Exchange, imported from its public data dump. Licence of the content: CC BY-SA.';
const LAG_PATIENCE_MS = 60_000;

export interface SpaceSources {
  readonly store: EventStore;
  readonly pool: Pool;
  readonly waiter: ProjectionWaiter;
}

/**
 * @param own the id that the space gets, or has from an earlier run
 * @throws ImportError where another space has that name
 */
export async function assertNameIsFree(
  name: string,
  own: string,
  { pool, store, waiter }: SpaceSources,
  from: 'dump' | 'file' = 'dump',
): Promise<void> {
  if ((await store.readStream(spaceDecider.stream(own), { limit: 1 })).length > 0) return;
  const head = await store.head();
  if (head !== undefined) await waiter.waitFor(['spaces'], head, LAG_PATIENCE_MS);
  const { rowCount } = await pool.query('select from read.spaces where lower(name) = lower($1) limit 1', [
    name,
  ]);
  if (rowCount)
    throw new ImportError(
      `There is a space "${name}" that does not come from this ${from}. Choose another name with --space${from === 'dump' ? ', or give the --origin of its import' : ''}.`,
    );
}

/** Finds the first import under these ids that was not given up. @param nth ids of the nth attempt, from 0 */
export async function currentIds(
  store: EventStore,
  nth: (attempt: number) => ImportIds,
  spaceIdOf: (ids: ImportIds) => string,
): Promise<ImportIds> {
  for (let attempt = 0; ; attempt++) {
    const ids = nth(attempt);
    if (!(await isRemoved(store, spaceIdOf(ids)))) return ids;
  }
}

export async function isRemoved(store: EventStore, spaceId: string): Promise<boolean> {
  const events = await store.readStream(spaceDecider.stream(spaceId));
  return events.at(-1)?.type === 'SpaceRemoved';
}

/** The one command that shows the space to students. */
const OPEN = 'open';

/** How far an earlier run of the same import came. */
export type Standing = 'new' | 'unfinished' | 'complete';

/** @param spaceId of the import, whose ids are `ids` */
export async function standingOf(store: EventStore, spaceId: string, ids: ImportIds): Promise<Standing> {
  const events = await store.readStream(spaceDecider.stream(spaceId));
  if (events.length === 0) return 'new';
  const isOpened = events.some(({ metadata }) => metadata['commandId'] === ids.command(OPEN));
  return isOpened ? 'complete' : 'unfinished';
}

/** The space and the one subject that its topics are under; nothing new where they are there from an earlier run. Students don't see it. */
export async function prepareSpace(
  name: string,
  at: Date,
  { commands, contexts }: { readonly commands: CommandBus; readonly contexts: ImportContexts },
): Promise<{ spaceId: string; subjectId: string }> {
  const details = { name, description: DESCRIPTION, color: COLOR, bannerImageUrl: null };
  const spaceId = await commands.execute(
    // The same texts are elsewhere already, and found there.
    new CreateSpace(contexts.operator('space', at), {
      ...details,
      hiddenFromSearchEngines: true,
      entry: 'IMPORTING',
    }),
  );
  const subject = { spaceId, subjectName: name, color: COLOR };
  const subjectId = await commands.execute(new AddSubject(contexts.operator('subject', at), subject));
  return { spaceId, subjectId };
}

/** By the log, whatever the read side shows. */
export async function isImporting(store: EventStore, spaceId: string): Promise<boolean> {
  const events = await store.readStream(spaceDecider.stream(spaceId));
  return events.findLast(({ data }) => 'entry' in data)?.data['entry'] === 'IMPORTING';
}

/** Now that everything is there. One that was opened stays as its maintainers have it. */
export async function openSpace(
  spaceId: string,
  at: Date,
  {
    commands,
    contexts,
    store,
  }: {
    readonly commands: CommandBus;
    readonly contexts: ImportContexts;
    readonly store: EventStore;
  },
): Promise<void> {
  if (!(await isImporting(store, spaceId))) return;
  const change = { entry: 'OPEN' } as const;
  await commands.execute(new ChangeSpace(contexts.operator(OPEN, at), spaceId, { change }));
}
