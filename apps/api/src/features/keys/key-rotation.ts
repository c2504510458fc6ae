import { Inject, Injectable } from '@nestjs/common';
import type { Authority } from '@nimo/domain';
import type { Position } from '@nimo/event-store';
import { Pool } from 'pg';
import { type CommandContext, systemContext } from '../../platform/commands/command-context.js';
import type { Settings } from '../../platform/config/load-settings.js';
import { configuredKeys, type RotatingKey } from '../../platform/personal-data/key-uses.js';
import { StudentKeys, type RewrapResult } from '../../platform/personal-data/student-keys.js';
import { SETTINGS } from '../../platform/config/tokens.js';
import { ClaimRotation, type ClaimCounts } from './claim-rotation.js';
import { type ResealCounts, resealRows } from './sealed-rows.js';

/** Lifetime of the data that expires under a previous key: queued messages and stored responses of idempotent requests. */
const EXPIRES_AFTER: Readonly<Record<RotatingKey, string>> = { master: '1 day', hmac: '7 days' };

export interface KeyStatus {
  readonly key: RotatingKey;
  readonly setting: string;
  readonly isPreviousSet: boolean;
  /** Rows that still need the previous key and do not expire, by kind. */
  readonly remaining: Readonly<Record<string, number>>;
  /** When the previous key can be unset; null while rows need it, or if none is set. */
  readonly removableAt: string | null;
  readonly isRemovable: boolean;
}

export interface RotationResult {
  readonly keys: RewrapResult | null;
  readonly sealed: ResealCounts | null;
  readonly claims: ClaimCounts | null;
  readonly recoveryCodesRevoked: number;
}

export interface RotationOptions {
  /** Do not wait for data to expire, and delete recovery codes, which cannot be hashed again. */
  readonly isImmediate: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: (word: string, done: number) => void;
}

interface UseRow {
  readonly scan_position: string | null;
  readonly expires_at: Date | string | null;
}

/** Moves data from the previous keys to the current ones. Each step can be interrupted and resumes. */
@Injectable()
export class KeyRotation {
  constructor(
    private readonly pool: Pool,
    private readonly studentKeys: StudentKeys,
    private readonly claims: ClaimRotation,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async rotate(context: CommandContext<Authority>, options: RotationOptions): Promise<RotationResult> {
    const { signal, onProgress, isImmediate } = options;
    const { master, hmac } = configuredKeys(this.settings);
    const passing = signal ? { signal } : {};
    const rotated: { -readonly [Part in keyof RotationResult]: RotationResult[Part] } = {
      ...{ keys: null, sealed: null, claims: null, recoveryCodesRevoked: 0 },
    };
    if (master.former !== undefined) {
      rotated.keys = await this.studentKeys.rewrap({
        ...passing,
        onProgress: (scanned) => onProgress?.('student keys', scanned),
      });
      rotated.sealed = await resealRows(this.pool, this.settings, passing);
    }
    if (hmac.former !== undefined) {
      const { counts } = await this.claims.run(context, {
        ...passing,
        after: await this.scanPosition(hmac.fingerprint),
        onPosition: async (position, scanned) => {
          await this.saveScanPosition(hmac.fingerprint, position);
          onProgress?.('events scanned for claims', scanned);
        },
      });
      rotated.claims = counts;
      if (isImmediate) rotated.recoveryCodesRevoked = await this.deleteRecoveryCodes();
    }
    for (const status of await this.status())
      if (status.isPreviousSet && isUnused(status)) await this.markFree(status.key, isImmediate);
    return rotated;
  }

  async status(): Promise<readonly KeyStatus[]> {
    const keys = configuredKeys(this.settings);
    return Promise.all(
      (['master', 'hmac'] as const).map(async (key): Promise<KeyStatus> => {
        const { env, former } = keys[key];
        if (former === undefined)
          return {
            key,
            setting: env,
            isPreviousSet: false,
            remaining: {},
            removableAt: null,
            isRemovable: true,
          };
        const remaining = key === 'master' ? await this.countMasterKeyUses() : await this.countHmacKeyUses();
        const use = await this.findUse(key, former);
        const freeAt = use?.expires_at == null ? null : new Date(use.expires_at);
        const isDone = Object.values(remaining).every((count) => count === 0);
        return {
          ...{ key, setting: env, isPreviousSet: true, remaining },
          removableAt: isDone && freeAt ? freeAt.toISOString() : null,
          isRemovable: isDone && freeAt !== null && freeAt.getTime() <= Date.now(),
        };
      }),
    );
  }

  private async countMasterKeyUses(): Promise<Readonly<Record<string, number>>> {
    const keys = await this.studentKeys.rewrap({ dry: true });
    const sealed = await resealRows(this.pool, this.settings, { dry: true });
    return { studentKeys: keys.rotated, encryptedRows: sealed.rotated };
  }

  private async countHmacKeyUses(): Promise<Readonly<Record<string, number>>> {
    const { rows } = await this.pool.query<{ count: number }>(
      `select count(*)::int as count from state.recovery_code where key_print <> $1`,
      [configuredKeys(this.settings).hmac.fingerprint],
    );
    const { fingerprint } = configuredKeys(this.settings).hmac;
    const { counts } = await this.claims.run(systemContext(), {
      isDry: true,
      after: await this.scanPosition(fingerprint),
    });
    return { claims: counts.claimed + counts.inProgress, recoveryCodes: rows[0]?.count ?? 0 };
  }

  /** Their owners sign in with their second factor and create new ones. */
  private async deleteRecoveryCodes(): Promise<number> {
    const { rowCount } = await this.pool.query(`delete from state.recovery_code where key_print <> $1`, [
      configuredKeys(this.settings).hmac.fingerprint,
    ]);
    return rowCount ?? 0;
  }

  private async scanPosition(fingerprint: string): Promise<Position | undefined> {
    return (await this.findUse('hmac', fingerprint))?.scan_position ?? undefined;
  }

  private async findUse(key: RotatingKey, fingerprint: string): Promise<UseRow | undefined> {
    const { rows } = await this.pool.query<UseRow>(
      'select scan_position, expires_at from state.key_fingerprint where key = $1 and fingerprint = $2',
      [key, fingerprint],
    );
    return rows[0];
  }

  private async saveScanPosition(fingerprint: string, position: Position): Promise<void> {
    await this.pool.query(
      `update state.key_fingerprint set scan_position = $2 where key = 'hmac' and fingerprint = $1`,
      [fingerprint, position],
    );
  }

  private async markFree(key: RotatingKey, isImmediate: boolean): Promise<void> {
    await this.pool.query(
      `update state.key_fingerprint set expires_at = case when $3 then now() else coalesce(expires_at, now() + $4::interval) end
       where key = $1 and fingerprint = $2`,
      [key, configuredKeys(this.settings)[key].former, isImmediate, EXPIRES_AFTER[key]],
    );
  }
}

const isUnused = ({ remaining }: KeyStatus): boolean =>
  Object.values(remaining).every((count) => count === 0);
