import type { CommandBus } from '@nestjs/cqrs';
import { spaceDecider } from '@nimo/domain';
import type { EventStore } from '@nimo/event-store';
import type { ProjectionWaiter } from '@nimo/projection-engine';
import type { Pool } from 'pg';
import { AddSubject } from '../spaces/commands/add-subject.js';
import { CreateSpace } from '../spaces/commands/create-space.js';
import type { ImportContexts } from './import-contexts.js';
import { ImportError } from './import-error.js';

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
      `There is a space "${name}" that does not come from this ${from}. Choose another name with --space.`,
    );
}

/** The space and the one subject that its topics are under; nothing new where they are there from an earlier run. */
export async function prepareSpace(
  name: string,
  at: Date,
  { commands, contexts }: { readonly commands: CommandBus; readonly contexts: ImportContexts },
): Promise<{ spaceId: string; subjectId: string }> {
  const details = { name, description: DESCRIPTION, color: COLOR, bannerImageUrl: null };
  const spaceId = await commands.execute(
    // The same texts are elsewhere already, and found there.
    new CreateSpace(contexts.operator('space', at), { ...details, hiddenFromSearchEngines: true }),
  );
  const subject = { spaceId, subjectName: name, color: COLOR };
  const subjectId = await commands.execute(new AddSubject(contexts.operator('subject', at), subject));
  return { spaceId, subjectId };
}
