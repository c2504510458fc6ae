import { MAKE_READ } from '@nimo/projection-engine';
import type { Projection } from '../projection.js';
import { factEventsEnd } from './fact-events.table.js';
import { factHistory } from './fact-history.table.js';
import { historyMarks } from './history-marks.table.js';
import { questionEvents } from './question-events.table.js';

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

/** What lets scores be told as of then: each fact with all that ever happened to it. */
export const historyProjection = {
  name: 'history',
  purpose: 'Votes and scores as they stood at any moment',
  version: 5,
  lingers: true,
  tables: [factHistory, historyMarks],
  batchEnd: factEventsEnd,
  caches: SCORE_SNAPSHOTS_DDL,
} as const satisfies Projection;

/** What lets a question's page be told as of then: where its events are. */
export const questionHistoryProjection = {
  name: 'question_history',
  purpose: 'Question pages as they stood at any moment',
  version: 1,
  lingers: true,
  tables: [questionEvents],
} as const satisfies Projection;
