import type { CommandMetadata, VerificationOutcome } from './maintenance-commands.js';
import type { DifferingRow, TableDifference } from '../storage/compare-tables.js';

/** Payload: the checkpoints moved by one commit as comma-separated `name:position`. An empty position means that the projection stopped. */
export const PROJECTION_CHANNEL = 'nimo_projections';

/** Lease duration by the database's clock, so the clocks of two machines need not agree. */
export const LEASE_SECONDS = 3;

/** SQL: expiry of a lease acquired or renewed now. */
export const EXPIRY = `clock_timestamp() + interval '${LEASE_SECONDS} s'`;

/**
 * SQL: whether a lease may be acquired. An expiry far in the future was set before the clock stepped back. Its holder may have died
 * long ago; a live one renews within a second.
 */
export const IS_FREE = `(expires_at is null or expires_at < clock_timestamp()
  or expires_at > clock_timestamp() + interval '${2 * LEASE_SECONDS} s')`;

/**
 * - live: shown by the views; the first generation is live while it fills
 * - building: being rebuilt next to the live generation, to replace it
 * - former: previously live, kept so that a switch can be reverted
 * - verifying: a scratch copy to compare with the live generation, then dropped
 */
export type GenerationStatus = 'live' | 'building' | 'former' | 'verifying';

export interface ProjectionError {
  readonly eventId: string;
  readonly eventType: string;
  readonly ordinal: number;
  readonly position: string;
  readonly message: string;
  readonly at: string;
  /** Not caused by an event: the log ends before the checkpoint. */
  readonly isAheadOfLog?: true;
}

export interface SkippedEvent {
  readonly eventId: string;
  readonly eventType: string;
  readonly ordinal: number;
  readonly reason: string;
  readonly at: string;
}

/** The command that requested a verification, and the state it compares with. */
export interface VerificationTask {
  readonly actId: string;
  /** Snapshot of the live generation; undefined until it is taken. */
  readonly compared?: {
    readonly hash: string;
    readonly position: string | null;
    readonly ordinal: number;
  };
  /** Some differing rows, once known. */
  readonly named?: readonly DifferingRow[];
}

/** The origin of a rebuild that switches automatically, kept until the switch is in the log. */
export interface SwitchRequest {
  /** Id of the command in the log, or a generated one for a rebuild due to new code. */
  readonly actId: string;
  readonly correlationId: string;
  readonly actor: CommandMetadata['actor'];
  /** The replaced generation, set by the switch. */
  readonly fromGeneration?: number | null;
}

/** The result of the last verification. */
export interface VerificationResult {
  readonly outcome: VerificationOutcome;
  readonly ordinal: number;
  readonly liveHash: string | null;
  readonly rebuiltHash: string | null;
  readonly error: string | null;
  /** Number of differing rows by table; null if none differ or they could not be compared. */
  readonly differing: readonly TableDifference[] | null;
  /** Some of them. Never stored in events, because a key may reveal who voted or reported. */
  readonly named: readonly DifferingRow[];
  readonly finishedAt: string;
}

/** Workers may create tables in `read`, but not the schema itself. */
export const CREATE_READ_SCHEMA = `do $make$ begin if to_regnamespace('read') is null then create schema read; end if; end $make$;`;

/** Time constant of the average event rate. */
const RATE_SECONDS = 5;

/** SQL: decay factor after some seconds. Bounded, because `exp` underflows with an error in PostgreSQL. */
export const decaySql = (seconds: string): string => `exp(-least(${seconds} / ${RATE_SECONDS}, 100))`;

/**
 * The bookkeeping in `read`. A worker recreates it after the schema was dropped.
 *
 * - hold: switches only on a maintainer's command
 * - switched_at: when it became live, which tells a reverted switch from a rebuild
 * - rate: exponentially weighted events per second, not yet normalized by the weight of the time since leased_at
 * - asked: the origin of the rebuild, until its switch is in the log
 * - projection_maintenance: revision of `projection-<name>` up to which commands are applied, and the last verification
 * - projection_workers: running workers and their code version; workers of one version share the work. Unlogged, because a worker that
 *   survives a crash of the server registers again within a second.
 *
 * The rows are few and updated often: the low fillfactor keeps checkpoint updates heap-only.
 */
export const READ_DDL = `
${CREATE_READ_SCHEMA}
create table if not exists read.projection_generations (
  name text not null,
  generation integer not null,
  version integer not null,
  shape_hash text not null,
  status text not null check (status in ('live', 'building', 'former', 'verifying')),
  indexed boolean not null default false,
  hold boolean not null default false,
  position text collate "C",
  ordinal bigint not null default 0,
  rate double precision not null default 0,
  asked jsonb,
  verification jsonb,
  error jsonb,
  skipped jsonb not null default '[]',
  owner text,
  epoch bigint not null default 0,
  started_at timestamptz not null default now(),
  switched_at timestamptz,
  updated_at timestamptz not null default now(),
  leased_at timestamptz,
  expires_at timestamptz,
  primary key (name, generation)
) with (fillfactor = 20);
create unique index if not exists projection_generations_one_live
  on read.projection_generations (name) where status = 'live';
create unique index if not exists projection_generations_one_building
  on read.projection_generations (name) where status = 'building';
create table if not exists read.generation_tables (
  name text not null,
  generation integer not null,
  table_name text not null,
  primary key (name, generation, table_name)
);
create table if not exists read.projection_maintenance (
  name text primary key,
  revision bigint not null,
  verification jsonb
);
create unlogged table if not exists read.projection_workers (
  worker text primary key,
  code text not null,
  joined_at timestamptz not null,
  expires_at timestamptz not null
) with (fillfactor = 50);
`;

/** Kept in `state`, because effects must not be repeated when `read` is dropped. */
export const REACTORS_DDL = `
create table state.reactors (
  name text primary key,
  position text collate "C",
  updated_at timestamptz not null default now(),
  owner text,
  epoch bigint not null default 0,
  expires_at timestamptz
) with (fillfactor = 20);
`;
