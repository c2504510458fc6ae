import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { projections } from '@nimo/projections';
import type { ProjectionStatus } from '@nimo/projection-engine';
import { interruptible } from '../cli-session.js';
import { EXIT } from '../failure.js';
import { formatDuration, formatCount, type JsonFlag, printResult, textTable } from '../output.js';
import { withMaintenance } from './maintenance-session.js';

const WATCH_INTERVAL_MS = 1_000;
const CLEAR = '\u001b[H\u001b[2J';

export function list(flags: JsonFlag): void {
  const listed = projections.map(({ name, purpose, version }) => ({ name, purpose, version }));
  printResult(listed, flags, () =>
    textTable(
      listed.map(({ name, purpose, version }) => [name, `v${version}`, purpose]),
      [0, 1, 2],
    ),
  );
}

export async function status(names: string[], flags: JsonFlag & { readonly watch?: true }): Promise<void> {
  await interruptible((signal) =>
    withMaintenance(async ({ admin }) => {
      const read = () => admin.status(names.length === 0 ? undefined : names);
      for (;;) {
        const statuses = await read();
        if (flags.watch && process.stdout.isTTY) process.stdout.write(CLEAR);
        printStatuses(statuses, flags);
        if (!flags.watch) {
          if (statuses.some(isStopped)) process.exitCode = EXIT.different;
          return;
        }
        // Throws when interrupted.
        await delay(WATCH_INTERVAL_MS, undefined, { signal });
      }
    }),
  );
}

/** Whether a generation does not continue without a maintainer. */
const isStopped = ({ state, error }: ProjectionStatus): boolean => state === 'AHEAD' || error !== null;

/** Retired generations are stored as `former`, which earlier versions on the same database know. */
export function printStatuses(statuses: readonly ProjectionStatus[], flags: JsonFlag): void {
  const shown = statuses.map((projection) => ({
    ...projection,
    generations: projection.generations.map((generation) => ({
      ...generation,
      status: generation.status === 'former' ? 'retired' : generation.status,
    })),
  }));
  printResult(shown, flags, () => statusText(statuses));
}

function statusText(statuses: readonly ProjectionStatus[]): string {
  const table = textTable(
    [
      ['projection', 'state', 'generation', 'behind', 'age', 'events/s', 'skipped'],
      ...statuses.map(({ name, state, live, lagEvents, lagMs, eventsPerSecond, skipped }) => [
        name,
        state.toLowerCase(),
        String(live?.generation ?? '–'),
        formatCount(lagEvents),
        formatDuration(lagMs / 1000),
        formatCount(Math.round(eventsPerSecond)),
        String(skipped.length),
      ]),
    ],
    [0, 1],
  );
  return [table, ...statuses.flatMap(notesOf)].join('\n');
}

function notesOf({ name, error, rebuild, verification }: ProjectionStatus): string[] {
  const notes: string[] = [];
  if (error)
    notes.push(
      `${name} stopped at event ${error.ordinal} (${error.eventType}, ${error.eventId}): ${error.message}`,
    );
  if (rebuild) {
    const { generation, done, total, eventsPerSecond, secondsLeft, isHeld, isReady } = rebuild;
    const progress = `${formatCount(done)} of ${formatCount(total)} events`;
    const rest = secondsLeft === null ? '' : `, ${formatDuration(secondsLeft)} left`;
    notes.push(
      isHeld && isReady
        ? `${name}: generation ${generation} is ready and held`
        : `${name}: building generation ${generation}, ${progress} · ${formatCount(Math.round(eventsPerSecond))}/s${rest}`,
    );
  }
  if (verification)
    notes.push(
      `${name}: verifying, ${formatCount(verification.done)} of ${formatCount(verification.total)} events`,
    );
  return notes;
}
