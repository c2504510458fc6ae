import { CommandBus } from '@nestjs/cqrs';
import { ImportError } from '../features/imports/import-error.js';
import { importStackExchange } from '../features/imports/import-stack-exchange.js';
import { inSession, withProjections } from './cli-session.js';
import { importTable } from './import-table.js';
import { operatorName } from './operator-name.js';
import { ProgressLine } from './progress-line.js';

export interface ImportFlags {
  readonly space: string;
  readonly json?: true;
}

const INTERRUPTED = 130;

export async function importDump(folder: string, { space, json }: ImportFlags): Promise<void> {
  const spaceName = space.trim();
  if (spaceName === '') throw new ImportError('--space needs the name of the space to import into.');
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const progress = new ProgressLine(process.stderr);
  try {
    const report = await inSession(({ container, order, runtime }) =>
      withProjections(runtime, () =>
        importStackExchange({
          runtime,
          commands: container.get(CommandBus, { strict: false }),
          order,
          folder,
          spaceName,
          operator: operatorName(runtime.settings),
          signal: stopping.signal,
          onProgress: (seen) => progress.show(seen),
        }),
      ),
    );
    progress.end();
    process.stdout.write(json ? `${JSON.stringify(report, null, 2)}\n` : importTable(report));
    if (!report.isComplete) process.exitCode = INTERRUPTED;
  } catch (error) {
    progress.end();
    if (!stopping.signal.aborted) throw error;
    process.stderr.write('Interrupted. The same command goes on where it was.\n');
    process.exitCode = INTERRUPTED;
  }
}
