import { Inject, Injectable } from '@nestjs/common';
import { DomainError } from '@nimo/domain';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  discovery,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  type Configuration,
} from 'openid-client';
import type { Identity } from '../../platform/auth/identities.js';
import { SETTINGS } from '../../platform/runtime/tokens.js';
import { PublicAddress } from '../../platform/web/public-address.js';
import { providersOf, type Provider, type ProviderSettings } from './provider.js';

const SCOPE = 'openid email profile';
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
      scope: SCOPE,
      state: secrets.state,
      nonce: secrets.nonce,
      code_challenge: await calculatePKCECodeChallenge(secrets.verifier),
      code_challenge_method: 'S256',
    });
    return { url: url.href, secrets };
  }

  /** @param query of the address that the provider sent the browser back to */
  async finish(providerId: string, query: string, secrets: AuthorizationSecrets): Promise<ProvenPerson> {
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
    // Some say the e-mail in the token, others only when asked.
    const about =
      claims['email'] === undefined
        ? await fetchUserInfo(configuration, tokens.access_token, claims.sub)
        : claims;
    const { email, email_verified: isVerified } = about;
    return {
      issuer: claims.iss,
      subject: claims.sub,
      verifiedEmail: typeof email === 'string' && isVerified === true ? email : null,
    };
  }

  private callbackAddress(providerId: string): string {
    return `${this.own.origin()}/auth/oidc/${providerId}/callback`;
  }

  private configurationOf(providerId: string): Promise<Configuration> {
    const client = this.providers.find(({ id }) => id === providerId)?.client;
    if (!client) throw new DomainError('PROVIDER_UNKNOWN');
    const known = this.configurations.get(providerId);
    if (known) return known;
    const issuer = new URL(client.issuer);
    const discovered = discovery(issuer, client.clientId, client.clientSecret, undefined, {
      timeout: PATIENCE_SECONDS,
      // The settings let http through for this machine alone, which is what it is deprecated for.
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- a provider on loopback has no certificate
      execute: issuer.protocol === 'http:' ? [allowInsecureRequests] : [],
    });
    this.configurations.set(providerId, discovered);
    // A provider that was away is asked again by the next who comes.
    discovered.catch(() => this.configurations.delete(providerId));
    return discovered;
  }
}
