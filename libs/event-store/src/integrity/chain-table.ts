import type { Pool } from 'pg';
import type { Position } from '../port.js';
import { type ChainLink, type ChainTip, EMPTY_CHAIN, HASH_BYTES } from './event-chain.js';

/**
 * The chain of the log (whichever store holds it) and its signed heads. Both are append-only. `state.log_chain_position` has the store
 * position up to which the chain is written, and the lease for writing it.
 */
export const LOG_CHAIN_SQL = `
create table log.chain (
  ordinal  bigint primary key check (ordinal > 0),
  event_id uuid not null,
  leaf     bytea not null check (octet_length(leaf) = 32),
  head     bytea not null check (octet_length(head) = 32)
);
alter table log.chain alter leaf set storage plain, alter head set storage plain;

create table log.signed_heads (
  ordinal   bigint not null,
  key_id    text not null,
  head      bytea not null check (octet_length(head) = 32),
  signed_at timestamptz not null,
  signature text not null,
  primary key (ordinal, key_id)
);

create trigger append_only before update or delete or truncate on log.chain
  for each statement execute function log.refuse_change();
create trigger append_only before update or delete or truncate on log.signed_heads
  for each statement execute function log.refuse_change();

create table state.log_chain_position (
  is_only    boolean primary key default true check (is_only),
  ordinal    bigint not null default 0,
  position   text collate "C",
  owner      text,
  epoch      bigint not null default 0,
  expires_at timestamptz,
  updated_at timestamptz not null default now()
) with (fillfactor = 20);
insert into state.log_chain_position default values;

-- Verification progress and mismatches. The mark is signed, since anyone who can change the log can change this table too. A mismatch
-- stays until the whole log has been verified again.
create table state.log_verification (
  is_only    boolean primary key default true check (is_only),
  mark       jsonb,
  owner      text,
  expires_at timestamptz
) with (fillfactor = 20);
insert into state.log_verification default values;

create table state.log_mismatches (
  detail   text primary key,
  kind     text not null,
  ordinal  bigint not null,
  found_at timestamptz not null default clock_timestamp()
);
`;

/** Lease of the chain writer, by the database clock. */
export const CHAIN_LEASE_SECONDS = 3;

export interface ChainLease {
  readonly owner: string;
  readonly epoch: string;
}

export interface ChainPlace {
  readonly ordinal: number;
  readonly position: Position | null;
}

/** The lease expired or another process holds it. Nothing was written. */
export class ChainLeaseLostError extends Error {
  override readonly name = 'ChainLeaseLostError';
}

const EXPIRY = `clock_timestamp() + interval '${CHAIN_LEASE_SECONDS} s'`;
const UUID_BYTES = 16;

/** Undefined if another process holds the lease. */
export async function acquireChainLease(
  pool: Pool,
  owner: string,
): Promise<(ChainLease & ChainPlace) | undefined> {
  const { rows } = await pool.query<{ ordinal: string; position: Position | null; epoch: string }>(
    `update state.log_chain_position set owner = $1, epoch = epoch + 1, expires_at = ${EXPIRY}
     where expires_at is null or expires_at < clock_timestamp()
       -- Longer than any lease: the clock has been set back since.
       or expires_at > clock_timestamp() + interval '${2 * CHAIN_LEASE_SECONDS} s'
     returning ordinal, position, epoch`,
    [owner],
  );
  const [row] = rows;
  return row && { owner, epoch: row.epoch, ordinal: Number(row.ordinal), position: row.position };
}

/** @returns false if the lease is no longer held; an expired lease is not revived */
export async function renewChainLease(pool: Pool, { owner, epoch }: ChainLease): Promise<boolean> {
  const { rowCount } = await pool.query(
    `update state.log_chain_position set expires_at = ${EXPIRY}
     where owner = $1 and epoch = $2 and expires_at > clock_timestamp()`,
    [owner, epoch],
  );
  return rowCount === 1;
}

export async function releaseChainLease(pool: Pool, { owner, epoch }: ChainLease): Promise<void> {
  await pool.query(
    'update state.log_chain_position set expires_at = null where owner = $1 and epoch = $2 and expires_at > clock_timestamp()',
    [owner, epoch],
  );
}

/**
 * A single statement, so that a suspended process holds no locks. It writes only with an unexpired lease and from the expected ordinal.
 * The commit is asynchronous: links lost in a crash are computed again.
 */
const APPEND = `
  with moved as (
    update state.log_chain_position set ordinal = $4, position = $5, expires_at = ${EXPIRY}, updated_at = clock_timestamp()
    where owner = $1 and epoch = $2 and ordinal = $3 and expires_at > clock_timestamp()
    returning set_config('synchronous_commit', 'off', true)
  )
  insert into log.chain (ordinal, event_id, leaf, head)
  select $3 + n, encode(substr($6::bytea, (n - 1) * ${UUID_BYTES} + 1, ${UUID_BYTES}), 'hex')::uuid,
         substr($7::bytea, (n - 1) * ${HASH_BYTES} + 1, ${HASH_BYTES}),
         substr($8::bytea, (n - 1) * ${HASH_BYTES} + 1, ${HASH_BYTES})
  from moved, generate_series(1, ($4 - $3)::int) as n`;

/** @throws ChainLeaseLostError */
export async function appendLinks(
  pool: Pool,
  lease: ChainLease,
  links: readonly ChainLink[],
  position: Position,
): Promise<void> {
  const [first, last] = [links[0], links.at(-1)];
  if (first === undefined || last === undefined) return;
  const ids = Buffer.from(links.map(({ eventId }) => eventId.replaceAll('-', '')).join(''), 'hex');
  const { rowCount } = await pool.query({
    name: 'nimo-chain-append',
    text: APPEND,
    values: [
      lease.owner,
      lease.epoch,
      first.ordinal - 1,
      last.ordinal,
      position,
      ids,
      Buffer.concat(links.map(({ leaf }) => leaf)),
      Buffer.concat(links.map(({ head }) => head)),
    ],
  });
  if (rowCount !== links.length)
    throw new ChainLeaseLostError('the chain is no longer written by this process');
}

interface LinkRow {
  readonly ordinal: string;
  readonly event_id: string;
  readonly leaf: Buffer;
  readonly head: Buffer;
}

const linkOfRow = ({ ordinal, event_id, leaf, head }: LinkRow): ChainLink => ({
  ordinal: Number(ordinal),
  eventId: event_id,
  leaf,
  head,
});

/** Last link in the chain table. */
export async function readChainTip(pool: Pool): Promise<ChainTip> {
  const { rows } = await pool.query<LinkRow>('select * from log.chain order by ordinal desc limit 1');
  return rows[0] ? linkOfRow(rows[0]) : EMPTY_CHAIN;
}

/** Links after one ordinal up to and including another, in order. */
export async function readLinks(pool: Pool, after: number, until: number): Promise<ChainLink[]> {
  const { rows } = await pool.query<LinkRow>({
    name: 'nimo-chain-read',
    text: 'select ordinal, event_id, leaf, head from log.chain where ordinal > $1 and ordinal <= $2 order by ordinal',
    values: [after, until],
  });
  return rows.map(linkOfRow);
}

/** The existing links among these ordinals. */
export async function findLinks(
  pool: Pool,
  ordinals: readonly number[],
): Promise<ReadonlyMap<number, ChainLink>> {
  const { rows } = await pool.query<LinkRow>({
    name: 'nimo-chain-find',
    text: 'select ordinal, event_id, leaf, head from log.chain where ordinal = any($1::bigint[])',
    values: [ordinals],
  });
  return new Map(rows.map((row) => [Number(row.ordinal), linkOfRow(row)]));
}

/** Ordinals of an event in the chain. Not indexed, since it is only used to explain a mismatch. */
export async function findOrdinalsOf(pool: Pool, eventId: string): Promise<number[]> {
  const { rows } = await pool.query<{ ordinal: string }>(
    'select ordinal from log.chain where event_id = $1 order by ordinal',
    [eventId],
  );
  return rows.map(({ ordinal }) => Number(ordinal));
}

export async function readChainPlace(pool: Pool): Promise<ChainPlace & { readonly at: Date }> {
  const { rows } = await pool.query<{ ordinal: string; position: Position | null; at: Date }>(
    'select ordinal, position, updated_at as at from state.log_chain_position',
  );
  const [place] = rows;
  return {
    ordinal: Number(place?.ordinal ?? 0),
    position: place?.position ?? null,
    at: place?.at ?? new Date(0),
  };
}
