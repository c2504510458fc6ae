import { Injectable } from '@nestjs/common';
import { SecurityLog } from '../../platform/security-log/security-log.js';
import { Accounts } from '../accounts/accounts.js';
import { GuessLimits } from './guess-limits.js';
import { OneTimeCodes, type CodePlace } from './one-time-codes.js';
import { OwnClients } from './own-clients.js';
import type { ClientKey } from '../../platform/callers/client-address.js';

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
