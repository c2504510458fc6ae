import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import type { Settings } from '../../platform/config/load-settings.js';
import { SettingsError } from '../../platform/config/settings-error.js';
import { SETTINGS } from '../../platform/config/tokens.js';

export interface Tombstone {
  readonly studentId: string;
  readonly withWords: boolean;
}

type TombstoneSettings = Pick<Settings, 'tombstones' | 'dataDir'>;

/** Ids of erased students, in a file outside of backups. After a restore they are erased again. */
@Injectable()
export class Tombstones {
  constructor(@Inject(SETTINGS) private readonly settings: TombstoneSettings) {}

  /** Idempotent. */
  async add(tombstone: Tombstone): Promise<void> {
    const path = tombstonesPath(this.settings);
    await mkdir(dirname(path), { recursive: true });
    // A crash may have cut the last line off: never continue it.
    const isCut = /[^\n]$/.test((await textOf(path)) ?? '');
    await appendFile(path, `${isCut ? '\n' : ''}${JSON.stringify(tombstone)}\n`, { flush: true });
  }

  async read(): Promise<readonly Tombstone[]> {
    return parse((await textOf(tombstonesPath(this.settings))) ?? '', tombstonesPath(this.settings));
  }
}

export const tombstonesPath = ({ tombstones, dataDir }: TombstoneSettings): string =>
  tombstones ?? join(dataDir, 'tombstones.jsonl');

/**
 * For a restore, which would otherwise bring erased students back unnoticed.
 * @returns null without a file at the default path
 * @throws SettingsError if NIMO_TOMBSTONES names a missing file, or a line is invalid
 */
export async function readTombstones(settings: TombstoneSettings): Promise<readonly Tombstone[] | null> {
  const path = tombstonesPath(settings);
  const text = await textOf(path);
  if (text !== undefined) return parse(text, path);
  if (settings.tombstones === undefined) return null;
  throw new SettingsError(
    `NIMO_TOMBSTONES: ${path} does not exist. Copy it from the old machine. If no account was ever deleted, create an empty file.`,
  );
}

/** Ignores lines cut off by a crash: the resumed erasure wrote them again. */
function parse(text: string, path: string): readonly Tombstone[] {
  const lines = text.split('\n').map((line) => ({ line, tombstone: parseLine(line) }));
  const complete = lines.flatMap(({ line, tombstone }) => (tombstone ? [{ line, tombstone }] : []));
  for (const [at, { line, tombstone }] of lines.entries())
    if (!tombstone && line.trim() !== '' && !complete.some((other) => other.line.startsWith(line)))
      throw new SettingsError(
        `Line ${at + 1} of ${path} (NIMO_TOMBSTONES) is not a tombstone, so a deleted account could come back. Restore the file, or remove the line.`,
      );
  return [...new Map(complete.map(({ tombstone }) => [tombstone.studentId, tombstone])).values()];
}

function parseLine(line: string): Tombstone | undefined {
  try {
    const value = JSON.parse(line) as Partial<Tombstone> | null;
    return typeof value?.studentId === 'string'
      ? { studentId: value.studentId, withWords: value.withWords === true }
      : undefined;
  } catch {
    return undefined;
  }
}

const textOf = (path: string): Promise<string | undefined> =>
  readFile(path, 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });

const isMissing = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT';
