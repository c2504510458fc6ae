import { CommandBus } from '@nestjs/cqrs';
import {
  interruptedRemovals,
  removeImport,
  type UnfinishedImport,
} from '../features/imports/remove-import.js';
import { Claims } from '../features/accounts/claims.js';
import type { Runtime } from '../platform/runtime/runtime.js';
import { askFirst } from './ask-first.js';
import { inSession, operatorContext, operatorName, withProjections } from './cli-session.js';
import { spaceNamed } from './lookup.js';
import { grouped, type JsonFlag, printResult } from './output.js';
import { UsageError, NotThereError } from './failure.js';

interface RemoveFlags extends JsonFlag {
  readonly yes?: true;
}

/** `nimo import remove`. */
export function removeUnfinished(name: string, { yes, ...flags }: RemoveFlags): Promise<void> {
  return inSession(({ container, runtime }) =>
    withProjections(runtime, async () => {
      const unfinished = await unfinishedNamed(runtime, name);
      const { spaceId, name: shown } = unfinished[0];
      await askFirst(
        `Remove the unfinished import "${shown}", its accounts and everything that they wrote?`,
        {
          yes,
        },
      );
      const operator = operatorName(runtime.settings);
      const context = () => operatorContext(operator);
      const commands = container.get(CommandBus, { strict: false });
      const claims = container.get(Claims, { strict: false });
      let accounts = 0;
      for (const one of unfinished)
        accounts += await removeImport({ commands, claims, runtime, context, spaceId: one.spaceId });
      printResult(
        { space: spaceId, accounts },
        flags,
        () =>
          `Removed "${shown}". Nimo deletes its ${grouped(accounts)} accounts and their texts while it runs. The same dump can be imported again at once.`,
      );
    }),
  );
}

type Unfinished = readonly [UnfinishedImport, ...UnfinishedImport[]];

/** The space that is being imported, and what interrupted removals of that name left. */
async function unfinishedNamed(runtime: Runtime, named: string): Promise<Unfinished> {
  const [first, ...others] = await interruptedRemovals(runtime.store, named);
  try {
    const { _id: spaceId, name, entry } = await spaceNamed(runtime, named);
    if (entry === 'IMPORTING') return [{ spaceId, name }, ...(first ? [first] : []), ...others];
    if (!first)
      throw new UsageError(
        `"${name}" is not being imported. Only an import that is not complete can be removed.`,
      );
  } catch (error) {
    if (!first || !(error instanceof NotThereError)) throw error;
  }
  return [first, ...others];
}
