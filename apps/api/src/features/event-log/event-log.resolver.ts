import { Args, ID, Int, Query, Resolver } from '@nestjs/graphql';
import { EVENT_TYPES, STREAM_PREFIXES } from '@nimo/domain';
import { HasRole } from '../../platform/auth/access.js';
import { ApiError } from '../../platform/errors/api-error.js';
import { parsePage } from '../../platform/graphql/page.js';
import { Confidential, Untraced } from '../../platform/traces/traces.js';
import { LogEvent, LogEventDetail, LogFilters, LogPage, LogStream } from './event-log.types.js';
import { LogReader } from './log-reader.js';

const PAGE_SIZE = 50;

/** The event log for maintainers, without personal data. Read-only. */
@Resolver(() => LogEvent)
export class EventLogResolver {
  constructor(private readonly log: LogReader) {}

  @HasRole('MAINTAINER')
  @Confidential<{ type?: string | null; category?: string | null }, LogPage>(
    'LOG',
    ({ args: { type, category }, result: { events } }) => ({
      filter: { type, category },
      rows: events.length,
    }),
  )
  @Query(() => LogPage)
  getLogEvents(
    @Args('type', { type: () => String, nullable: true }) type?: string | null,
    @Args('category', { type: () => String, nullable: true }) category?: string | null,
    @Args('before', { type: () => Int, nullable: true }) before?: number | null,
    @Args('after', { type: () => Int, nullable: true }) after?: number | null,
    @Args('first', { type: () => Int, nullable: true }) first?: number | null,
  ): Promise<LogPage> {
    return this.log.page({
      type: oneOf('type', EVENT_TYPES, type),
      category: oneOf('category', STREAM_PREFIXES, category),
      before: parseOrdinal('before', before),
      after: parseOrdinal('after', after, 0),
      limit: parsePage({ limit: first }, PAGE_SIZE).limit,
    });
  }

  @HasRole('MAINTAINER')
  @Confidential<{ ordinal: number }, LogEventDetail | null>('LOG', ({ args, result }) => ({
    filter: args,
    rows: result ? 1 : 0,
  }))
  @Query(() => LogEventDetail, { nullable: true })
  getLogEvent(@Args('ordinal', { type: () => Int }) ordinal: number): Promise<LogEventDetail | null> {
    return this.log.event(parseOrdinal('ordinal', ordinal) ?? 1);
  }

  @HasRole('MAINTAINER')
  @Confidential<{ streamId?: string | null; ordinal?: number | null }, LogStream | null>(
    'LOG',
    ({ args: { streamId, ordinal }, result }) => ({
      filter: { stream: streamId ?? ordinal },
      rows: result?.events.length ?? 0,
    }),
  )
  @Query(() => LogStream, { nullable: true })
  getLogStream(
    @Args('streamId', { type: () => ID, nullable: true }) streamId?: string | null,
    @Args('ordinal', { type: () => Int, nullable: true }) ordinal?: number | null,
    @Args('fromRevision', { type: () => Int, nullable: true }) fromRevision?: number | null,
    @Args('first', { type: () => Int, nullable: true }) first?: number | null,
  ): Promise<LogStream | null> {
    const page = {
      fromRevision: parseOrdinal('fromRevision', fromRevision, 0) ?? 0,
      limit: parsePage({ limit: first }, PAGE_SIZE).limit,
    };
    const at = parseOrdinal('ordinal', ordinal);
    if (at !== undefined) return this.log.stream({ ordinal: at, ...page });
    return this.log.stream({ streamId: parseStreamId(streamId), ...page });
  }

  @HasRole('MAINTAINER')
  @Untraced('names of event types and streams, no data')
  @Query(() => LogFilters)
  getLogFilters(): LogFilters {
    return { types: EVENT_TYPES.toSorted(), categories: STREAM_PREFIXES.toSorted() };
  }
}

const invalid = (field: string, rule: string, text: string): ApiError =>
  new ApiError('VALIDATION_FAILED', `${field} ${text}.`, { field, rule });

/** @throws ApiError for a value that is not in the list */
function oneOf(field: string, known: readonly string[], value?: string | null): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (!known.includes(value)) throw invalid(field, 'VALUE_UNKNOWN', 'is not in getLogFilters');
  return value;
}

/** @throws ApiError for a number below the minimum */
function parseOrdinal(field: string, value: number | null | undefined, min = 1): number | undefined {
  if (value === null || value === undefined) return undefined;
  if (value < min) throw invalid(field, 'NUMBER_OUT_OF_RANGE', `must be at least ${min}`);
  return value;
}

const MAX_STREAM_ID = 200;

/** @throws ApiError for a missing name, and one that is not of this product */
function parseStreamId(value: string | null | undefined): string {
  if (!value) throw invalid('streamId', 'VALUE_REQUIRED', 'or ordinal is required');
  const isKnown = value.length <= MAX_STREAM_ID && STREAM_PREFIXES.some((prefix) => value.startsWith(prefix));
  if (!isKnown)
    throw invalid('streamId', 'VALUE_UNKNOWN', `must start with one of ${STREAM_PREFIXES.join(', ')}`);
  return value;
}
