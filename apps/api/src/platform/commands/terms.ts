import { readFileSync } from 'node:fs';
import { Inject, Injectable } from '@nestjs/common';
import { aggregate, studentDecider } from '@nimo/domain';
import { LRUCache } from 'lru-cache';
import { SettingsError } from '../config/settings-error.js';
import type { Settings } from '../config/load-settings.js';
import { SETTINGS } from '../config/tokens.js';
import { CommandRunner } from './command-runner.js';

/** Version of the built-in text: see `apps/web/src/i18n`. */
const BUILT_IN_VERSION = 'nimo-1';
const MAX_BYTES = 64 * 1024;
const MAX_REMEMBERED = 50_000;

/** The terms of use in force and, from the log, who accepted them. */
@Injectable()
export class Terms {
  readonly version: string;
  /** Null for the built-in text, which every client has in its own language. */
  readonly text: string | null;
  /** Never invalidated: acceptance is final and the version is fixed for the life of the process. */
  private readonly accepted = new LRUCache<string, true>({ max: MAX_REMEMBERED });

  /** @throws SettingsError when the file cannot be read, is empty or too long */
  constructor(
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'termsVersion' | 'termsFile'>,
    private readonly commands: CommandRunner,
  ) {
    this.version = settings.termsVersion ?? BUILT_IN_VERSION;
    this.text = settings.termsFile === undefined ? null : readTerms(settings.termsFile);
  }

  /** Whether the student must accept the terms before writing anything else. Never for the built-in text. */
  async mustAccept(studentId: string): Promise<boolean> {
    if (this.settings.termsVersion === undefined || this.accepted.has(studentId)) return false;
    const student = await this.commands.state(aggregate(studentDecider, studentId));
    if (student?.termsVersion !== this.version) return true;
    this.accepted.set(studentId, true);
    return false;
  }
}

function readTerms(path: string): string {
  const text = readFileOrFail(path).trim();
  if (text !== '' && Buffer.byteLength(text) <= MAX_BYTES) return text;
  throw new SettingsError(`TERMS_FILE must hold 1 to ${MAX_BYTES} bytes of text: ${path}.`);
}

function readFileOrFail(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new SettingsError(
      `TERMS_FILE cannot be read: ${cause instanceof Error ? cause.message : String(cause)}.`,
      { cause },
    );
  }
}
