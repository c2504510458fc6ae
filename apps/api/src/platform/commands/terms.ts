import { readFileSync } from 'node:fs';
import { Inject, Injectable } from '@nestjs/common';
import { aggregate, studentDecider } from '@nimo/domain';
import { LRUCache } from 'lru-cache';
import { SettingsError } from '../config/settings-error.js';
import type { Settings } from '../config/load-settings.js';
import { SETTINGS } from '../config/tokens.js';
import { CommandRunner } from './command-runner.js';

/** Of the text that comes with the product: see `apps/web/src/i18n`. */
const PRODUCT_VERSION = 'nimo-1';
const MAX_BYTES = 64 * 1024;
const MAX_REMEMBERED = 50_000;

/** The terms of use that are in force, and who has accepted them by what the log says. */
@Injectable()
export class Terms {
  readonly version: string;
  /** Null where it is the product's own, which every client has in its language. */
  readonly text: string | null;
  /** What was accepted stays so, and a version is in force as long as the process. */
  private readonly accepted = new LRUCache<string, true>({ max: MAX_REMEMBERED });

  /** @throws SettingsError where the file cannot be read, is empty or too long */
  constructor(
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'termsVersion' | 'termsFile'>,
    private readonly commands: CommandRunner,
  ) {
    this.version = settings.termsVersion ?? PRODUCT_VERSION;
    this.text = settings.termsFile === undefined ? null : textOf(settings.termsFile);
  }

  /** Whether that student has to accept them before anything else is written. Nobody is asked again for the product's own. */
  async mustAccept(studentId: string): Promise<boolean> {
    if (this.settings.termsVersion === undefined || this.accepted.has(studentId)) return false;
    const student = await this.commands.state(aggregate(studentDecider, studentId));
    if (student?.termsVersion !== this.version) return true;
    this.accepted.set(studentId, true);
    return false;
  }
}

function textOf(path: string): string {
  const text = contentOf(path).trim();
  if (text !== '' && Buffer.byteLength(text) <= MAX_BYTES) return text;
  throw new SettingsError(`TERMS_FILE must hold 1 to ${MAX_BYTES} bytes of text: ${path}.`);
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new SettingsError(
      `TERMS_FILE cannot be read: ${cause instanceof Error ? cause.message : String(cause)}.`,
      { cause },
    );
  }
}
