import { Module } from '@nestjs/common';
import { AddSubjectHandler } from './commands/add-subject.js';
import { CreateSpaceHandler } from './commands/create-space.js';
import { JoinSpaceHandler } from './commands/join-space.js';
import { LeaveSpaceHandler } from './commands/leave-space.js';
import { SpaceAccess } from './space-access.js';
import { SpacesResolver } from './spaces.resolver.js';

@Module({
  providers: [
    SpacesResolver,
    SpaceAccess,
    JoinSpaceHandler,
    LeaveSpaceHandler,
    CreateSpaceHandler,
    AddSubjectHandler,
  ],
  exports: [SpaceAccess],
})
export class SpacesModule {}
