import type { CommandBus } from '@nestjs/cqrs';
import { type Authority, spaceDecider } from '@nimo/domain';
import type { EventStore } from '@nimo/event-store';
import type { CommandContext } from '../../platform/commands/command-context.js';
import { AskErasure } from '../erasure/commands/ask-erasure.js';
import { RemoveSpace } from '../spaces/commands/remove-space.js';
import { ImportError } from './import-error.js';
import { isImporting } from './import-space.js';

const BATCH = 1_000;

export interface ImportRemoval {
  readonly commands: CommandBus;
  readonly store: EventStore;
  /** One command for each. */
  readonly context: () => CommandContext<Authority>;
  readonly spaceId: string;
}

/**
 * Gives up an import that is not complete: its accounts are erased with what they wrote, and its space goes. May be repeated.
 *
 * @returns how many accounts are erased
 * @throws ImportError where the import is complete
 */
export async function removeImport({ commands, store, context, spaceId }: ImportRemoval): Promise<number> {
  if (!(await isImporting(store, spaceId)))
    throw new ImportError('Only an import that is not complete can be removed.');
  const people = await peopleOfImport(store, spaceId);
  const wish = { withWords: true, reason: 'Import removed', atOnce: true };
  for (const studentId of people) {
    // Nobody looks at each of them; the last command is waited for.
    const { freshness: _, ...unseen } = context();
    await commands.execute(new AskErasure(unseen, studentId, wish));
  }
  await commands.execute(new RemoveSpace(context(), spaceId));
  return people.size;
}

/** By the log, as it also has those who have not joined the space yet. */
async function peopleOfImport(store: EventStore, spaceId: string): Promise<ReadonlySet<string>> {
  const [created] = await store.readStream(spaceDecider.stream(spaceId), { limit: 1 });
  const importId = created?.metadata['correlationId'];
  const people = new Set<string>();
  for (let after: string | undefined; ;) {
    const events = await store.readAll({ ...(after !== undefined && { after }), limit: BATCH });
    for (const { type, data, metadata } of events) {
      const { studentId } = data;
      if (typeof studentId !== 'string') continue;
      if (type === 'StudentImported' && metadata['correlationId'] === importId) people.add(studentId);
      if (type === 'ErasureAsked' || type === 'StudentErased') people.delete(studentId);
    }
    after = events.at(-1)?.position;
    if (after === undefined) return people;
  }
}
