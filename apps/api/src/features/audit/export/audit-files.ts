import { Readable } from 'node:stream';
import { Inject, Injectable, StreamableFile } from '@nestjs/common';
import { DomainError } from '@nimo/domain';
import type { FastifyRequest } from 'fastify';
import { Pool } from 'pg';
import { HttpViewers } from '../../../platform/auth/http-viewers.js';
import { CLOCK, type Clock } from '../../../platform/runtime/tokens.js';
import { auditFilterOfQuery } from '../audit-filter.input.js';
import { auditScopeOf } from '../audit-scope.js';
import { auditExport, type AuditExportFormat } from './audit-export.js';

const TYPES: Readonly<Record<AuditExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8; header=present',
  ndjson: 'application/x-ndjson; charset=utf-8',
};

export interface AuditRequest {
  readonly request: FastifyRequest;
  readonly query: Record<string, unknown>;
  readonly format: AuditExportFormat;
}

export interface AuditFileOptions {
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
