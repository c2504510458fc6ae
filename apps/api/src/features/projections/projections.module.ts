import { Module } from '@nestjs/common';
import { LogAlarm } from '../log-proof/log-chain.js';
import { MaintainProjectionHandler } from './commands/maintain-projection.js';
import { SkipEventHandler } from './commands/skip-event.js';
import { ProjectionAdmin } from './projection-admin.js';
import { ProjectionRebuildResolver, ProjectionsResolver } from './projections.resolver.js';

/** Shared with the command line. */
@Module({
  providers: [LogAlarm, ProjectionAdmin, MaintainProjectionHandler, SkipEventHandler],
  exports: [ProjectionAdmin],
})
export class ProjectionAdminModule {}

@Module({ imports: [ProjectionAdminModule], providers: [ProjectionRebuildResolver, ProjectionsResolver] })
export class ProjectionsModule {}
