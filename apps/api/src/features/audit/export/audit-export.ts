import { AUDIT_EXPORT_PAGE_SIZE } from '@nimo/domain';
import {
  type AuditEntryView,
  type AuditFilter,
  type AuditPerson,
  type AuditPlace,
  type AuditScope,
  pageOfAudit,
  type Queryable,
} from '@nimo/projections';
import { type Cell, csvLine } from './csv.js';

const nameOf = (person: AuditPerson | null): string | null =>
  person === null ? null : person.isErased ? 'erased' : person.userName;

const movedFor = (side: 'RECEIVER' | 'VOTER', { points }: AuditEntryView) =>
  points.find((moved) => moved.side === side);

/** Columns of an export, in their order: the same in both forms. `ordinal` and `eventId` say where in the log a line comes from. */
const COLUMNS = {
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
  reason: ({ reason }) => reason,
  round: ({ round }) => round,
  caseId: ({ caseId }) => caseId,
  about: ({ about }) => about,
  receiverMerit: (entry) => movedFor('RECEIVER', entry)?.merit ?? null,
  receiverImpact: (entry) => movedFor('RECEIVER', entry)?.impact ?? null,
  voterMerit: (entry) => movedFor('VOTER', entry)?.merit ?? null,
  voterImpact: (entry) => movedFor('VOTER', entry)?.impact ?? null,
  rulesVersion: ({ points }) => points[0]?.rulesVersion ?? null,
} as const satisfies Readonly<Record<string, (entry: AuditEntryView) => Cell>>;

export type AuditExportFormat = 'csv' | 'ndjson';

const names = Object.keys(COLUMNS);
const readers: readonly ((entry: AuditEntryView) => Cell)[] = Object.values(COLUMNS);

const FORMATS: Readonly<
  Record<AuditExportFormat, { readonly head: string; readonly lineOf: (entry: AuditEntryView) => string }>
> = {
  csv: { head: csvLine(names), lineOf: (entry) => csvLine(readers.map((read) => read(entry))) },
  ndjson: {
    head: '',
    lineOf: (entry) =>
      `${JSON.stringify(Object.fromEntries(readers.map((read, index) => [names[index], read(entry)])))}\n`,
  },
};

export interface AuditExportOptions {
  readonly filter: AuditFilter;
  readonly format: AuditExportFormat;
  /** Asked before each page, as an export outlasts a session or a role. @throws where it must not go on */
  readonly scopeNow: () => Promise<AuditScope> | AuditScope;
}

/**
 * The whole list, newest first, page by page. A page is a short statement of its own, read when the one before was taken: neither
 * memory nor a connection waits for a slow reader, and whoever stops taking ends it.
 */
export async function* auditExport(
  db: Queryable,
  { filter, format, scopeNow }: AuditExportOptions,
): AsyncGenerator<string, void, undefined> {
  const { head, lineOf } = FORMATS[format];
  if (head !== '') yield head;
  let after: AuditPlace | undefined;
  for (let hasMore = true; hasMore;) {
    const scope = await scopeNow();
    const page = await pageOfAudit(db, { filter, scope, after, limit: AUDIT_EXPORT_PAGE_SIZE });
    ({ hasMore } = page);
    after = page.entries.at(-1);
    if (page.entries.length > 0) yield page.entries.map(lineOf).join('');
  }
}
