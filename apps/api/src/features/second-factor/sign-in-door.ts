import { Injectable } from '@nestjs/common';
import { DomainError } from '@nimo/domain';
import { Pool } from 'pg';
import { Args, Context, Mutation, Resolver } from '@nestjs/graphql';
import { type SessionOptions, SessionStore } from '../../platform/auth/session-store.js';
import { hashOfToken, isTokenShaped, newToken, type Viewer } from '../../platform/auth/viewer.js';
import { RateLimiter } from '../../platform/rate-limit/rate-limiter.js';
import { noted, noteOf } from '../../platform/security-log/security-log.js';
import { SignInAccounts } from '../accounts/accounts.js';
import { AuthenticatorApps } from './authenticator-apps.js';
import type { FactorHolder } from './second-factors.js';
import { FactorCheck, type FactorProof } from './factor-check.js';
import { Passkeys, PasskeyStore } from './passkeys.js';
import { CurrentViewer, Public, SignedIn } from '../../platform/auth/access.js';
import type { RequestContext } from '../../platform/auth/request-context.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { holderIn } from './factor-set-up.js';
import type { ClientKey } from '../../platform/callers/client-address.js';
import { FlagResult } from '../../platform/errors/refusal.js';
import { LoginResult } from './second-factor.types.js';

const TICKET_LIVES = '10 minutes';

/** What is asked for between the password and the session. */
interface SecondFactorStep {
  readonly ticket: string;
  readonly hasTotp: boolean;
  readonly hasPasskey: boolean;
}

/** A session; or, for whoever has a second factor, the ticket that one comes for. */
type Admission =
  | { readonly accessToken: string; readonly secondFactor: null }
  | { readonly accessToken: null; readonly secondFactor: SecondFactorStep };

interface TicketRow {
  readonly student_id: string;
  readonly remember: boolean;
}

/** The one way from a proven person to a session, whatever the first proof was: a password, a mail or another account. */
@Injectable()
export class SignInDoor {
  constructor(
    private readonly pool: Pool,
    private readonly sessions: SessionStore,
    private readonly accounts: SignInAccounts,
    private readonly apps: AuthenticatorApps,
    private readonly passkeys: PasskeyStore,
    private readonly check: FactorCheck,
  ) {}

  async admit(studentId: string, options: SessionOptions): Promise<Admission> {
    const [hasTotp, passkeys] = await Promise.all([
      this.apps.has(studentId),
      this.passkeys.listOf(studentId),
    ]);
    const hasPasskey = passkeys.length > 0;
    if (!hasTotp && !hasPasskey)
      return { accessToken: await this.sessions.open(studentId, options), secondFactor: null };
    const ticket = await this.ticketFor(studentId, options.remember);
    return { accessToken: null, secondFactor: { ticket, hasTotp, hasPasskey } };
  }

  /** Whose ticket it is. @throws DomainError SIGN_IN_EXPIRED */
  async holderOf(ticket: string): Promise<FactorHolder> {
    return { hash: hashOf(ticket), studentId: (await this.rowOf(ticket)).student_id };
  }

  /** @returns the session, for the ticket and the second factor */
  async finish(
    ticket: string,
    proof: FactorProof,
    { client, ...device }: Pick<SessionOptions, 'address' | 'userAgent'> & { readonly client: ClientKey },
  ): Promise<{ readonly accessToken: string; readonly remember: boolean }> {
    const { student_id: studentId, remember } = await this.rowOf(ticket);
    await this.check.take({ hash: hashOf(ticket), studentId }, proof, client);
    const student = await this.accounts.findById(studentId);
    if (student?.blocked) throw new DomainError('STUDENT_BLOCKED');
    if (!student || !(await this.take(ticket))) throw new DomainError('SIGN_IN_EXPIRED');
    const accessToken = await this.sessions.open(studentId, { ...device, remember, withFactor: true });
    return { accessToken, remember };
  }

  private async ticketFor(studentId: string, remember: boolean): Promise<string> {
    const ticket = newToken();
    await this.pool.query(
      `with old as (delete from state.factor_ticket where expires_at < now()),
       given as (
         insert into state.factor_ticket (ticket_hash, student_id, remember, expires_at)
         values ($1, $2, $3, now() + interval '${TICKET_LIVES}') returning student_id),
       ${noted('given', 4)}
       select from given`,
      [hashOfToken(ticket), studentId, remember, ...noteOf('FACTOR_ASKED')],
    );
    return ticket;
  }

  /** A password that was changed since ends the tickets that the former one got. */
  private async rowOf(ticket: string): Promise<TicketRow> {
    const { rows } = await this.pool.query<TicketRow>(
      `select student_id, remember from state.factor_ticket t
       where ticket_hash = $1 and expires_at > now() and not exists (
         select 1 from state.credential c
         where c.student_id = t.student_id and c.changed_at > t.expires_at - interval '${TICKET_LIVES}')`,
      [hashOf(ticket)],
    );
    const row = rows[0];
    if (!row) throw new DomainError('SIGN_IN_EXPIRED');
    return row;
  }

  private async take(ticket: string): Promise<boolean> {
    const { rowCount } = await this.pool.query('delete from state.factor_ticket where ticket_hash = $1', [
      hashOf(ticket),
    ]);
    return rowCount === 1;
  }
}

const hashOf = (ticket: string): string => (isTokenShaped(ticket) ? hashOfToken(ticket) : '');

const CODE = { nullable: true, description: 'Six digits of an app, or a recovery code.' } as const;
const PASSKEY = { nullable: true, description: 'What the browser made of the options, as JSON.' } as const;

/** Giving the second factor: to finish a sign-in, or once more in a session. */
@Resolver()
export class SecondFactorSignInResolver {
  constructor(
    private readonly door: SignInDoor,
    private readonly check: FactorCheck,
    private readonly passkeys: Passkeys,
    private readonly sessions: SessionStore,
    private readonly limiter: RateLimiter,
  ) {}

  @Public()
  @Limited('mutationsPerAddress')
  @Mutation(() => LoginResult, { description: 'The second step of a sign-in, for the ticket of the first.' })
  async finishSecondFactor(
    @Context() { address, client, userAgent }: RequestContext,
    @Args('ticket', { type: () => String }) ticket: string,
    @Args('code', { type: () => String, ...CODE }) code?: string | null,
    @Args('passkey', { type: () => String, ...PASSKEY }) passkey?: string | null,
  ): Promise<LoginResult> {
    await this.limiter.use('loginsPerAddress', client);
    const { accessToken } = await this.door.finish(ticket, { code, passkey }, { address, client, userAgent });
    return { accessToken, error: null, rule: null, secondFactor: null, confirmation: null };
  }

  @Public()
  @Limited('mutationsPerAddress')
  @Mutation(() => String, { description: 'Options for the browser to sign in with a passkey, as JSON.' })
  async startPasskeySignIn(
    @Context() { client }: RequestContext,
    @Args('ticket', { type: () => String }) ticket: string,
  ): Promise<string> {
    await this.limiter.use('loginsPerAddress', client);
    return this.passkeys.startUse(await this.door.holderOf(ticket));
  }

  @SignedIn()
  @Limited('changes')
  @Mutation(() => FlagResult, {
    description: 'Opens the staff areas for some hours, and changes to the factors for minutes.',
  })
  async confirmSecondFactor(
    @CurrentViewer() viewer: Viewer,
    @Context() { client }: RequestContext,
    @Args('code', { type: () => String, ...CODE }) code?: string | null,
    @Args('passkey', { type: () => String, ...PASSKEY }) passkey?: string | null,
  ): Promise<FlagResult> {
    await this.check.take(holderIn(viewer), { code, passkey }, client);
    await this.sessions.noteFactor(viewer.studentId, viewer.sessionId);
    return { flag: 1 };
  }

  @SignedIn()
  @Limited('changes')
  @Mutation(() => String, { description: 'Options for the browser to confirm with a passkey, as JSON.' })
  startPasskeyConfirmation(@CurrentViewer() viewer: Viewer): Promise<string> {
    return this.passkeys.startUse(holderIn(viewer));
  }
}
