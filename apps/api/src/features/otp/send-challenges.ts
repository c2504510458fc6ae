import { Injectable } from '@nestjs/common';
import { createChallenge, verifySolution } from 'altcha-lib';
import { z } from 'zod';
import { Field, Int, ObjectType } from '@nestjs/graphql';
import { ClaimHasher } from '../../platform/personal-data/key-uses.js';
import type { RateLimit } from '../../platform/rate-limit/limits.js';
import { RateLimiter } from '../../platform/rate-limit/rate-limiter.js';

/** Up to a second of a phone's processor; nothing to read, hear or click, so nobody is shut out. */
const HARDNESS = 25_000;
const TTL_SECONDS = 10 * 60;
const ONCE: RateLimit = {
  name: 'challenge',
  most: 1,
  seconds: 2 * TTL_SECONDS,
  portion: 1,
  code: 'TRY_AGAIN_LATER',
};
const MAX_PROOF_LENGTH = 2_000;

const Proof = z.object({
  algorithm: z.literal('SHA-256'),
  challenge: z.string(),
  number: z.number(),
  salt: z.string(),
  signature: z.string(),
});

/** Proofs of work (ALTCHA): signed, so that none is stored before it is used, and each is good once. */
@Injectable()
export class SendChallenges {
  private readonly hmacKey: string;
  private readonly accepted: readonly string[];

  constructor(
    private readonly limiter: RateLimiter,
    hasher: ClaimHasher,
  ) {
    this.hmacKey = hasher.hashSecret('send-challenge').toString('hex');
    this.accepted = hasher.secretHashes('send-challenge').map((key) => key.toString('hex'));
  }

  async make(): Promise<SendChallenge> {
    const expires = new Date(Date.now() + TTL_SECONDS * 1000);
    const { algorithm, challenge, salt, signature } = await createChallenge({
      hmacKey: this.hmacKey,
      maxnumber: HARDNESS,
      expires,
    });
    return { algorithm, challenge, salt, signature, maxNumber: HARDNESS };
  }

  /** @param proof the solution as JSON in base64, as ALTCHA's widgets send it */
  async redeem(proof: string): Promise<boolean> {
    const solution = proof.length > MAX_PROOF_LENGTH ? undefined : Proof.safeParse(jsonOf(proof)).data;
    if (!solution || !(await this.isRight(solution))) return false;
    return this.limiter.tryToUse(ONCE, solution.challenge);
  }

  private async isRight(solution: z.infer<typeof Proof>): Promise<boolean> {
    for (const key of this.accepted) if (await verifySolution(solution, key, true)) return true;
    return false;
  }
}

function jsonOf(proof: string): unknown {
  try {
    return JSON.parse(Buffer.from(proof, 'base64').toString());
  } catch {
    return undefined;
  }
}

@ObjectType({ description: 'Find the number whose SHA-256 behind the salt is the challenge (ALTCHA).' })
export class SendChallenge {
  @Field(() => String) readonly algorithm!: string;
  @Field(() => String) readonly challenge!: string;
  @Field(() => String) readonly salt!: string;
  @Field(() => String) readonly signature!: string;
  @Field(() => Int, { description: 'The number is not greater.' }) readonly maxNumber!: number;
}
