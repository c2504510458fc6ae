import { Module } from '@nestjs/common';
import { ActsModule } from '../acts/acts.module.js';
import { PicturesModule } from '../uploads/pictures.module.js';
import { AddSubjectHandler } from './commands/add-subject.js';
import { ChangeSpaceHandler } from './commands/change-space.js';
import { ChangeSubjectHandler } from './commands/change-subject.js';
import { CreateSpaceHandler } from './commands/create-space.js';
import { JoinSpaceHandler } from './commands/join-space.js';
import { LeaveSpaceHandler } from './commands/leave-space.js';
import { SpaceAccess } from './space-access.js';
import { SpaceManagementResolver } from './space-management.resolver.js';
import { SpacesResolver } from './spaces.resolver.js';
import { SubjectManagementResolver } from './subject-management.resolver.js';

@Module({
  imports: [ActsModule, PicturesModule],
  providers: [
    SpacesResolver,
    SpaceManagementResolver,
    SubjectManagementResolver,
    SpaceAccess,
    JoinSpaceHandler,
    LeaveSpaceHandler,
    CreateSpaceHandler,
    ChangeSpaceHandler,
    AddSubjectHandler,
    ChangeSubjectHandler,
  ],
  exports: [SpaceAccess],
})
export class SpacesModule {}
