import { Inject, Injectable } from '@nestjs/common';
import type { Authority } from '@nimo/domain';
import type { Position } from '@nimo/event-store';
import { Pool } from 'pg';
import { type CommandContext, systemContext } from '../../platform/commands/command-context.js';
import type { Settings } from '../../platform/config/load-settings.js';
import { givenKeys, type RotatingKey } from '../../platform/personal-data/key-uses.js';
import { StudentKeys, type WrappedAnew } from '../../platform/personal-data/student-keys.js';
import { SETTINGS } from '../../platform/config/tokens.js';
import { ClaimRotation, type ClaimCounts } from './claim-rotation.js';
import { type SealedAnew, sealRowsAnew } from './sealed-rows.js';

/** What waits under the former key for longer than it is good: messages in queues, and what a repeated request finds. */
const EXPIRED_AFTER: Readonly<Record<RotatingKey, string>> = { master: '1 day', hmac: '7 days' };

export interface KeyStanding {
  readonly key: RotatingKey;
  readonly setting: string;
  readonly isFormerSet: boolean;
  /** What stands under the former key and does not expire by itself. */
  readonly needing: Readonly<Record<string, number>>;
  /** When the former key may go; null while something needs it, or where there is none. */
  readonly formerMayGoAt: string | null;
  readonly isFormerFree: boolean;
}

export interface Rotated {
  readonly keys: WrappedAnew | null;
  readonly sealed: SealedAnew | null;
  readonly claims: ClaimCounts | null;
  readonly recoveryCodesEnded: number;
}

export interface RotationOptions {
  /** Wait for nothing that expires by itself, and end what cannot be made anew. */
  readonly isNow: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: (word: string, done: number) => void;
}

interface UseRow {
  readonly print: string;
  readonly place: string | null;
  readonly free_at: Date | string | null;
}

/** Puts under the present keys what stands under the former ones. Each part may be ended anywhere and goes on. */
@Injectable()
export class KeyRotation {
  constructor(
    private readonly pool: Pool,
    private readonly studentKeys: StudentKeys,
    private readonly claims: ClaimRotation,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async rotate(context: CommandContext<Authority>, options: RotationOptions): Promise<Rotated> {
    const { signal, onProgress, isNow } = options;
    const { master, hmac } = givenKeys(this.settings);
    const passing = signal ? { signal } : {};
    const rotated: { -readonly [Part in keyof Rotated]: Rotated[Part] } = {
      ...{ keys: null, sealed: null, claims: null, recoveryCodesEnded: 0 },
    };
    if (master.former !== undefined) {
      rotated.keys = await this.studentKeys.wrapAnew({
        ...passing,
        onProgress: (looked) => onProgress?.('keys of students', looked),
      });
      rotated.sealed = await sealRowsAnew(this.pool, this.settings, passing);
    }
    if (hmac.former !== undefined) {
      const { counts } = await this.claims.run(context, {
        ...passing,
        after: await this.placeOf(hmac.print),
        onPlace: async (place, looked) => {
          await this.notePlace(hmac.print, place);
          onProgress?.('events looked through for claims', looked);
        },
      });
      rotated.claims = counts;
      if (isNow) rotated.recoveryCodesEnded = await this.endRecoveryCodes();
    }
    for (const standing of await this.status())
      if (standing.isFormerSet && isNothing(standing)) await this.free(standing.key, isNow);
    return rotated;
  }

  /** Reads only. */
  async status(): Promise<readonly KeyStanding[]> {
    const given = givenKeys(this.settings);
    return Promise.all(
      (['master', 'hmac'] as const).map(async (key): Promise<KeyStanding> => {
        const { env, former } = given[key];
        if (former === undefined)
          return {
            key,
            setting: env,
            isFormerSet: false,
            needing: {},
            formerMayGoAt: null,
            isFormerFree: true,
          };
        const needing = key === 'master' ? await this.underMasterKey() : await this.underHmacKey();
        const use = await this.useOf(key, former);
        const freeAt = use?.free_at == null ? null : new Date(use.free_at);
        const isDone = Object.values(needing).every((count) => count === 0);
        return {
          ...{ key, setting: env, isFormerSet: true, needing },
          formerMayGoAt: isDone && freeAt ? freeAt.toISOString() : null,
          isFormerFree: isDone && freeAt !== null && freeAt.getTime() <= Date.now(),
        };
      }),
    );
  }

  private async underMasterKey(): Promise<Readonly<Record<string, number>>> {
    const keys = await this.studentKeys.wrapAnew({ dry: true });
    const sealed = await sealRowsAnew(this.pool, this.settings, { dry: true });
    return { keysOfStudents: keys.former, sealedRows: sealed.former };
  }

  private async underHmacKey(): Promise<Readonly<Record<string, number>>> {
    const { rows } = await this.pool.query<{ count: number }>(
      `select count(*)::int as count from state.recovery_code where key_print <> $1`,
      [givenKeys(this.settings).hmac.print],
    );
    const { print } = givenKeys(this.settings).hmac;
    const { counts } = await this.claims.run(systemContext(), {
      isDry: true,
      after: await this.placeOf(print),
    });
    return { claims: counts.claimed + counts['under way'], recoveryCodes: rows[0]?.count ?? 0 };
  }

  /** Whoever has none left makes new ones with the factor that they have. */
  private async endRecoveryCodes(): Promise<number> {
    const { rowCount } = await this.pool.query(`delete from state.recovery_code where key_print <> $1`, [
      givenKeys(this.settings).hmac.print,
    ]);
    return rowCount ?? 0;
  }

  private async placeOf(print: string): Promise<Position | undefined> {
    return (await this.useOf('hmac', print))?.place ?? undefined;
  }

  private async useOf(key: RotatingKey, print: string): Promise<UseRow | undefined> {
    const { rows } = await this.pool.query<UseRow>(
      'select print, place, free_at from state.key_use where key = $1 and print = $2',
      [key, print],
    );
    return rows[0];
  }

  private async notePlace(print: string, place: Position): Promise<void> {
    await this.pool.query(`update state.key_use set place = $2 where key = 'hmac' and print = $1`, [
      print,
      place,
    ]);
  }

  private async free(key: RotatingKey, isNow: boolean): Promise<void> {
    await this.pool.query(
      `update state.key_use set free_at = case when $3 then now() else coalesce(free_at, now() + $4::interval) end
       where key = $1 and print = $2`,
      [key, givenKeys(this.settings)[key].former, isNow, EXPIRED_AFTER[key]],
    );
  }
}

const isNothing = ({ needing }: KeyStanding): boolean => Object.values(needing).every((count) => count === 0);
