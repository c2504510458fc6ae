import { Controller, Get } from '@nestjs/common';
import { Pool } from 'pg';
import { Public } from '../../platform/auth/access.js';
import { ApiError, SOMETHING_WENT_WRONG } from '../../platform/errors/api-error.js';
import { Messages } from '../../platform/messages/messages.js';

interface Readiness {
  readonly status: 'ready';
  /** Requests are answered without them; were all api processes taken out for it, nobody would be. */
  readonly liveUpdates?: 'away';
}

@Controller('health')
export class HealthController {
  constructor(
    private readonly pool: Pool,
    private readonly messages: Messages,
  ) {}

  /** The process runs; restarting it would not help. */
  @Public()
  @Get('live')
  live(): { readonly status: 'live' } {
    return { status: 'live' };
  }

  /** Requests can be answered. */
  @Public()
  @Get('ready')
  async ready(): Promise<Readiness> {
    try {
      await this.pool.query('select from read.students limit 1');
    } catch {
      throw new ApiError('UNAVAILABLE', SOMETHING_WENT_WRONG, { rule: 'DATABASE_UNREACHABLE' });
    }
    return this.messages.isConnected ? { status: 'ready' } : { status: 'ready', liveUpdates: 'away' };
  }
}
