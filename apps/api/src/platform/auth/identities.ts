import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { Settings } from '../config/load-settings.js';
import { securityLogCte, securityLogParams } from '../security-log/security-log.js';

/** The ids are part of the redirect URI registered with each provider. */
const PROVIDER_IDS = ['first', 'second'] as const;
/** How long the groups a provider reported at login stay valid. */
export const GROUPS_TTL = '30 days';
type ProviderId = (typeof PROVIDER_IDS)[number];

export interface Provider {
  readonly id: ProviderId;
  readonly label: string;
  /** Undefined when the provider is not configured. */
  readonly client: ProviderClient | undefined;
}

export interface ProviderClient {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope: string;
  /** Name of the claim that holds the groups. */
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

export function configuredProviders(settings: ProviderSettings): readonly Provider[] {
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

type ClientSettings = { readonly [K in keyof ProviderClient]: string | undefined } & {
  readonly scope: string;
  readonly groupsClaim: string;
};

function clientOf({ issuer, clientId, clientSecret, ...rest }: ClientSettings): ProviderClient | undefined {
  return issuer !== undefined && clientId !== undefined && clientSecret !== undefined
    ? { issuer, clientId, clientSecret, ...rest }
    : undefined;
}

/** A subject at an OpenID provider: the only two claims that together are stable. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
}

/** Identities linked to accounts, in `state.identity`. Like passwords, never in the event log. */
@Injectable()
export class Identities {
  constructor(private readonly pool: Pool) {}

  async ownerOf({ issuer, subject }: Identity): Promise<string | undefined> {
    const { rows } = await this.pool.query<{ student_id: string }>(
      'select student_id from state.identity where issuer = $1 and subject = $2',
      [issuer, subject],
    );
    return rows[0]?.student_id;
  }

  /** @returns the owner: of two concurrent callers, the first */
  async link({ issuer, subject }: Identity, studentId: string): Promise<string> {
    const { rows } = await this.pool.query<{ student_id: string }>(
      // An existing row is locked by this statement and so has a non-zero xmax.
      `with linked as (
         insert into state.identity (issuer, subject, student_id) values ($1, $2, $3)
         on conflict (issuer, subject) do update set student_id = state.identity.student_id
         returning student_id, xmax = 0 as is_new),
       added as (select student_id from linked where is_new),
       ${securityLogCte('added', 4)}
       select student_id from linked`,
      [issuer, subject, studentId, ...securityLogParams('PROVIDER_LINKED')],
    );
    return rows[0]?.student_id ?? studentId;
  }

  async hasAny(studentId: string): Promise<boolean> {
    const { rowCount } = await this.pool.query('select 1 from state.identity where student_id = $1 limit 1', [
      studentId,
    ]);
    return rowCount === 1;
  }
}
