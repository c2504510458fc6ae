import { AUDIT_EXPORT_PAGE_SIZE, DomainError, upcast } from '@nimo/domain';
import type { LineRenderer, StoredEvent, ExportLine } from '@nimo/event-store';
import {
  auditEntriesOf,
  type AuditEntryView,
  type AuditFilter,
  type AuditPerson,
  type AuditPosition,
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
import { auditReadScope, auditScopeOf } from '../audit-read.js';
import { addEntry, type AuditSums, NO_SUMS, pointsOf } from '../audit-totals.js';
import { HttpViewers } from '../../../platform/auth/session-reader.js';
import { type Clock, CLOCK } from '../../../platform/config/tokens.js';
import { auditFilterOfQuery } from '../audit.types.js';
import { HasRole } from '../../../platform/auth/access.js';

type Cell = string | number | boolean | null;

/** Cells that spreadsheets would evaluate as formulas. */
const FORMULA = /^[=+\-@\t\r]/;
const NEEDS_QUOTES = /[",\r\n]/;

/** Escapes formulas in text. Numbers are safe, even negative ones. */
const escapeFormula = (cell: Cell): string =>
  typeof cell === 'string' && FORMULA.test(cell) ? `'${cell}` : cell === null ? '' : String(cell);

function csvCell(cell: Cell): string {
  const text = escapeFormula(cell);
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** One RFC 4180 record, including the line break. */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(csvCell).join(',')}\r\n`;

/** Records every audit download in the access log, before its first byte. */
export const AuditDownload = (what: 'AUDIT_EXPORT' | 'PROVEN_AUDIT_EXPORT'): MethodDecorator =>
  Confidential<Readonly<Record<string, unknown>>, unknown>(
    what,
    ({ viewer, args }) => auditReadScope({ viewer, filter: args, rows: null }),
    { isCopy: true },
  );

const nameOf = (person: AuditPerson | null): string | null =>
  person === null ? null : person.isErased ? 'erased' : person.userName;

/** Export columns in order, the same in both formats. `ordinal` and `eventId` locate the event in the log. */
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
  receiverMerit: (entry) => pointsOf('RECEIVER', 'merit', entry),
  receiverImpact: (entry) => pointsOf('RECEIVER', 'impact', entry),
  voterMerit: (entry) => pointsOf('VOTER', 'merit', entry),
  voterImpact: (entry) => pointsOf('VOTER', 'impact', entry),
  rulesVersion: ({ points }) => points[0]?.rulesVersion ?? null,
  operator: ({ operator }) => operator,
  // Sealed in the log: not part of proofs, and gone after an erasure.
  staffWords: ({ staffWords }) => staffWords,
  // 300 for an investigation of 300 votes in a list of staff actions. Proven exports of earlier versions lack it.
  entries: ({ count }) => count,
} as const satisfies Readonly<Record<string, (entry: AuditEntryView) => Cell>>;

/** Columns joined at read time, so their values may change. */
const JOINED_COLUMNS: ReadonlySet<string> = new Set<keyof typeof COLUMNS>([
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
  'entries',
]);

const columns = Object.keys(COLUMNS);
const fromEvent = columns.filter((name) => !JOINED_COLUMNS.has(name));

/** Recreates export lines from stored events, without sealed data, to verify an export. */
export const auditLineReader: LineRenderer = {
  columns,
  added: ['entries'],
  fromEvent,
  toCsv: escapeFormula,
  linesOf: (event, ordinal) => auditEntriesOf(projectedOf(event, ordinal)).map(storedLine),
};

function projectedOf(event: StoredEvent, ordinal: number): ProjectedEvent {
  const version = Number(event.metadata['schemaVersion'] ?? 1);
  return { ...event, ordinal, data: upcast(event.type, version, event.data) } as unknown as ProjectedEvent;
}

function storedLine(entry: AuditEntryView): ExportLine {
  const readers: Readonly<Record<string, (entry: AuditEntryView) => Cell>> = COLUMNS;
  return Object.fromEntries(fromEvent.map((name) => [name, readers[name]?.(entry) ?? null]));
}

type AuditExportFormat = 'csv' | 'ndjson';

const names = Object.keys(COLUMNS);
const readers: readonly ((entry: AuditEntryView) => Cell)[] = Object.values(COLUMNS);

function totalLine({ lines, ...sums }: AuditSums, format: AuditExportFormat): string {
  if (format === 'ndjson') return `${JSON.stringify({ total: { lines, ...sums } })}\n`;
  const cells: Readonly<Record<string, Cell>> = { ...sums, ordinal: 'total', line: lines };
  return csvLine(names.map((name) => cells[name] ?? null));
}

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
  /** Whether the last line holds the totals. A proven export has none: each of its lines must follow from an event. */
  readonly hasTotals: boolean;
  /** Called before each page, because an export can outlast a session or role. @throws to stop the export */
  readonly currentScope: () => Promise<AuditScope> | AuditScope;
}

/**
 * Streams the whole list, newest first, page by page. Each page is a separate short query that runs once the previous page is consumed,
 * so a slow client holds neither memory nor a connection, and a disconnect stops the export.
 */
async function* auditExport(
  db: Queryable,
  { filter, format, hasTotals, currentScope }: AuditExportOptions,
): AsyncGenerator<string, void, undefined> {
  const { head, lineOf } = FORMATS[format];
  if (head !== '') yield head;
  let sums = NO_SUMS;
  let after: AuditPosition | undefined;
  for (let hasMore = true; hasMore;) {
    const scope = await currentScope();
    const page = await pageOfAudit(db, { filter, scope, after, limit: AUDIT_EXPORT_PAGE_SIZE });
    ({ hasMore } = page);
    after = page.entries.at(-1);
    sums = page.entries.reduce(addEntry, sums);
    if (page.entries.length > 0) yield page.entries.map(lineOf).join('');
  }
  if (hasTotals) yield totalLine(sums, format);
}

const CONTENT_TYPES: Readonly<Record<AuditExportFormat, string>> = {
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
  /** Transforms the text. May throw before the first byte. */
  readonly transform?: (text: AsyncIterable<string>) => Promise<AsyncIterable<string>>;
}

/** Streams the audit as a file of any size. Takes the token from the header, so that a URL alone grants nothing. */
@Injectable()
export class AuditFiles {
  constructor(
    private readonly pool: Pool,
    private readonly viewers: HttpViewers,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Checks access again before every page: a role may be removed during the download. */
  async answer(
    { request, query, format }: AuditRequest,
    { name, transform }: AuditFileOptions,
  ): Promise<StreamableFile> {
    const filter = auditFilterOfQuery(query);
    const currentScope = async () => {
      const viewer = await this.viewers.of(request);
      if (!viewer) throw new DomainError('SIGN_IN_REQUIRED');
      return auditScopeOf(viewer, filter);
    };
    // Reject before the first byte, so that the client gets a proper error.
    await currentScope();
    const text = auditExport(this.pool, {
      ...{ filter, format, currentScope },
      hasTotals: transform === undefined,
    });
    const lines = transform ? await transform(text) : text;
    const day = this.clock().toISOString().slice(0, 10);
    return new StreamableFile(Readable.from(lines, { objectMode: false }), {
      type: CONTENT_TYPES[format],
      disposition: `attachment; filename="${name.replace('{day}', day)}.${format}"`,
    });
  }
}

const DOWNLOAD = { name: 'nimo-audit-{day}' };

@Controller('audit')
export class AuditExportController {
  constructor(private readonly files: AuditFiles) {}

  @HasRole('MODERATOR', 'MAINTAINER')
  @AuditDownload('AUDIT_EXPORT')
  @Get('export.csv')
  csv(@Req() request: FastifyRequest, @Query() query: Record<string, unknown>): Promise<StreamableFile> {
    return this.files.answer({ request, query, format: 'csv' }, DOWNLOAD);
  }

  @HasRole('MODERATOR', 'MAINTAINER')
  @AuditDownload('AUDIT_EXPORT')
  @Get('export.ndjson')
  ndjson(@Req() request: FastifyRequest, @Query() query: Record<string, unknown>): Promise<StreamableFile> {
    return this.files.answer({ request, query, format: 'ndjson' }, DOWNLOAD);
  }
}
