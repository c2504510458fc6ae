import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { Settings } from '../config/load-settings.js';
import { noted, noteOf } from '../security-log/security-log.js';

/** Two buttons, two providers: their ids are part of the address that a provider sends people back to. */
const PROVIDER_IDS = ['first', 'second'] as const;
/** As long as what a provider said of groups at a log-in counts. */
export const GROUPS_BELIEVED = '30 days';
type ProviderId = (typeof PROVIDER_IDS)[number];

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

/** Somebody at an OpenID provider: the only two claims that together never change. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
}

/** Whose account an identity opens, in `state.identity`. As passwords, they are never in the log. */
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

  /** @returns whose it is: of two who link it at once, the first */
  async link({ issuer, subject }: Identity, studentId: string): Promise<string> {
    const { rows } = await this.pool.query<{ student_id: string }>(
      // A row that was there already is locked by this very statement, which xmax tells.
      `with linked as (
         insert into state.identity (issuer, subject, student_id) values ($1, $2, $3)
         on conflict (issuer, subject) do update set student_id = state.identity.student_id
         returning student_id, xmax = 0 as is_new),
       added as (select student_id from linked where is_new),
       ${noted('added', 4)}
       select student_id from linked`,
      [issuer, subject, studentId, ...noteOf('PROVIDER_LINKED')],
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
