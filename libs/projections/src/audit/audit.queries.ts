import type { Actor, AuditClass, ReportedPostType, VoteDirection } from '@nimo/domain';
import type { ProjectedEvent } from '../projection.js';
import { staffWordsOf } from '../moderation/staff-words.table.js';
import { isoTime, type Queryable } from '../queryable.js';
import { type AuditKind, auditRowsOf, KINDS_NOT_FOR_RECEIVER } from './audit.tables.js';
import { type AuditPoints, lineId, type PointedLine, readPoints } from './audit-points.js';

/** A place in the history: what comes after it in a list is older. */
export interface AuditPlace {
  readonly ordinal: number;
  readonly line: number;
}

/** What is looked for; what is left out does not narrow. */
export interface AuditFilter {
  readonly spaceId?: string | undefined;
  readonly postId?: string | undefined;
  readonly voterId?: string | undefined;
  readonly receiverId?: string | undefined;
  readonly actorId?: string | undefined;
  readonly caseId?: string | undefined;
  readonly kinds?: readonly AuditKind[] | undefined;
  /** Acts alone, each once however many votes it lists. */
  readonly actsOnly?: boolean | undefined;
  /** What staff looked at, alone, each once in a space. */
  readonly readsOnly?: boolean | undefined;
  /** With what staff looked at: left out otherwise, as each look at a list would add a line to it. */
  readonly withReads?: boolean | undefined;
  /** When it happened: from the first moment on, before the second. */
  readonly from?: string | undefined;
  readonly until?: string | undefined;
  readonly fromOrdinal?: number | undefined;
  readonly toOrdinal?: number | undefined;
}

/** What the reader may see at all. */
export interface AuditScope {
  readonly spaces: 'all' | readonly string[];
  /** Of the acts that are of no space. */
  readonly withoutSpace: 'all' | readonly AuditKind[];
  /** Acts of other spaces too, as far as they name nobody who voted or reported. */
  readonly actsOfAll?: boolean;
  /** Who reads: votes and reports on own posts, and the own ones, are for the other moderators. Nobody for the command line. */
  readonly readerId: string | null;
}

export interface AuditPerson {
  readonly _id: string;
  readonly userName: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly realProfilePicUrl: string | null;
  readonly isErased: boolean;
  readonly isStandIn: boolean;
}

export interface AuditEntryView {
  readonly ordinal: number;
  readonly line: number;
  readonly lines: number;
  readonly kind: AuditKind;
  readonly class: AuditClass;
  readonly eventId: string;
  readonly streamId: string;
  readonly commandId: string;
  readonly occurredAt: string;
  readonly recordedAt: string;
  readonly actorKind: Actor['kind'];
  readonly actor: AuditPerson | null;
  /** The name of whoever acted at the command line, as they said it. */
  readonly operator: string | null;
  /** Who voted or reported. */
  readonly voter: AuditPerson | null;
  /** Whose post it is, or whom the act is about. */
  readonly receiver: AuditPerson | null;
  readonly space: { readonly _id: string; readonly name: string } | null;
  readonly post: AuditPost | null;
  readonly direction: VoteDirection | null;
  /** The vote turned round: the one was taken back and the other cast in one act. */
  readonly isSwitch: boolean;
  readonly reason: string | null;
  /** What staff wrote about the student: the reason, where it is that. */
  readonly staffWords: string | null;
  readonly round: number | null;
  readonly caseId: string | null;
  readonly about: string | null;
  readonly points: readonly AuditPoints[];
}

export interface AuditPost {
  readonly _id: string;
  readonly postType: ReportedPostType;
  readonly questionId: string;
  /** Of the question; empty where the read side does not know it. */
  readonly title: string;
}

type PersonColumns = Omit<AuditPerson, '_id'>;

interface EntryColumns extends PointedLine {
  lines: number;
  class: AuditClass;
  event_id: string;
  stream_id: string;
  command_id: string;
  recorded_at: string;
  actor_kind: Actor['kind'];
  actor_id: string | null;
  operator: string | null;
  about: string | null;
  staff_words: string | null;
  is_switch: boolean;
  title: string | null;
  space_name: string | null;
  actor: PersonColumns | null;
  voter: PersonColumns | null;
  receiver: PersonColumns | null;
}

/** Conditions on `e` with their values, in one place so that the numbers of the parameters cannot part. */
class Conditions {
  readonly values: unknown[] = [];
  private readonly all: string[] = [];

  /** @param condition each `?` stands for the next value */
  add(condition: string, ...values: readonly unknown[]): void {
    let number = this.values.length;
    this.all.push(condition.replaceAll('?', () => `$${(number += 1)}`));
    this.values.push(...values);
  }

  always(condition: string): void {
    this.all.push(condition);
  }

  get sql(): string {
    return this.all.length === 0 ? 'true' : this.all.join(' and ');
  }
}

const COLUMN = {
  spaceId: 'space_id',
  postId: 'post_id',
  voterId: 'voter_id',
  receiverId: 'receiver_id',
  actorId: 'actor_id',
  caseId: 'case_id',
} as const;

const areRare = (kinds: readonly AuditKind[]): boolean =>
  kinds.every((kind) => kind !== 'VoteCast' && kind !== 'VoteWithdrawn');

function conditionsOf(filter: AuditFilter, scope: AuditScope): Conditions {
  const conditions = new Conditions();
  for (const [name, column] of Object.entries(COLUMN)) {
    const value = filter[name as keyof typeof COLUMN];
    if (value !== undefined) conditions.add(`e.${column} = ?`, value);
  }
  const { kinds, from, until, fromOrdinal, toOrdinal } = filter;
  if (kinds !== undefined) {
    conditions.add('e.kind = any(?::text[])', kinds);
    // Lets the planner take an index that has no votes in it.
    if (areRare(kinds)) conditions.always("e.class <> 'VOTE'");
  }
  if (filter.actsOnly) conditions.always("e.class <> 'VOTE' and e.class = 'ACT' and e.is_head");
  if (filter.readsOnly) conditions.always("e.class <> 'VOTE' and e.class = 'READ' and e.is_head");
  else if (kinds === undefined && !filter.withReads) conditions.always("e.class <> 'READ'");
  if (from !== undefined) conditions.add('e.occurred_at >= ?', from);
  if (until !== undefined) conditions.add('e.occurred_at < ?', until);
  if (fromOrdinal !== undefined) conditions.add('e.ordinal >= ?', fromOrdinal);
  if (toOrdinal !== undefined) conditions.add('e.ordinal <= ?', toOrdinal);
  addScope(conditions, filter, scope);
  return conditions;
}

function addScope(conditions: Conditions, filter: AuditFilter, scope: AuditScope): void {
  const { spaces, withoutSpace, actsOfAll, readerId } = scope;
  if (spaces !== 'all') {
    const acts = actsOfAll ? " or (e.class in ('ACT', 'READ') and e.voter_id is null)" : '';
    conditions.add(`(e.space_id = any(?::text[])${acts})`, spaces);
  } else if (withoutSpace !== 'all' && filter.spaceId === undefined)
    conditions.add('(e.space_id is not null or e.kind = any(?::text[]))', withoutSpace);
  if (readerId === null) return;
  conditions.add('(e.voter_id is not null and ? in (e.voter_id, e.receiver_id)) is not true', readerId);
  // Such an event may have a line for each of several people: none of its lines is for any of them.
  conditions.add(
    `(e.kind <> all(?::text[]) or not exists (
       select from read.audit_entries o where o.ordinal = e.ordinal and o.receiver_id = ?))`,
    KINDS_NOT_FOR_RECEIVER,
    readerId,
  );
  // Who looked into somebody's votes or reported posts is nothing for that somebody: neither is that they are reported.
  conditions.add(
    `(e.class <> 'READ' or e.actor_id = ? or not exists (
       select from read.audit_entries o where o.ordinal = e.ordinal and o.receiver_id = ?))`,
    readerId,
    readerId,
  );
  // A case is one event, told with all its votes: none of its lines is for whom one of them concerns.
  conditions.add(
    `(e.case_id is null or e.case_id not in (
       select o.case_id from read.case_votes o where ? in (o.voter_id, o.author_id)))`,
    readerId,
  );
}

const person = (alias: string): string => `
  case when ${alias}.student_id is not null then json_build_object('userName', coalesce(${alias}.user_name, ''),
    'firstName', coalesce(${alias}.first_name, ''), 'lastName', coalesce(${alias}.last_name, ''),
    'realProfilePicUrl', ${alias}.real_profile_pic_url, 'isErased', ${alias}.is_erased,
    'isStandIn', ${alias}.is_stand_in) end`;

const COLUMNS = `
  e.ordinal::float8 as ordinal, e.line, e.lines, e.kind, e.class, e.event_id, e.stream_id, e.command_id, e.space_id, e.post_type,
  e.post_id, e.question_id, e.receiver_id, e.voter_id, e.voter_is_stand_in, e.direction, e.reason, ${staffWordsOf('e.receiver_id', 'e.ordinal')} as staff_words, e.round, e.case_id, e.about,
  e.actor_kind, e.actor_id, e.operator, ${isoTime('e.occurred_at')} as occurred_at, ${isoTime('e.recorded_at')} as recorded_at`;

/** The other half of a switch is the neighbour in the log under the same command: one append is never torn apart. */
const IS_SWITCH = `
  e.class = 'VOTE' and exists (
    select from read.audit_entries o
    where o.ordinal = e.ordinal + case e.kind when 'VoteCast' then -1 else 1 end and o.line = 0
      and o.class = 'VOTE' and o.kind <> e.kind and o.command_id = e.command_id and o.stream_id = e.stream_id
  )`;

const pageSql = (where: string, limit: number): string => `
  select ${COLUMNS}, ${IS_SWITCH} as is_switch, q.title, s.name as space_name,
    ${person('a')} as actor, ${person('v')} as voter, ${person('r')} as receiver
  from (
    select e.* from read.audit_entries e where ${where} order by e.ordinal desc, e.line desc limit ${limit}
  ) e
  left join read.questions q on q.question_id = e.question_id
  left join read.spaces s on s.space_id = e.space_id
  left join read.students a on a.student_id = e.actor_id
  left join read.students v on v.student_id = e.voter_id
  left join read.students r on r.student_id = e.receiver_id
  order by e.ordinal desc, e.line desc`;

const personOf = (id: string | null, known: PersonColumns | null): AuditPerson | null =>
  id === null ? null : { _id: id, ...(known ?? NOT_THERE_YET) };

/** The row of a newcomer may come a moment later. */
const NOT_THERE_YET: PersonColumns = {
  userName: '',
  firstName: '',
  lastName: '',
  realProfilePicUrl: null,
  isErased: false,
  isStandIn: false,
};

const viewOf = (row: EntryColumns, points: readonly AuditPoints[]): AuditEntryView => ({
  ordinal: row.ordinal,
  line: row.line,
  lines: row.lines,
  kind: row.kind,
  class: row.class,
  eventId: row.event_id,
  streamId: row.stream_id,
  commandId: row.command_id,
  occurredAt: row.occurred_at,
  recordedAt: row.recorded_at,
  actorKind: row.actor_kind,
  actor: personOf(row.actor_id, row.actor),
  operator: row.operator,
  voter: personOf(row.voter_id, row.voter),
  receiver: personOf(row.receiver_id, row.receiver),
  space: row.space_id === null ? null : { _id: row.space_id, name: row.space_name ?? '' },
  post: postOf(row),
  direction: row.direction,
  isSwitch: row.is_switch,
  reason: row.reason ?? row.staff_words,
  staffWords: row.staff_words,
  round: row.round,
  caseId: row.case_id,
  about: row.about,
  points,
});

const postOf = ({ post_id, post_type, question_id, title }: EntryColumns): AuditPost | null =>
  post_id === null || post_type === null || question_id === null
    ? null
    : { _id: post_id, postType: post_type, questionId: question_id, title: title ?? '' };

/** The lines of an event as it alone tells them: no names, titles or points. */
export const auditEntriesOf = (event: ProjectedEvent): readonly AuditEntryView[] =>
  auditRowsOf(event).map((row) =>
    viewOf(
      {
        ...row,
        kind: row.kind as AuditKind,
        class: row.class as AuditClass,
        actor_kind: row.actor_kind as Actor['kind'],
        direction: row.direction as VoteDirection | null,
        post_type: row.post_type as ReportedPostType | null,
        occurred_at: new Date(row.occurred_at).toISOString(),
        recorded_at: new Date(row.recorded_at).toISOString(),
        ...NOT_JOINED,
      },
      [],
    ),
  );

const NOT_JOINED = {
  is_switch: false,
  staff_words: null,
  title: null,
  space_name: null,
  actor: null,
  voter: null,
  receiver: null,
};

export interface AuditPageOptions {
  readonly filter: AuditFilter;
  readonly scope: AuditScope;
  /** Lines older than this one. */
  readonly after?: AuditPlace | undefined;
  readonly limit: number;
}

export interface AuditPage {
  readonly entries: readonly AuditEntryView[];
  readonly hasMore: boolean;
}

/** The newest first. A page hangs on the place of the last line and on no number, so that what is appended meanwhile moves nothing. */
export async function pageOfAudit(
  db: Queryable,
  { filter, scope, after, limit }: AuditPageOptions,
): Promise<AuditPage> {
  const conditions = conditionsOf(filter, scope);
  if (after) conditions.add('(e.ordinal, e.line) < (?, ?)', after.ordinal, after.line);
  const { rows } = await db.query<EntryColumns>({
    text: pageSql(conditions.sql, limit + 1),
    values: conditions.values,
  });
  const shown = rows.slice(0, limit);
  const points = await readPoints(db, shown);
  return {
    entries: shown.map((row) => viewOf(row, points.get(lineId(row)) ?? [])),
    hasMore: rows.length > limit,
  };
}

/** Persons as the audit shows them, by id. */
export async function findAuditPersons(
  db: Queryable,
  ids: readonly string[],
): Promise<ReadonlyMap<string, AuditPerson>> {
  if (ids.length === 0) return new Map();
  const { rows } = await db.query<{ student_id: string; person: PersonColumns }>({
    text: `select s.student_id, ${person('s')} as person from read.students s where s.student_id = any($1::text[])`,
    values: [ids],
  });
  return new Map(rows.map(({ student_id, person: known }) => [student_id, { _id: student_id, ...known }]));
}
