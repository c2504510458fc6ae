import type { Actor, AuditClass, ReportedPostType, VoteDirection } from '@nimo/domain';
import type { ProjectedEvent } from '../projection.js';
import { staffWordsOf } from '../moderation/staff-words.table.js';
import { isoTime, type Queryable } from '../queryable.js';
import { nameEvenIfRemoved, notOfRemovedSpace } from '../removed-space.sql.js';
import { readActEffects } from './act-effects.js';
import { type AuditKind, auditRowsOf, KINDS_HIDDEN_FROM_RECEIVER } from './audit.tables.js';
import { type AuditPoints, lineId, type ScoredLine, readPoints } from './audit-points.js';

/** Position of a line in the audit. Lists continue with older lines. */
export interface AuditPosition {
  readonly ordinal: number;
  readonly line: number;
}

/** Undefined fields do not filter. */
export interface AuditFilter {
  readonly spaceId?: string | undefined;
  readonly postId?: string | undefined;
  readonly voterId?: string | undefined;
  readonly receiverId?: string | undefined;
  readonly actorId?: string | undefined;
  readonly caseId?: string | undefined;
  readonly kinds?: readonly AuditKind[] | undefined;
  /** Only staff actions, each listed once per space even if it names several votes. */
  readonly actsOnly?: boolean | undefined;
  /** Only data that staff viewed, each read listed once per space. */
  readonly readsOnly?: boolean | undefined;
  /** Includes data that staff viewed. Excluded by default, since viewing the list would add to it. */
  readonly withReads?: boolean | undefined;
  /** Time of the event: `from` inclusive, `until` exclusive. */
  readonly from?: string | undefined;
  readonly until?: string | undefined;
  readonly fromOrdinal?: number | undefined;
  readonly toOrdinal?: number | undefined;
}

/** Entries the reader may see. */
export interface AuditScope {
  readonly spaces: 'all' | readonly string[];
  /** Kinds of staff actions outside any space. */
  readonly withoutSpace: 'all' | readonly AuditKind[];
  /** Includes staff actions in other spaces that name no voter or reporter. */
  readonly actionsInAllSpaces?: boolean;
  /** Hides votes and reports by the reader or on their posts. Null for the command line, which sees everything. */
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
  /** Entries of the event in the space. */
  readonly lines: number;
  /** Entries whose points this one sums up: all `lines` in a list of acts, otherwise 1. */
  readonly count: number;
  readonly kind: AuditKind;
  readonly class: AuditClass;
  readonly eventId: string;
  readonly streamId: string;
  readonly commandId: string;
  readonly occurredAt: string;
  readonly recordedAt: string;
  readonly actorKind: Actor['kind'];
  readonly actor: AuditPerson | null;
  /** Name given by the person who used the command line. */
  readonly operator: string | null;
  /** The student who voted or reported. */
  readonly voter: AuditPerson | null;
  /** The author of the post, or the subject of a staff action. */
  readonly receiver: AuditPerson | null;
  readonly space: { readonly _id: string; readonly name: string } | null;
  readonly post: AuditPost | null;
  readonly direction: VoteDirection | null;
  /** Part of a switch: one command withdrew a vote and cast the opposite one. */
  readonly isSwitch: boolean;
  readonly reason: string | null;
  /** Text staff wrote about the student, such as a reason. */
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
  /** Title of the question; empty if the question is not projected yet. */
  readonly title: string;
}

type PersonColumns = Omit<AuditPerson, '_id'>;

interface EntryColumns extends ScoredLine {
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

/** Conditions on `e` with their values. Keeps the parameter numbers in step with the values. */
class Conditions {
  readonly values: unknown[] = [];
  private readonly all: string[] = [];

  /** @param condition SQL with a `?` for each value */
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

const excludeVotes = (kinds: readonly AuditKind[]): boolean =>
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
    // Lets the planner use the partial indexes without votes.
    if (excludeVotes(kinds)) conditions.always("e.class <> 'VOTE'");
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
  const { spaces, withoutSpace, actionsInAllSpaces, readerId } = scope;
  const actions = actionsInAllSpaces ? " or (e.class in ('ACT', 'READ') and e.voter_id is null)" : '';
  // Nobody moderates a deleted space.
  conditions.always(`(e.space_id is null or ${notOfRemovedSpace('e.space_id')}${actions})`);
  if (spaces !== 'all') {
    conditions.add(`(e.space_id = any(?::text[])${actions})`, spaces);
  } else if (withoutSpace !== 'all' && filter.spaceId === undefined)
    conditions.add('(e.space_id is not null or e.kind = any(?::text[]))', withoutSpace);
  if (readerId === null) return;
  conditions.add('(e.voter_id is not null and ? in (e.voter_id, e.receiver_id)) is not true', readerId);
  // An event may have lines for several receivers. All of its lines are hidden from each of them.
  conditions.add(
    `(e.kind <> all(?::text[]) or not exists (
       select from read.audit_entries o where o.ordinal = e.ordinal and o.receiver_id = ?))`,
    KINDS_HIDDEN_FROM_RECEIVER,
    readerId,
  );
  // Students must not learn that staff viewed their votes or reports on their posts.
  conditions.add(
    `(e.class <> 'READ' or e.actor_id = ? or not exists (
       select from read.audit_entries o where o.ordinal = e.ordinal and o.receiver_id = ?))`,
    readerId,
    readerId,
  );
  // All lines of an investigation are hidden from the voters and authors of its votes.
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

/** The other half of a switch is adjacent in the log and has the same command, since an append is contiguous. */
const IS_SWITCH = `
  e.class = 'VOTE' and exists (
    select from read.audit_entries o
    where o.ordinal = e.ordinal + case e.kind when 'VoteCast' then -1 else 1 end and o.line = 0
      and o.class = 'VOTE' and o.kind <> e.kind and o.command_id = e.command_id and o.stream_id = e.stream_id
  )`;

const pageSql = (where: string, limit: number): string => `
  select ${COLUMNS}, ${IS_SWITCH} as is_switch, q.title, ${nameEvenIfRemoved('e.space_id')} as space_name,
    ${person('a')} as actor, ${person('v')} as voter, ${person('r')} as receiver
  from (
    select e.* from read.audit_entries e where ${where} order by e.ordinal desc, e.line desc limit ${limit}
  ) e
  left join read.questions q on q.question_id = e.question_id
  left join read.students a on a.student_id = e.actor_id
  left join read.students v on v.student_id = e.voter_id
  left join read.students r on r.student_id = e.receiver_id
  order by e.ordinal desc, e.line desc`;

const personOf = (id: string | null, known: PersonColumns | null): AuditPerson | null =>
  id === null ? null : { _id: id, ...(known ?? UNKNOWN_PERSON) };

/** Shown until the row of a new student is projected. */
const UNKNOWN_PERSON: PersonColumns = {
  userName: '',
  firstName: '',
  lastName: '',
  realProfilePicUrl: null,
  isErased: false,
  isStandIn: false,
};

const viewOf = (row: EntryColumns, points: readonly AuditPoints[], isSummed = false): AuditEntryView => ({
  ordinal: row.ordinal,
  line: row.line,
  lines: row.lines,
  count: isSummed ? row.lines : 1,
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

/** The audit lines of an event, without names, titles and points. */
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
  /** Returns lines older than this one. */
  readonly after?: AuditPosition | undefined;
  readonly limit: number;
  /** Whether the points of a line are those of its whole event in the space. Defaults to true for lists of acts. */
  readonly isSummed?: boolean;
}

export interface AuditPage {
  readonly entries: readonly AuditEntryView[];
  readonly hasMore: boolean;
}

/** A page of the audit, newest first. Uses keyset pagination, so new lines do not shift the pages. */
export async function pageOfAudit(
  db: Queryable,
  { filter, scope, after, limit, isSummed = filter.actsOnly === true }: AuditPageOptions,
): Promise<AuditPage> {
  const conditions = conditionsOf(filter, scope);
  if (after) conditions.add('(e.ordinal, e.line) < (?, ?)', after.ordinal, after.line);
  const { rows } = await db.query<EntryColumns>({
    text: pageSql(conditions.sql, limit + 1),
    values: conditions.values,
  });
  const shown = rows.slice(0, limit);
  const nominal = await readPoints(db, shown);
  const effects = await readActEffects(db, shown, { nominal, isSummed });
  return {
    entries: shown.map((row) =>
      viewOf(row, effects.get(lineId(row)) ?? nominal.get(lineId(row)) ?? [], isSummed),
    ),
    hasMore: rows.length > limit,
  };
}

/** The known persons among the IDs, keyed by ID. */
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
