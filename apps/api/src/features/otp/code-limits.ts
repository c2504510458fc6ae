import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { DomainError, OTP_REDUCED_ATTEMPTS, MAX_OTP_ATTEMPTS } from '@nimo/domain';
import { clientKey, type ClientKey } from '../../platform/callers/client-address.js';
import type { Settings } from '../../platform/config/load-settings.js';
import { RateLimiter } from '../../platform/rate-limit/rate-limiter.js';
import {
  type LimitName,
  OTP_FULL_CODES,
  OTP_OWN_SENDS,
  OTP_RESERVE,
  OTP_SENDS,
  type RateLimit,
  smsBudget,
} from '../../platform/rate-limit/limits.js';
import { SETTINGS } from '../../platform/config/tokens.js';
import { SendChallenges } from './send-challenges.js';
import { LoginThrottle } from '../../platform/rate-limit/login-throttle.js';
import { type CodeSlot, OneTimeCodes, type OtpPurpose } from './one-time-codes.js';
import { SecurityLog } from '../../platform/security-log/security-log.js';
import { Accounts } from '../accounts/accounts.js';

/** Clients that an account is signed in from. They have their own limits, which strangers cannot exhaust. */
@Injectable()
export class SignedInClients {
  constructor(private readonly pool: Pool) {}

  async has(studentId: string | undefined, client: ClientKey): Promise<boolean> {
    if (studentId === undefined) return false;
    const { rows } = await this.pool.query<{ address: string }>(
      'select distinct address from state.session where student_id = $1 and expires_at > now()',
      [studentId],
    );
    return rows.some(({ address }) => clientKey(address) === client);
  }
}

export interface SendRequest {
  readonly phone: string;
  /** Undefined if no account has the phone. */
  readonly studentId: string | undefined;
  readonly client: ClientKey;
  /** Proof of work, if one was required. */
  readonly proof: string | null;
}

const ALL = 'all';

/**
 * Limits on sending codes, in order: the owner's share (from a client the account is signed in from), the phone's share, and a reserve
 * for proofs of work. Strangers can exhaust only the second, so they lock no one out; see docs/decisions/sign-in.md.
 */
@Injectable()
export class SendLimits {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly challenges: SendChallenges,
    private readonly signedInClients: SignedInClients,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'smsPerHour' | 'smsPerDay'>,
  ) {}

  /** @returns attempts the code allows. @throws DomainError CHALLENGE_REQUIRED, TRY_AGAIN_LATER */
  async take(request: SendRequest): Promise<number> {
    const { phone, client, studentId, proof } = request;
    const share = (await this.signedInClients.has(studentId, client)) ? `${phone} ${client}` : phone;
    if (proof === null) {
      if (!(await this.takeShare(request, share))) throw new DomainError('CHALLENGE_REQUIRED');
    } else if (!(await this.challenges.redeem(proof))) {
      throw new DomainError('CHALLENGE_REQUIRED');
    } else await this.takeReserve(request);
    return (await this.limiter.tryUseExactly(OTP_FULL_CODES, share))
      ? MAX_OTP_ATTEMPTS
      : OTP_REDUCED_ATTEMPTS;
  }

  private async takeShare({ phone, client }: SendRequest, share: string): Promise<boolean> {
    const { limiter } = this;
    if (!(await limiter.tryUseExactly(limiter.scaled('otpSendsPerAddress'), client))) return false;
    const isFromOwnShare = share !== phone && (await this.takeAll(OTP_OWN_SENDS, share));
    if (!isFromOwnShare && !(await this.takeAll(OTP_SENDS, phone))) return false;
    return this.takeAll(smsBudget('sms', this.settings), ALL);
  }

  private async takeReserve({ phone, client }: SendRequest): Promise<void> {
    await this.limiter.useExactly(this.limiter.scaled('provenSendsPerAddress'), client);
    // The phone's share is used up before the reserve.
    if (!(await this.takeAll(OTP_SENDS, phone))) {
      await this.limiter.useExactly(OTP_RESERVE.ofClient, `${phone} ${client}`);
      await this.limiter.useExactly(OTP_RESERVE.ofPhone, phone);
    }
    if (await this.takeAll(smsBudget('sms', this.settings), ALL)) return;
    for (const limit of smsBudget('sms-proven', this.settings)) await this.limiter.useExactly(limit, ALL);
  }

  private async takeAll(limits: readonly RateLimit[], subject: string): Promise<boolean> {
    for (const limit of limits) if (!(await this.limiter.tryUseExactly(limit, subject))) return false;
    return true;
  }
}

export interface Guess {
  readonly phone: string;
  readonly purpose: OtpPurpose;
  readonly client: ClientKey;
  /** Whether the account is signed in from this client. */
  readonly isSignedInClient: boolean;
}

const PER_CLIENT = ['otpMissesPerAddress', 'otpMissesPerAddressADay'] as const satisfies readonly LimitName[];
const GLOBAL = ['recoveryMisses', 'recoveryMissesADay'] as const satisfies readonly LimitName[];

/** Limits wrong codes per client, and those for password recovery globally. Correct codes are free. */
@Injectable()
export class GuessLimits {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly throttle: LoginThrottle,
  ) {}

  /** @throws DomainError TRY_AGAIN_LATER */
  async begin(guess: Guess): Promise<void> {
    for (const [name, subject] of limitsOf(guess))
      if (!(await this.limiter.hasRemaining(this.limiter.scaled(name), subject)))
        throw new DomainError('TRY_AGAIN_LATER');
    if (!(await this.throttle.tryAttempt(throttleKeyOf(guess), guess.client)))
      throw new DomainError('TRY_AGAIN_LATER');
  }

  async recordMiss(guess: Guess): Promise<void> {
    for (const [name, subject] of limitsOf(guess))
      await this.limiter.tryUseExactly(this.limiter.scaled(name), subject);
  }

  async recordMatch(guess: Guess): Promise<void> {
    await this.throttle.recordSuccess(throttleKeyOf(guess), guess.client);
  }
}

/** Includes the client, so that strangers' guesses do not delay the owner. */
const throttleKeyOf = ({ phone, client }: Guess): string => `otp:${phone}:${client}`;

const limitsOf = ({
  client,
  purpose,
  isSignedInClient,
}: Guess): readonly (readonly [LimitName, string])[] => [
  ...PER_CLIENT.map((name) => [name, client] as const),
  ...(purpose === 'FORGOT_PASSWORD' && !isSignedInClient ? GLOBAL.map((name) => [name, ALL] as const) : []),
];

/** Verifies codes within the guess limits. */
@Injectable()
export class CodeVerifier {
  constructor(
    private readonly codes: OneTimeCodes,
    private readonly accounts: Accounts,
    private readonly limits: GuessLimits,
    private readonly signedInClients: SignedInClients,
    private readonly log: SecurityLog,
  ) {}

  /** @returns the owner's student ID, or undefined for a wrong code. @throws DomainError TRY_AGAIN_LATER */
  async verify(slot: CodeSlot, code: string, client: ClientKey): Promise<string | undefined> {
    const { phone, purpose } = slot;
    const student = await this.accounts.find({ kind: 'phone', value: phone });
    const isSignedInClient = await this.signedInClients.has(student?.studentId, client);
    const guess = { phone, purpose, client, isSignedInClient };
    await this.limits.begin(guess);
    const isCorrect = await this.codes.redeem(slot, code);
    if (!isCorrect || !student) {
      await this.limits.recordMiss(guess);
      await this.log.record(student?.studentId, 'CODE_FAILED');
      return undefined;
    }
    await this.limits.recordMatch(guess);
    return student.studentId;
  }
}
