import { Controller, Get, Header, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Public } from '../../platform/auth/access.js';
import { canServe, type Health, HealthReport } from '../../platform/operations/health.js';

@Controller('health')
export class HealthController {
  constructor(private readonly report: HealthReport) {}

  /** The process runs; restarting it would not help. */
  @Public()
  @Get('live')
  @Header('cache-control', 'no-store')
  live(): { readonly status: 'live' } {
    return { status: 'live' };
  }

  /** Requests can be answered. The parts are listed in either case, as last seen: nobody waits for them. */
  @Public()
  @Get('ready')
  async ready(@Res() reply: FastifyReply): Promise<void> {
    const health = await this.report.ready();
    await reply
      .code(canServe(health) ? 200 : 503)
      .header('cache-control', 'no-store')
      .send(health);
  }

  /** How every part is now, for people. */
  @Public()
  @Get('parts')
  @Header('cache-control', 'no-store')
  parts(): Promise<Health> {
    return this.report.diagnosis();
  }
}
