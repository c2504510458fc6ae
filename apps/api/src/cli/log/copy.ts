import {
  type ChainTip,
  copyLog,
  type CopyPhase,
  type CopyReport,
  newClient,
  type Position,
} from '@nimo/event-store';
import type pg from 'pg';
import { loadSettings } from '../../platform/config/load-settings.js';
import { migrate } from '../../platform/database/migrate.js';
import { openDatabase } from '../../platform/database/open-database.js';
import { readLogEngine } from '../../platform/runtime/installation.js';
import { confirm } from '../confirm.js';
import { interruptible, operatorName } from '../cli-session.js';
import { formatCount, type JsonFlag, printResult } from '../output.js';
import { UsageError } from '../failure.js';
import { HERE, type LogEndpoint, openEndpoint } from './log-session.js';
import { recordCopy } from './copy-trace.js';
import { assertStopped, COPY_CONNECTION, translatePositions, readPositions } from './checkpoints.js';
import { RateLine } from '../progress-line.js';

export interface CopyFlags extends JsonFlag {
  readonly from: string;
  readonly to: string;
  readonly switch?: true;
  readonly yes?: true;
}

interface Copied extends Omit<CopyReport, 'translated'> {
  readonly from: string;
  readonly to: string;
  /** Checkpoints moved to the target; null without `--switch`. */
  readonly switched: number | null;
  readonly seconds: number;
}

export async function copy(flags: CopyFlags): Promise<void> {
  if (flags.from === flags.to) throw new UsageError('--from and --to are the same log.');
  const isThisInstallation = flags.switch || [flags.from, flags.to].includes(HERE);
  await interruptible(async (signal) => {
    const copied = isThisInstallation
      ? await withInstallation((url) => copyBetween(flags, signal, url))
      : await copyBetween(flags, signal);
    printResult(copied, flags, () => summaryOf(copied));
  });
}

/** Connects to the database of this installation, starting the embedded one if needed. */
async function withInstallation<Result>(work: (url: string) => Promise<Result>): Promise<Result> {
  const database = await openDatabase(loadSettings(), 'owner');
  const { databaseDirectUrl, databaseUrl } = database.settings;
  try {
    return await work(databaseDirectUrl ?? databaseUrl);
  } finally {
    await database.close();
  }
}

async function copyBetween(flags: CopyFlags, signal: AbortSignal, here?: string): Promise<Copied> {
  // Fails before anything is opened if the operator has no name.
  const operator = operatorName(loadSettings());
  const addressOf = (url: string): string => (url === HERE && here !== undefined ? here : url);
  const installation = flags.switch ? await connectTo(here) : undefined;
  const opened: LogEndpoint[] = [];
  try {
    if (installation) await assertStopped(installation);
    const from = await openEndpoint(addressOf(flags.from), '--from');
    opened.push(from);
    const to = await openEndpoint(addressOf(flags.to), '--to');
    opened.push(to);
    const translate = installation ? await readPositions(installation) : new Set<Position>();
    const checkpoint = await (installation && here !== undefined ? ownChain(flags, here) : from.chainTip());
    const started = performance.now();
    const beforeFirstEvent = await traceOf(flags, from, operator, installation);
    const task = { flags, translate, signal, beforeFirstEvent, ...(checkpoint && { checkpoint }) };

    const { translated, ...report } = await runCopy(from, to, task);
    const switched = installation ? await switchTo(installation, to, { ...report, translated }) : null;
    const seconds = (performance.now() - started) / 1000;
    return { from: from.name, to: to.name, ...report, switched, seconds };
  } finally {
    for (const endpoint of opened) await endpoint.close();
    await installation?.end();
  }
}

async function connectTo(url: string | undefined): Promise<pg.Client | undefined> {
  if (url === undefined) return undefined;
  await migrate(url);
  const client = newClient({ connectionString: url, application_name: COPY_CONNECTION });
  await client.connect();
  return client;
}

/**
 * Chain of this installation, which identifies its log. Positions cannot: those of two PostgreSQL logs look alike. The chain is always in
 * PostgreSQL, whichever engine holds the events.
 */
async function ownChain({ from, to }: CopyFlags, here: string): Promise<ChainTip> {
  const own = await openEndpoint(here, '--from');
  try {
    const tip = await own.chainTip();
    if (tip && (tip.ordinal > 0 || [from, to].includes(HERE))) return tip;
  } finally {
    await own.close();
  }
  throw new UsageError(`This installation has no chain yet. With --switch, --from or --to must be ${HERE}.`);
}

/** Records the copy only if an installation writes to the source. In an abandoned log the additional event would make the two diverge. */
async function traceOf(
  { from, switch: isSwitch }: CopyFlags,
  source: LogEndpoint,
  operator: string,
  installation: pg.Client | undefined,
): Promise<() => Promise<void>> {
  const isWritten =
    source.engine === 'postgresql'
      ? await source.isHome()
      : loadSettings().eventStoreUrl === from ||
        (isSwitch === true &&
          installation !== undefined &&
          (await readLogEngine(installation)) === source.engine);
  return isWritten ? () => recordCopy(source.log, operator) : () => Promise.resolve();
}

interface CopyTask {
  readonly flags: CopyFlags;
  readonly checkpoint?: ChainTip;
  readonly translate: ReadonlySet<Position>;
  readonly signal: AbortSignal;
  /** Runs after the confirmation and before the first event, so that the record is copied too. */
  readonly beforeFirstEvent: () => Promise<void>;
}

const PHASE_LABELS: Readonly<Record<CopyPhase, string>> = {
  comparing: 'Comparing',
  copying: 'Copying',
  proving: 'Verifying',
};

async function runCopy(
  from: LogEndpoint,
  to: LogEndpoint,
  { flags, checkpoint, translate, signal, beforeFirstEvent }: CopyTask,
): Promise<CopyReport> {
  const total = await from.total();
  let phase: CopyPhase | undefined;
  let line: RateLine | undefined;
  try {
    return await copyLog({
      from: from.log,
      to: to.log,
      isOrdered: to.isOrdered,
      ...(checkpoint && { checkpoint }),
      translate,
      signal,
      beforeWriting: async (existing) => {
        line?.clear();
        const what =
          total === undefined ? 'the events' : `${formatCount(Math.max(0, total - existing))} events`;
        await confirm(
          `Copy ${what} from ${from.name} to ${to.name}${existing > 0 ? `, which already has ${formatCount(existing)}` : ''}? They cannot be removed later.`,
          flags,
        );
        await beforeFirstEvent();
      },
      onProgress: (now, ordinal) => {
        if (now !== phase) {
          line?.clear();
          line = new RateLine(PHASE_LABELS[now]);
          phase = now;
        }
        line?.show(ordinal, total);
      },
    });
  } finally {
    line?.clear();
  }
}

async function switchTo(
  installation: pg.Client,
  { engine }: LogEndpoint,
  { behind, translated }: CopyReport,
): Promise<number> {
  if (behind > 0)
    throw new UsageError(
      `The source received ${behind} more events during the copy, so it is still in use. Nothing was switched. Stop Nimo and run the command again.`,
    );
  return translatePositions(installation, translated, engine);
}

function summaryOf(copied: Copied): string {
  const { from, to, ordinal, existing, streams, head, streamsDigest, behind, switched, seconds } = copied;
  const rate = Math.round(copied.copied / Math.max(seconds, 0.001));
  return [
    `Copied ${formatCount(copied.copied)} events from ${from} to ${to} in ${seconds.toFixed(1)} s including verification (${formatCount(rate)}/s)${existing > 0 ? `; ${formatCount(existing)} already existed` : ''}.`,
    `Verified: both logs are identical up to ordinal ${formatCount(ordinal)}.`,
    `  chain head               ${head}`,
    `  heads of ${`${formatCount(streams)} streams`.padEnd(15)} ${streamsDigest}`,
    ...(behind > 0
      ? [
          `The source now has ${behind >= 1000 ? '1,000 or more' : formatCount(behind)} new events. Stop Nimo and run the command again before you switch.`,
        ]
      : []),
    ...(switched === null
      ? []
      : [
          `Switched to ${to}: projections and reactors continue at the same events. Set EVENTSTORE_URL to it (or unset it for PostgreSQL) and start Nimo.`,
        ]),
  ].join('\n');
}
