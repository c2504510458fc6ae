import {
  type Audited,
  type AuditLine,
  entryOf,
  type EventType,
  type NotAudited,
  operatorOf,
  type ScoringRules,
  VOCABULARY,
} from '@nimo/domain';
import {
  type Columns,
  type Handler,
  holding,
  onEach,
  type ProjectedEvent,
  type Projection,
  type RowOf,
  type Table,
} from '../projection.js';

type Vocabulary = typeof VOCABULARY;
/** An event type that has lines in the audit. */
export type AuditKind = {
  [T in EventType]: Vocabulary[T]['audit'] extends NotAudited ? never : T;
}[EventType];

const isAudited = (type: EventType): type is AuditKind => VOCABULARY[type].audit.class !== null;

export const AUDIT_KINDS: readonly AuditKind[] = (Object.keys(VOCABULARY) as EventType[]).filter(isAudited);

/** Those of whose lines nobody learns whom they are about. */
export const KINDS_NOT_FOR_RECEIVER: readonly AuditKind[] = AUDIT_KINDS.filter((kind) => {
  const audit = entryOf(kind)?.audit;
  return audit !== undefined && audit.class !== null && audit.notForReceiver === true;
});

/** The lines that an event has in the audit. */
function auditLinesOf(event: ProjectedEvent): readonly AuditLine[] {
  if (!isAudited(event.type)) return [];
  // The vocabulary gives each type the function of its own data; a union of functions cannot be called with a union.
  const { lines } = VOCABULARY[event.type].audit as unknown as Audited<ProjectedEvent['data']>;
  return lines(event.data);
}

const AUDIT_ENTRY_COLUMNS = {
  ordinal: { type: 'bigint' },
  /** From 0; an event of a case has a line for each vote. */
  line: { type: 'integer' },
  event_id: { type: 'text' },
  stream_id: { type: 'text' },
  kind: { type: 'text' },
  class: { type: 'text' },
  /** The event's first line in its space: lists of acts show an event once. */
  is_head: { type: 'boolean' },
  /** The event's lines in that space. */
  lines: { type: 'integer' },
  space_id: { type: 'text', nullable: true },
  post_type: { type: 'text', nullable: true },
  post_id: { type: 'text', nullable: true },
  question_id: { type: 'text', nullable: true },
  receiver_id: { type: 'text', nullable: true },
  voter_id: { type: 'text', nullable: true },
  voter_is_stand_in: { type: 'boolean' },
  direction: { type: 'text', nullable: true },
  reason: { type: 'text', nullable: true },
  round: { type: 'integer', nullable: true },
  case_id: { type: 'text', nullable: true },
  about: { type: 'text', nullable: true },
  actor_kind: { type: 'text' },
  actor_id: { type: 'text', nullable: true },
  operator: { type: 'text', nullable: true },
  command_id: { type: 'text' },
  occurred_at: { type: 'timestamptz' },
  recorded_at: { type: 'timestamptz' },
} as const satisfies Columns;

/** One line of the history. Names are joined when read, so that who is erased is erased here too; points come from the rules. */
export type AuditEntryRow = RowOf<typeof AUDIT_ENTRY_COLUMNS>;

interface ToldLine {
  readonly line: AuditLine;
  readonly isHead: boolean;
  readonly lines: number;
}

function toldIn(event: ProjectedEvent): readonly ToldLine[] {
  const lines = auditLinesOf(event);
  const inSpace = new Map<string | null, number>();
  const places = lines.map(({ spaceId }) => {
    const place = inSpace.get(spaceId) ?? 0;
    inSpace.set(spaceId, place + 1);
    return place;
  });
  return lines.map((line, index) => ({
    line,
    isHead: places[index] === 0,
    lines: inSpace.get(line.spaceId) ?? 1,
  }));
}

/** A case of a thousand votes is folded a thousand times: its lines are worked out once. */
const told = new WeakMap<ProjectedEvent, readonly ToldLine[]>();
function linesOf(event: ProjectedEvent): readonly ToldLine[] {
  const known = told.get(event);
  if (known) return known;
  const lines = toldIn(event);
  told.set(event, lines);
  return lines;
}

function rowOf(event: ProjectedEvent, place: number): AuditEntryRow | undefined {
  const found = linesOf(event)[place];
  if (!found) return undefined;
  const { line, isHead, lines } = found;
  const { actor, commandId, occurredAt, recordedAt } = event.metadata;
  return {
    ordinal: event.ordinal,
    line: place,
    event_id: event.id,
    stream_id: event.streamId,
    kind: event.type,
    class: VOCABULARY[event.type].audit.class ?? 'ACT',
    is_head: isHead,
    lines,
    space_id: line.spaceId,
    post_type: line.postType,
    post_id: line.postId,
    question_id: line.questionId,
    receiver_id: line.receiverId,
    voter_id: line.voterId,
    voter_is_stand_in: line.voterIsStandIn,
    direction: line.direction,
    reason: line.reason,
    round: line.round,
    case_id: line.caseId,
    about: line.about,
    actor_kind: actor.kind,
    actor_id: 'id' in actor ? actor.id : null,
    operator: operatorOf(actor),
    command_id: commandId,
    occurred_at: occurredAt,
    recorded_at: recordedAt,
  };
}

/** In their order; none of an event that is not audited. */
export const auditRowsOf = (event: ProjectedEvent): readonly AuditEntryRow[] =>
  linesOf(event).flatMap((_, place) => rowOf(event, place) ?? []);

const NEWEST_FIRST = 'ordinal desc, line desc';

/** Append-only: a line is never changed, so that a fold that meets its row again leaves it. */
const telling: Handler<AuditEntryRow, ProjectedEvent> = {
  keys: (event) => linesOf(event).map((_, line) => [event.ordinal, line]),
  fold: (row, event, [, line]) => row ?? rowOf(event, Number(line)),
};

export const auditEntries: Table<AuditEntryRow> = {
  name: 'audit_entries',
  columns: AUDIT_ENTRY_COLUMNS,
  key: ['ordinal', 'line'],
  indexes: [
    `create index audit_space_{suffix} on {table} (space_id, ${NEWEST_FIRST})`,
    `create index audit_post_{suffix} on {table} (post_id, ${NEWEST_FIRST}) where post_id is not null`,
    `create index audit_voter_{suffix} on {table} (voter_id, ${NEWEST_FIRST}) where voter_id is not null`,
    `create index audit_receiver_{suffix} on {table} (receiver_id, ${NEWEST_FIRST}) where receiver_id is not null`,
    // What is rare among votes: reports and acts, of a space and of everybody, and of one who acts.
    `create index audit_rare_space_{suffix} on {table} (space_id, ${NEWEST_FIRST}) where class <> 'VOTE'`,
    `create index audit_rare_{suffix} on {table} (${NEWEST_FIRST}) where class <> 'VOTE'`,
    `create index audit_rare_actor_{suffix} on {table} (actor_id, ${NEWEST_FIRST}) where class <> 'VOTE'`,
    `create index audit_rare_post_{suffix} on {table} (post_id, ${NEWEST_FIRST}) where class <> 'VOTE'`,
    `create index audit_case_{suffix} on {table} (case_id, ${NEWEST_FIRST}) where case_id is not null`,
    // The course of one vote, for the points of its lines.
    'create index audit_pair_{suffix} on {table} (post_id, voter_id, ordinal, line) where voter_id is not null',
  ],
  on: onEach(AUDIT_KINDS, telling),
};

const AUDIT_RULES_COLUMNS = {
  version: { type: 'integer' },
  ordinal: { type: 'bigint' },
  rules: holding<ScoringRules>('jsonb'),
  withdrawn_ordinal: { type: 'bigint', nullable: true },
} as const satisfies Columns;

/** A published version of the rules, and where in the log it was published and withdrawn. */
export type AuditRulesRow = RowOf<typeof AUDIT_RULES_COLUMNS>;

export const auditRules: Table<AuditRulesRow> = {
  name: 'audit_rules',
  columns: AUDIT_RULES_COLUMNS,
  key: ['version'],
  on: {
    ScoringRulesPublished: {
      keys: ({ data }) => [[data.version]],
      fold: (row, { data: rules, ordinal }) =>
        row ?? { version: rules.version, ordinal, rules, withdrawn_ordinal: null },
    },
    ScoringRulesWithdrawn: {
      keys: ({ data }) => [[data.version]],
      fold: (row, { ordinal }) => row && { ...row, withdrawn_ordinal: ordinal },
    },
  },
};

/** The history of votes and reports, and the acts of those who have an office: what moderators look into, and nobody edits. */
export const auditProjection = {
  name: 'audit',
  purpose: 'Every vote, report and act, for moderators',
  version: 4,
  lingers: true,
  tables: [auditEntries, auditRules],
} as const satisfies Projection;
