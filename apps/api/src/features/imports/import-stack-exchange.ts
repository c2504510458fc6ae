import type { CommandBus } from '@nestjs/cqrs';
import type { Runtime } from '../../platform/runtime/runtime.js';
import type { AppendOrder } from './append-order.js';
import { findDump } from './dump-files.js';
import { follow } from './follow.js';
import { ImportContexts } from './import-contexts.js';
import { ImportIds } from './import-ids.js';
import { ImportPeople } from './import-people.js';
import { assertNameIsFree, prepareSpace } from './import-space.js';
import { ImportSteps } from './import-steps.js';
import { ImportTally, type ImportReport } from './import-tally.js';
import { runPipeline, type Step } from './pipeline.js';
import { Staging, type StagedRows } from './staging.js';

/** Enough to fill the groups in which the log writes. */
const WIDTH = 128;

export type ImportPhase = 'reading' | 'importing' | 'following';

export interface ImportProgress {
  readonly phase: ImportPhase;
  readonly done: number;
  /** Bytes while reading, things to do while importing. */
  readonly total: number;
}

export interface ImportOptions {
  readonly runtime: Runtime;
  readonly commands: CommandBus;
  /** What the runtime's log was arranged by. */
  readonly order: AppendOrder;
  readonly folder: string;
  readonly spaceName: string;
  /** Who runs the import; the log says so of each event. */
  readonly operator: string;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ImportProgress) => void;
}

/**
 * Reads a Stack Exchange dump into a space, through the commands of the screens: stage the files, plan by time, and do it. Interrupted at
 * any moment and run again it goes on where it was, as every command has one id for good.
 *
 * @throws ImportError for what the person who imports can put right
 */
export async function importStackExchange(options: ImportOptions): Promise<ImportReport> {
  const { commands, folder, onProgress, runtime, signal, spaceName } = options;
  const { store, pool, waiter, settings } = runtime;
  const started = performance.now();
  const dump = await findDump(folder);
  const ids = new ImportIds(dump.identity, spaceName);
  await assertNameIsFree(spaceName, ids.created('space', 'space'), { store, pool, waiter });
  const staging = new Staging(settings.databaseDirectUrl ?? settings.databaseUrl ?? '');
  await staging.open();
  try {
    const staged = await fill(staging, options, dump);
    const contexts = new ImportContexts(ids, options.operator);
    const place = await prepareSpace(spaceName, staged.firstAt, { commands, contexts });
    const tally = new ImportTally();
    for (const skipped of staged.skipped) tally.skip(skipped);
    const people = new ImportPeople({ commands, store, contexts, source: 'stackexchange' });
    const steps = new ImportSteps({ commands, ids, contexts, people, tally, ...place });
    const isComplete = await runPipeline(planned(staging, steps, staged, onProgress), {
      order: options.order,
      width: WIDTH,
      signal,
    });
    if (isComplete)
      await follow(runtime, signal, () => onProgress({ phase: 'following', done: 0, total: 1 }));
    const seconds = (performance.now() - started) / 1000;
    return { spaceId: place.spaceId, space: spaceName, isComplete, ...tally.report(staged.rows), seconds };
  } finally {
    await staging.close();
  }
}

function fill(
  staging: Staging,
  { onProgress, signal }: ImportOptions,
  dump: Awaited<ReturnType<typeof findDump>>,
): Promise<StagedRows> {
  let done = 0;
  const onBytes = (count: number): void => {
    done += count;
    onProgress({ phase: 'reading', done, total: dump.bytes });
  };
  return staging.fill(dump, onBytes, signal);
}

async function* planned(
  staging: Staging,
  steps: ImportSteps,
  { planned: total }: StagedRows,
  onProgress: ImportOptions['onProgress'],
): AsyncGenerator<Step> {
  let done = 0;
  for await (const entry of staging.plan()) {
    yield steps.step(entry);
    onProgress({ phase: 'importing', done: ++done, total });
  }
}
