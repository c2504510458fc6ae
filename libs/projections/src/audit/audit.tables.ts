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
  typedColumn,
  onEach,
  type ProjectedEvent,
  type Projection,
  type RowOf,
  type Table,
} from '../projection.js';

type Vocabulary = typeof VOCABULARY;
/** An event type that appears in the audit. */
export type AuditKind = {
  [T in EventType]: Vocabulary[T]['audit'] extends NotAudited ? never : T;
}[EventType];

const isAudited = (type: EventType): type is AuditKind => VOCABULARY[type].audit.class !== null;

export const AUDIT_KINDS: readonly AuditKind[] = (Object.keys(VOCABULARY) as EventType[]).filter(isAudited);

/** Kinds hidden from the students they are about. */
export const KINDS_HIDDEN_FROM_RECEIVER: readonly AuditKind[] = AUDIT_KINDS.filter((kind) => {
  const audit = entryOf(kind)?.audit;
  return audit !== undefined && audit.class !== null && audit.notForReceiver === true;
});

function auditLinesOf(event: ProjectedEvent): readonly AuditLine[] {
  if (!isAudited(event.type)) return [];
  // The vocabulary types each function by its own event; a union of functions cannot be called with a union.
  const { lines } = VOCABULARY[event.type].audit as unknown as Audited<ProjectedEvent['data']>;
  return lines(event.data);
}

const AUDIT_ENTRY_COLUMNS = {
  ordinal: { type: 'bigint' },
  /** Zero-based. An event of an investigation has a line for each vote. */
  line: { type: 'integer' },
  event_id: { type: 'text' },
  stream_id: { type: 'text' },
  kind: { type: 'text' },
  class: { type: 'text' },
  /** The event's first line in its space. Lists of staff actions show only this one. */
  is_head: { type: 'boolean' },
  /** Number of the event's lines in that space. */
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

/** A line of the audit. Reads join the names, so that erased students are anonymous here too, and calculate the points. */
export type AuditEntryRow = RowOf<typeof AUDIT_ENTRY_COLUMNS>;

interface SpaceLine {
  readonly line: AuditLine;
  readonly isHead: boolean;
  readonly lines: number;
}

function groupBySpace(event: ProjectedEvent): readonly SpaceLine[] {
  const lines = auditLinesOf(event);
  const countBySpace = new Map<string | null, number>();
  const indexes = lines.map(({ spaceId }) => {
    const index = countBySpace.get(spaceId) ?? 0;
    countBySpace.set(spaceId, index + 1);
    return index;
  });
  return lines.map((line, index) => ({
    line,
    isHead: indexes[index] === 0,
    lines: countBySpace.get(line.spaceId) ?? 1,
  }));
}

/** An event is folded once per line. The cache computes its lines only once. */
const lineCache = new WeakMap<ProjectedEvent, readonly SpaceLine[]>();
function linesOf(event: ProjectedEvent): readonly SpaceLine[] {
  const cached = lineCache.get(event);
  if (cached) return cached;
  const lines = groupBySpace(event);
  lineCache.set(event, lines);
  return lines;
}

function rowOf(event: ProjectedEvent, index: number): AuditEntryRow | undefined {
  const found = linesOf(event)[index];
  if (!found) return undefined;
  const { line, isHead, lines } = found;
  const { actor, commandId, occurredAt, recordedAt } = event.metadata;
  return {
    ordinal: event.ordinal,
    line: index,
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

/** The rows of an event, in order; empty if the event is not audited. */
export const auditRowsOf = (event: ProjectedEvent): readonly AuditEntryRow[] =>
  linesOf(event).flatMap((_, index) => rowOf(event, index) ?? []);

const NEWEST_FIRST = 'ordinal desc, line desc';

/** Append-only: an existing row is kept. */
const recordLines: Handler<AuditEntryRow, ProjectedEvent> = {
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
    // Reports and staff actions, which are rare compared to votes: by space, overall, by actor and by post.
    `create index audit_rare_space_{suffix} on {table} (space_id, ${NEWEST_FIRST}) where class <> 'VOTE'`,
    `create index audit_rare_{suffix} on {table} (${NEWEST_FIRST}) where class <> 'VOTE'`,
    `create index audit_rare_actor_{suffix} on {table} (actor_id, ${NEWEST_FIRST}) where class <> 'VOTE'`,
    `create index audit_rare_post_{suffix} on {table} (post_id, ${NEWEST_FIRST}) where class <> 'VOTE'`,
    `create index audit_case_{suffix} on {table} (case_id, ${NEWEST_FIRST}) where case_id is not null`,
    // The history of one vote, for the points of its lines.
    'create index audit_pair_{suffix} on {table} (post_id, voter_id, ordinal, line) where voter_id is not null',
  ],
  on: onEach(AUDIT_KINDS, recordLines),
};

const AUDIT_RULES_COLUMNS = {
  version: { type: 'integer' },
  ordinal: { type: 'bigint' },
  rules: typedColumn<ScoringRules>('jsonb'),
  withdrawn_ordinal: { type: 'bigint', nullable: true },
} as const satisfies Columns;

/** A published version of the rules, with the ordinals of its publication and withdrawal. */
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

/** Votes, reports and staff actions, read by moderators and edited by no one. */
export const auditProjection = {
  name: 'audit',
  purpose: 'Every vote, report and staff action, for moderators',
  version: 6,
  lingers: true,
  tables: [auditEntries, auditRules],
} as const satisfies Projection;
