import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import type { Settings } from '../../platform/config/load-settings.js';
import { SETTINGS } from '../../platform/config/tokens.js';

export interface Tombstone {
  readonly studentId: string;
  readonly withWords: boolean;
}

/** Who was erased, by id, in a file that no back-up has: whatever is restored, they are erased again. */
@Injectable()
export class Tombstones {
  private readonly path: string;

  constructor(@Inject(SETTINGS) settings: Pick<Settings, 'tombstones' | 'dataDir'>) {
    this.path = tombstonesOf(settings);
  }

  /** Twice is as once. */
  async add(tombstone: Tombstone): Promise<void> {
    await mkdir(dirname(this.path), { recursive: true });
    await appendFile(this.path, `${JSON.stringify(tombstone)}\n`, { flush: true });
  }

  async read(): Promise<readonly Tombstone[]> {
    const text = await readFile(this.path, 'utf8').catch((error: unknown) => {
      if (isMissing(error)) return '';
      throw error;
    });
    // The last line may have been cut by a crash; then the erasure writes it again.
    const found = text.split('\n').flatMap((line) => parsed(line) ?? []);
    return [...new Map(found.map((tombstone) => [tombstone.studentId, tombstone])).values()];
  }
}

const tombstonesOf = ({ tombstones, dataDir }: Pick<Settings, 'tombstones' | 'dataDir'>): string =>
  tombstones ?? join(dataDir, 'tombstones.jsonl');

const isMissing = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT';

function parsed(line: string): Tombstone | undefined {
  try {
    const value = JSON.parse(line) as Partial<Tombstone>;
    return typeof value.studentId === 'string'
      ? { studentId: value.studentId, withWords: value.withWords === true }
      : undefined;
  } catch {
    return undefined;
  }
}
