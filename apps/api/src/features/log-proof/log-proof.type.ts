import { Field, Int, ObjectType } from '@nestjs/graphql';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';

@ObjectType({ description: 'A head of the chain that was signed and written out of the database.' })
export class SignedLogHead {
  @Field(() => Int, { description: 'Events that it covers.' }) readonly ordinal!: number;
  @Field() readonly head!: string;
  @Field(() => DateTimeScalar) readonly at!: string;
  @Field() readonly keyId!: string;
}

@ObjectType({ description: 'How far the log is proven.' })
export class LogProof {
  @Field(() => Int, { description: 'Events that the chain covers.' }) readonly ordinal!: number;
  @Field({ description: 'SHA-256, in hexadecimal.' }) readonly head!: string;
  @Field(() => Int, {
    description: 'Events that the chain does not have yet, 1000 standing for that and more.',
  })
  readonly behind!: number;
  @Field() readonly keyId!: string;
  @Field({ description: 'Ed25519, as PEM.' }) readonly publicKey!: string;
  @Field(() => [SignedLogHead], { description: 'The last ones, the newest first.' })
  readonly signedHeads!: readonly SignedLogHead[];
}
