import type { Pool } from 'pg';
import type { EventStore, Position, RecordedEvent } from '../port.js';
import { findOrdinalsOf } from './chain-table.js';
import { type ChainLink, type ChainTip, nextHead } from './event-chain.js';

/**
 * - altered: the event with this id is there, with other content, another stream or revision
 * - missing: the event that belongs here is nowhere in the log
 * - inserted: an event that the chain does not know stands here
 * - reordered: the event that belongs here comes later
 * - doubled: an event that was here before comes again
 * - chain-changed: the event may be right, the chain's own table contradicts itself
 * - rewritten: log and table agree, and a signed head says otherwise
 * - forged: a signed head whose signature is wrong
 * - witness: a place for signed heads lacks some, has some of a key that is not known, or is behind
 */
export type MisfitKind =
  | 'altered'
  | 'missing'
  | 'inserted'
  | 'reordered'
  | 'doubled'
  | 'chain-changed'
  | 'rewritten'
  | 'forged'
  | 'witness';

export interface Misfit {
  readonly kind: MisfitKind;
  readonly ordinal: number;
  /** Where something between two signed heads was changed: the first ordinal that it may be. */
  readonly since: number;
  readonly eventId: string | null;
  /** Null where the event is gone: the chain keeps ids and hashes only. */
  readonly streamId: string | null;
  readonly revision: number | null;
  readonly detail: string;
}

interface Sources {
  readonly pool: Pool;
  readonly log: EventStore;
  readonly until: Position;
}

interface Place {
  readonly event: RecordedEvent;
  readonly before: ChainTip;
  readonly link: ChainLink | undefined;
  readonly found: ChainLink | undefined;
}

/** Says what is wrong at the first place that does not fit. May read the rest of the log. */
export async function misfitAt(sources: Sources, { event, before, link, found }: Place): Promise<Misfit> {
  const ordinal = before.ordinal + 1;
  const here = { ordinal, since: ordinal, ...identityOf(event) };
  if (!link || link.eventId === event.id) return { ...here, ...contentMisfit(before, link, found) };
  const elsewhere = await findOrdinalsOf(sources.pool, event.id);
  const earlier = elsewhere.find((each) => each < ordinal);
  if (earlier !== undefined) {
    return { ...here, kind: 'doubled', detail: `This event is there already, as ordinal ${earlier}.` };
  }
  const [later] = elsewhere;
  if (await comesLater(sources, event.position, link.eventId)) {
    return later === undefined
      ? {
          ...here,
          kind: 'inserted',
          detail: 'The chain does not know this event; the one that belongs here follows later.',
        }
      : {
          ...here,
          kind: 'reordered',
          detail: `This event belongs at ordinal ${later}; here belongs ${link.eventId}.`,
        };
  }
  const instead =
    later === undefined
      ? `An unknown event stands in its place: ${describe(event)}.`
      : `In its place stands the event of ordinal ${later}: ${describe(event)}.`;
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

function contentMisfit(
  before: ChainTip,
  link: ChainLink | undefined,
  found: ChainLink | undefined,
): Pick<Misfit, 'kind' | 'detail'> {
  if (!found) return { kind: 'altered', detail: 'Its content is none that could have been appended.' };
  if (link && !nextHead(before.head, link.leaf).equals(link.head)) {
    return { kind: 'chain-changed', detail: "The chain's own row does not follow from the row before it." };
  }
  return { kind: 'altered', detail: 'Its stream, revision, type, data or metadata is not what was chained.' };
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

/** Rows of the chain are gone while later ones are there. */
export function uncovered(ordinal: number, next: number): Misfit {
  return {
    kind: 'chain-changed',
    ordinal,
    since: ordinal,
    eventId: null,
    streamId: null,
    revision: null,
    detail: `The chain's rows from ordinal ${ordinal} to ${next - 1} are gone.`,
  };
}

export function tailMissing(
  ordinal: number,
  expected: number,
  eventId: string | null,
  isSigned: boolean,
): Misfit {
  const whose = isSigned ? 'a signed head' : 'the chain';
  return {
    kind: 'missing',
    ordinal: ordinal + 1,
    since: ordinal + 1,
    eventId,
    streamId: null,
    revision: null,
    detail: `The log ends with ordinal ${ordinal}; ${whose} reaches to ${expected}.`,
  };
}

const identityOf = ({ id, streamId, revision }: RecordedEvent) => ({ eventId: id, streamId, revision });

const describe = ({ id, streamId, revision }: RecordedEvent): string =>
  `${id} (${streamId}, revision ${revision})`;

/** Of no event: what was signed and what is there are apart. */
export function misfitOfWitness(kind: MisfitKind, ordinal: number, detail: string): Misfit {
  return { kind, ordinal, since: ordinal, eventId: null, streamId: null, revision: null, detail };
}

export interface KnownMisfit {
  readonly kind: string;
  readonly ordinal: number;
  readonly detail: string;
  readonly foundAt: Date;
}

const MAX_KEPT = 100;

/** @returns whether it was not known before */
export async function keepMisfit(pool: Pool, { kind, ordinal, detail }: Misfit): Promise<boolean> {
  const { rowCount } = await pool.query(
    `insert into state.log_misfits (detail, kind, ordinal)
     select $1, $2, $3 where (select count(*) from state.log_misfits) < ${MAX_KEPT} on conflict do nothing`,
    [detail, kind, ordinal],
  );
  return rowCount === 1;
}

/** The first that was found first. */
export async function knownMisfits(pool: Pool): Promise<KnownMisfit[]> {
  const { rows } = await pool.query<{ kind: string; ordinal: string; detail: string; found_at: Date }>(
    'select kind, ordinal, detail, found_at from state.log_misfits order by found_at, detail',
  );
  return rows.map(({ found_at, ordinal, ...row }) => ({
    ...row,
    ordinal: Number(ordinal),
    foundAt: found_at,
  }));
}

/** Where all was found to fit, by a verification that began then. */
export async function clearMisfits(pool: Pool, before: Date): Promise<number> {
  const { rowCount } = await pool.query('delete from state.log_misfits where found_at < $1', [before]);
  return rowCount ?? 0;
}
