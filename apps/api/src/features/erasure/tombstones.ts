import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import type { Settings } from '../../platform/config/load-settings.js';
import { SETTINGS } from '../../platform/config/tokens.js';

export interface Tombstone {
  readonly studentId: string;
  readonly withWords: boolean;
}

/** Ids of erased students, in a file outside of backups. After a restore they are erased again. */
@Injectable()
export class Tombstones {
  private readonly path: string;

  constructor(@Inject(SETTINGS) settings: Pick<Settings, 'tombstones' | 'dataDir'>) {
    this.path = tombstonesPath(settings);
  }

  /** Idempotent. */
  async add(tombstone: Tombstone): Promise<void> {
    await mkdir(dirname(this.path), { recursive: true });
    await appendFile(this.path, `${JSON.stringify(tombstone)}\n`, { flush: true });
  }

  async read(): Promise<readonly Tombstone[]> {
    const text = await readFile(this.path, 'utf8').catch((error: unknown) => {
      if (isMissing(error)) return '';
      throw error;
    });
    // A crash may have truncated the last line; the erasure then writes it again.
    const found = text.split('\n').flatMap((line) => parseLine(line) ?? []);
    return [...new Map(found.map((tombstone) => [tombstone.studentId, tombstone])).values()];
  }
}

const tombstonesPath = ({ tombstones, dataDir }: Pick<Settings, 'tombstones' | 'dataDir'>): string =>
  tombstones ?? join(dataDir, 'tombstones.jsonl');

const isMissing = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT';

function parseLine(line: string): Tombstone | undefined {
  try {
    const value = JSON.parse(line) as Partial<Tombstone>;
    return typeof value.studentId === 'string'
      ? { studentId: value.studentId, withWords: value.withWords === true }
      : undefined;
  } catch {
    return undefined;
  }
}
