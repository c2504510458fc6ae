import { Field, Int, ObjectType } from '@nestjs/graphql';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';

@ObjectType({ description: 'A head of the chain that was signed and written out of the database.' })
export class SignedLogHead {
  @Field(() => Int, { description: 'Events that it covers.' }) readonly ordinal!: number;
  @Field() readonly head!: string;
  @Field(() => DateTimeScalar) readonly at!: string;
  @Field() readonly keyId!: string;
}

@ObjectType({
  description: 'Something that does not fit between the log, its chain and what was signed of it.',
})
export class LogMisfit {
  @Field({ description: 'In English, for whoever looks after the server.' }) readonly detail!: string;
  @Field(() => Int, { description: 'The first event that it is about; 0 where it is about none.' })
  readonly ordinal!: number;
  @Field(() => DateTimeScalar) readonly foundAt!: string;
}

@ObjectType({ description: 'How far the log is proven.' })
export class LogProof {
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
