import { Readable } from 'node:stream';
import { Controller, Get, Inject, Query, Req, StreamableFile } from '@nestjs/common';
import { DomainError } from '@nimo/domain';
import type { FastifyRequest } from 'fastify';
import { Pool } from 'pg';
import { HasRole } from '../../../platform/auth/access.js';
import { HttpViewers } from '../../../platform/auth/http-viewers.js';
import { CLOCK, type Clock } from '../../../platform/runtime/tokens.js';
import { auditFilterOfQuery } from '../audit-filter.input.js';
import { auditScopeOf } from '../audit-scope.js';
import { auditExport, type AuditExportFormat } from './audit-export.js';

const TYPES: Readonly<Record<AuditExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8; header=present',
  ndjson: 'application/x-ndjson; charset=utf-8',
};

/** The audit as a file of any size. The token comes in the header as everywhere: an address must not open anything. */
@Controller('audit')
export class AuditExportController {
  constructor(
    private readonly pool: Pool,
    private readonly viewers: HttpViewers,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @HasRole('MODERATOR')
  @Get('export.csv')
  csv(@Req() request: FastifyRequest, @Query() query: Record<string, unknown>): Promise<StreamableFile> {
    return this.export(request, query, 'csv');
  }

  @HasRole('MODERATOR')
  @Get('export.ndjson')
  ndjson(@Req() request: FastifyRequest, @Query() query: Record<string, unknown>): Promise<StreamableFile> {
    return this.export(request, query, 'ndjson');
  }

  private async export(
    request: FastifyRequest,
    query: Record<string, unknown>,
    format: AuditExportFormat,
  ): Promise<StreamableFile> {
    const filter = auditFilterOfQuery(query);
    const scopeNow = async () => {
      const viewer = await this.viewers.of(request);
      if (!viewer) throw new DomainError('SIGN_IN_REQUIRED');
      return auditScopeOf(viewer, filter);
    };
    // A refusal must be an answer of its own, before the first byte.
    await scopeNow();
    const lines = auditExport(this.pool, { filter, format, scopeNow });
    const day = this.clock().toISOString().slice(0, 10);
    return new StreamableFile(Readable.from(lines, { objectMode: false }), {
      type: TYPES[format],
      disposition: `attachment; filename="nimo-audit-${day}.${format}"`,
    });
  }
}
