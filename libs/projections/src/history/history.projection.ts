import type { Projection } from '../projection.js';
import { SCORE_SNAPSHOTS_DDL } from './score-snapshots.ddl.js';
import { factEventsEnd } from './fact-events.table.js';
import { factHistory } from './fact-history.table.js';
import { historyMarks } from './history-marks.table.js';
import { questionEvents } from './question-events.table.js';

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
