import process from 'node:process';
import type { ProjectionStatus, RebuildEnd } from '@nimo/projection-engine';
import { askFirst } from '../ask-first.js';
import { EXIT, UsageError } from '../failure.js';
import { interruptible } from '../cli-session.js';
import { type JsonFlag, printResult } from '../output.js';
import { ProgressLine } from '../progress-line.js';
import { withMaintenance, type MaintenanceSession, namesOf, progressText } from './maintenance-session.js';
import { statusText } from './status.js';

export interface RebuildFlags extends JsonFlag {
  readonly hold?: true;
  readonly wait?: true;
}

export async function rebuild(given: string[], flags: RebuildFlags): Promise<void> {
  await interruptible((signal) =>
    withMaintenance(async (session) => {
      const { admin, request, working } = session;
      const names = namesOf(given, admin);
      // At once, so that they begin together; what one of them is refused is told when the others are asked for.
      const asked = names.map((name) => request(name, { kind: 'rebuild', hold: flags.hold ?? false }));
      for (const answer of await Promise.allSettled(asked))
        if (answer.status === 'rejected') throw answer.reason;
      if (!flags.wait) {
        print(await admin.status(names), flags);
        return;
      }
      const ends = await working(() => watched(session, names, signal));
      printResult(ends, flags, () =>
        ends.map(({ name, outcome, error }) => `${name}: ${error ?? outcome}`).join('\n'),
      );
      const hasFailed = ends.some(({ outcome }) => outcome === 'cancelled' || outcome === 'stopped');
      if (hasFailed) process.exitCode = EXIT.failed;
    }),
  );
}

/** All in one line, as they go along the log together. */
async function watched(
  { admin }: MaintenanceSession,
  names: readonly string[],
  signal: AbortSignal,
): Promise<readonly RebuildEnd[]> {
  const what = names.length === 1 ? names[0] : `${names.length} projections`;
  const line = new ProgressLine();
  try {
    const ends = await admin.maintenance.watchRebuilds(names, {
      signal,
      onProgress: (progress) => line.show(() => `Rebuilding ${what}: ${progressText(progress)}`),
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
    print([await admin.statusOf(name)], flags);
  });
}

export async function switchTo(
  name: string,
  given: number | undefined,
  flags: JsonFlag & { readonly wait?: true },
): Promise<void> {
  await interruptible((signal) =>
    withMaintenance(async (session) => {
      const { admin, request, working } = session;
      const generation = given ?? nextOf(await admin.statusOf(name));
      await request(name, { kind: 'switch', generation });
      if (flags.wait) await working(() => watched(session, [name], signal));
      print([await admin.statusOf(name)], flags);
    }),
  );
}

function nextOf({ name, rebuild: building, generations }: ProjectionStatus): number {
  const former = generations.findLast(({ status }) => status === 'former');
  const next = building?.generation ?? former?.generation;
  if (next === undefined) throw new UsageError(`${name} has no generation to switch to.`);
  return next;
}

export async function retry(name: string, flags: JsonFlag): Promise<void> {
  await withMaintenance(async ({ admin, request }) => {
    await request(name, { kind: 'retry' });
    print([await admin.statusOf(name)], flags);
  });
}

export interface SkipFlags extends JsonFlag {
  readonly reason: string;
  readonly event?: string;
  readonly yes?: true;
}

export async function skip(name: string, flags: SkipFlags): Promise<void> {
  await withMaintenance(async ({ admin, request }) => {
    const { error } = await admin.statusOf(name);
    if (error)
      await askFirst(`Leave out event ${error.ordinal} (${error.eventType}) of ${name} for good?`, flags);
    const eventId = flags.event ?? error?.eventId ?? '';
    await request(name, { kind: 'skip', eventId, reason: flags.reason });
    print([await admin.statusOf(name)], flags);
  });
}

function print(statuses: readonly ProjectionStatus[], flags: JsonFlag): void {
  printResult(statuses, flags, () => statusText(statuses));
}
