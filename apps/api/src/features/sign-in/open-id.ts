import { DomainError, MAX_INVITATION_GROUP_LENGTH } from '@nimo/domain';
import { Inject, Injectable } from '@nestjs/common';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  type Configuration,
  discovery,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import {
  type Identity,
  type Provider,
  type ProviderClient,
  type ProviderSettings,
  providersOf,
} from '../../platform/auth/identities.js';
import { SETTINGS } from '../../platform/config/tokens.js';
import { PublicAddress } from '../../platform/web/public-address.js';

/** Directories that have more send a link instead of the claim. */
const MAX_GROUPS = 500;

/** What of a provider's claim can be the name of a group: strings, as long as a rule's may be. Of more than 500 the first are looked at. */
export function groupsIn(claim: unknown): readonly string[] {
  const listed: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  const names = listed
    .slice(0, MAX_GROUPS)
    .filter((name): name is string => typeof name === 'string')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name.length <= MAX_INVITATION_GROUP_LENGTH);
  return [...new Set(names)];
}

const PATIENCE_SECONDS = 10;

/** What must come back unchanged, or is needed then. */
export interface AuthorizationSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface ProvenPerson extends Identity {
  /** Null where the provider does not vouch for it. */
  readonly verifiedEmail: string | null;
  /** Empty where nobody asked for them. */
  readonly groups: readonly string[];
}

/** The authorization code flow with PKCE, state and nonce, at the providers that are configured. */
@Injectable()
export class OpenId {
  readonly providers: readonly Provider[];
  private readonly configurations = new Map<string, Promise<Configuration>>();

  constructor(
    @Inject(SETTINGS) settings: ProviderSettings,
    private readonly own: PublicAddress,
  ) {
    this.providers = providersOf(settings);
  }

  async begin(providerId: string): Promise<{ readonly url: string; readonly secrets: AuthorizationSecrets }> {
    const configuration = await this.configurationOf(providerId);
    const secrets = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
    const url = buildAuthorizationUrl(configuration, {
      redirect_uri: this.callbackAddress(providerId),
      scope: this.clientOf(providerId).scope,
      state: secrets.state,
      nonce: secrets.nonce,
      code_challenge: await calculatePKCECodeChallenge(secrets.verifier),
      code_challenge_method: 'S256',
    });
    return { url: url.href, secrets };
  }

  /**
   * @param query of the address that the provider sent the browser back to
   * @param withGroups whether any rule asks for them; otherwise nobody looks
   */
  async finish(
    providerId: string,
    query: string,
    secrets: AuthorizationSecrets,
    withGroups: boolean,
  ): Promise<ProvenPerson> {
    const { groupsClaim } = this.clientOf(providerId);
    const configuration = await this.configurationOf(providerId);
    const current = new URL(this.callbackAddress(providerId));
    current.search = query;
    const tokens = await authorizationCodeGrant(configuration, current, {
      expectedState: secrets.state,
      expectedNonce: secrets.nonce,
      pkceCodeVerifier: secrets.verifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (!claims) throw new Error('the provider sent no id token');
    // Some say the e-mail and the groups in the token, others only when asked.
    const isAsked = claims['email'] === undefined || (withGroups && claims[groupsClaim] === undefined);
    const told = isAsked ? await fetchUserInfo(configuration, tokens.access_token, claims.sub) : claims;
    const { email, email_verified: isVerified } = claims['email'] === undefined ? told : claims;
    return {
      issuer: claims.iss,
      subject: claims.sub,
      verifiedEmail: typeof email === 'string' && isVerified === true ? email : null,
      groups: withGroups ? groupsIn(claims[groupsClaim] ?? told[groupsClaim]) : [],
    };
  }

  private callbackAddress(providerId: string): string {
    return `${this.own.origin()}/auth/oidc/${providerId}/callback`;
  }

  private clientOf(providerId: string): ProviderClient {
    const client = this.providers.find(({ id }) => id === providerId)?.client;
    if (!client) throw new DomainError('PROVIDER_UNKNOWN');
    return client;
  }

  private async configurationOf(providerId: string): Promise<Configuration> {
    const client = this.clientOf(providerId);
    const known = this.configurations.get(providerId);
    if (known) return known;
    const issuer = new URL(client.issuer);
    const discovered = discovery(issuer, client.clientId, client.clientSecret, undefined, {
      timeout: PATIENCE_SECONDS,
      // The settings let http through for this machine alone, which is what it is deprecated for.
      // oxlint-disable-next-line typescript/no-deprecated -- a provider on loopback has no certificate
      execute: issuer.protocol === 'http:' ? [allowInsecureRequests] : [],
    });
    this.configurations.set(providerId, discovered);
    // A provider that was away is asked again by the next who comes.
    discovered.catch(() => this.configurations.delete(providerId));
    return discovered;
  }
}
