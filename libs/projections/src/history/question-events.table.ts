import type { Key, ProjectedEvent, Table } from '../projection.js';
import { questionPageTables } from '../questions/questions.projection.js';

/** Where in the log the events of a question's page are: they lie in as many streams as there were votes. */
export type QuestionEventRow = {
  readonly question_id: string;
  readonly ordinal: number;
  readonly stream_id: string;
  readonly event_id: string;
};

const isOnAPage = (event: ProjectedEvent): boolean =>
  questionPageTables.some((table) => table.keysOf(event).length > 0);

/** An event of a case may name votes on several questions. */
const questionsOf = ({ data }: ProjectedEvent): readonly string[] => {
  if ('votes' in data) return [...new Set(data.votes.map(({ questionId }) => questionId))];
  return 'questionId' in data ? [data.questionId] : [];
};

export const questionEvents: Table<QuestionEventRow> = {
  name: 'question_events',
  columns: {
    question_id: { type: 'text' },
    ordinal: { type: 'bigint' },
    stream_id: { type: 'text' },
    event_id: { type: 'text' },
  },
  key: ['question_id', 'ordinal'],
  keysOf: (event): readonly Key[] =>
    isOnAPage(event) ? questionsOf(event).map((questionId) => [questionId, event.ordinal]) : [],
  fold: (row, { id, streamId, ordinal }, [questionId]) =>
    row ?? { question_id: String(questionId), ordinal, stream_id: streamId, event_id: id },
};
