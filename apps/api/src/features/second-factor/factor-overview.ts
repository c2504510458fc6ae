import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { SessionStore } from '../../platform/auth/session-store.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import type { Settings } from '../../platform/config/load-settings.js';
import { SETTINGS } from '../../platform/config/tokens.js';
import { Accounts } from '../accounts/accounts.js';
import { AuthenticatorApps } from './authenticator-apps.js';
import { holdsRole } from './factor-set-up.js';
import { Passkeys, PasskeyStore } from './passkeys.js';
import { RecoveryCodes } from './recovery-codes.js';
import type { SecondFactor, SecondFactorResetNotice } from './second-factor.types.js';

/** What somebody sees of their own second factor. It asks each kind, hence its dependencies. */
@Injectable()
export class FactorOverview {
  constructor(
    private readonly pool: Pool,
    private readonly sessions: SessionStore,
    private readonly accounts: Accounts,
    private readonly apps: AuthenticatorApps,
    private readonly passkeys: Passkeys,
    private readonly stored: PasskeyStore,
    private readonly codes: RecoveryCodes,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'staffSecondFactor'>,
  ) {}

  async of(viewer: Viewer): Promise<SecondFactor> {
    const { studentId, sessionId, withheldRoles } = viewer;
    const [app, passkeys, recoveryCodesLeft, isRecent, reset] = await Promise.all([
      this.apps.find(studentId),
      this.stored.listOf(studentId),
      this.codes.left(studentId),
      this.sessions.hasRecentFactor(sessionId),
      this.resetOf(studentId),
    ]);
    return {
      isRequired: this.settings.staffSecondFactor === 'required' && holdsRole(viewer),
      opensStaffAreas: withheldRoles.length === 0,
      isRecent,
      hasTotp: app !== undefined,
      totpName: app?.name ?? null,
      passkeys: passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
        _id: id,
        name,
        createdAt,
        lastUsedAt,
      })),
      recoveryCodesLeft,
      passkeyHost: this.passkeys.host(),
      reset,
    };
  }

  /** By which apps and devices tell the accounts of one person apart. */
  async userNameOf({ studentId }: Viewer): Promise<string> {
    return (await this.accounts.findById(studentId))?.profile?.userName ?? '';
  }

  async dismissReset({ studentId }: Viewer): Promise<void> {
    await this.pool.query('delete from state.factor_reset where student_id = $1', [studentId]);
  }

  private async resetOf(studentId: string): Promise<SecondFactorResetNotice | null> {
    const { rows } = await this.pool.query<{ reason: string; at: Date | string }>(
      'select reason, at from state.factor_reset where student_id = $1',
      [studentId],
    );
    const row = rows[0];
    return row ? { reason: row.reason, at: new Date(row.at).toISOString() } : null;
  }
}
