import process from 'node:process';
import type { ProjectionStatus, RebuildEnd } from '@nimo/projection-engine';
import { askFirst } from '../ask-first.js';
import { EXIT } from '../exit-codes.js';
import { interruptible } from '../interruptible.js';
import { type JsonFlag, printResult } from '../print-result.js';
import { UsageError } from '../usage-error.js';
import { atDesk, type DeskSession, namesOf } from './desk-session.js';
import { statusText } from './status.js';
import { workLine } from './work-line.js';

export interface RebuildFlags extends JsonFlag {
  readonly hold?: true;
  readonly wait?: true;
}

export async function rebuild(given: string[], flags: RebuildFlags): Promise<void> {
  await interruptible((signal) =>
    atDesk(async (session) => {
      const { desk, act, working } = session;
      const names = namesOf(given, desk);
      // At once, so that they begin together; what one of them is refused is told when the others are asked for.
      const asked = names.map((name) => act(name, { kind: 'rebuild', hold: flags.hold ?? false }));
      for (const answer of await Promise.allSettled(asked))
        if (answer.status === 'rejected') throw answer.reason;
      if (!flags.wait) {
        print(await desk.status(names), flags);
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
  { desk }: DeskSession,
  names: readonly string[],
  signal: AbortSignal,
): Promise<readonly RebuildEnd[]> {
  const line = workLine(
    names.length === 1 ? `Rebuilding ${names[0]}` : `Rebuilding ${names.length} projections`,
  );
  try {
    const ends = await desk.maintenance.watchRebuilds(names, { signal, onProgress: line.show });
    signal.throwIfAborted();
    return ends;
  } finally {
    line.end();
  }
}

export async function cancel(name: string, flags: JsonFlag): Promise<void> {
  await atDesk(async ({ desk, act }) => {
    const { rebuild: building, verification } = await desk.statusOf(name);
    const isVerification = building === null && verification !== null;
    await act(name, { kind: isVerification ? 'cancel-verification' : 'cancel-rebuild' });
    print([await desk.statusOf(name)], flags);
  });
}

export async function switchTo(
  name: string,
  given: number | undefined,
  flags: JsonFlag & { readonly wait?: true },
): Promise<void> {
  await interruptible((signal) =>
    atDesk(async (session) => {
      const { desk, act, working } = session;
      const generation = given ?? nextOf(await desk.statusOf(name));
      await act(name, { kind: 'switch', generation });
      if (flags.wait) await working(() => watched(session, [name], signal));
      print([await desk.statusOf(name)], flags);
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
  await atDesk(async ({ desk, act }) => {
    await act(name, { kind: 'retry' });
    print([await desk.statusOf(name)], flags);
  });
}

export interface SkipFlags extends JsonFlag {
  readonly reason: string;
  readonly event?: string;
  readonly yes?: true;
}

export async function skip(name: string, flags: SkipFlags): Promise<void> {
  await atDesk(async ({ desk, act }) => {
    const { error } = await desk.statusOf(name);
    if (error)
      await askFirst(`Leave out event ${error.ordinal} (${error.eventType}) of ${name} for good?`, flags);
    const eventId = flags.event ?? error?.eventId ?? '';
    await act(name, { kind: 'skip', eventId, reason: flags.reason });
    print([await desk.statusOf(name)], flags);
  });
}

function print(statuses: readonly ProjectionStatus[], flags: JsonFlag): void {
  printResult(statuses, flags, () => statusText(statuses));
}
