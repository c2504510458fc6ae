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
import { believedLogKeys, LogAlarm, LogKey } from './log-chain.js';
import { LeavesNoTrace } from '../../platform/traces/traces.js';

@ObjectType({ description: 'A head of the chain that was signed and written out of the database.' })
class SignedLogHead {
  @Field(() => Int, { description: 'Events that it covers.' }) readonly ordinal!: number;
  @Field() readonly head!: string;
  @Field(() => DateTimeScalar) readonly at!: string;
  @Field() readonly keyId!: string;
}

@ObjectType({
  description: 'Something that does not fit between the log, its chain and what was signed of it.',
})
class LogMisfit {
  @Field({ description: 'In English, for whoever looks after the server.' }) readonly detail!: string;
  @Field(() => Int, { description: 'The first event that it is about; 0 where it is about none.' })
  readonly ordinal!: number;
  @Field(() => DateTimeScalar) readonly foundAt!: string;
}

@ObjectType({ description: 'How far the log is proven.' })
class LogProof {
  @Field(() => Int, { description: 'Events that the chain covers.' }) readonly ordinal!: number;
  @Field({ description: 'SHA-256, in hexadecimal.' }) readonly head!: string;
  @Field(() => Int, {
    description: 'Events that the chain does not have yet, 1000 standing for that and more.',
  })
  readonly behind!: number;
  @Field(() => DateTimeScalar, { nullable: true, description: 'When the worker last looked at new events.' })
  readonly verifiedAt!: string | null;
  @Field(() => DateTimeScalar, { nullable: true, description: 'When the whole log was last found to fit.' })
  readonly wholeVerifiedAt!: string | null;
  @Field(() => [LogMisfit], { description: 'What does not fit; empty where all is well.' })
  readonly misfits!: readonly LogMisfit[];
  @Field() readonly keyId!: string;
  @Field({ description: 'Ed25519, as PEM.' }) readonly publicKey!: string;
  @Field(() => [SignedLogHead], { description: 'The last ones, the newest first.' })
  readonly signedHeads!: readonly SignedLogHead[];
}

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
