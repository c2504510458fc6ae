import { Readable } from 'node:stream';
import {
  chainCaughtUp,
  type EventStore,
  type ExportFormat,
  readChainPlace,
  readChainTip,
  sealedExport,
  signHead,
  type SignedHead,
} from '@nimo/event-store';
import { Controller, Get, Inject, Query, Req, StreamableFile } from '@nestjs/common';
import { DomainError } from '@nimo/domain';
import type { FastifyRequest } from 'fastify';
import { Pool } from 'pg';
import { HasRole } from '../../platform/auth/access.js';
import { HttpViewers } from '../../platform/auth/http-viewers.js';
import { CLOCK, type Clock, STORED_LOG } from '../../platform/runtime/tokens.js';
import { auditFilterOfQuery } from '../audit/audit-filter.input.js';
import { auditScopeOf } from '../audit/audit-scope.js';
import { auditExport } from '../audit/export/audit-export.js';
import { LogKey } from './log-key.js';

const PATIENCE_MS = 2_000;

const TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8; header=present',
  ndjson: 'application/x-ndjson; charset=utf-8',
};

/** The audit as `/audit/export.*` gives it, with the leaf of each line's event and the signed head that they lead to. */
@Controller('audit/proof')
export class ProvenExportController {
  constructor(
    private readonly pool: Pool,
    private readonly viewers: HttpViewers,
    private readonly logKey: LogKey,
    @Inject(STORED_LOG) private readonly log: EventStore,
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
    format: ExportFormat,
  ): Promise<StreamableFile> {
    const filter = auditFilterOfQuery(query);
    const scopeNow = async () => {
      const viewer = await this.viewers.of(request);
      if (!viewer) throw new DomainError('SIGN_IN_REQUIRED');
      return auditScopeOf(viewer, filter);
    };
    // A refusal must be an answer of its own, before the first byte.
    await scopeNow();
    const signed = await this.signedHead();
    const { pool } = this;
    const lines = sealedExport({
      pool,
      text: auditExport(pool, { filter, format, scopeNow }),
      format,
      signed,
      key: this.logKey.get(),
    });
    const day = this.clock().toISOString().slice(0, 10);
    return new StreamableFile(Readable.from(lines, { objectMode: false }), {
      type: TYPES[format],
      disposition: `attachment; filename="nimo-audit-${day}-proven.${format}"`,
    });
  }

  /** Of a chain that has everything: an export that left out the last minutes without a word would not be whole. */
  private async signedHead(): Promise<SignedHead> {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    try {
      await chainCaughtUp(() => readChainPlace(this.pool), this.log, { signal });
    } catch (error) {
      throw signal.aborted ? new DomainError('LOG_CHAIN_BEHIND') : error;
    }
    return signHead(await readChainTip(this.pool), this.logKey.get(), this.clock());
  }
}
