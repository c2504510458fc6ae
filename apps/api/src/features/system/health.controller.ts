import { Controller, Get } from '@nestjs/common';
import { Pool } from 'pg';
import { Public } from '../../platform/auth/access.js';
import { ApiError, SOMETHING_WENT_WRONG } from '../../platform/errors/api-error.js';
import { PostgresListener } from '../../platform/notifications/postgres-listener.js';

@Controller('health')
export class HealthController {
  constructor(
    private readonly pool: Pool,
    private readonly listener: PostgresListener,
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
  async ready(): Promise<{ readonly status: 'ready' }> {
    try {
      await this.pool.query('select from read.students limit 1');
    } catch {
      throw new ApiError('UNAVAILABLE', SOMETHING_WENT_WRONG, { rule: 'DATABASE_UNREACHABLE' });
    }
    if (!this.listener.isConnected) {
      throw new ApiError('UNAVAILABLE', SOMETHING_WENT_WRONG, { rule: 'LISTENER_DISCONNECTED' });
    }
    return { status: 'ready' };
  }
}
