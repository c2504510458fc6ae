import { upcast } from '@nimo/domain';
import type { LineTeller, StoredEvent, ToldLine } from '@nimo/event-store';
import {
  auditEntriesOf,
  type AuditEntryView,
  type AuditPerson,
  type ProjectedEvent,
} from '@nimo/projections';
import { type Cell, harmless } from './csv.js';

const nameOf = (person: AuditPerson | null): string | null =>
  person === null ? null : person.isErased ? 'erased' : person.userName;

const movedFor = (side: 'RECEIVER' | 'VOTER', { points }: AuditEntryView) =>
  points.find((moved) => moved.side === side);

/** Columns of an export, in their order: the same in both forms. `ordinal` and `eventId` say where in the log a line comes from. */
export const COLUMNS = {
  ordinal: ({ ordinal }) => ordinal,
  line: ({ line }) => line,
  eventId: ({ eventId }) => eventId,
  streamId: ({ streamId }) => streamId,
  commandId: ({ commandId }) => commandId,
  kind: ({ kind }) => kind,
  class: (entry) => entry.class,
  occurredAt: ({ occurredAt }) => occurredAt,
  recordedAt: ({ recordedAt }) => recordedAt,
  actorKind: ({ actorKind }) => actorKind,
  actorId: ({ actor }) => actor?._id ?? null,
  actorName: ({ actor }) => nameOf(actor),
  voterId: ({ voter }) => voter?._id ?? null,
  voterName: ({ voter }) => nameOf(voter),
  receiverId: ({ receiver }) => receiver?._id ?? null,
  receiverName: ({ receiver }) => nameOf(receiver),
  spaceId: ({ space }) => space?._id ?? null,
  spaceName: ({ space }) => space?.name ?? null,
  postType: ({ post }) => post?.postType ?? null,
  postId: ({ post }) => post?._id ?? null,
  questionId: ({ post }) => post?.questionId ?? null,
  questionTitle: ({ post }) => post?.title ?? null,
  direction: ({ direction }) => direction,
  isSwitch: ({ isSwitch }) => isSwitch,
  reason: ({ reason, staffWords }) => (staffWords === null ? reason : null),
  round: ({ round }) => round,
  caseId: ({ caseId }) => caseId,
  about: ({ about }) => about,
  receiverMerit: (entry) => movedFor('RECEIVER', entry)?.merit ?? null,
  receiverImpact: (entry) => movedFor('RECEIVER', entry)?.impact ?? null,
  voterMerit: (entry) => movedFor('VOTER', entry)?.merit ?? null,
  voterImpact: (entry) => movedFor('VOTER', entry)?.impact ?? null,
  rulesVersion: ({ points }) => points[0]?.rulesVersion ?? null,
  operator: ({ operator }) => operator,
  // Sealed in the log: no proof reads them, and an erasure takes them away.
  staffWords: ({ staffWords }) => staffWords,
} as const satisfies Readonly<Record<string, (entry: AuditEntryView) => Cell>>;

/** What is joined when a line is read, and may be another tomorrow. */
const OF_THE_MOMENT: ReadonlySet<string> = new Set<keyof typeof COLUMNS>([
  'actorName',
  'voterName',
  'receiverName',
  'spaceName',
  'questionTitle',
  'isSwitch',
  'receiverMerit',
  'receiverImpact',
  'voterMerit',
  'voterImpact',
  'rulesVersion',
  'staffWords',
]);

const columns = Object.keys(COLUMNS);
const fromEvent = columns.filter((name) => !OF_THE_MOMENT.has(name));

/** Tells the lines of an exported audit again from the events as they are stored; nothing sealed is in them. */
export const auditTeller: LineTeller = {
  columns,
  fromEvent,
  inCsv: harmless,
  linesOf: (event, ordinal) => auditEntriesOf(projectedOf(event, ordinal)).map(toldLine),
};

function projectedOf(event: StoredEvent, ordinal: number): ProjectedEvent {
  const version = Number(event.metadata['schemaVersion'] ?? 1);
  return { ...event, ordinal, data: upcast(event.type, version, event.data) } as unknown as ProjectedEvent;
}

function toldLine(entry: AuditEntryView): ToldLine {
  const readers: Readonly<Record<string, (entry: AuditEntryView) => Cell>> = COLUMNS;
  return Object.fromEntries(fromEvent.map((name) => [name, readers[name]?.(entry) ?? null]));
}
