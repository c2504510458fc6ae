/** Commits of projections are announced here as `name:position`; an empty position says that the projection stopped. */
export const PROJECTION_CHANNEL = 'nimo_projections';

/** How long a leader may be silent. By the database's clock, so that no two machines' clocks have to agree. */
export const LEASE_SECONDS = 3;

/**
 * - live: what the views show (the very first one serves while it fills)
 * - building: filled beside the live one, to take its place
 * - former: was live, kept for a way back
 * - verifying: a third copy that is compared with the live one and dropped
 */
export type GenerationStatus = 'live' | 'building' | 'former' | 'verifying';

export interface ProjectionError {
  readonly eventId: string;
  readonly eventType: string;
  readonly position: string;
  readonly message: string;
  readonly at: string;
}

export interface SkippedEvent {
  readonly eventId: string;
  readonly reason: string;
  readonly at: string;
}

/**
 * The places are few and hot: room on the page lets every checkpoint be a heap-only update. Reactors are in `state`, since what
 * they did is not done again when the read side is thrown away.
 */
export const PROJECTION_BOOKKEEPING_DDL = `
create schema if not exists read;
create table if not exists read.projection_generations (
  name text not null,
  generation integer not null,
  version integer not null,
  shape_hash text not null,
  status text not null check (status in ('live', 'building', 'former', 'verifying')),
  indexed boolean not null default false,
  position text collate "C",
  ordinal bigint not null default 0,
  started_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  error jsonb,
  skipped jsonb not null default '[]',
  owner text,
  epoch bigint not null default 0,
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
create schema if not exists state;
create table if not exists state.reactors (
  name text primary key,
  position text collate "C",
  updated_at timestamptz not null default now(),
  owner text,
  epoch bigint not null default 0,
  expires_at timestamptz
) with (fillfactor = 20);
`;
