import { CommandBus } from '@nestjs/cqrs';
import { removeImport } from '../features/imports/remove-import.js';
import { askFirst } from './ask-first.js';
import { inSession, withProjections } from './cli-session.js';
import { spaceNamed } from './lookup.js';
import { operatorName } from './operator-name.js';
import { operatorContext } from './operator-session.js';
import { type JsonFlag, printResult } from './print-result.js';
import { grouped } from './progress-line.js';
import { UsageError } from './usage-error.js';

export interface RemoveFlags extends JsonFlag {
  readonly yes?: true;
}

/** `nimo import remove`. */
export function removeUnfinished(name: string, { yes, ...flags }: RemoveFlags): Promise<void> {
  return inSession(({ container, runtime }) =>
    withProjections(runtime, async () => {
      const { _id: spaceId, name: shown, entry } = await spaceNamed(runtime, name);
      if (entry !== 'IMPORTING')
        throw new UsageError(
          `"${shown}" is not being imported. Only an import that is not complete can be removed.`,
        );
      await askFirst(`Remove "${shown}", its accounts and everything that they wrote?`, { yes });
      const operator = operatorName(runtime.settings);
      const context = () => operatorContext(operator);
      const commands = container.get(CommandBus, { strict: false });
      const accounts = await removeImport({ commands, store: runtime.store, context, spaceId });
      printResult(
        { space: spaceId, accounts },
        flags,
        () =>
          `Removed "${shown}". Nimo deletes its ${grouped(accounts)} accounts and their texts while it runs.`,
      );
    }),
  );
}
