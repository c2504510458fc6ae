import type { Pool } from 'pg';
import type { EventStore, Position, RecordedEvent } from '../port.js';
import { findOrdinalsOf } from './chain-table.js';
import { type ChainLink, type ChainTip, nextHead } from './event-chain.js';

/**
 * - altered: the event has different content, stream or revision
 * - missing: the expected event is not in the log
 * - inserted: the event is not in the chain
 * - reordered: the expected event comes later
 * - duplicated: the event occurred before
 * - chain-changed: the chain table is inconsistent; the event may be correct
 * - rewritten: log and chain agree but contradict a signed head
 * - forged: a signature is invalid
 * - checkpoint: an external checkpoint is missing heads, has heads of an unknown key, or is behind
 */
export type MismatchKind =
  | 'altered'
  | 'missing'
  | 'inserted'
  | 'reordered'
  | 'duplicated'
  | 'chain-changed'
  | 'rewritten'
  | 'forged'
  | 'checkpoint';

export interface Mismatch {
  readonly kind: MismatchKind;
  readonly ordinal: number;
  /** First ordinal that may have been changed; differs from `ordinal` for a change between two signed heads. */
  readonly since: number;
  readonly eventId: string | null;
  /** Null if the event is missing: the chain has only ids and hashes. */
  readonly streamId: string | null;
  readonly revision: number | null;
  readonly detail: string;
}

interface Sources {
  readonly pool: Pool;
  readonly log: EventStore;
  readonly until: Position;
}

interface MismatchContext {
  readonly event: RecordedEvent;
  readonly before: ChainTip;
  readonly link: ChainLink | undefined;
  readonly found: ChainLink | undefined;
}

/** Explains the first mismatch. May read the rest of the log. */
export async function explainMismatch(
  sources: Sources,
  { event, before, link, found }: MismatchContext,
): Promise<Mismatch> {
  const ordinal = before.ordinal + 1;
  const here = { ordinal, since: ordinal, ...identityOf(event) };
  if (!link || link.eventId === event.id) return { ...here, ...contentMismatch(before, link, found) };
  const elsewhere = await findOrdinalsOf(sources.pool, event.id);
  const earlier = elsewhere.find((each) => each < ordinal);
  if (earlier !== undefined) {
    return { ...here, kind: 'duplicated', detail: `This event already exists at ordinal ${earlier}.` };
  }
  const [later] = elsewhere;
  if (await comesLater(sources, event.position, link.eventId)) {
    return later === undefined
      ? {
          ...here,
          kind: 'inserted',
          detail: 'The chain does not contain this event; the expected one follows later.',
        }
      : {
          ...here,
          kind: 'reordered',
          detail: `This event belongs at ordinal ${later}; ${link.eventId} is expected here.`,
        };
  }
  const instead =
    later === undefined
      ? `An unknown event is in its place: ${describeEvent(event)}.`
      : `The event of ordinal ${later} is in its place: ${describeEvent(event)}.`;
  return {
    kind: 'missing',
    ordinal,
    since: ordinal,
    eventId: link.eventId,
    streamId: null,
    revision: null,
    detail: `This event is no longer in the log. ${instead}`,
  };
}

function contentMismatch(
  before: ChainTip,
  link: ChainLink | undefined,
  found: ChainLink | undefined,
): Pick<Mismatch, 'kind' | 'detail'> {
  if (!found) return { kind: 'altered', detail: 'Its content could not have been appended.' };
  if (link && !nextHead(before.head, link.leaf).equals(link.head)) {
    return { kind: 'chain-changed', detail: 'The chain row does not follow from the previous row.' };
  }
  return {
    kind: 'altered',
    detail: 'Its stream, revision, type, data or metadata differs from what was chained.',
  };
}

async function comesLater({ log, until }: Sources, from: Position, id: string): Promise<boolean> {
  let after = from;
  for (;;) {
    const page = await log.readAll({ after, until, limit: 2000 });
    if (page.some((event) => event.id === id)) return true;
    const last = page.at(-1);
    if (last === undefined) return false;
    after = last.position;
  }
}

/** Chain rows are missing although later ones exist. */
export function missingLinks(ordinal: number, next: number): Mismatch {
  return {
    kind: 'chain-changed',
    ordinal,
    since: ordinal,
    eventId: null,
    streamId: null,
    revision: null,
    detail: `The chain rows from ordinal ${ordinal} to ${next - 1} are missing.`,
  };
}

export function missingTail(
  ordinal: number,
  expected: number,
  eventId: string | null,
  isSigned: boolean,
): Mismatch {
  const source = isSigned ? 'a signed head' : 'the chain';
  return {
    kind: 'missing',
    ordinal: ordinal + 1,
    since: ordinal + 1,
    eventId,
    streamId: null,
    revision: null,
    detail: `The log ends at ordinal ${ordinal}, but ${source} reaches ordinal ${expected}.`,
  };
}

const identityOf = ({ id, streamId, revision }: RecordedEvent) => ({ eventId: id, streamId, revision });

const describeEvent = ({ id, streamId, revision }: RecordedEvent): string =>
  `${id} (${streamId}, revision ${revision})`;

/** A mismatch that concerns no particular event. */
export function generalMismatch(kind: MismatchKind, ordinal: number, detail: string): Mismatch {
  return { kind, ordinal, since: ordinal, eventId: null, streamId: null, revision: null, detail };
}

export interface KnownMismatch {
  readonly kind: string;
  readonly ordinal: number;
  readonly detail: string;
  readonly foundAt: Date;
}

const MAX_RECORDED = 100;

/** @returns whether the mismatch is new */
export async function recordMismatch(pool: Pool, { kind, ordinal, detail }: Mismatch): Promise<boolean> {
  const { rowCount } = await pool.query(
    `insert into state.log_mismatches (detail, kind, ordinal)
     select $1, $2, $3 where (select count(*) from state.log_mismatches) < ${MAX_RECORDED} on conflict do nothing`,
    [detail, kind, ordinal],
  );
  return rowCount === 1;
}

/** Oldest first. */
export async function readMismatches(pool: Pool): Promise<KnownMismatch[]> {
  const { rows } = await pool.query<{ kind: string; ordinal: string; detail: string; found_at: Date }>(
    'select kind, ordinal, detail, found_at from state.log_mismatches order by found_at, detail',
  );
  return rows.map(({ found_at, ordinal, ...row }) => ({
    ...row,
    ordinal: Number(ordinal),
    foundAt: found_at,
  }));
}

/** Clears mismatches found before this time. */
export async function clearMismatches(pool: Pool, before: Date): Promise<number> {
  const { rowCount } = await pool.query('delete from state.log_mismatches where found_at < $1', [before]);
  return rowCount ?? 0;
}
