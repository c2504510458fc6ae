import {
  type EventStore,
  readChainPlace,
  readChainTip,
  readMark,
  readSignedHeads,
  type SigningKey,
} from '@nimo/event-store';
import { Inject } from '@nestjs/common';
import { Query, Resolver } from '@nestjs/graphql';
import { Pool } from 'pg';
import { HasRole } from '../../platform/auth/access.js';
import type { Settings } from '../../platform/config/load-settings.js';
import { SETTINGS, STORED_LOG } from '../../platform/runtime/tokens.js';
import { LogAlarm } from './log-alarm.js';
import { LogKey } from './log-key.js';
import { believedLogKeys } from './log-witness.js';
import { LogProof } from './log-proof.type.js';
import { LeavesNoTrace } from '../../platform/traces/confidential.js';

const SHOWN_HEADS = 10;
const MAX_LAG = 1_000;

@Resolver()
export class LogProofResolver {
  constructor(
    private readonly pool: Pool,
    @Inject(STORED_LOG) private readonly log: EventStore,
    private readonly logKey: LogKey,
    private readonly alarm: LogAlarm,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Of the whole log, whatever spaces a moderator has: it is counts and hashes, which tell nothing of an event. */
  @HasRole('MODERATOR', 'MAINTAINER')
  @LeavesNoTrace('counts and hashes, which tell nothing of an event')
  @Query(() => LogProof, { description: 'For moderators and maintainers.' })
  async getLogProof(): Promise<LogProof> {
    const [tip, behind, signedHeads, read, misfits] = await Promise.all([
      readChainTip(this.pool),
      this.behind(),
      readSignedHeads(this.pool, SHOWN_HEADS),
      readMark(this.pool, believedLogKeys(this.settings)),
      this.alarm.standing(),
    ]);
    const mark = read.kind === 'genuine' ? read.mark : undefined;
    const key: SigningKey = this.logKey.get();
    return {
      ordinal: tip.ordinal,
      head: tip.head.toString('hex'),
      behind,
      verifiedAt: mark?.at ?? null,
      wholeVerifiedAt: mark?.whole?.at ?? null,
      misfits: misfits.map(({ foundAt, ...misfit }) => ({ ...misfit, foundAt: foundAt.toISOString() })),
      keyId: key.keyId,
      publicKey: key.publicKey.export({ format: 'pem', type: 'spki' }).toString(),
      signedHeads,
    };
  }

  private async behind(): Promise<number> {
    const [{ position }, head] = await Promise.all([readChainPlace(this.pool), this.log.head()]);
    if (head === undefined || (position !== null && position >= head)) return 0;
    const missing = await this.log.readAll({
      ...(position !== null && { after: position }),
      limit: MAX_LAG,
    });
    return missing.length;
  }
}
