import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { DomainError, OTP_LATER_ATTEMPTS, MAX_OTP_ATTEMPTS } from '@nimo/domain';
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
import { type CodePlace, OneTimeCodes, type OtpPurpose } from './one-time-codes.js';
import { SecurityLog } from '../../platform/security-log/security-log.js';
import { Accounts } from '../accounts/accounts.js';

/** Where an account is signed in: what its owner does from there, strangers elsewhere cannot use up. */
@Injectable()
export class OwnClients {
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

export interface Guess {
  readonly phone: string;
  readonly purpose: OtpPurpose;
  readonly client: ClientKey;
  /** From where the account is signed in. */
  readonly isOwnClient: boolean;
}

const BY_CLIENT = ['otpMissesPerAddress', 'otpMissesPerAddressADay'] as const satisfies readonly LimitName[];
const OVER_ALL = ['recoveryMisses', 'recoveryMissesADay'] as const satisfies readonly LimitName[];

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

/** Whether a code is right, within what may be guessed. */
@Injectable()
export class CodeChecks {
  constructor(
    private readonly codes: OneTimeCodes,
    private readonly accounts: Accounts,
    private readonly limits: GuessLimits,
    private readonly ownClients: OwnClients,
    private readonly log: SecurityLog,
  ) {}

  /** @returns whose phone it is, undefined where the code is wrong. @throws DomainError TRY_AGAIN_LATER */
  async studentOf(place: CodePlace, code: string, client: ClientKey): Promise<string | undefined> {
    const { phone, purpose } = place;
    const student = await this.accounts.find({ kind: 'phone', value: phone });
    const isOwnClient = await this.ownClients.has(student?.studentId, client);
    const guess = { phone, purpose, client, isOwnClient };
    await this.limits.begin(guess);
    const isRight = await this.codes.redeem(place, code);
    if (!isRight || !student) {
      await this.limits.missed(guess);
      await this.log.note(student?.studentId, 'CODE_FAILED');
      return undefined;
    }
    await this.limits.matched(guess);
    return student.studentId;
  }
}
