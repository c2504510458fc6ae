import type { Settings } from '../config/load-settings.js';

/** Two buttons, two providers: their ids are part of the address that a provider sends people back to. */
const PROVIDER_IDS = ['first', 'second'] as const;
/** As long as what a provider said of groups at a log-in counts. */
export const GROUPS_BELIEVED = '30 days';
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
  readonly scope: string;
  /** What its claim of groups is called. */
  readonly groupsClaim: string;
}

export type ProviderSettings = Pick<
  Settings,
  | 'oidcFirstLabel'
  | 'oidcFirstIssuer'
  | 'oidcFirstClientId'
  | 'oidcFirstClientSecret'
  | 'oidcFirstScope'
  | 'oidcFirstGroupsClaim'
  | 'oidcSecondLabel'
  | 'oidcSecondIssuer'
  | 'oidcSecondClientId'
  | 'oidcSecondClientSecret'
  | 'oidcSecondScope'
  | 'oidcSecondGroupsClaim'
>;

export function providersOf(settings: ProviderSettings): readonly Provider[] {
  return [
    {
      id: 'first',
      label: settings.oidcFirstLabel,
      client: clientOf({
        issuer: settings.oidcFirstIssuer,
        clientId: settings.oidcFirstClientId,
        clientSecret: settings.oidcFirstClientSecret,
        scope: settings.oidcFirstScope,
        groupsClaim: settings.oidcFirstGroupsClaim,
      }),
    },
    {
      id: 'second',
      label: settings.oidcSecondLabel,
      client: clientOf({
        issuer: settings.oidcSecondIssuer,
        clientId: settings.oidcSecondClientId,
        clientSecret: settings.oidcSecondClientSecret,
        scope: settings.oidcSecondScope,
        groupsClaim: settings.oidcSecondGroupsClaim,
      }),
    },
  ];
}

type Configured = { readonly [K in keyof ProviderClient]: string | undefined } & {
  readonly scope: string;
  readonly groupsClaim: string;
};

function clientOf({ issuer, clientId, clientSecret, ...rest }: Configured): ProviderClient | undefined {
  return issuer !== undefined && clientId !== undefined && clientSecret !== undefined
    ? { issuer, clientId, clientSecret, ...rest }
    : undefined;
}
