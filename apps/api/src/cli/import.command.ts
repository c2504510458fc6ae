import { CommandBus } from '@nestjs/cqrs';
import type { FileStore } from '../adapters/files/file-store.js';
import { FILES } from '../adapters/tokens.js';
import { importArchive } from '../features/imports/archive/import-archive.js';
import { ImportError } from '../features/imports/dump-reader.js';
import { type ImportProgress, importStackExchange } from '../features/imports/import-stack-exchange.js';
import { type CliSession, inSession, withProjections } from './cli-session.js';
import { arrivalTable, importTable } from './import-table.js';
import { operatorName } from './operator-name.js';
import { ProgressLine } from './progress-line.js';

export interface ImportFlags {
  readonly space: string;
  readonly json?: true;
}

export interface DumpFlags extends ImportFlags {
  readonly origin?: string;
  readonly dryRun?: true;
}

const INTERRUPTED = 130;

interface Reported {
  readonly isComplete: boolean;
  readonly isDryRun?: boolean;
}

interface Working {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ImportProgress) => void;
}

export function importDump(folder: string, { space, json, origin, dryRun }: DumpFlags): Promise<void> {
  const spaceName = nameOf(space);
  return interruptibly(
    ({ container, order, runtime }, working) =>
      importStackExchange({
        runtime,
        commands: container.get(CommandBus, { strict: false }),
        order,
        folder,
        spaceName,
        origin,
        isDryRun: dryRun ?? false,
        operator: operatorName(runtime.settings),
        ...working,
      }),
    (report) => (json ? asJson(report) : importTable(report)),
  );
}

export interface ArchiveFlags extends ImportFlags {
  readonly fingerprint?: string;
  readonly otherRules?: true;
}

export function importSpace(
  file: string,
  { space, json, fingerprint, otherRules }: ArchiveFlags,
): Promise<void> {
  const spaceName = nameOf(space);
  return interruptibly(
    ({ container, runtime }, working) =>
      importArchive({
        runtime,
        commands: container.get(CommandBus, { strict: false }),
        files: container.get<FileStore>(FILES, { strict: false }),
        file,
        spaceName,
        fingerprint,
        otherRules: otherRules ?? false,
        operator: operatorName(runtime.settings),
        ...working,
      }),
    (report) => (json ? asJson(report) : arrivalTable(report)),
  );
}

function nameOf(space: string): string {
  const spaceName = space.trim();
  if (spaceName === '') throw new ImportError('--space needs the name of the space to import into.');
  return spaceName;
}

const asJson = (report: Reported): string => `${JSON.stringify(report, null, 2)}\n`;

async function interruptibly<Report extends Reported>(
  work: (session: CliSession, working: Working) => Promise<Report>,
  shown: (report: Report) => string,
): Promise<void> {
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const progress = new ProgressLine(process.stderr);
  const working = { signal: stopping.signal, onProgress: (seen: ImportProgress) => progress.show(seen) };
  try {
    const report = await inSession((session) =>
      withProjections(session.runtime, () => work(session, working)),
    );
    progress.end();
    process.stdout.write(shown(report));
    if (!report.isComplete && !report.isDryRun) process.exitCode = INTERRUPTED;
  } catch (error) {
    progress.end();
    if (!stopping.signal.aborted) throw error;
    process.stderr.write('Interrupted. Repeat the same command to resume.\n');
    process.exitCode = INTERRUPTED;
  }
}
