import type { CommandMetadata, VerificationOutcome } from './maintenance-commands.js';
import type { DifferingRow, TableDifference } from '../storage/compare-tables.js';

/** Commits of projections are announced here as `name:position`, those of one commit after commas; an empty position says that the projection stopped. */
export const PROJECTION_CHANNEL = 'nimo_projections';

/** How long a leader may be silent. By the database's clock, so that no two machines' clocks have to agree. */
export const LEASE_SECONDS = 3;

/** When a lease that is acquired or renewed now runs out. */
export const EXPIRY = `clock_timestamp() + interval '${LEASE_SECONDS} s'`;

/**
 * Of a lease's row that may be taken. A lease never runs longer than it may be silent: one that does was given by a clock that has stepped
 * back since, and its leader may have died long before that clock comes to it. A living one renews it within a second.
 */
export const IS_FREE = `(expires_at is null or expires_at < clock_timestamp()
  or expires_at > clock_timestamp() + interval '${2 * LEASE_SECONDS} s')`;

/**
 * - live: what the views show (the very first one is live while it fills)
 * - building: rebuilt next to the live one, to take its place
 * - former: was live, kept for a way back
 * - verifying: a third copy that is compared with the live one and dropped
 */
export type GenerationStatus = 'live' | 'building' | 'former' | 'verifying';

export interface ProjectionError {
  readonly eventId: string;
  readonly eventType: string;
  readonly ordinal: number;
  readonly position: string;
  readonly message: string;
  readonly at: string;
  /** No event is to blame: the log ends before what was read of it. */
  readonly isAheadOfLog?: true;
}

export interface SkippedEvent {
  readonly eventId: string;
  readonly eventType: string;
  readonly ordinal: number;
  readonly reason: string;
  readonly at: string;
}

/** The state that a verification compares with, and the command that requested it. */
export interface VerificationTask {
  readonly actId: string;
  /** Of the live generation when it was looked at; undefined until then. */
  readonly compared?: {
    readonly hash: string;
    readonly position: string | null;
    readonly ordinal: number;
  };
  /** Rows that differ, once they are known. */
  readonly named?: readonly DifferingRow[];
}

/** Who requested a generation that switches by itself; kept until the switch is in the log. */
export interface AskedFor {
  /** The command in the log, or a generated id where new code is the reason. */
  readonly actId: string;
  readonly correlationId: string;
  readonly actor: CommandMetadata['actor'];
  /** Which one it replaced, from the switch on. */
  readonly fromGeneration?: number | null;
}

/** The result of the last verification. */
export interface VerificationResult {
  readonly outcome: VerificationOutcome;
  readonly ordinal: number;
  readonly liveHash: string | null;
  readonly rebuiltHash: string | null;
  readonly error: string | null;
  /** How many rows differ, by table; null where nobody could look, or nothing does. */
  readonly differing: readonly TableDifference[] | null;
  /** Some of them. They are in no event: a key may show who voted or reported. */
  readonly named: readonly DifferingRow[];
  readonly finishedAt: string;
}

/** A worker may make tables in `read`, but no schema. */
export const MAKE_READ = `do $make$ begin if to_regnamespace('read') is null then create schema read; end if; end $make$;`;

/** Seconds over which the rate of a generation is averaged. */
const RATE_SECONDS = 5;

/** SQL: what is left of a rate after so many seconds. Bounded, since PostgreSQL refuses to tell what is left after an hour: it is less than it can count. */
export const fadedSql = (seconds: string): string => `exp(-least(${seconds} / ${RATE_SECONDS}, 100))`;

/**
 * All that stands in `read` beside the projections' own tables and caches. A worker brings this back after the read side was thrown away.
 *
 * - hold: built, and put in the live one's place only by a switch
 * - switched_at: when it became live, so that a way back that is cancelled is told from a rebuild
 * - rate: events a second, averaged with weights that fade, and not yet divided by the weight that the time since leased_at has
 * - asked: who asked for the generation, until the log tells of its switch
 * - projection_acts: up to which revision of `projection-<name>` the acts are in the bookkeeping
 * - projection_workers: who works, and by which code: in a rolling update those of one version share what they can lead. Unlogged, since
 *   a worker that is still there after a crash of the server says so within a second.
 *
 * The places are few and hot: room on the page lets every checkpoint be a heap-only update.
 */
export const READ_DDL = `
${MAKE_READ}
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
create table if not exists read.projection_acts (
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

/** Reactors are in `state`, since what they did is not done again when the read side is thrown away. */
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
