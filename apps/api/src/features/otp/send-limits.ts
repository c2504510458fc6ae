import { Inject, Injectable } from '@nestjs/common';
import { DomainError, OTP_LATER_ATTEMPTS, MAX_OTP_ATTEMPTS } from '@nimo/domain';
import type { Settings } from '../../platform/config/load-settings.js';
import { RateLimiter } from '../../platform/rate-limit/rate-limiter.js';
import {
  OTP_FULL_CODES,
  OTP_OWN_SENDS,
  OTP_RESERVE,
  OTP_SENDS,
  smsBudget,
  type RateLimit,
} from '../../platform/rate-limit/limits.js';
import { SETTINGS } from '../../platform/config/tokens.js';
import { OwnClients } from './own-clients.js';
import { SendChallenges } from './send-challenges.js';
import type { ClientKey } from '../../platform/callers/client-address.js';

export interface Sending {
  readonly phone: string;
  /** Undefined where the phone is nobody's. */
  readonly studentId: string | undefined;
  readonly client: ClientKey;
  /** A proof of work, where one was asked for. */
  readonly proof: string | null;
}

const ALL = 'all';

/**
 * Who may have a code sent. In order: the share of whoever asks from where the account is signed in, what a phone is sent for
 * anybody, and for a proof of work a reserve. Strangers use up none but the second, so they lock nobody out; see docs/decisions/sign-in.md.
 */
@Injectable()
export class SendLimits {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly challenges: SendChallenges,
    private readonly ownClients: OwnClients,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'smsPerHour' | 'smsPerDay'>,
  ) {}

  /** @returns how many tries the code bears. @throws DomainError CHALLENGE_REQUIRED, TRY_AGAIN_LATER */
  async take(sending: Sending): Promise<number> {
    const { phone, client, studentId, proof } = sending;
    const share = (await this.ownClients.has(studentId, client)) ? `${phone} ${client}` : phone;
    if (proof === null) {
      if (!(await this.takeOrdinary(sending, share))) throw new DomainError('CHALLENGE_REQUIRED');
    } else if (!(await this.challenges.redeem(proof))) {
      throw new DomainError('CHALLENGE_REQUIRED');
    } else await this.takeReserve(sending);
    return (await this.limiter.tryToUse(OTP_FULL_CODES, share)) ? MAX_OTP_ATTEMPTS : OTP_LATER_ATTEMPTS;
  }

  private async takeOrdinary({ phone, client }: Sending, share: string): Promise<boolean> {
    const { limiter } = this;
    if (!(await limiter.tryToUse(limiter.scaled('otpSendsPerAddress'), client))) return false;
    const isOwn = share !== phone && (await this.takeAll(OTP_OWN_SENDS, share));
    if (!isOwn && !(await this.takeAll(OTP_SENDS, phone))) return false;
    return this.takeAll(smsBudget('sms', this.settings), ALL);
  }

  private async takeReserve({ phone, client }: Sending): Promise<void> {
    await this.limiter.useExactly(this.limiter.scaled('provenSendsPerAddress'), client);
    // What is left to everybody comes first, as without a proof.
    if (!(await this.takeAll(OTP_SENDS, phone))) {
      await this.limiter.useExactly(OTP_RESERVE.ofClient, `${phone} ${client}`);
      await this.limiter.useExactly(OTP_RESERVE.ofPhone, phone);
    }
    if (await this.takeAll(smsBudget('sms', this.settings), ALL)) return;
    for (const limit of smsBudget('sms-proven', this.settings)) await this.limiter.useExactly(limit, ALL);
  }

  private async takeAll(limits: readonly RateLimit[], subject: string): Promise<boolean> {
    for (const limit of limits) if (!(await this.limiter.tryToUse(limit, subject))) return false;
    return true;
  }
}
