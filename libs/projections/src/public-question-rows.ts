import type { RecordedEvent } from '@nimo/event-store';
import { eventTypesOf, keysOf } from '@nimo/projection-engine';
import type { ProjectedEvent } from './projection.js';
import { spacesProjection } from './spaces/spaces.projection.js';
import { studentsProjection } from './students/students.projection.js';
import { questionPageTables, questionsProjection } from './questions/questions.projection.js';

/** The rows shown on a public question page, in addition to the question's thread. */
export interface PublicQuestionRows {
  readonly questionId: string;
  /** Authors and mentioned students. */
  readonly studentIds: ReadonlySet<string>;
  /** Space, subject and topic. */
  readonly placeIds: ReadonlySet<string>;
}

/** The projections a public page reads. */
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

/** Whether the event may change the page. Ignores the space's member count, which no page shows. */
export function mayChangePublicQuestion(rows: PublicQuestionRows, recorded: RecordedEvent): boolean {
  const { type, data } = recorded;
  if (!PUBLIC_PAGE_EVENTS.has(type)) return false;
  // An event that names votes on several posts has no question ID.
  if (THREAD.has(type)) return (data['questionId'] ?? rows.questionId) === rows.questionId;
  // The keys do not depend on the position.
  const event = { ...recorded, ordinal: 0 } as unknown as ProjectedEvent;
  return (
    keysOf(students, event).some(([id]) => rows.studentIds.has(String(id))) ||
    places.some((table) => keysOf(table, event).some(([id]) => rows.placeIds.has(String(id))))
  );
}
