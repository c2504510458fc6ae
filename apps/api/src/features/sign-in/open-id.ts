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
  configuredProviders,
} from '../../platform/auth/identities.js';
import { SETTINGS } from '../../platform/config/tokens.js';
import { PublicAddress } from '../../platform/web/public-address.js';

/** Directories with more groups send a link instead of the claim. */
const MAX_GROUPS = 500;

/** Distinct group names in a provider's claim: strings no longer than a rule allows, from the first 500 values. */
export function parseGroups(claim: unknown): readonly string[] {
  const listed: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  const names = listed
    .slice(0, MAX_GROUPS)
    .filter((name): name is string => typeof name === 'string')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name.length <= MAX_INVITATION_GROUP_LENGTH);
  return [...new Set(names)];
}

const TIMEOUT_SECONDS = 10;

/** Secrets of one authorization request, needed again at the callback. */
export interface AuthorizationSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface VerifiedIdentity extends Identity {
  /** Null unless the provider has verified it. */
  readonly verifiedEmail: string | null;
  /** Empty if not requested. */
  readonly groups: readonly string[];
}

/** OpenID Connect authorization code flow with PKCE, state and nonce. */
@Injectable()
export class OpenId {
  readonly providers: readonly Provider[];
  private readonly configurations = new Map<string, Promise<Configuration>>();

  constructor(
    @Inject(SETTINGS) settings: ProviderSettings,
    private readonly publicAddress: PublicAddress,
  ) {
    this.providers = configuredProviders(settings);
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
   * @param query query string of the callback
   * @param withGroups whether any invitation rule needs the groups
   */
  async finish(
    providerId: string,
    query: string,
    secrets: AuthorizationSecrets,
    withGroups: boolean,
  ): Promise<VerifiedIdentity> {
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
    // Some providers put the email and the groups into the token, others only into the user info.
    const isIncomplete = claims['email'] === undefined || (withGroups && claims[groupsClaim] === undefined);
    const info = isIncomplete ? await fetchUserInfo(configuration, tokens.access_token, claims.sub) : claims;
    const { email, email_verified: isVerified } = claims['email'] === undefined ? info : claims;
    return {
      issuer: claims.iss,
      subject: claims.sub,
      verifiedEmail: typeof email === 'string' && isVerified === true ? email : null,
      groups: withGroups ? parseGroups(claims[groupsClaim] ?? info[groupsClaim]) : [],
    };
  }

  private callbackAddress(providerId: string): string {
    return `${this.publicAddress.origin()}/auth/oidc/${providerId}/callback`;
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
      timeout: TIMEOUT_SECONDS,
      // The settings allow http only on loopback.
      // oxlint-disable-next-line typescript/no-deprecated -- a provider on loopback has no certificate
      execute: issuer.protocol === 'http:' ? [allowInsecureRequests] : [],
    });
    this.configurations.set(providerId, discovered);
    // The next sign-in retries if discovery failed.
    discovered.catch(() => this.configurations.delete(providerId));
    return discovered;
  }
}
