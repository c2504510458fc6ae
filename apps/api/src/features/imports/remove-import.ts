import type { CommandBus } from '@nestjs/cqrs';
import { type Authority, spaceDecider } from '@nimo/domain';
import type { EventStore, RecordedEvent } from '@nimo/event-store';
import type { CommandContext } from '../../platform/commands/command-context.js';
import type { Runtime } from '../../platform/runtime/runtime.js';
import { RequestErasure } from '../erasure/commands/request-erasure.js';
import { RemoveSpace } from '../spaces/commands/manage-space.js';
import type { Claims } from '../accounts/claims.js';
import { withImportLock } from './import-order.js';
import { isImporting, isRemoved } from './import-people.js';
import { ImportError } from './dump-row.js';

const BATCH_SIZE = 1_000;

export interface ImportRemoval {
  readonly commands: CommandBus;
  readonly claims: Claims;
  readonly runtime: Pick<Runtime, 'store' | 'settings'>;
  /** Called once per command. */
  readonly context: () => CommandContext<Authority>;
  readonly spaceId: string;
}

/**
 * Removes an incomplete import: removes its space and requests the erasure of its accounts and their content. Releases their user names
 * immediately for the next import of the dump. Can be repeated after an interruption.
 *
 * @returns the number of accounts to be erased
 * @throws ImportError if the import is complete or running
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
    // Remove the space first, so that no later import resumes this one while its people are being erased.
    if (!(await isImporting(store, spaceId)))
      throw new ImportError('Only an incomplete import can be removed.');
    if (!(await isRemoved(store, spaceId))) await commands.execute(new RemoveSpace(context(), spaceId));
    const people = await importedPeople(store, spaceId);
    const erasure = { withWords: true, reason: 'Import removed', atOnce: true };
    for (const [studentId, value] of people) {
      // Read before the erasure, because the worker may erase the account at any time after it.
      const userName = await claims.read({ kind: 'username', value });
      // Do not wait for projections per account.
      const { freshness: _, ...unseen } = context();
      await commands.execute(new RequestErasure(unseen, studentId, erasure));
      // Safe, because an immediate erasure cannot be cancelled.
      await claims.release(unseen, userName, studentId);
    }
    return people.size;
  });
}

export interface UnfinishedImport {
  readonly spaceId: string;
  readonly name: string;
}

/** Finds interrupted removals by space ID or name. Reads the log, because the projections no longer have the space. */
export async function interruptedRemovals(
  store: EventStore,
  idOrName: string,
): Promise<readonly UnfinishedImport[]> {
  const named = idOrName.trim().toLowerCase();
  const removed: UnfinishedImport[] = [];
  for await (const { type, data } of readLog(store)) {
    const { spaceId, name } = data;
    if (type !== 'SpaceRemoved' || typeof spaceId !== 'string' || typeof name !== 'string') continue;
    if (spaceId === named || name.toLowerCase() === named) removed.push({ spaceId, name });
  }
  const interrupted: UnfinishedImport[] = [];
  for (const one of removed) {
    // Deleting a space after its import was complete keeps the accounts.
    const isInterrupted =
      (await isImporting(store, one.spaceId)) && (await importedPeople(store, one.spaceId)).size > 0;
    if (isInterrupted) interrupted.push(one);
  }
  return interrupted;
}

/** User names by student ID, from the log, which includes students who have not yet joined the space. */
async function importedPeople(store: EventStore, spaceId: string): Promise<ReadonlyMap<string, string>> {
  const [created] = await store.readStream(spaceDecider.stream(spaceId), { limit: 1 });
  const importId = created?.metadata['correlationId'];
  const people = new Map<string, string>();
  for await (const { type, data, metadata } of readLog(store)) {
    const { studentId, userName } = data;
    if (typeof studentId !== 'string') continue;
    if (type === 'StudentImported' && metadata['correlationId'] === importId)
      people.set(studentId, typeof userName === 'string' ? userName : '');
    if (type === 'ErasureAsked' || type === 'StudentErased') people.delete(studentId);
  }
  return people;
}

async function* readLog(store: EventStore): AsyncGenerator<RecordedEvent> {
  for (let after: string | undefined; ;) {
    const events = await store.readAll({ ...(after !== undefined && { after }), limit: BATCH_SIZE });
    yield* events;
    after = events.at(-1)?.position;
    if (after === undefined) return;
  }
}
