import {
  beyondTip,
  chainCaughtUp,
  type EventStore,
  readChainPlace,
  sealedExport,
  signHead,
  type SignedHead,
  standingHeads,
} from '@nimo/event-store';
import { Controller, Get, Inject, Query, Req, type StreamableFile } from '@nestjs/common';
import { DomainError } from '@nimo/domain';
import type { FastifyRequest } from 'fastify';
import { Pool } from 'pg';
import { HasRole } from '../../platform/auth/access.js';
import type { Settings } from '../../platform/config/load-settings.js';
import { CLOCK, type Clock, SETTINGS, STORED_LOG } from '../../platform/config/tokens.js';
import { AuditCopy, AuditFiles, type AuditRequest } from '../audit/export/audit-export.js';
import { believedLogKeys, LogAlarm, LogKey, witnessesOf } from './log-chain.js';

const PATIENCE_MS = 2_000;

/** The audit as `/audit/export.*` gives it, with the leaf of each line's event and the signed head that they lead to. */
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
  @AuditCopy('PROVEN_AUDIT_EXPORT')
  @Get('export.csv')
  csv(@Req() request: FastifyRequest, @Query() query: Record<string, unknown>): Promise<StreamableFile> {
    return this.proven({ request, query, format: 'csv' });
  }

  @HasRole('MODERATOR', 'MAINTAINER')
  @AuditCopy('PROVEN_AUDIT_EXPORT')
  @Get('export.ndjson')
  ndjson(@Req() request: FastifyRequest, @Query() query: Record<string, unknown>): Promise<StreamableFile> {
    return this.proven({ request, query, format: 'ndjson' });
  }

  private proven(asked: AuditRequest): Promise<StreamableFile> {
    const { pool } = this;
    const through = async (text: AsyncIterable<string>) => {
      const signed = await this.signedHead();
      return sealedExport({ pool, text, format: asked.format, signed, key: this.logKey.get() });
    };
    return this.files.answer(asked, { name: 'nimo-audit-{day}-proven', through });
  }

  /**
   * Of a chain that has everything: an export that left out the last minutes without a word would not be whole. And of one that holds what was
   * signed of it before: a seal over a changed log would make it good. Whether it does only all witnesses together can tell.
   */
  private async signedHead(): Promise<SignedHead> {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    try {
      await chainCaughtUp(() => readChainPlace(this.pool), this.log, { signal });
    } catch (error) {
      throw signal.aborted ? new DomainError('LOG_CHAIN_BEHIND') : error;
    }
    const key = this.logKey.get();
    const witnesses = witnessesOf(this.settings, this.pool);
    const standing = await standingHeads({
      pool: this.pool,
      witnesses,
      keys: believedLogKeys(this.settings),
    });
    const misfit = standing.misfit ?? beyondTip(standing);
    if (misfit) await this.alarm.raise(misfit);
    if (misfit || (await this.alarm.standing()).length > 0) throw new DomainError('LOG_DOES_NOT_FIT');
    if (standing.unreachable.length > 0) throw new DomainError('LOG_WITNESS_AWAY');
    return signHead(standing.tip, key, this.clock());
  }
}
