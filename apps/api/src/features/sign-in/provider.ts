import type { Settings } from '../../platform/config/load-settings.js';

/** Two buttons, two providers: their ids are part of the address that a provider sends people back to. */
export const PROVIDER_IDS = ['first', 'second'] as const;
export type ProviderId = (typeof PROVIDER_IDS)[number];

export interface Provider {
  readonly id: ProviderId;
  readonly label: string;
  /** Undefined where the provider has not been set up. */
  readonly client: ProviderClient | undefined;
}

export interface ProviderClient {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

export type ProviderSettings = Pick<
  Settings,
  | 'oidcFirstLabel'
  | 'oidcFirstIssuer'
  | 'oidcFirstClientId'
  | 'oidcFirstClientSecret'
  | 'oidcSecondLabel'
  | 'oidcSecondIssuer'
  | 'oidcSecondClientId'
  | 'oidcSecondClientSecret'
>;

export function providersOf(settings: ProviderSettings): readonly Provider[] {
  const { oidcFirstIssuer, oidcFirstClientId, oidcFirstClientSecret } = settings;
  const { oidcSecondIssuer, oidcSecondClientId, oidcSecondClientSecret } = settings;
  return [
    {
      id: 'first',
      label: settings.oidcFirstLabel,
      client: clientOf(oidcFirstIssuer, oidcFirstClientId, oidcFirstClientSecret),
    },
    {
      id: 'second',
      label: settings.oidcSecondLabel,
      client: clientOf(oidcSecondIssuer, oidcSecondClientId, oidcSecondClientSecret),
    },
  ];
}

function clientOf(
  issuer: string | undefined,
  clientId: string | undefined,
  clientSecret: string | undefined,
): ProviderClient | undefined {
  return issuer !== undefined && clientId !== undefined && clientSecret !== undefined
    ? { issuer, clientId, clientSecret }
    : undefined;
}
