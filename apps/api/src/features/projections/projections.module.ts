import { Module } from '@nestjs/common';
import { LogAlarm } from '../log-proof/log-alarm.js';
import { MaintainProjectionHandler } from './commands/maintain-projection.js';
import { ProjectionDesk } from './projection-desk.js';
import { ProjectionsResolver } from './projections.resolver.js';

/** What the command line needs as well. */
@Module({
  providers: [LogAlarm, ProjectionDesk, MaintainProjectionHandler],
  exports: [ProjectionDesk],
})
export class ProjectionDeskModule {}

@Module({ imports: [ProjectionDeskModule], providers: [ProjectionsResolver] })
export class ProjectionsModule {}
