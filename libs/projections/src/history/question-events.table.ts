import { eventTypesOf, keysOf } from '@nimo/projection-engine';
import {
  type Columns,
  type Handler,
  onEach,
  type ProjectedEvent,
  type RowOf,
  type Table,
} from '../projection.js';
import { questionPageTables } from '../questions/questions.projection.js';

const COLUMNS = {
  question_id: { type: 'text' },
  ordinal: { type: 'bigint' },
  stream_id: { type: 'text' },
  event_id: { type: 'text' },
} as const satisfies Columns;

/** Where in the log the events of a question's page are: they lie in as many streams as there were votes. */
export type QuestionEventRow = RowOf<typeof COLUMNS>;

const isOnAPage = (event: ProjectedEvent): boolean =>
  questionPageTables.some((table) => keysOf(table, event).length > 0);

/** An event of a case may name votes on several questions. */
const questionsOf = ({ data }: ProjectedEvent): readonly string[] => {
  if ('votes' in data) return [...new Set(data.votes.map(({ questionId }) => questionId))];
  return 'questionId' in data ? [data.questionId] : [];
};

const found: Handler<QuestionEventRow, ProjectedEvent> = {
  keys: (event) =>
    isOnAPage(event) ? questionsOf(event).map((questionId) => [questionId, event.ordinal]) : [],
  fold: (row, { id, streamId, ordinal }, [questionId]) =>
    row ?? { question_id: String(questionId), ordinal, stream_id: streamId, event_id: id },
};

export const questionEvents: Table<QuestionEventRow> = {
  name: 'question_events',
  columns: COLUMNS,
  key: ['question_id', 'ordinal'],
  on: onEach(eventTypesOf({ tables: questionPageTables }), found),
};
