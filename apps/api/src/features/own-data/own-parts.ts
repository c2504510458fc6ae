import type { EventMetadata } from '@nimo/domain';
import type { EventStore, Position, RecordedEvent } from '@nimo/event-store';
import { listScoreNotices, ownPointsStatements, ownSections, type OwnSection } from '@nimo/projections';
import type { Moment, Row } from './moment.js';
import { ownEventOf, type OwnEvent } from './own-events.js';
import type { JsonPart } from './own-json.js';
import { ownStateSections } from './own-state.js';

const EVENTS_AT_ONCE = 1_000;

/** All sections of one moment, in their order. */
export async function* ownParts(
  moment: Moment,
  studentId: string,
  secondFactors: readonly Row[],
): AsyncGenerator<JsonPart> {
  const points = await ownPointsStatements(moment.client, studentId);
  for (const section of ownSections(studentId, points))
    yield { name: section.name, rows: rowsOf(moment, section) };
  yield { name: 'scoreNotices', rows: noticesOf(moment, studentId) };
  for (const section of ownStateSections(studentId))
    yield { name: section.name, rows: rowsOf(moment, section) };
  yield { name: 'secondFactors', rows: given(secondFactors) };
}

async function* rowsOf(moment: Moment, { statements, shown }: OwnSection): AsyncGenerator<Row> {
  for (const statement of statements)
    for await (const row of moment.rows(statement)) yield shown ? shown(row) : row;
}

async function* noticesOf({ client }: Moment, studentId: string): AsyncGenerator<Row> {
  const { rows } = await client.query<{ space_id: string }>(
    'select space_id from read.memberships where student_id = $1 order by space_id',
    [studentId],
  );
  for (const { space_id: spaceId } of rows)
    for (const { _id, ...notice } of await listScoreNotices(client, { spaceId, studentId }))
      yield { spaceId, ...notice };
}

// A list that is there already, as one that is still to come.
async function* given(rows: readonly Row[]): AsyncGenerator<Row> {
  yield* rows;
}

export interface OwnEventsOptions {
  readonly studentId: string;
  /** The last one that is looked at; undefined in an empty log. */
  readonly until: Position | undefined;
  /** Told how much of the log is behind, from 0 to 1. */
  readonly onPage: (done: number) => void;
}

/**
 * Along the whole log, as no stream is one person's: whatever is added to the product is found without anybody thinking of it here. A page
 * at a time.
 */
export async function* ownEventsIn(
  store: EventStore,
  { studentId, until, onPage }: OwnEventsOptions,
): AsyncGenerator<OwnEvent> {
  if (until === undefined) return;
  const end = Date.now();
  let begin: number | undefined;
  let page = await store.readAll({ until, limit: EVENTS_AT_ONCE });
  while (page.length > 0) {
    for (const event of page) {
      const own = ownEventOf(event, studentId);
      if (own) yield own;
    }
    const last = page[page.length - 1];
    if (!last) return;
    const at = recordedAt(last);
    begin ??= recordedAt(page[0] ?? last);
    onPage(end > begin ? Math.min(1, Math.max(0, (at - begin) / (end - begin))) : 1);
    page = await store.readAll({ after: last.position, until, limit: EVENTS_AT_ONCE });
  }
}

// The command runner wrote it, of every event.
const recordedAt = ({ metadata }: RecordedEvent): number =>
  Date.parse((metadata as unknown as EventMetadata).recordedAt);
