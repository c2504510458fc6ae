import { AUDIT_EXPORT_PAGE_SIZE, DomainError, upcast } from '@nimo/domain';
import type { LineTeller, StoredEvent, ToldLine } from '@nimo/event-store';
import {
  auditEntriesOf,
  type AuditEntryView,
  type AuditFilter,
  type AuditPerson,
  type AuditPlace,
  type AuditScope,
  pageOfAudit,
  type ProjectedEvent,
  type Queryable,
} from '@nimo/projections';
import { Readable } from 'node:stream';
import { Controller, Get, Inject, Injectable, Query, Req, StreamableFile } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Pool } from 'pg';
import { Confidential } from '../../../platform/traces/traces.js';
import { auditReadOf, auditScopeOf } from '../audit-read.js';
import { HttpViewers } from '../../../platform/auth/session-reader.js';
import { type Clock, CLOCK } from '../../../platform/config/tokens.js';
import { auditFilterOfQuery } from '../audit.types.js';
import { HasRole } from '../../../platform/auth/access.js';

type Cell = string | number | boolean | null;

/** What a spreadsheet would take for a formula when it is at the beginning of a cell. */
const FORMULA = /^[=+\-@\t\r]/;
const NEEDS_QUOTES = /[",\r\n]/;

/** Text alone: a number of ours that is negative is no formula. */
const harmless = (cell: Cell): string =>
  typeof cell === 'string' && FORMULA.test(cell) ? `'${cell}` : cell === null ? '' : String(cell);

function written(cell: Cell): string {
  const text = harmless(cell);
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A record of RFC 4180, with its line break. */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(written).join(',')}\r\n`;

/** A file of the audit leaves the product: told each time, before its first byte. */
export const AuditCopy = (what: 'AUDIT_EXPORT' | 'PROVEN_AUDIT_EXPORT'): MethodDecorator =>
  Confidential<Readonly<Record<string, unknown>>, unknown>(
    what,
    ({ viewer, args }) => auditReadOf({ viewer, filter: args, rows: null }),
    { isCopy: true },
  );

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

type AuditExportFormat = 'csv' | 'ndjson';

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

interface AuditExportOptions {
  readonly filter: AuditFilter;
  readonly format: AuditExportFormat;
  /** Asked before each page, as an export outlasts a session or a role. @throws where it must not go on */
  readonly scopeNow: () => Promise<AuditScope> | AuditScope;
}

/**
 * The whole list, newest first, page by page. A page is a short statement of its own, read when the one before was taken: neither
 * memory nor a connection waits for a slow reader, and whoever stops taking ends it.
 */
async function* auditExport(
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

const TYPES: Readonly<Record<AuditExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8; header=present',
  ndjson: 'application/x-ndjson; charset=utf-8',
};

export interface AuditRequest {
  readonly request: FastifyRequest;
  readonly query: Record<string, unknown>;
  readonly format: AuditExportFormat;
}

interface AuditFileOptions {
  readonly name: string;
  /** What becomes of the text; to be refused before it begins. */
  readonly through?: (text: AsyncIterable<string>) => Promise<AsyncIterable<string>>;
}

/** The audit as a file of any size. The token comes in the header as everywhere: an address must not open anything. */
@Injectable()
export class AuditFiles {
  constructor(
    private readonly pool: Pool,
    private readonly viewers: HttpViewers,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Asks again who reads as long as the file is: a role may be taken meanwhile. */
  async answer(
    { request, query, format }: AuditRequest,
    { name, through }: AuditFileOptions,
  ): Promise<StreamableFile> {
    const filter = auditFilterOfQuery(query);
    const scopeNow = async () => {
      const viewer = await this.viewers.of(request);
      if (!viewer) throw new DomainError('SIGN_IN_REQUIRED');
      return auditScopeOf(viewer, filter);
    };
    // A refusal must be an answer of its own, before the first byte.
    await scopeNow();
    const text = auditExport(this.pool, { filter, format, scopeNow });
    const lines = through ? await through(text) : text;
    const day = this.clock().toISOString().slice(0, 10);
    return new StreamableFile(Readable.from(lines, { objectMode: false }), {
      type: TYPES[format],
      disposition: `attachment; filename="${name.replace('{day}', day)}.${format}"`,
    });
  }
}

const FILE = { name: 'nimo-audit-{day}' };

@Controller('audit')
export class AuditExportController {
  constructor(private readonly files: AuditFiles) {}

  @HasRole('MODERATOR', 'MAINTAINER')
  @AuditCopy('AUDIT_EXPORT')
  @Get('export.csv')
  csv(@Req() request: FastifyRequest, @Query() query: Record<string, unknown>): Promise<StreamableFile> {
    return this.files.answer({ request, query, format: 'csv' }, FILE);
  }

  @HasRole('MODERATOR', 'MAINTAINER')
  @AuditCopy('AUDIT_EXPORT')
  @Get('export.ndjson')
  ndjson(@Req() request: FastifyRequest, @Query() query: Record<string, unknown>): Promise<StreamableFile> {
    return this.files.answer({ request, query, format: 'ndjson' }, FILE);
  }
}
