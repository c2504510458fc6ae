import type { Pool } from 'pg';
import { openText, sealText } from '../../platform/personal-data/sealed-values.js';
import { masterKeysOf, type MasterKeySettings } from '../../platform/personal-data/master-keys.js';

const AT_ONCE = 500;

/** Rows of `state` whose column `sealed` the master key seals, and what binds each. */
export const SEALED_ROWS: Readonly<Record<string, { readonly id: string; readonly boundTo: string }>> = {
  contact_change: { id: 'id::text', boundTo: `'contact-change:' || id` },
  factor_ceremony: {
    id: `kind || ' ' || holder_hash`,
    boundTo: `'second-factor:' || kind || ':' || student_id || ':' || holder_hash`,
  },
  guardian_link: { id: 'id::text', boundTo: `'guardian-link:' || id` },
  mailed_link: { id: 'token_hash', boundTo: `'mailed-link:' || token_hash` },
  own_export: { id: 'id::text', boundTo: `'own-export:' || id` },
  pending_registration: { id: 'key_hash', boundTo: `'pending-registration:' || key_hash` },
  sign_in_attempt: { id: 'secret_hash', boundTo: `'sign-in:' || secret_hash` },
  totp_factor: { id: 'student_id', boundTo: `'totp:' || student_id` },
};

export interface SealedAnew {
  readonly looked: number;
  readonly former: number;
  readonly unreadable: number;
}

interface Row {
  readonly id: string;
  readonly sealed: string;
  readonly bound_to: string;
}

/** Seals by the present master key what the former one sealed in `state`. @param dry counts only */
export async function sealRowsAnew(
  pool: Pool,
  settings: MasterKeySettings,
  { dry = false, signal }: { readonly dry?: boolean; readonly signal?: AbortSignal } = {},
): Promise<SealedAnew> {
  const counts = { looked: 0, former: 0, unreadable: 0 };
  for (const [table, { id, boundTo }] of Object.entries(SEALED_ROWS)) {
    let after = '';
    for (;;) {
      signal?.throwIfAborted();
      const { rows } = await pool.query<Row>(
        `select ${id} as id, sealed, ${boundTo} as bound_to from state.${table}
         where sealed is not null and ${id} collate "C" > $1 order by ${id} collate "C" limit ${AT_ONCE}`,
        [after],
      );
      const last = rows.at(-1);
      if (!last) break;
      after = last.id;
      counts.looked += rows.length;
      for (const row of rows) {
        const anew = sealedAnew(row, settings);
        if (anew === 'present') continue;
        counts[anew === 'unreadable' ? 'unreadable' : 'former'] += 1;
        if (dry || anew === 'unreadable') continue;
        // What its owner changed meanwhile stays.
        await pool.query(`update state.${table} set sealed = $3 where ${id} = $1 and sealed = $2`, [
          row.id,
          row.sealed,
          anew.sealed,
        ]);
      }
    }
  }
  return counts;
}

function sealedAnew(
  { sealed, bound_to: boundTo }: Row,
  settings: MasterKeySettings,
): 'present' | 'unreadable' | { readonly sealed: string } {
  if (opened(settings.masterKey, sealed, boundTo) !== undefined) return 'present';
  const text = opened(masterKeysOf(settings), sealed, boundTo);
  return text === undefined ? 'unreadable' : { sealed: sealText(settings.masterKey, text, boundTo) };
}

function opened(keys: Parameters<typeof openText>[0], sealed: string, boundTo: string): string | undefined {
  try {
    return openText(keys, sealed, boundTo);
  } catch {
    return undefined;
  }
}
