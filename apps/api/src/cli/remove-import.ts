import { CommandBus } from '@nestjs/cqrs';
import {
  interruptedRemovals,
  removeImport,
  type UnfinishedImport,
} from '../features/imports/remove-import.js';
import { Claims } from '../features/accounts/claims.js';
import type { Runtime } from '../platform/runtime/runtime.js';
import { confirm } from './confirm.js';
import { withSession, operatorContext, operatorName, withProjections } from './cli-session.js';
import { resolveSpace } from './lookup.js';
import { formatCount, type JsonFlag, printResult } from './output.js';
import { UsageError, NotFoundError } from './failure.js';

interface RemoveFlags extends JsonFlag {
  readonly yes?: true;
}

/** Implements `nimo import remove`. */
export function removeUnfinishedImport(name: string, { yes, ...flags }: RemoveFlags): Promise<void> {
  return withSession(({ container, runtime }) =>
    withProjections(runtime, async () => {
      const unfinished = await findUnfinished(runtime, name);
      const { spaceId, name: shown } = unfinished[0];
      await confirm(`Remove the unfinished import "${shown}", its accounts and everything they wrote?`, {
        yes,
      });
      const operator = operatorName(runtime.settings);
      const context = () => operatorContext(operator);
      const commands = container.get(CommandBus, { strict: false });
      const claims = container.get(Claims, { strict: false });
      let accounts = 0;
      for (const { spaceId: id } of unfinished)
        accounts += await removeImport({ commands, claims, runtime, context, spaceId: id });
      printResult(
        { space: spaceId, accounts },
        flags,
        () =>
          `Removed "${shown}". Nimo deletes its ${formatCount(accounts)} accounts and their content in the background. You can import the same dump again now.`,
      );
    }),
  );
}

type Unfinished = readonly [UnfinishedImport, ...UnfinishedImport[]];

/** The unfinished import with that name, and the remains of interrupted removals. */
async function findUnfinished(runtime: Runtime, named: string): Promise<Unfinished> {
  const [first, ...others] = await interruptedRemovals(runtime.store, named);
  try {
    const { _id: spaceId, name, entry } = await resolveSpace(runtime, named);
    if (entry === 'IMPORTING') return [{ spaceId, name }, ...(first ? [first] : []), ...others];
    if (!first)
      throw new UsageError(
        `"${name}" is not an unfinished import. Only an unfinished import can be removed.`,
      );
  } catch (error) {
    if (!first || !(error instanceof NotFoundError)) throw error;
  }
  return [first, ...others];
}
