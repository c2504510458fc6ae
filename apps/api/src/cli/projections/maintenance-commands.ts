import process from 'node:process';
import { DomainError } from '@nimo/domain';
import type { ProjectionStatus, RebuildEnd } from '@nimo/projection-engine';
import { EXIT, UsageError } from '../failure.js';
import { interruptible } from '../cli-session.js';
import { type JsonFlag, printResult } from '../output.js';
import { ProgressLine } from '../progress-line.js';
import { withMaintenance, type MaintenanceSession, namesOf, progressText } from './maintenance-session.js';
import { printStatuses } from './status.js';

export interface RebuildFlags extends JsonFlag {
  readonly hold?: true;
  readonly wait?: true;
}

export async function rebuild(requested: string[], flags: RebuildFlags): Promise<void> {
  await interruptible((signal) =>
    withMaintenance(async (session) => {
      const { admin, request, withWorker } = session;
      const names = namesOf(requested, admin);
      // In parallel, so that they start in one pass. A rejected one must not keep the others from being requested.
      const requests = names.map((name) => request(name, { kind: 'rebuild', hold: flags.hold ?? false }));
      for (const outcome of await Promise.allSettled(requests))
        if (outcome.status === 'rejected') throw outcome.reason;
      if (!flags.wait) {
        printStatuses(await admin.status(names), flags);
        return;
      }
      const ends = await withWorker(() => watchRebuild(session, names, signal));
      printResult(ends, flags, () =>
        ends.map(({ name, outcome, error }) => `${name}: ${error ?? outcome}`).join('\n'),
      );
      const hasFailed = ends.some(({ outcome }) => outcome === 'cancelled' || outcome === 'stopped');
      if (hasFailed) process.exitCode = EXIT.failed;
    }),
  );
}

/** One progress line for all, because they share one pass over the log. */
async function watchRebuild(
  { admin }: MaintenanceSession,
  names: readonly string[],
  signal: AbortSignal,
): Promise<readonly RebuildEnd[]> {
  const label = names.length === 1 ? names[0] : `${names.length} projections`;
  const line = new ProgressLine();
  try {
    const ends = await admin.maintenance.watchRebuilds(names, {
      signal,
      onProgress: (progress) => line.show(() => `Rebuilding ${label}: ${progressText(progress)}`),
    });
    signal.throwIfAborted();
    return ends;
  } finally {
    line.clear();
  }
}

export async function cancel(name: string, flags: JsonFlag): Promise<void> {
  await withMaintenance(async ({ admin, request }) => {
    const { rebuild: building, verification } = await admin.statusOf(name);
    const isVerification = building === null && verification !== null;
    await request(name, { kind: isVerification ? 'cancel-verification' : 'cancel-rebuild' });
    printStatuses([await admin.statusOf(name)], flags);
  });
}

export interface SwitchFlags extends JsonFlag {
  readonly all?: true;
  readonly wait?: true;
}

/** @throws UsageError if neither or both of a name and `--all` are given */
export async function switchTo(
  name: string | undefined,
  target: number | undefined,
  flags: SwitchFlags,
): Promise<void> {
  if ((name === undefined) !== (flags.all === true))
    throw new UsageError('Give either the name of a projection or --all.');
  await (name === undefined ? switchAll(flags) : switchOne(name, target, flags));
}

async function switchOne(name: string, target: number | undefined, flags: SwitchFlags): Promise<void> {
  await interruptible((signal) =>
    withMaintenance(async (session) => {
      const { admin, request, withWorker } = session;
      const generation = target ?? defaultTarget(await admin.statusOf(name));
      await request(name, { kind: 'switch', generation });
      if (flags.wait) await withWorker(() => watchRebuild(session, [name], signal));
      printStatuses([await admin.statusOf(name)], flags);
    }),
  );
}

interface SwitchEnd {
  readonly name: string;
  readonly generation: number | null;
  /** `requested`: a worker switches. `not-ready`: there is nothing to switch to yet. */
  readonly outcome: 'requested' | 'not-ready' | 'failed' | RebuildEnd['outcome'];
  readonly reason?: string;
}

/** Switches every projection whose new generation is ready and held. */
async function switchAll(flags: SwitchFlags): Promise<void> {
  await interruptible((signal) =>
    withMaintenance(async (session) => {
      const ends: SwitchEnd[] = [];
      for (const status of await session.admin.status()) ends.push(await switchIfReady(session, status));
      const requested = ends.filter(({ outcome }) => outcome === 'requested').map(({ name }) => name);
      const waited =
        flags.wait && requested.length > 0
          ? await session.withWorker(() => watchRebuild(session, requested, signal))
          : [];
      const all = ends.map((end) =>
        withOutcome(
          end,
          waited.find(({ name }) => name === end.name),
        ),
      );
      printResult(all, flags, () => all.map(switchText).join('\n'));
      const hasFailed = all.some(({ outcome }) => FAILED_SWITCH.has(outcome));
      if (hasFailed) process.exitCode = EXIT.failed;
    }),
  );
}

const FAILED_SWITCH: ReadonlySet<SwitchEnd['outcome']> = new Set(['failed', 'cancelled', 'stopped']);

async function switchIfReady({ request }: MaintenanceSession, status: ProjectionStatus): Promise<SwitchEnd> {
  const { name, rebuild: building } = status;
  const generation = building?.generation ?? null;
  if (!building?.isHeld || !building.isReady)
    return { name, generation, outcome: 'not-ready', reason: whyNotReady(building) };
  try {
    await request(name, { kind: 'switch', generation: building.generation });
    return { name, generation, outcome: 'requested' };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { name, generation, outcome: 'failed', reason: error.message };
  }
}

function whyNotReady(building: ProjectionStatus['rebuild']): string {
  if (building === null) return 'no rebuild is held';
  if (building.error !== null)
    return `generation ${building.generation} stopped at event ${building.error.ordinal}`;
  if (!building.isHeld) return `generation ${building.generation} switches by itself once it is ready`;
  return `generation ${building.generation} is still building`;
}

const withOutcome = (end: SwitchEnd, waited: RebuildEnd | undefined): SwitchEnd =>
  waited === undefined
    ? end
    : {
        ...end,
        outcome: waited.outcome,
        ...(waited.error !== undefined && { reason: waited.error }),
      };

function switchText({ name, generation, outcome, reason }: SwitchEnd): string {
  if (outcome === 'switched') return `${name}: switched to generation ${generation}`;
  if (outcome === 'requested') return `${name}: switch to generation ${generation} requested`;
  return `${name}: not switched, ${reason ?? outcome}`;
}

function defaultTarget({ name, rebuild: building, generations }: ProjectionStatus): number {
  const retired = generations.findLast(({ status }) => status === 'former');
  const next = building?.generation ?? retired?.generation;
  if (next === undefined) throw new UsageError(`${name} has no other generation to switch to.`);
  return next;
}

export async function retry(name: string, flags: JsonFlag): Promise<void> {
  await withMaintenance(async ({ admin, request }) => {
    await request(name, { kind: 'retry' });
    printStatuses([await admin.statusOf(name)], flags);
  });
}
