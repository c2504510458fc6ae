import {
  headBeyondTip,
  chainCaughtUp,
  type EventStore,
  readChainPlace,
  sealedExport,
  signHead,
  type SignedHead,
  readCheckpointState,
} from '@nimo/event-store';
import { Controller, Get, Inject, Query, Req, type StreamableFile } from '@nestjs/common';
import { DomainError } from '@nimo/domain';
import type { FastifyRequest } from 'fastify';
import { Pool } from 'pg';
import { HasRole } from '../../platform/auth/access.js';
import type { Settings } from '../../platform/config/load-settings.js';
import { CLOCK, type Clock, SETTINGS, STORED_LOG } from '../../platform/config/tokens.js';
import { AuditDownload, AuditFiles, type AuditRequest } from '../audit/export/audit-export.js';
import { trustedLogKeys, LogAlarm, LogKey, checkpointsOf } from './log-chain.js';

const CHAIN_TIMEOUT_MS = 2_000;

/** Exports the audit like `/audit/export.*`, plus the chain leaf of each line's event and the signed head. */
@Controller('audit/proof')
export class ProvenExportController {
  constructor(
    private readonly pool: Pool,
    private readonly files: AuditFiles,
    private readonly logKey: LogKey,
    private readonly alarm: LogAlarm,
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(STORED_LOG) private readonly log: EventStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @HasRole('MODERATOR', 'MAINTAINER')
  @AuditDownload('PROVEN_AUDIT_EXPORT')
  @Get('export.csv')
  csv(@Req() request: FastifyRequest, @Query() query: Record<string, unknown>): Promise<StreamableFile> {
    return this.export({ request, query, format: 'csv' });
  }

  @HasRole('MODERATOR', 'MAINTAINER')
  @AuditDownload('PROVEN_AUDIT_EXPORT')
  @Get('export.ndjson')
  ndjson(@Req() request: FastifyRequest, @Query() query: Record<string, unknown>): Promise<StreamableFile> {
    return this.export({ request, query, format: 'ndjson' });
  }

  private export(audit: AuditRequest): Promise<StreamableFile> {
    const { pool } = this;
    const transform = async (text: AsyncIterable<string>) => {
      const signed = await this.signedHead();
      return sealedExport({ pool, text, format: audit.format, signed, key: this.logKey.get() });
    };
    return this.files.answer(audit, { name: 'nimo-audit-{day}-proven', transform });
  }

  /**
   * Signs the head of a chain that covers the whole log and matches every earlier signed head. A lagging chain would silently omit the last
   * minutes, and sealing a tampered log would legitimise it.
   * @throws DomainError LOG_CHAIN_BEHIND, LOG_DOES_NOT_FIT or LOG_WITNESS_AWAY
   */
  private async signedHead(): Promise<SignedHead> {
    const signal = AbortSignal.timeout(CHAIN_TIMEOUT_MS);
    try {
      await chainCaughtUp(() => readChainPlace(this.pool), this.log, { signal });
    } catch (error) {
      throw signal.aborted ? new DomainError('LOG_CHAIN_BEHIND') : error;
    }
    const key = this.logKey.get();
    const externalCheckpoints = checkpointsOf(this.settings, this.pool);
    const standing = await readCheckpointState({
      pool: this.pool,
      externalCheckpoints,
      keys: trustedLogKeys(this.settings),
    });
    const mismatch = standing.mismatch ?? headBeyondTip(standing);
    if (mismatch) await this.alarm.raise(mismatch);
    if (mismatch || (await this.alarm.known()).length > 0) throw new DomainError('LOG_DOES_NOT_FIT');
    if (standing.unreachable.length > 0) throw new DomainError('LOG_WITNESS_AWAY');
    return signHead(standing.tip, key, this.clock());
  }
}
