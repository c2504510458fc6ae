import { Inject, Injectable } from '@nestjs/common';
import { DomainError } from '@nimo/domain';
import { Credentials } from '../../platform/auth/credentials.js';
import { SessionStore } from '../../platform/auth/session-store.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import type { Settings } from '../../platform/config/load-settings.js';
import { LoginThrottle } from '../../platform/rate-limit/login-throttle.js';
import { SETTINGS } from '../../platform/config/tokens.js';
import { SecurityLog } from '../../platform/security-log/security-log.js';
import { type FactorHolder, SecondFactors, type Statements } from './second-factors.js';
import { AccountMailJobs } from '../account-mail/account-mail.js';
import { RecoveryCodes } from './recovery-codes.js';
import type { ClientKey } from '../../platform/callers/client-address.js';

export const sessionHolder = ({ sessionId, studentId }: Viewer): FactorHolder => ({
  hash: sessionId,
  studentId,
});

export const holdsRole = ({ roles, withheldRoles }: Viewer): boolean =>
  roles.length > 0 || withheldRoles.length > 0;

/** Authorizes changes to second factors and applies their side effects: mails, ended sessions, recovery codes. */
@Injectable()
export class FactorSetUp {
  constructor(
    private readonly credentials: Credentials,
    private readonly sessions: SessionStore,
    private readonly throttle: LoginThrottle,
    private readonly factors: SecondFactors,
    private readonly codes: RecoveryCodes,
    private readonly mails: AccountMailJobs,
    private readonly log: SecurityLog,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'staffSecondFactor'>,
  ) {}

  /** Requires the password again, and a recent second factor if one is set up: an unattended session must not add factors. */
  async requireMayAdd(viewer: Viewer, password: string, client: ClientKey): Promise<void> {
    const account = `student:${viewer.studentId}`;
    if (!(await this.throttle.tryAttempt(account, client))) throw new DomainError('TOO_MANY_REQUESTS');
    if (!(await this.credentials.matches(viewer.studentId, password))) {
      await this.log.record(viewer.studentId, 'PASSWORD_CHECK_FAILED');
      throw new DomainError('PASSWORD_WRONG');
    }
    await this.throttle.recordSuccess(account, client);
    if (await this.factors.isSetUp(viewer.studentId)) await this.requireRecentFactor(viewer);
  }

  /** Like `requireMayAdd`, but skips the password for accounts that have none because they sign in through a provider. */
  async requireOwner(viewer: Viewer, password: string, client: ClientKey): Promise<void> {
    if (await this.credentials.has(viewer.studentId)) return this.requireMayAdd(viewer, password, client);
    if (await this.factors.isSetUp(viewer.studentId)) await this.requireRecentFactor(viewer);
  }

  /** @throws DomainError SECOND_FACTOR_REQUIRED unless this session has confirmed one recently */
  async requireRecentFactor({ sessionId }: Viewer): Promise<void> {
    if (!(await this.sessions.hasRecentFactor(sessionId))) throw new DomainError('SECOND_FACTOR_REQUIRED');
  }

  /**
   * Removes a factor, but never the last one of a staff member. Checked and removed under one lock, so that two concurrent removals
   * cannot remove both.
   * @param work removes the factor on the given connection; resolves to false if there was none
   */
  async remove(viewer: Viewer, work: (db: Statements) => Promise<boolean>): Promise<boolean> {
    await this.requireRecentFactor(viewer);
    const { studentId } = viewer;
    const mayRemoveLast = this.settings.staffSecondFactor !== 'required' || !holdsRole(viewer);
    const left = await this.factors.withLock(studentId, async (db) => {
      const before = await this.factors.count(studentId, db);
      if (!(await work(db))) return undefined;
      if (before > 1) return before - 1;
      if (!mayRemoveLast) throw new DomainError('LAST_SECOND_FACTOR');
      await this.factors.removeAll(studentId, db);
      return 0;
    });
    if (left === undefined) return false;
    await this.mails.add({ kind: 'second-factor', studentId, change: { kind: 'removed' } });
    if (left === 0) await this.sessions.clearSecondFactors(studentId);
    return true;
  }

  /** @returns recovery codes for the first factor, or null if the student already has some */
  async onAdded({ studentId, sessionId }: Viewer): Promise<readonly string[] | null> {
    await this.sessions.recordSecondFactor(studentId, sessionId);
    await this.mails.add({ kind: 'second-factor', studentId, change: { kind: 'added' } });
    if ((await this.codes.countLeft(studentId)) > 0) return null;
    // The other sessions were opened without a second factor.
    await this.sessions.endOthers(studentId, sessionId);
    return this.codes.renew(studentId);
  }
}
