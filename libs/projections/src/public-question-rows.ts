import type { RecordedEvent } from '@nimo/event-store';
import { eventTypesOf, keysOf } from '@nimo/projection-engine';
import type { ProjectedEvent } from './projection.js';
import { spacesProjection } from './spaces/spaces.projection.js';
import { studentsProjection } from './students/students.projection.js';
import { questionPageTables, questionsProjection } from './questions/questions.projection.js';

/** Of which rows a public page of a question was made, beside the question's own thread. */
export interface PublicQuestionRows {
  readonly questionId: string;
  /** Who wrote on it, and who is mentioned. */
  readonly studentIds: ReadonlySet<string>;
  /** Its space, subject and topic. */
  readonly placeIds: ReadonlySet<string>;
}

/** The projections that a public page shows. */
export const PUBLIC_PAGE_PROJECTIONS = [
  questionsProjection.name,
  studentsProjection.name,
  spacesProjection.name,
] as const;

const [students] = studentsProjection.tables;
const [spaces, subjects, topics] = spacesProjection.tables;
const places = [spaces, subjects, topics];
const THREAD: ReadonlySet<string> = new Set(eventTypesOf({ tables: questionPageTables }));

/** Events that may change a public page. */
export const PUBLIC_PAGE_EVENTS: ReadonlySet<string> = new Set([
  ...THREAD,
  ...eventTypesOf({ tables: [students, ...places] }),
]);

/** Whether the page may be another one after the event. How many members the space has, no page says. */
export function mayChangePublicQuestion(rows: PublicQuestionRows, recorded: RecordedEvent): boolean {
  const { type, data } = recorded;
  if (!PUBLIC_PAGE_EVENTS.has(type)) return false;
  // What concerns votes all over the place names no question.
  if (THREAD.has(type)) return (data['questionId'] ?? rows.questionId) === rows.questionId;
  // Where it comes to stand is of no account to its keys.
  const event = { ...recorded, ordinal: 0 } as unknown as ProjectedEvent;
  return (
    keysOf(students, event).some(([id]) => rows.studentIds.has(String(id))) ||
    places.some((table) => keysOf(table, event).some(([id]) => rows.placeIds.has(String(id))))
  );
}
