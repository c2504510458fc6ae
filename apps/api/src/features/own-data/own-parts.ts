import { listScoreNotices, ownPointsStatements, type OwnSection, ownSections } from '@nimo/projections';
import type { Pool } from 'pg';
import type { EventMetadata } from '@nimo/domain';
import type { EventStore, Position, RecordedEvent } from '@nimo/event-store';
import type { Snapshot, Row, ExportPart } from './own-page.js';
import { type OwnEvent, ownEventOf } from './own-events.js';

/** Sections read from `state`, without internal secrets. */
const SECTIONS: Readonly<Record<string, string>> = {
  logInServices: `select issuer, linked_at as "linkedAt" from state.identity where student_id = $1 order by linked_at`,
  password: `select changed_at as "changedAt" from state.credential where student_id = $1`,
  sessions: `
    select created_at as "signedInAt", last_used_at as "lastUsedAt", expires_at as "expiresAt", address, user_agent as "userAgent"
    from state.session where student_id = $1 order by created_at`,
  securityLog: `
    select kind, at, browser, system, network from state.security_log where student_id = $1 order by at, id`,
  notificationsSeen: `select nullif(space_id, '') as "spaceId", seen_at as "seenAt" from state.notifications_seen where student_id = $1 order by space_id`,
  language: `select language from state.student_language where student_id = $1`,
  invitationsMade: `
    select space_id as "spaceId", kind, created_at as "madeAt", expires_at as "expiresAt", revoked_at as "revokedAt"
    from state.invitation where made_by = $1 order by created_at, id`,
  invitationsUsed: `
    select i.space_id as "spaceId", i.kind, u.used_at as "usedAt"
    from state.invitation_use u join state.invitation i on i.id = u.invitation_id where u.student_id = $1 order by u.used_at, i.id`,
  groupsOfServices: `
    select i.space_id as "spaceId", i.rule as "group", c.seen_at as "seenAt"
    from state.matched_group c join state.identity d on d.issuer = c.issuer and d.subject = c.subject
      join state.invitation i on i.id = c.invitation_id
    where d.student_id = $1 order by c.seen_at, i.id`,
  uploads: `
    select key, status, created_at as "uploadedAt" from state.upload where student_id = $1 order by created_at, key`,
};

export const OWN_STATE_NAMES = Object.keys(SECTIONS);

export const ownStateSections = (studentId: string): readonly OwnSection[] =>
  Object.entries(SECTIONS).map(([name, text]) => ({ name, statements: [{ text, values: [studentId] }] }));

/** Keys of readable pictures. Rejected or missing uploads have no file. */
export async function ownPictures(db: Pick<Pool, 'query'>, studentId: string): Promise<readonly string[]> {
  const { rows } = await db.query<{ key: string }>(
    `select key from state.upload where student_id = $1 and status = 'ready' order by created_at, key`,
    [studentId],
  );
  return rows.map(({ key }) => key);
}

const EVENT_PAGE_SIZE = 1_000;

/** All sections of one snapshot, in order. */
export async function* ownParts(
  snapshot: Snapshot,
  studentId: string,
  secondFactors: readonly Row[],
): AsyncGenerator<ExportPart> {
  const points = await ownPointsStatements(snapshot.client, studentId);
  for (const section of ownSections(studentId, points))
    yield { name: section.name, rows: rowsOf(snapshot, section) };
  yield { name: 'scoreNotices', rows: noticesOf(snapshot, studentId) };
  for (const section of ownStateSections(studentId))
    yield { name: section.name, rows: rowsOf(snapshot, section) };
  yield { name: 'secondFactors', rows: asyncRows(secondFactors) };
}

async function* rowsOf(snapshot: Snapshot, { statements, transform }: OwnSection): AsyncGenerator<Row> {
  for (const statement of statements)
    for await (const row of snapshot.rows(statement)) yield transform ? transform(row) : row;
}

async function* noticesOf({ client }: Snapshot, studentId: string): AsyncGenerator<Row> {
  const { rows } = await client.query<{ space_id: string }>(
    'select space_id from read.memberships where student_id = $1 order by space_id',
    [studentId],
  );
  for (const { space_id: spaceId } of rows)
    for (const { _id, ...notice } of await listScoreNotices(client, { spaceId, studentId }))
      yield { spaceId, ...notice };
}

async function* asyncRows(rows: readonly Row[]): AsyncGenerator<Row> {
  yield* rows;
}

interface OwnEventsOptions {
  readonly studentId: string;
  /** Last position to read; undefined for an empty log. */
  readonly until: Position | undefined;
  /** Called with the share of the log read, from 0 to 1. */
  readonly onPage: (done: number) => void;
}

/**
 * Reads the whole log page by page. No stream belongs to one person, and a full scan also finds the events of features added later.
 */
export async function* readOwnEvents(
  store: EventStore,
  { studentId, until, onPage }: OwnEventsOptions,
): AsyncGenerator<OwnEvent> {
  if (until === undefined) return;
  const end = Date.now();
  let begin: number | undefined;
  let page = await store.readAll({ until, limit: EVENT_PAGE_SIZE });
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
    page = await store.readAll({ after: last.position, until, limit: EVENT_PAGE_SIZE });
  }
}

// Every event has it: the command runner adds it.
const recordedAt = ({ metadata }: RecordedEvent): number =>
  Date.parse((metadata as unknown as EventMetadata).recordedAt);
