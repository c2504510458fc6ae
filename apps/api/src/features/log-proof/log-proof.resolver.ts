import { Field, Int, ObjectType, Query, Resolver } from '@nestjs/graphql';
import {
  type EventStore,
  readChainPlace,
  readChainTip,
  readMark,
  readSignedHeads,
  type SigningKey,
} from '@nimo/event-store';
import { Inject } from '@nestjs/common';
import { Pool } from 'pg';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { HasRole } from '../../platform/auth/access.js';
import type { Settings } from '../../platform/config/load-settings.js';
import { SETTINGS, STORED_LOG } from '../../platform/config/tokens.js';
import { trustedLogKeys, LogAlarm, LogKey } from './log-chain.js';
import { oldNameOf } from '../schema/interfaces.js';
import { Untraced } from '../../platform/traces/traces.js';

@ObjectType({ description: 'A chain head that was signed and stored outside the database.' })
class SignedLogHead {
  @Field(() => Int, { description: 'Number of events covered.' }) readonly ordinal!: number;
  @Field() readonly head!: string;
  @Field(() => DateTimeScalar) readonly at!: string;
  @Field() readonly keyId!: string;
}

@ObjectType({
  description: 'A mismatch between the log, its chain and its signed heads.',
})
class LogMismatch {
  @Field({ description: 'English text for the operator.' }) readonly detail!: string;
  @Field(() => Int, { description: 'First affected event; 0 if none.' })
  readonly ordinal!: number;
  @Field(() => DateTimeScalar) readonly foundAt!: string;
}

@ObjectType({ description: 'State of the hash chain and of its verification.' })
class LogProof {
  @Field(() => Int, { description: 'Number of events covered by the chain.' }) readonly ordinal!: number;
  @Field({ description: 'SHA-256 in hexadecimal.' }) readonly head!: string;
  @Field(() => Int, {
    description: 'Number of events not yet in the chain, capped at 1000.',
  })
  readonly behind!: number;
  @Field(() => DateTimeScalar, { nullable: true, description: 'When new events were last verified.' })
  readonly verifiedAt!: string | null;
  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the whole log was last verified without a mismatch.',
  })
  readonly wholeVerifiedAt!: string | null;
  @Field(() => [LogMismatch], { description: 'Known mismatches; empty if there are none.' })
  readonly mismatches!: readonly LogMismatch[];
  @Field(() => [LogMismatch], oldNameOf('mismatches'))
  readonly misfits!: readonly LogMismatch[];
  @Field() readonly keyId!: string;
  @Field({ description: 'Ed25519 key in PEM format.' }) readonly publicKey!: string;
  @Field(() => [SignedLogHead], { description: 'Most recent first.' })
  readonly signedHeads!: readonly SignedLogHead[];
}

const MAX_HEADS = 10;
const MAX_COUNTED_LAG = 1_000;

@Resolver()
export class LogProofResolver {
  constructor(
    private readonly pool: Pool,
    @Inject(STORED_LOG) private readonly log: EventStore,
    private readonly logKey: LogKey,
    private readonly alarm: LogAlarm,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Covers the whole log regardless of a moderator's spaces, because counts and hashes reveal no event. */
  @HasRole('MODERATOR', 'MAINTAINER')
  @Untraced('counts and hashes, which reveal no event')
  @Query(() => LogProof, { description: 'For moderators and maintainers.' })
  async getLogProof(): Promise<LogProof> {
    const [tip, behind, signedHeads, read, known] = await Promise.all([
      readChainTip(this.pool),
      this.behind(),
      readSignedHeads(this.pool, MAX_HEADS),
      readMark(this.pool, trustedLogKeys(this.settings)),
      this.alarm.known(),
    ]);
    const mark = read.kind === 'genuine' ? read.mark : undefined;
    const mismatches = known.map((each) => ({ ...each, foundAt: each.foundAt.toISOString() }));
    const key: SigningKey = this.logKey.get();
    return {
      ordinal: tip.ordinal,
      head: tip.head.toString('hex'),
      behind,
      verifiedAt: mark?.at ?? null,
      wholeVerifiedAt: mark?.whole?.at ?? null,
      mismatches,
      misfits: mismatches,
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
      limit: MAX_COUNTED_LAG,
    });
    return missing.length;
  }
}
