import type { CommandBus } from '@nestjs/cqrs';
import { requireSpaceName } from '@nimo/domain';
import { alreadyThere, type AppendOrder, follow, importLocked } from './import-order.js';
import type { Runtime } from '../../platform/runtime/runtime.js';
import { type Dump, findDump } from './dump-reader.js';
import {
  assertNameIsFree,
  currentIds,
  ImportContexts,
  ImportPeople,
  openSpace,
  prepareSpace,
  type Standing,
  standingOf,
} from './import-people.js';
import { ImportIds } from './import-ids.js';
import { ImportSteps, type Step } from './import-steps.js';
import { type ImportReport, ImportTally } from './import-tally.js';
import { type StagedRows, Staging } from './staging.js';

interface PipelineOptions {
  readonly order: AppendOrder;
  /** Steps under way at once. */
  readonly width: number;
  /** No further step is begun; those under way are finished. */
  readonly signal: AbortSignal;
}

/** Runs steps side by side as far as they do not need each other. @returns false where it was asked to stop before the end */
export async function runPipeline(
  steps: AsyncIterable<Step>,
  { order, width, signal }: PipelineOptions,
): Promise<boolean> {
  const underWay = new Set<Promise<void>>();
  const making = new Map<string, Promise<void>>();
  let failure: { readonly error: unknown } | undefined;

  const start = (step: Step): void => {
    const needed = step.needs.flatMap((name) => making.get(name) ?? []);
    const work = async (): Promise<void> => {
      await Promise.all(needed);
      if (!failure) await step.run();
    };
    const done: Promise<void> = (step.isOrdered ? order.next(work) : work())
      .catch((error: unknown) => {
        failure ??= { error };
        order.close();
      })
      .finally(() => {
        underWay.delete(done);
        if (making.get(step.makes) === done) making.delete(step.makes);
      });
    underWay.add(done);
    making.set(step.makes, done);
  };

  let isComplete = true;
  for await (const step of steps) {
    while (underWay.size >= width) await Promise.race(underWay);
    if (signal.aborted || failure) {
      isComplete = false;
      break;
    }
    start(step);
  }
  await Promise.all(underWay);
  if (failure) throw failure.error;
  return isComplete;
}

/** Enough to fill the groups in which the log writes. */
const WIDTH = 128;

export type ImportPhase = 'reading' | 'comparing' | 'pictures' | 'people' | 'importing' | 'following';

export interface ImportProgress {
  readonly phase: ImportPhase;
  readonly done: number;
  /** Total of this phase: bytes while reading, otherwise items. */
  readonly total: number;
}

interface ImportOptions {
  readonly runtime: Runtime;
  readonly commands: CommandBus;
  /** What the runtime's log was arranged by. */
  readonly order: AppendOrder;
  readonly folder: string;
  readonly spaceName: string;
  /** The source's address, for links within it. */
  readonly origin?: string | undefined;
  /** Nothing is written; the report is what an import would bring. */
  readonly isDryRun?: boolean;
  /** Who runs the import; the log says so of each event. */
  readonly operator: string;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ImportProgress) => void;
}

/**
 * Reads a Stack Exchange dump into a space, through the commands of the screens: stage the files, plan by time, and do it. Interrupted at
 * any moment and run again it goes on where it was, as every command has one id for good. Students see the space once it is complete.
 *
 * @throws ImportError for what the person who imports can put right
 */
export async function importStackExchange(options: ImportOptions): Promise<ImportReport> {
  const { folder, isDryRun = false, origin, runtime } = options;
  const spaceName = requireSpaceName(options.spaceName);
  const dump = await findDump(folder);
  const identity = origin === undefined ? dump.identity : `${dump.identity}:${origin}`;
  const ids = await currentIds(
    runtime.store,
    (attempt) => ImportIds.of(identity, spaceName, attempt),
    spaceOf,
  );
  const work = (): Promise<ImportReport> => importDump({ ...options, spaceName }, dump, ids);
  return isDryRun ? work() : importLocked(runtime, spaceOf(ids), work);
}

async function importDump(options: ImportOptions, dump: Dump, ids: ImportIds): Promise<ImportReport> {
  const { onProgress, origin, runtime, signal, spaceName } = options;
  const { settings, store } = runtime;
  const started = performance.now();
  const spaceId = spaceOf(ids);
  if (dump.missing.size === 0) await assertNameIsFree(spaceName, spaceId, runtime);
  const staging = new Staging(settings.databaseDirectUrl ?? settings.databaseUrl ?? '');
  await staging.open();
  try {
    let bytes = 0;
    const staged = await staging.fill(dump, {
      origin,
      now: runtime.clock(),
      onBytes: (count) => onProgress({ phase: 'reading', done: (bytes += count), total: dump.bytes }),
      signal,
    });
    const standing = await standingOf(store, spaceId, ids);
    const run = new ImportRun(options, { staging, staged, ids, spaceId });
    const { isComplete, tally } = await run.from(standing);
    const seconds = (performance.now() - started) / 1000;
    const isDryRun = options.isDryRun ?? false;
    return { spaceId, space: spaceName, standing, isDryRun, isComplete, ...tally.report(), seconds };
  } finally {
    await staging.close();
  }
}

const spaceOf = (ids: ImportIds): string => ids.created('space', 'space');

interface Prepared {
  readonly staging: Staging;
  readonly staged: StagedRows;
  readonly ids: ImportIds;
  readonly spaceId: string;
}

interface Outcome {
  readonly isComplete: boolean;
  readonly tally: ImportTally;
}

class ImportRun {
  private readonly tally: ImportTally;
  private readonly total: number;

  constructor(
    private readonly options: ImportOptions,
    private readonly prepared: Prepared,
  ) {
    const { rows, skipped, changed, planned } = prepared.staged;
    this.tally = new ImportTally(rows, skipped, changed);
    this.total = planned.reduce((sum, { rows: more }) => sum + more, 0);
  }

  async from(standing: Standing): Promise<Outcome> {
    const { tally } = this;
    if (standing !== 'new') await this.compare(standing);
    if (this.options.isDryRun) {
      for (const { file, kind, rows } of this.prepared.staged.planned) tally.add(file, kind, rows);
      return { isComplete: false, tally };
    }
    return { isComplete: standing === 'complete' || (await this.import()), tally };
  }

  /** A complete import is not repeated: what its rows brought is counted by what the log has. */
  private async compare(standing: Standing): Promise<void> {
    const { options, prepared, tally } = this;
    const { runtime, signal, onProgress } = options;
    const isCounted = standing === 'complete' && !options.isDryRun;
    const where = { store: runtime.store, ids: prepared.ids, spaceId: prepared.spaceId };
    let done = 0;
    for await (const [{ file, kind }, isThere] of alreadyThere(prepared.staging.plan(), where)) {
      signal.throwIfAborted();
      onProgress({ phase: 'comparing', done: ++done, total: this.total });
      if (isThere) tally.wasThere(kind);
      if (isCounted && isThere) tally.add(file, kind);
      if (isCounted && !isThere) tally.leaveOut({ file, kind }, 'refused when it was imported');
    }
  }

  /** @returns false where it was asked to stop before the end */
  private async import(): Promise<boolean> {
    const { options, prepared, tally } = this;
    const { commands, onProgress, order, runtime, signal } = options;
    const { ids, staged } = prepared;
    const contexts = new ImportContexts(ids, options.operator);
    const place = await prepareSpace(options.spaceName, staged.firstAt, { commands, contexts });
    const people = new ImportPeople({ commands, store: runtime.store, contexts, source: 'stackexchange' });
    const steps = new ImportSteps({ commands, ids, contexts, people, tally, ...place });
    const isDone = await runPipeline(this.steps(steps), { order, width: WIDTH, signal });
    if (!isDone) return false;
    const onFollowing = (): void => onProgress({ phase: 'following', done: 0, total: 1 });
    // A visible space is always complete.
    await follow(runtime, signal, onFollowing);
    if (signal.aborted) return false;
    await openSpace(place.spaceId, staged.lastAt, { commands, contexts, store: runtime.store });
    await follow(runtime, signal, onFollowing);
    return true;
  }

  private async *steps(steps: ImportSteps): AsyncGenerator<Step> {
    const { onProgress } = this.options;
    let done = 0;
    for await (const planned of this.prepared.staging.plan()) {
      yield steps.step(planned);
      onProgress({ phase: 'importing', done: ++done, total: this.total });
    }
  }
}
