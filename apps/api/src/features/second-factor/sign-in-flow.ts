import { Injectable } from '@nestjs/common';
import { DomainError } from '@nimo/domain';
import { Pool } from 'pg';
import { Args, Context, Mutation, Resolver } from '@nestjs/graphql';
import { type SessionOptions, SessionStore } from '../../platform/auth/session-store.js';
import { hashToken, isTokenShaped, newToken, type Viewer } from '../../platform/auth/viewer.js';
import { RateLimiter } from '../../platform/rate-limit/rate-limiter.js';
import { securityLogCte, securityLogParams } from '../../platform/security-log/security-log.js';
import { SignInAccounts } from '../accounts/accounts.js';
import { AuthenticatorApps } from './authenticator-apps.js';
import type { FactorHolder } from './second-factors.js';
import { FactorCheck, type FactorProof } from './factor-check.js';
import { Passkeys, PasskeyStore } from './passkeys.js';
import { CurrentViewer, Public, SignedIn } from '../../platform/auth/access.js';
import type { RequestContext } from '../../platform/auth/request-context.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { sessionHolder } from './factor-set-up.js';
import type { ClientKey } from '../../platform/callers/client-address.js';
import { FlagResult } from '../../platform/errors/refusal.js';
import { LoginResult } from './second-factor.types.js';

const TICKET_TTL = '10 minutes';

/** The step between the password and the session. */
interface SecondFactorStep {
  readonly ticket: string;
  readonly hasTotp: boolean;
  readonly hasPasskey: boolean;
}

/** A session, or the ticket for the second factor. */
type SignInOutcome =
  | { readonly accessToken: string; readonly secondFactor: null }
  | { readonly accessToken: null; readonly secondFactor: SecondFactorStep };

interface TicketRow {
  readonly student_id: string;
  readonly remember: boolean;
}

/** The only way to open a session, whatever proved the identity: a password, a mailed link or a provider. */
@Injectable()
export class SignInFlow {
  constructor(
    private readonly pool: Pool,
    private readonly sessions: SessionStore,
    private readonly accounts: SignInAccounts,
    private readonly apps: AuthenticatorApps,
    private readonly passkeys: PasskeyStore,
    private readonly check: FactorCheck,
  ) {}

  async signIn(studentId: string, options: SessionOptions): Promise<SignInOutcome> {
    const [hasTotp, passkeys] = await Promise.all([
      this.apps.has(studentId),
      this.passkeys.listOf(studentId),
    ]);
    const hasPasskey = passkeys.length > 0;
    if (!hasTotp && !hasPasskey)
      return { accessToken: await this.sessions.open(studentId, options), secondFactor: null };
    const ticket = await this.issueTicket(studentId, options.remember);
    return { accessToken: null, secondFactor: { ticket, hasTotp, hasPasskey } };
  }

  /** @throws DomainError SIGN_IN_EXPIRED */
  async ticketHolder(ticket: string): Promise<FactorHolder> {
    return { hash: hashOf(ticket), studentId: (await this.findTicket(ticket)).student_id };
  }

  /** Exchanges the ticket and the second factor for a session. */
  async finish(
    ticket: string,
    proof: FactorProof,
    { client, ...device }: Pick<SessionOptions, 'address' | 'userAgent'> & { readonly client: ClientKey },
  ): Promise<{ readonly accessToken: string; readonly remember: boolean }> {
    const { student_id: studentId, remember } = await this.findTicket(ticket);
    await this.check.verify({ hash: hashOf(ticket), studentId }, proof, client);
    const student = await this.accounts.findById(studentId);
    if (student?.blocked) throw new DomainError('STUDENT_BLOCKED');
    if (!student || !(await this.consumeTicket(ticket))) throw new DomainError('SIGN_IN_EXPIRED');
    const accessToken = await this.sessions.open(studentId, { ...device, remember, withFactor: true });
    return { accessToken, remember };
  }

  private async issueTicket(studentId: string, remember: boolean): Promise<string> {
    const ticket = newToken();
    await this.pool.query(
      `with old as (delete from state.factor_ticket where expires_at < now()),
       given as (
         insert into state.factor_ticket (ticket_hash, student_id, remember, expires_at)
         values ($1, $2, $3, now() + interval '${TICKET_TTL}') returning student_id),
       ${securityLogCte('given', 4)}
       select from given`,
      [hashToken(ticket), studentId, remember, ...securityLogParams('FACTOR_ASKED')],
    );
    return ticket;
  }

  /** A password change invalidates the tickets issued before it. */
  private async findTicket(ticket: string): Promise<TicketRow> {
    const { rows } = await this.pool.query<TicketRow>(
      `select student_id, remember from state.factor_ticket t
       where ticket_hash = $1 and expires_at > now() and not exists (
         select 1 from state.credential c
         where c.student_id = t.student_id and c.changed_at > t.expires_at - interval '${TICKET_TTL}')`,
      [hashOf(ticket)],
    );
    const row = rows[0];
    if (!row) throw new DomainError('SIGN_IN_EXPIRED');
    return row;
  }

  private async consumeTicket(ticket: string): Promise<boolean> {
    const { rowCount } = await this.pool.query('delete from state.factor_ticket where ticket_hash = $1', [
      hashOf(ticket),
    ]);
    return rowCount === 1;
  }
}

const hashOf = (ticket: string): string => (isTokenShaped(ticket) ? hashToken(ticket) : '');

const CODE = {
  nullable: true,
  description: 'A six-digit code from the authenticator app, or a recovery code.',
} as const;
const PASSKEY = { nullable: true, description: "The browser's authentication response, as JSON." } as const;

/** Takes the second factor, to finish a sign-in or to confirm it again within a session. */
@Resolver()
export class SecondFactorSignInResolver {
  constructor(
    private readonly flow: SignInFlow,
    private readonly check: FactorCheck,
    private readonly passkeys: Passkeys,
    private readonly sessions: SessionStore,
    private readonly limiter: RateLimiter,
  ) {}

  @Public()
  @Limited('mutationsPerAddress')
  @Mutation(() => LoginResult, {
    description: 'The second step of a sign-in, with the ticket from the first.',
  })
  async finishSecondFactor(
    @Context() { address, client, userAgent }: RequestContext,
    @Args('ticket', { type: () => String }) ticket: string,
    @Args('code', { type: () => String, ...CODE }) code?: string | null,
    @Args('passkey', { type: () => String, ...PASSKEY }) passkey?: string | null,
  ): Promise<LoginResult> {
    await this.limiter.use('loginsPerAddress', client);
    const { accessToken } = await this.flow.finish(ticket, { code, passkey }, { address, client, userAgent });
    return { accessToken, error: null, rule: null, secondFactor: null, confirmation: null };
  }

  @Public()
  @Limited('mutationsPerAddress')
  @Mutation(() => String, { description: 'WebAuthn options for signing in with a passkey, as JSON.' })
  async startPasskeySignIn(
    @Context() { client }: RequestContext,
    @Args('ticket', { type: () => String }) ticket: string,
  ): Promise<string> {
    await this.limiter.use('loginsPerAddress', client);
    return this.passkeys.startAuthentication(await this.flow.ticketHolder(ticket));
  }

  @SignedIn()
  @Limited('changes')
  @Mutation(() => FlagResult, {
    description: 'Unlocks the staff areas for several hours and changes to the factors for a few minutes.',
  })
  async confirmSecondFactor(
    @CurrentViewer() viewer: Viewer,
    @Context() { client }: RequestContext,
    @Args('code', { type: () => String, ...CODE }) code?: string | null,
    @Args('passkey', { type: () => String, ...PASSKEY }) passkey?: string | null,
  ): Promise<FlagResult> {
    await this.check.verify(sessionHolder(viewer), { code, passkey }, client);
    await this.sessions.recordSecondFactor(viewer.studentId, viewer.sessionId);
    return { flag: 1 };
  }

  @SignedIn()
  @Limited('changes')
  @Mutation(() => String, { description: 'WebAuthn options for confirming with a passkey, as JSON.' })
  startPasskeyConfirmation(@CurrentViewer() viewer: Viewer): Promise<string> {
    return this.passkeys.startAuthentication(sessionHolder(viewer));
  }
}
