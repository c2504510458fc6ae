import type { Pool } from 'pg';
import { openText, sealText } from '../../platform/personal-data/sealed-values.js';
import { decryptionKeys, type MasterKeySettings } from '../../platform/personal-data/master-keys.js';

const BATCH_SIZE = 500;

/** Tables in `state` with a `sealed` column, and the SQL for the context that each row is sealed with. */
export const SEALED_ROWS: Readonly<Record<string, { readonly id: string; readonly boundTo: string }>> = {
  contact_change: { id: 'id::text', boundTo: `'contact-change:' || id` },
  data_export: { id: 'id::text', boundTo: `'own-export:' || id` },
  factor_ceremony: {
    id: `kind || ' ' || holder_hash`,
    boundTo: `'second-factor:' || kind || ':' || student_id || ':' || holder_hash`,
  },
  guardian_link: { id: 'id::text', boundTo: `'guardian-link:' || id` },
  mailed_link: { id: 'token_hash', boundTo: `'mailed-link:' || token_hash` },
  pending_registration: { id: 'key_hash', boundTo: `'pending-registration:' || key_hash` },
  sign_in_attempt: { id: 'secret_hash', boundTo: `'sign-in:' || secret_hash` },
  totp_factor: { id: 'student_id', boundTo: `'totp:' || student_id` },
};

export interface ResealCounts {
  readonly scanned: number;
  /** Rows moved to the current key, or to be moved if only counted. */
  readonly rotated: number;
  readonly unreadable: number;
}

interface Row {
  readonly id: string;
  readonly sealed: string;
  readonly bound_to: string;
}

/** Re-encrypts rows of `state` from the previous master key to the current one. @param dry only counts */
export async function resealRows(
  pool: Pool,
  settings: MasterKeySettings,
  { dry = false, signal }: { readonly dry?: boolean; readonly signal?: AbortSignal } = {},
): Promise<ResealCounts> {
  const counts = { scanned: 0, rotated: 0, unreadable: 0 };
  for (const [table, { id, boundTo }] of Object.entries(SEALED_ROWS)) {
    let after = '';
    for (;;) {
      signal?.throwIfAborted();
      const { rows } = await pool.query<Row>(
        `select ${id} as id, sealed, ${boundTo} as bound_to from state.${table}
         where sealed is not null and ${id} collate "C" > $1 order by ${id} collate "C" limit ${BATCH_SIZE}`,
        [after],
      );
      const last = rows.at(-1);
      if (!last) break;
      after = last.id;
      counts.scanned += rows.length;
      for (const row of rows) {
        const result = resealed(row, settings);
        if (result === 'present') continue;
        counts[result === 'unreadable' ? 'unreadable' : 'rotated'] += 1;
        if (dry || result === 'unreadable') continue;
        // Do not overwrite a concurrent change.
        await pool.query(`update state.${table} set sealed = $3 where ${id} = $1 and sealed = $2`, [
          row.id,
          row.sealed,
          result.sealed,
        ]);
      }
    }
  }
  return counts;
}

function resealed(
  { sealed, bound_to: boundTo }: Row,
  settings: MasterKeySettings,
): 'present' | 'unreadable' | { readonly sealed: string } {
  if (opened(settings.masterKey, sealed, boundTo) !== undefined) return 'present';
  const text = opened(decryptionKeys(settings), sealed, boundTo);
  return text === undefined ? 'unreadable' : { sealed: sealText(settings.masterKey, text, boundTo) };
}

function opened(keys: Parameters<typeof openText>[0], sealed: string, boundTo: string): string | undefined {
  try {
    return openText(keys, sealed, boundTo);
  } catch {
    return undefined;
  }
}
