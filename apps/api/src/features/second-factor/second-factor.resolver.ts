import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { Args, Context, ID, Mutation, Query, Resolver } from '@nestjs/graphql';
import { SessionStore } from '../../platform/auth/session-store.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import type { Settings } from '../../platform/config/load-settings.js';
import { SETTINGS } from '../../platform/config/tokens.js';
import { Accounts } from '../accounts/accounts.js';
import { AuthenticatorApps } from './authenticator-apps.js';
import { FactorSetUp, sessionHolder, holdsRole } from './factor-set-up.js';
import { Passkeys, PasskeyStore } from './passkeys.js';
import { RecoveryCodes } from './recovery-codes.js';
import {
  AddedSecondFactor,
  SecondFactor,
  type SecondFactorResetNotice,
  StartedTotp,
} from './second-factor.types.js';
import { CurrentViewer, SignedIn } from '../../platform/auth/access.js';
import { IdPipe } from '../../platform/graphql/arguments.js';
import type { RequestContext } from '../../platform/auth/request-context.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { requireFactorName } from './second-factors.js';
import { FlagResult } from '../../platform/errors/refusal.js';

/** Combines every kind of factor into the viewer's overview. */
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

  async load(viewer: Viewer): Promise<SecondFactor> {
    const { studentId, sessionId, withheldRoles } = viewer;
    const [app, passkeys, recoveryCodesLeft, isRecent, reset] = await Promise.all([
      this.apps.find(studentId),
      this.stored.listOf(studentId),
      this.codes.countLeft(studentId),
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

  /** The account name shown in authenticator apps and passkey prompts. */
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

/** Lets the viewer see, set up and remove their own second factors. */
@Resolver()
export class SecondFactorResolver {
  constructor(
    private readonly overview: FactorOverview,
    private readonly setUp: FactorSetUp,
    private readonly apps: AuthenticatorApps,
    private readonly passkeys: Passkeys,
    private readonly stored: PasskeyStore,
    private readonly codes: RecoveryCodes,
  ) {}

  @SignedIn()
  @Query(() => SecondFactor)
  getSecondFactor(@CurrentViewer() viewer: Viewer): Promise<SecondFactor> {
    return this.overview.load(viewer);
  }

  @SignedIn()
  @Limited('changes')
  @Mutation(() => StartedTotp, {
    description: 'Starts setting up an authenticator app, replacing an existing one.',
  })
  async startTotp(
    @CurrentViewer() viewer: Viewer,
    @Context() { client }: RequestContext,
    @Args('password', { type: () => String }) password: string,
  ): Promise<StartedTotp> {
    await this.setUp.requireMayAdd(viewer, password, client);
    return this.apps.start(sessionHolder(viewer), await this.overview.userNameOf(viewer));
  }

  @SignedIn()
  @Limited('changes')
  @Mutation(() => AddedSecondFactor, {
    description: 'Completes the setup with the first code the app shows.',
  })
  async finishTotp(
    @CurrentViewer() viewer: Viewer,
    @Args('code', { type: () => String }) code: string,
  ): Promise<AddedSecondFactor> {
    await this.apps.finish(sessionHolder(viewer), code.replace(/\s/g, ''));
    return { recoveryCodes: await this.setUp.onAdded(viewer) };
  }

  @SignedIn()
  @Limited('changes')
  @Mutation(() => String, { description: 'WebAuthn registration options, as JSON.' })
  async startPasskey(
    @CurrentViewer() viewer: Viewer,
    @Context() { client }: RequestContext,
    @Args('password', { type: () => String }) password: string,
  ): Promise<string> {
    await this.setUp.requireMayAdd(viewer, password, client);
    return this.passkeys.start(sessionHolder(viewer), await this.overview.userNameOf(viewer));
  }

  @SignedIn()
  @Limited('changes')
  @Mutation(() => AddedSecondFactor, {
    description: "`passkey` is the browser's registration response, as JSON.",
  })
  async finishPasskey(
    @CurrentViewer() viewer: Viewer,
    @Args('name', { type: () => String }) name: string,
    @Args('passkey', { type: () => String }) passkey: string,
  ): Promise<AddedSecondFactor> {
    await this.passkeys.finish(sessionHolder(viewer), name, passkey);
    return { recoveryCodes: await this.setUp.onAdded(viewer) };
  }

  @SignedIn()
  @Limited('changes')
  @Mutation(() => FlagResult, { description: 'Flag 0: the caller has no authenticator app.' })
  async renameTotp(
    @CurrentViewer() viewer: Viewer,
    @Args('name', { type: () => String }) name: string,
  ): Promise<FlagResult> {
    const isRenamed = await this.apps.rename(viewer.studentId, requireFactorName(name));
    return { flag: isRenamed ? 1 : 0 };
  }

  @SignedIn()
  @Limited('changes')
  @Mutation(() => FlagResult, { description: 'Flag 0: the caller has no such passkey.' })
  async renamePasskey(
    @CurrentViewer() viewer: Viewer,
    @Args('id', { type: () => ID }, IdPipe) id: string,
    @Args('name', { type: () => String }) name: string,
  ): Promise<FlagResult> {
    const isRenamed = await this.stored.rename(viewer.studentId, id, requireFactorName(name));
    return { flag: isRenamed ? 1 : 0 };
  }

  @SignedIn()
  @Limited('changes')
  @Mutation(() => FlagResult)
  async removeTotp(@CurrentViewer() viewer: Viewer): Promise<FlagResult> {
    if (!(await this.apps.has(viewer.studentId))) return { flag: 0 };
    const isRemoved = await this.setUp.remove(viewer, (db) => this.apps.remove(viewer.studentId, db));
    return { flag: isRemoved ? 1 : 0 };
  }

  @SignedIn()
  @Limited('changes')
  @Mutation(() => FlagResult, { description: 'Flag 0: the caller has no such passkey.' })
  async removePasskey(
    @CurrentViewer() viewer: Viewer,
    @Args('id', { type: () => ID }, IdPipe) id: string,
  ): Promise<FlagResult> {
    const own = await this.stored.listOf(viewer.studentId);
    if (!own.some((passkey) => passkey.id === id)) return { flag: 0 };
    const isRemoved = await this.setUp.remove(viewer, (db) => this.stored.remove(viewer.studentId, id, db));
    return { flag: isRemoved ? 1 : 0 };
  }

  @SignedIn()
  @Limited('changes')
  @Mutation(() => [String], {
    description: 'Ten new recovery codes, shown only once. Invalidates the old ones.',
  })
  async renewRecoveryCodes(@CurrentViewer() viewer: Viewer): Promise<readonly string[]> {
    await this.setUp.requireRecentFactor(viewer);
    return this.codes.renew(viewer.studentId);
  }

  @SignedIn()
  @Limited('changes')
  @Mutation(() => FlagResult, { description: 'Dismisses the notice that the second factor was reset.' })
  async dismissSecondFactorReset(@CurrentViewer() viewer: Viewer): Promise<FlagResult> {
    await this.overview.dismissReset(viewer);
    return { flag: 1 };
  }
}
