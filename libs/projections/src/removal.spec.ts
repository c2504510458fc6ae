import { describe, expect, it } from '@jest/globals';
import { foldInMemory } from '@nimo/projection-engine';
import { historySeed } from '@nimo/testing';
import type { Row, Table } from './projection.js';
import { answers, comments } from './questions/posts.tables.js';
import { questions } from './questions/questions.table.js';
import { searchDocuments } from './search/search-documents.table.js';
import { questionCourses } from './statistics/statistics.tables.js';
import type { HistoryEvent } from './testing/event-history.fixture.js';
import { randomHistory } from './testing/random-history.fixture.js';

const RULINGS = ['ReportsUpheld', 'UpholdingReversed'];
const SEEDS = Array.from({ length: 12 }, (_, index) => historySeed() + index);
const TABLES = [questions, answers, comments, questionCourses, searchDocuments] as const;

/** A table's rows after the events, by key. */
function folded(table: Table, events: readonly HistoryEvent[]): Map<string, Row> {
  const projected = events.map((event, index) => ({ ...event, ordinal: index + 1 }));
  const keyOf = (row: Row): string => JSON.stringify(table.key.map((column) => row[column]));
  return new Map(foldInMemory(table, projected).map((row) => [keyOf(row), row]));
}

/** Drops the versions, which count events, and sorts lists of IDs. */
const comparable = (rows: ReadonlyMap<string, Row>) =>
  Object.fromEntries(
    [...rows].map(([key, { version: _, text_version: __, ...row }]) => [
      key,
      Object.fromEntries(
        Object.entries(row).map(([column, value]) => [
          column,
          Array.isArray(value) ? value.map((item) => JSON.stringify(item)).sort() : value,
        ]),
      ),
    ]),
  );

describe.each(SEEDS)('in the random history %d (NIMO_HISTORY_SEED)', (seed) => {
  const past = randomHistory(seed, 600);
  const [moderator = ''] = past.events.flatMap(({ type, data }) =>
    type === 'RoleGranted' ? [data.studentId] : [],
  );
  const upheld = new Set(
    past.events.flatMap(({ type, data }) => (type === 'ReportsUpheld' ? [data.postId] : [])),
  );
  for (const postId of upheld) {
    const rulings = past.events.filter(
      (event) => RULINGS.includes(event.type) && 'postId' in event.data && event.data.postId === postId,
    );
    if (rulings.at(-1)?.type === 'ReportsUpheld') past.reverseUpholding(moderator, postId);
  }
  const undisturbed = past.events.filter(({ type }) => !RULINGS.includes(type));

  it.each(TABLES.map((table) => [table.name, table as Table] as const))(
    'a reversed upholding leaves no trace in %s',
    (_, table) =>
      expect(comparable(folded(table, past.events))).toEqual(comparable(folded(table, undisturbed))),
  );
});
