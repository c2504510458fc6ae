import { listScoreNotices, ownPointsStatements, type OwnSection, ownSections } from '@nimo/projections';
import type { Pool } from 'pg';
import type { EventMetadata } from '@nimo/domain';
import type { EventStore, Position, RecordedEvent } from '@nimo/event-store';
import type { Moment, Row, JsonPart } from './own-page.js';
import { type OwnEvent, ownEventOf } from './own-events.js';

/** What `state` holds of a student that is no secret of the machinery, as sections like those of the read side. */
const SECTIONS: Readonly<Record<string, string>> = {
  logInServices: `select issuer, linked_at as "linkedAt" from state.identity where student_id = $1 order by linked_at`,
  password: `select changed_at as "changedAt" from state.credential where student_id = $1`,
  sessions: `
    select created_at as "signedInAt", last_used_at as "lastUsedAt", expires_at as "expiresAt", address, user_agent as "userAgent"
    from state.session where student_id = $1 order by created_at`,
  securityLog: `
    select kind, at, browser, system, network from state.security_log where student_id = $1 order by at, id`,
  notificationsSeen: `select space_id as "spaceId", seen_at as "seenAt" from state.last_look where student_id = $1 order by space_id`,
  language: `select language from state.student_language where student_id = $1`,
  invitationsMade: `
    select space_id as "spaceId", kind, created_at as "madeAt", expires_at as "expiresAt", revoked_at as "revokedAt"
    from state.invitation where made_by = $1 order by created_at, id`,
  invitationsUsed: `
    select i.space_id as "spaceId", i.kind, u.used_at as "usedAt"
    from state.invitation_use u join state.invitation i on i.id = u.invitation_id where u.student_id = $1 order by u.used_at, i.id`,
  groupsOfServices: `
    select i.space_id as "spaceId", i.rule as "group", c.seen_at as "seenAt"
    from state.carried_group c join state.identity d on d.issuer = c.issuer and d.subject = c.subject
      join state.invitation i on i.id = c.invitation_id
    where d.student_id = $1 order by c.seen_at, i.id`,
  uploads: `
    select key, status, created_at as "uploadedAt" from state.upload where student_id = $1 order by created_at, key`,
};

export const OWN_STATE_NAMES = Object.keys(SECTIONS);

export const ownStateSections = (studentId: string): readonly OwnSection[] =>
  Object.entries(SECTIONS).map(([name, text]) => ({ name, statements: [{ text, values: [studentId] }] }));

/** Pictures that can be read: what was refused, or never came, is no file. */
export async function ownPictures(db: Pick<Pool, 'query'>, studentId: string): Promise<readonly string[]> {
  const { rows } = await db.query<{ key: string }>(
    `select key from state.upload where student_id = $1 and status = 'ready' order by created_at, key`,
    [studentId],
  );
  return rows.map(({ key }) => key);
}

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

interface OwnEventsOptions {
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
