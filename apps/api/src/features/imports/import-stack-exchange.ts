import type { CommandBus } from '@nestjs/cqrs';
import { requireSpaceName } from '@nimo/domain';
import { withPresence, type AppendOrder, waitForProjections, withLiveImportLock } from './import-order.js';
import type { Runtime } from '../../platform/runtime/runtime.js';
import { type Dump, findDump } from './dump-reader.js';
import {
  assertNameIsFree,
  currentIds,
  ImportContexts,
  ImportPeople,
  openSpace,
  prepareSpace,
  type ImportState,
  readImportState,
} from './import-people.js';
import { ImportIds } from './import-ids.js';
import { ImportSteps, type Step } from './import-steps.js';
import { type ImportReport, ImportTally } from './import-tally.js';
import { type PlannedKind, type StagedRows, Staging } from './staging.js';

interface PipelineOptions {
  readonly order: AppendOrder;
  /** Maximum number of concurrent steps. */
  readonly concurrency: number;
  /** On abort, running steps finish and no further step starts. */
  readonly signal: AbortSignal;
}

/** Runs independent steps concurrently. @returns false if aborted before the last step */
export async function runPipeline(
  steps: AsyncIterable<Step>,
  { order, concurrency, signal }: PipelineOptions,
): Promise<boolean> {
  const running = new Set<Promise<void>>();
  const pending = new Map<string, Promise<void>>();
  let failure: { readonly error: unknown } | undefined;

  const start = (step: Step): void => {
    const needed = step.needs.flatMap((name) => pending.get(name) ?? []);
    const work = async (): Promise<void> => {
      await Promise.all(needed);
      if (!failure) await step.run();
    };
    const done: Promise<void> = (step.isOrdered ? order.run(work) : work())
      .catch((error: unknown) => {
        failure ??= { error };
        order.close();
      })
      .finally(() => {
        running.delete(done);
        if (pending.get(step.provides) === done) pending.delete(step.provides);
      });
    running.add(done);
    pending.set(step.provides, done);
  };

  let isComplete = true;
  for await (const step of steps) {
    while (running.size >= concurrency) await Promise.race(running);
    if (signal.aborted || failure) {
      isComplete = false;
      break;
    }
    start(step);
  }
  await Promise.all(running);
  if (failure) throw failure.error;
  return isComplete;
}

/** Enough to fill the write batches of the log. */
const CONCURRENCY = 128;

export type ImportPhase = 'reading' | 'comparing' | 'pictures' | 'people' | 'importing' | 'following';

export interface ImportProgress {
  readonly phase: ImportPhase;
  readonly done: number;
  /** Bytes in the phase `reading`, otherwise items. */
  readonly total: number;
  /** Items by kind, if they are imported in order of time. */
  readonly parts?: readonly ImportPart[];
}

export interface ImportPart {
  readonly name: 'people' | 'posts' | 'votes' | 'other';
  readonly done: number;
  readonly total: number;
}

const PART_OF: Readonly<Record<PlannedKind, ImportPart['name']>> = {
  person: 'people',
  question: 'posts',
  answer: 'posts',
  comment: 'posts',
  up: 'votes',
  down: 'votes',
  topic: 'other',
  'stand-in': 'other',
  accept: 'other',
  bookmark: 'other',
};

const PARTS = ['people', 'posts', 'votes', 'other'] as const satisfies readonly ImportPart['name'][];

/** Counts the imported items by part. */
export class ImportParts {
  private readonly done = new Map<ImportPart['name'], number>();
  private readonly total = new Map<ImportPart['name'], number>();

  constructor(planned: StagedRows['planned']) {
    for (const { kind, rows } of planned) this.add(this.total, kind, rows);
  }

  /** @returns the parts that have items */
  count(kind: PlannedKind): readonly ImportPart[] {
    this.add(this.done, kind, 1);
    return PARTS.flatMap((name) => {
      const total = this.total.get(name);
      return total === undefined ? [] : [{ name, done: this.done.get(name) ?? 0, total }];
    });
  }

  private add(counts: Map<ImportPart['name'], number>, kind: PlannedKind, rows: number): void {
    const name = PART_OF[kind];
    counts.set(name, (counts.get(name) ?? 0) + rows);
  }
}

interface ImportOptions {
  readonly runtime: Runtime;
  readonly commands: CommandBus;
  /** The order that wraps the log of `runtime`. */
  readonly order: AppendOrder;
  readonly folder: string;
  readonly spaceName: string;
  /** Base URL of the source, to resolve its relative links. */
  readonly origin?: string | undefined;
  /** Writes nothing; the report shows what an import would do. */
  readonly isDryRun?: boolean;
  /** Name of the operator, recorded with each event. */
  readonly operator: string;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ImportProgress) => void;
}

/**
 * Imports a Stack Exchange dump into a new space through the regular commands: stages the files, plans by time and executes the plan.
 * Command IDs are deterministic, so an interrupted import resumes. Students see the space once it is complete.
 *
 * @throws ImportError for problems that the operator can fix
 */
export async function importStackExchange(options: ImportOptions): Promise<ImportReport> {
  const { folder, isDryRun = false, origin, runtime } = options;
  const spaceName = requireSpaceName(options.spaceName);
  const dump = await findDump(folder);
  const identity = origin === undefined ? dump.identity : `${dump.identity}:${origin}`;
  const ids = await currentIds(
    runtime.store,
    (attempt) => ImportIds.forAttempt(identity, spaceName, attempt),
    spaceIdOf,
  );
  const work = (): Promise<ImportReport> => importDump({ ...options, spaceName }, dump, ids);
  return isDryRun ? work() : withLiveImportLock(runtime, spaceIdOf(ids), work);
}

async function importDump(options: ImportOptions, dump: Dump, ids: ImportIds): Promise<ImportReport> {
  const { onProgress, origin, runtime, signal, spaceName } = options;
  const { settings, store } = runtime;
  const started = performance.now();
  const spaceId = spaceIdOf(ids);
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
    const state = await readImportState(store, spaceId, ids);
    const run = new ImportRun(options, { staging, staged, ids, spaceId });
    const { isComplete, tally } = await run.run(state);
    const seconds = (performance.now() - started) / 1000;
    const isDryRun = options.isDryRun ?? false;
    return { spaceId, space: spaceName, state, isDryRun, isComplete, ...tally.report(), seconds };
  } finally {
    await staging.close();
  }
}

const spaceIdOf = (ids: ImportIds): string => ids.created('space', 'space');

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

  async run(state: ImportState): Promise<Outcome> {
    const { tally } = this;
    if (state !== 'new') await this.compare(state);
    if (this.options.isDryRun) {
      for (const { file, kind, rows } of this.prepared.staged.planned) tally.add(file, kind, rows);
      return { isComplete: false, tally };
    }
    return { isComplete: state === 'complete' || (await this.import()), tally };
  }

  /** Counts what the log already has. A complete import is only counted, not repeated. */
  private async compare(state: ImportState): Promise<void> {
    const { options, prepared, tally } = this;
    const { runtime, signal, onProgress } = options;
    const isCounted = state === 'complete' && !options.isDryRun;
    const source = { store: runtime.store, ids: prepared.ids, spaceId: prepared.spaceId };
    let done = 0;
    for await (const [{ file, kind }, isImported] of withPresence(prepared.staging.plan(), source)) {
      signal.throwIfAborted();
      onProgress({ phase: 'comparing', done: ++done, total: this.total });
      if (isImported) tally.addExisting(kind);
      if (isCounted && isImported) tally.add(file, kind);
      if (isCounted && !isImported) tally.skipPlanned({ file, kind }, 'rejected during the import');
    }
  }

  /** @returns false if aborted before the end */
  private async import(): Promise<boolean> {
    const { options, prepared, tally } = this;
    const { commands, onProgress, order, runtime, signal } = options;
    const { ids, staged } = prepared;
    const contexts = new ImportContexts(ids, options.operator);
    const place = await prepareSpace(options.spaceName, staged.firstAt, { commands, contexts });
    const people = new ImportPeople({ commands, store: runtime.store, contexts, source: 'stackexchange' });
    const steps = new ImportSteps({ commands, ids, contexts, people, tally, ...place });
    const isDone = await runPipeline(this.steps(steps), { order, concurrency: CONCURRENCY, signal });
    if (!isDone) return false;
    const onWaiting = (): void => onProgress({ phase: 'following', done: 0, total: 1 });
    // Open the space only once the projections are complete.
    await waitForProjections(runtime, signal, onWaiting);
    if (signal.aborted) return false;
    await openSpace(place.spaceId, staged.lastAt, { commands, contexts, store: runtime.store });
    await waitForProjections(runtime, signal, onWaiting);
    return true;
  }

  private async *steps(steps: ImportSteps): AsyncGenerator<Step> {
    const { onProgress } = this.options;
    const parts = new ImportParts(this.prepared.staged.planned);
    let done = 0;
    for await (const planned of this.prepared.staging.plan()) {
      yield steps.step(planned);
      onProgress({
        ...{ phase: 'importing', done: ++done, total: this.total },
        parts: parts.count(planned.kind),
      });
    }
  }
}
