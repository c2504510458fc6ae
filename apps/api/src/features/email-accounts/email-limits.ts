import { Injectable } from '@nestjs/common';
import { mailboxKey } from '@nimo/domain';
import type { ClientKey } from '../../platform/rate-limit/client-key.js';
import { MAIL_SENDS } from '../../platform/rate-limit/limits.js';
import { RateLimiter } from '../../platform/rate-limit/rate-limiter.js';

/** Counted for known and unknown addresses alike. */
@Injectable()
export class EmailLimits {
  constructor(private readonly limiter: RateLimiter) {}

  async useFor(client: ClientKey): Promise<void> {
    await this.limiter.use('mailsPerAddress', client);
  }

  async useOf(email: string): Promise<void> {
    // What is stored is a keyed hash (`HashedThrottles`).
    for (const limit of MAIL_SENDS) await this.limiter.useExactly(limit, mailboxKey(email));
  }
}
