import type { CommandBus } from '@nestjs/cqrs';
import { type Authority, spaceDecider } from '@nimo/domain';
import type { EventStore, RecordedEvent } from '@nimo/event-store';
import type { CommandContext } from '../../platform/commands/command-context.js';
import type { Runtime } from '../../platform/runtime/runtime.js';
import { AskErasure } from '../erasure/commands/ask-erasure.js';
import { RemoveSpace } from '../spaces/commands/manage-space.js';
import type { Claims } from '../accounts/claims.js';
import { withImportLock } from './import-order.js';
import { isImporting, isRemoved } from './import-people.js';
import { ImportError } from './dump-row.js';

const BATCH = 1_000;

export interface ImportRemoval {
  readonly commands: CommandBus;
  readonly claims: Claims;
  readonly runtime: Pick<Runtime, 'store' | 'settings'>;
  /** One command for each. */
  readonly context: () => CommandContext<Authority>;
  readonly spaceId: string;
}

/**
 * Gives up an import that is not complete: its space goes, and its accounts are erased with what they wrote. Their user names are free at
 * once, so that the next import of the dump has them. Repeated after an interruption, it does what is left.
 *
 * @returns how many accounts are erased
 * @throws ImportError where the import is complete, or running
 */
export function removeImport({
  commands,
  claims,
  runtime,
  context,
  spaceId,
}: ImportRemoval): Promise<number> {
  const { store } = runtime;
  return withImportLock(runtime, spaceId, async () => {
    // The space goes first, so that no later import resumes this one among people who are being erased.
    if (!(await isRemoved(store, spaceId))) {
      if (!(await isImporting(store, spaceId)))
        throw new ImportError('Only an import that is not complete can be removed.');
      await commands.execute(new RemoveSpace(context(), spaceId));
    }
    const people = await peopleOfImport(store, spaceId);
    const wish = { withWords: true, reason: 'Import removed', atOnce: true };
    for (const [studentId, value] of people) {
      // Seen before the worker may erase the account: then there is nothing to release.
      const userName = await claims.see({ kind: 'username', value });
      // Nobody looks at each of them.
      const { freshness: _, ...unseen } = context();
      await commands.execute(new AskErasure(unseen, studentId, wish));
      // An erasure that is due cannot be withdrawn.
      await claims.release(unseen, userName, studentId);
    }
    return people.size;
  });
}

export interface UnfinishedImport {
  readonly spaceId: string;
  readonly name: string;
}

/** Imports whose removal was interrupted, by the id or name of their space. They are in the log only. */
export async function interruptedRemovals(
  store: EventStore,
  idOrName: string,
): Promise<readonly UnfinishedImport[]> {
  const named = idOrName.trim().toLowerCase();
  const removed: UnfinishedImport[] = [];
  for await (const { type, data } of wholeLog(store)) {
    const { spaceId, name } = data;
    if (type !== 'SpaceRemoved' || typeof spaceId !== 'string' || typeof name !== 'string') continue;
    if (spaceId === named || name.toLowerCase() === named) removed.push({ spaceId, name });
  }
  const interrupted: UnfinishedImport[] = [];
  for (const one of removed) if ((await peopleOfImport(store, one.spaceId)).size > 0) interrupted.push(one);
  return interrupted;
}

/** User names by student id, from the log, as it also has those who have not joined the space yet. */
async function peopleOfImport(store: EventStore, spaceId: string): Promise<ReadonlyMap<string, string>> {
  const [created] = await store.readStream(spaceDecider.stream(spaceId), { limit: 1 });
  const importId = created?.metadata['correlationId'];
  const people = new Map<string, string>();
  for await (const { type, data, metadata } of wholeLog(store)) {
    const { studentId, userName } = data;
    if (typeof studentId !== 'string') continue;
    if (type === 'StudentImported' && metadata['correlationId'] === importId)
      people.set(studentId, typeof userName === 'string' ? userName : '');
    if (type === 'ErasureAsked' || type === 'StudentErased') people.delete(studentId);
  }
  return people;
}

async function* wholeLog(store: EventStore): AsyncGenerator<RecordedEvent> {
  for (let after: string | undefined; ;) {
    const events = await store.readAll({ ...(after !== undefined && { after }), limit: BATCH });
    yield* events;
    after = events.at(-1)?.position;
    if (after === undefined) return;
  }
}
