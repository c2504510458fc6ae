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
import { readHome } from '../../platform/runtime/installation.js';
import { askFirst } from '../ask-first.js';
import { interruptible, operatorName } from '../cli-session.js';
import { grouped, type JsonFlag, printResult } from '../output.js';
import { UsageError } from '../failure.js';
import { HERE, type LogSide, openSide } from './log-session.js';
import { tellOfCopy } from './copy-trace.js';
import { assertStopped, COPY_CONNECTION, movePlaces, placesIn } from './checkpoints.js';
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
  /** Places that go on with the target; null where it was not asked for. */
  readonly switched: number | null;
  readonly seconds: number;
}

export async function copy(flags: CopyFlags): Promise<void> {
  if (flags.from === flags.to) throw new UsageError('--from and --to are the same log.');
  const isHere = flags.switch || [flags.from, flags.to].includes(HERE);
  await interruptible(async (signal) => {
    const copied = isHere
      ? await withInstallation((url) => copyBetween(flags, signal, url))
      : await copyBetween(flags, signal);
    printResult(copied, flags, () => described(copied));
  });
}

/** The database of this installation, started where nobody else has. */
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
  // Before anything is opened: a copy by nobody is none.
  const operator = operatorName(loadSettings());
  const addressOf = (given: string): string => (given === HERE && here !== undefined ? here : given);
  const installation = flags.switch ? await connectTo(here) : undefined;
  const opened: LogSide[] = [];
  try {
    if (installation) await assertStopped(installation);
    const from = await openSide(addressOf(flags.from), '--from');
    opened.push(from);
    const to = await openSide(addressOf(flags.to), '--to');
    opened.push(to);
    const translate = installation ? await placesIn(installation) : new Set<Position>();
    const witness = await (installation && here !== undefined ? ownChain(flags, here) : from.chainTip());
    const started = performance.now();
    const beforeFirst = await traceOf(flags, from, operator, installation);
    const task = { flags, translate, signal, beforeFirst, ...(witness && { witness }) };
    const { translated, ...report } = await copyWith(from, to, task);
    const switched = installation ? await switchTo(installation, to, { ...report, translated }) : null;
    const seconds = (performance.now() - started) / 1000;
    return { from: from.name, to: to.name, ...report, switched, seconds };
  } finally {
    for (const side of opened) await side.close();
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
 * Positions of two logs in PostgreSQL look alike, so it is the chain that tells whether a log is this installation's: it lies in its
 * PostgreSQL, whichever engine holds the events.
 */
async function ownChain({ from, to }: CopyFlags, here: string): Promise<ChainTip> {
  const own = await openSide(here, '--from');
  try {
    const tip = await own.chainTip();
    if (tip && (tip.ordinal > 0 || [from, to].includes(HERE))) return tip;
  } finally {
    await own.close();
  }
  throw new UsageError(`--switch needs ${HERE} as one of the two where this installation has no chain yet.`);
}

/**
 * The source tells of its copy where it is the log that an installation writes: in any other log, as in the one that it moved away from,
 * an event more would part the two.
 */
async function traceOf(
  { from, switch: isSwitch }: CopyFlags,
  side: LogSide,
  operator: string,
  installation: pg.Client | undefined,
): Promise<() => Promise<void>> {
  const isWritten =
    side.engine === 'postgresql'
      ? await side.isHome()
      : loadSettings().eventStoreUrl === from ||
        (isSwitch === true && installation !== undefined && (await readHome(installation)) === side.engine);
  return isWritten ? () => tellOfCopy(side.log, operator) : () => Promise.resolve();
}

interface CopyTask {
  readonly flags: CopyFlags;
  readonly witness?: ChainTip;
  readonly translate: ReadonlySet<Position>;
  readonly signal: AbortSignal;
  /** After the yes and before the first event is copied, which therefore goes along. */
  readonly beforeFirst: () => Promise<void>;
}

const WORDS: Readonly<Record<CopyPhase, string>> = {
  comparing: 'Comparing what is there',
  copying: 'Copying',
  proving: 'Proving',
};

async function copyWith(
  from: LogSide,
  to: LogSide,
  { flags, witness, translate, signal, beforeFirst }: CopyTask,
): Promise<CopyReport> {
  const total = await from.total();
  let phase: CopyPhase | undefined;
  let line: RateLine | undefined;
  try {
    return await copyLog({
      from: from.log,
      to: to.log,
      isOrdered: to.isOrdered,
      ...(witness && { witness }),
      translate,
      signal,
      beforeWriting: async (wereThere) => {
        line?.clear();
        const what = total === undefined ? 'the events' : `${grouped(Math.max(0, total - wereThere))} events`;
        await askFirst(
          `Copy ${what} from ${from.name} to ${to.name}${wereThere > 0 ? ` behind the ${grouped(wereThere)} that are there` : ''}? They cannot be taken out again.`,
          flags,
        );
        await beforeFirst();
      },
      onProgress: (now, ordinal) => {
        if (now !== phase) {
          line?.clear();
          line = new RateLine(WORDS[now]);
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
  { engine }: LogSide,
  { behind, translated }: CopyReport,
): Promise<number> {
  if (behind > 0)
    throw new UsageError(
      `The source got ${behind} more events while it was copied, so somebody still writes to it. Nothing was switched; run it again when Nimo is stopped.`,
    );
  return movePlaces(installation, translated, engine);
}

function described(copied: Copied): string {
  const { from, to, ordinal, wereThere, streams, head, streamsDigest, behind, switched, seconds } = copied;
  const rate = Math.round(copied.copied / Math.max(seconds, 0.001));
  return [
    `Copied ${grouped(copied.copied)} events from ${from} to ${to} in ${seconds.toFixed(1)} s, the proof included (${grouped(rate)}/s)${wereThere > 0 ? `; ${grouped(wereThere)} were there` : ''}.`,
    `Proven: both logs were read from their beginning and are the same up to ordinal ${grouped(ordinal)}.`,
    `  head of the chain        ${head}`,
    `  heads of ${`${grouped(streams)} streams`.padEnd(15)} ${streamsDigest}`,
    ...(behind > 0
      ? [
          `The source has ${behind >= 1000 ? '1,000 or more' : grouped(behind)} new events by now. Stop Nimo and run it again before you switch.`,
        ]
      : []),
    ...(switched === null
      ? []
      : [
          `Switched: what follows the log goes on at the same events in ${to}. Set EVENTSTORE_URL to it (or unset it for PostgreSQL) and start Nimo.`,
        ]),
  ].join('\n');
}
