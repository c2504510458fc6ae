import type { SigningKey } from '@nimo/event-store';
import { Inject, Injectable } from '@nestjs/common';
import type { Settings } from '../../platform/config/load-settings.js';
import { SETTINGS } from '../../platform/runtime/tokens.js';
import { logKeyOf } from './log-witness.js';

/** Read, or made, when something is signed or shown first. */
@Injectable()
export class LogKey {
  private key: SigningKey | undefined;

  constructor(@Inject(SETTINGS) private readonly settings: Settings) {}

  get(): SigningKey {
    return (this.key ??= logKeyOf(this.settings));
  }
}
