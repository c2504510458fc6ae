import { MAKE_READ } from '@nimo/projection-engine';

/**
 * Scores of spaces at some points of the log, from which later points are reached in few steps. A cache of what the history says:
 * without foreign keys, since it is filled by the hundred thousand rows and dropped as a whole.
 */
export const SCORE_SNAPSHOTS_DDL = `
${MAKE_READ}
create table if not exists read.score_snapshots (
  snapshot_id bigint generated always as identity primary key,
  space_id text not null,
  taken_by text not null check (taken_by in ('ordinal', 'moment')),
  generation integer not null,
  bound_ordinal bigint not null,
  bound_at timestamptz not null,
  rules text not null,
  unique (space_id, taken_by, generation, bound_at, bound_ordinal)
);
create table if not exists read.score_snapshot_rows (
  snapshot_id bigint not null,
  student_id text not null,
  merit bigint not null,
  impact bigint not null,
  last_ordinal bigint not null,
  end_ordinal bigint not null,
  questions_asked integer not null,
  questions_answered integer not null,
  answers_accepted integer not null
);
create index if not exists score_snapshot_rows_of on read.score_snapshot_rows (snapshot_id);
`;
