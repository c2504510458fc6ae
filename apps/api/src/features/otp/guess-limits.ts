import { Injectable } from '@nestjs/common';
import { DomainError } from '@nimo/domain';
import { RateLimiter } from '../../platform/rate-limit/rate-limiter.js';
import type { LimitName } from '../../platform/rate-limit/limits.js';
import { LoginThrottle } from '../../platform/rate-limit/login-throttle.js';
import type { OtpPurpose } from './one-time-codes.js';
import type { ClientKey } from '../../platform/callers/client-address.js';

export interface Guess {
  readonly phone: string;
  readonly purpose: OtpPurpose;
  readonly client: ClientKey;
  /** From where the account is signed in. */
  readonly isOwnClient: boolean;
}

const BY_CLIENT = ['otpMissesPerAddress', 'otpMissesPerAddressADay'] as const satisfies readonly LimitName[];
const OVER_ALL = ['recoveryMisses', 'recoveryMissesADay'] as const satisfies readonly LimitName[];
const ALL = 'all';

/** Wrong codes of a client, and those of forgotten passwords over all, beside the tries of each code. Right ones cost nothing. */
@Injectable()
export class GuessLimits {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly throttle: LoginThrottle,
  ) {}

  /** @throws DomainError TRY_AGAIN_LATER */
  async begin(guess: Guess): Promise<void> {
    for (const [name, subject] of limitsOf(guess))
      if (!(await this.limiter.isLeft(this.limiter.scaled(name), subject)))
        throw new DomainError('TRY_AGAIN_LATER');
    if (!(await this.throttle.begin(accountOf(guess), guess.client)))
      throw new DomainError('TRY_AGAIN_LATER');
  }

  async missed(guess: Guess): Promise<void> {
    for (const [name, subject] of limitsOf(guess))
      await this.limiter.tryToUse(this.limiter.scaled(name), subject);
  }

  async matched(guess: Guess): Promise<void> {
    await this.throttle.succeeded(accountOf(guess), guess.client);
  }
}

/** With the client: what strangers guess holds up nobody else. */
const accountOf = ({ phone, client }: Guess): string => `otp:${phone}:${client}`;

const limitsOf = ({ client, purpose, isOwnClient }: Guess): readonly (readonly [LimitName, string])[] => [
  ...BY_CLIENT.map((name) => [name, client] as const),
  ...(purpose === 'FORGOT_PASSWORD' && !isOwnClient ? OVER_ALL.map((name) => [name, ALL] as const) : []),
];
