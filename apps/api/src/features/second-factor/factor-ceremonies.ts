import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { type MasterKeySettings, masterKeysOf } from '../../platform/personal-data/master-keys.js';
import { openText, sealText } from '../../platform/personal-data/sealed-values.js';
import { SETTINGS } from '../../platform/config/tokens.js';

const LIVES = '10 minutes';

export type CeremonyKind = 'set-up-totp' | 'set-up-passkey' | 'use-passkey';

/** Who is in the middle of something: a session, or a sign-in by the hash of its ticket. */
export interface FactorHolder {
  readonly hash: string;
  readonly studentId: string;
}

interface CeremonyRow {
  readonly sealed: string;
}

/** Secrets and challenges on their way, in `state.factor_ceremony`: one of a kind for each holder, so a new one ends the former. */
@Injectable()
export class FactorCeremonies {
  constructor(
    private readonly pool: Pool,
    @Inject(SETTINGS) private readonly settings: MasterKeySettings,
  ) {}

  async begin(kind: CeremonyKind, holder: FactorHolder, secret: string): Promise<void> {
    await this.pool.query(
      `with old as (delete from state.factor_ceremony where expires_at < now() and holder_hash <> $1)
       insert into state.factor_ceremony (holder_hash, kind, student_id, sealed, expires_at)
       values ($1, $2, $3, $4, now() + interval '${LIVES}')
       on conflict (holder_hash, kind) do update set
         student_id = excluded.student_id, sealed = excluded.sealed, expires_at = excluded.expires_at`,
      [holder.hash, kind, holder.studentId, sealText(this.settings.masterKey, secret, boundTo(kind, holder))],
    );
  }

  /** Goes on, as after a code that was mistyped. */
  async look(kind: CeremonyKind, holder: FactorHolder): Promise<string | undefined> {
    const { rows } = await this.pool.query<CeremonyRow>(
      `select sealed from state.factor_ceremony
       where holder_hash = $1 and kind = $2 and student_id = $3 and expires_at > now()`,
      [holder.hash, kind, holder.studentId],
    );
    return this.opened(kind, holder, rows[0]);
  }

  /** Ends it: of two at once, one gets it. */
  async take(kind: CeremonyKind, holder: FactorHolder): Promise<string | undefined> {
    const { rows } = await this.pool.query<CeremonyRow>(
      `delete from state.factor_ceremony
       where holder_hash = $1 and kind = $2 and student_id = $3 and expires_at > now() returning sealed`,
      [holder.hash, kind, holder.studentId],
    );
    return this.opened(kind, holder, rows[0]);
  }

  private opened(kind: CeremonyKind, holder: FactorHolder, row: CeremonyRow | undefined): string | undefined {
    return row && openText(masterKeysOf(this.settings), row.sealed, boundTo(kind, holder));
  }
}

const boundTo = (kind: CeremonyKind, { hash, studentId }: FactorHolder): string =>
  `second-factor:${kind}:${studentId}:${hash}`;
