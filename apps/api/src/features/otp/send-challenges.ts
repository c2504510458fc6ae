import { Injectable } from '@nestjs/common';
import { createChallenge, verifySolution } from 'altcha-lib';
import { z } from 'zod';
import { Field, Int, ObjectType } from '@nestjs/graphql';
import { ClaimHasher } from '../../platform/personal-data/key-uses.js';
import type { RateLimit } from '../../platform/rate-limit/limits.js';
import { RateLimiter } from '../../platform/rate-limit/rate-limiter.js';

/** Takes a phone up to a second. Nothing to read, hear or click, so it excludes no one. */
const DIFFICULTY = 25_000;
const CHALLENGE_TTL_SECONDS = 10 * 60;
const ONCE: RateLimit = {
  name: 'challenge',
  max: 1,
  seconds: 2 * CHALLENGE_TTL_SECONDS,
  leaseSize: 1,
  code: 'TRY_AGAIN_LATER',
};
const MAX_PROOF_LENGTH = 2_000;

const ProofSchema = z.object({
  algorithm: z.literal('SHA-256'),
  challenge: z.string(),
  number: z.number(),
  salt: z.string(),
  signature: z.string(),
});

/** ALTCHA proof-of-work challenges. They are signed, so nothing is stored until one is redeemed. Each is valid once. */
@Injectable()
export class SendChallenges {
  private readonly hmacKey: string;
  private readonly acceptedKeys: readonly string[];

  constructor(
    private readonly limiter: RateLimiter,
    hasher: ClaimHasher,
  ) {
    this.hmacKey = hasher.hashSecret('send-challenge').toString('hex');
    this.acceptedKeys = hasher.secretHashes('send-challenge').map((key) => key.toString('hex'));
  }

  async issue(): Promise<SendChallenge> {
    const expires = new Date(Date.now() + CHALLENGE_TTL_SECONDS * 1000);
    const { algorithm, challenge, salt, signature } = await createChallenge({
      hmacKey: this.hmacKey,
      maxnumber: DIFFICULTY,
      expires,
    });
    return { algorithm, challenge, salt, signature, maxNumber: DIFFICULTY };
  }

  /** @param proof solution as base64-encoded JSON, as ALTCHA's widgets send it */
  async redeem(proof: string): Promise<boolean> {
    const solution =
      proof.length > MAX_PROOF_LENGTH ? undefined : ProofSchema.safeParse(parseJson(proof)).data;
    if (!solution || !(await this.isValid(solution))) return false;
    return this.limiter.tryUseExactly(ONCE, solution.challenge);
  }

  private async isValid(solution: z.infer<typeof ProofSchema>): Promise<boolean> {
    for (const key of this.acceptedKeys) if (await verifySolution(solution, key, true)) return true;
    return false;
  }
}

function parseJson(proof: string): unknown {
  try {
    return JSON.parse(Buffer.from(proof, 'base64').toString());
  } catch {
    return undefined;
  }
}

@ObjectType({
  description: 'ALTCHA challenge: find the number for which SHA-256 of salt and number equals `challenge`.',
})
export class SendChallenge {
  @Field(() => String) readonly algorithm!: string;
  @Field(() => String) readonly challenge!: string;
  @Field(() => String) readonly salt!: string;
  @Field(() => String) readonly signature!: string;
  @Field(() => Int, { description: 'Upper bound of the number.' }) readonly maxNumber!: number;
}
