import { Inject } from '@nestjs/common';
import { Args, Int, Query, Resolver } from '@nestjs/graphql';
import { AUDIT_PAGE_SIZE } from '@nimo/domain';
import type { EventStore } from '@nimo/event-store';
import { pageOfAudit, type AuditPosition } from '@nimo/projections';
import { Pool } from 'pg';
import { CurrentViewer, HasRole } from '../../platform/auth/access.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { parsePage } from '../../platform/graphql/page.js';
import { EVENT_STORE } from '../../platform/config/tokens.js';
import { type AuditQuery, auditReadScope, auditScopeOf, readAuditEvent } from './audit-read.js';
import {
  AuditConnection,
  AuditEntry,
  AuditEvent,
  AuditFilterInput,
  auditFilterOf,
  AuditTotals,
} from './audit.types.js';
import { sumsOfAudit } from './audit-totals.js';
import { Confidential } from '../../platform/traces/traces.js';
import { ApiError } from '../../platform/errors/api-error.js';

const CURSOR_FORMAT = /^(\d{1,15}):(\d{1,6})$/;

/** Opaque to clients, so that the format can change. */
const cursorOf = ({ ordinal, line }: AuditPosition): string =>
  Buffer.from(`${ordinal}:${line}`).toString('base64url');

function parseCursor(cursor: string): AuditPosition {
  const match = CURSOR_FORMAT.exec(Buffer.from(cursor.slice(0, 64), 'base64url').toString());
  if (!match) {
    throw new ApiError('VALIDATION_FAILED', 'after is not a valid cursor.', {
      field: 'after',
      rule: 'CURSOR_MALFORMED',
    });
  }
  return { ordinal: Number(match[1]), line: Number(match[2]) };
}

/** Read-only. */
@Resolver(() => AuditEntry)
export class AuditResolver {
  constructor(
    private readonly pool: Pool,
    @Inject(EVENT_STORE) private readonly store: EventStore,
  ) {}

  @HasRole('MODERATOR', 'MAINTAINER')
  @Confidential<AuditQuery, AuditConnection>('AUDIT', ({ viewer, args: { filter }, result: { nodes } }) =>
    auditReadScope({ viewer, filter: filter ?? {}, first: nodes[0], rows: nodes.length }),
  )
  @Query(() => AuditConnection, {
    description: 'Votes, reports and staff actions in the spaces that the caller moderates, newest first.',
  })
  async getAuditEntries(
    @CurrentViewer() viewer: Viewer,
    @Args('filter', { type: () => AuditFilterInput, nullable: true }) input?: AuditFilterInput | null,
    @Args('first', { type: () => Int, nullable: true }) first?: number | null,
    @Args('after', { type: () => String, nullable: true }) after?: string | null,
  ): Promise<AuditConnection> {
    const { limit } = parsePage({ limit: first }, AUDIT_PAGE_SIZE);
    const filter = auditFilterOf(input ?? {});
    const { entries, hasMore } = await pageOfAudit(this.pool, {
      filter,
      scope: auditScopeOf(viewer, filter),
      after: after ? parseCursor(after) : undefined,
      limit,
    });
    const last = entries.at(-1);
    return { nodes: entries, pageInfo: { endCursor: last ? cursorOf(last) : null, hasNextPage: hasMore } };
  }

  @HasRole('MODERATOR', 'MAINTAINER')
  @Confidential<AuditQuery, AuditTotals>('AUDIT', ({ viewer, args: { filter }, result }) =>
    auditReadScope({ viewer, filter: filter ?? {}, rows: result.lines }),
  )
  @Query(() => AuditTotals, {
    description: 'Sums over the entries of `getAuditEntries`, of the newest 10,000 at most.',
  })
  getAuditTotals(
    @CurrentViewer() viewer: Viewer,
    @Args('filter', { type: () => AuditFilterInput, nullable: true }) input?: AuditFilterInput | null,
  ): Promise<AuditTotals> {
    const filter = auditFilterOf(input ?? {});
    return sumsOfAudit(this.pool, { filter, scope: auditScopeOf(viewer, filter) });
  }

  @HasRole('MODERATOR', 'MAINTAINER')
  @Confidential<{ ordinal: number }, AuditEvent | null>('AUDIT', ({ viewer, args, result }) =>
    auditReadScope({ viewer, filter: args, first: result?.entry, rows: result ? 1 : 0 }),
  )
  @Query(() => AuditEvent, {
    nullable: true,
    description: 'One event with all its data. Null if it does not exist or the caller may not see it.',
  })
  async getAuditEntry(
    @CurrentViewer() viewer: Viewer,
    @Args('ordinal', { type: () => Int }) ordinal: number,
  ): Promise<AuditEvent | null> {
    const filter = { fromOrdinal: ordinal, toOrdinal: ordinal, withReads: true };
    const scope = auditScopeOf(viewer, filter);
    const { entries } = await pageOfAudit(this.pool, { filter, scope, limit: 1, isSummed: true });
    const [entry] = entries;
    return entry ? readAuditEvent({ store: this.store, db: this.pool }, entry) : null;
  }
}
