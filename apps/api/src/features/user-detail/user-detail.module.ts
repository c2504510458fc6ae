import { Module } from '@nestjs/common';
import { SpacesModule } from '../spaces/spaces.module.js';
import { SuspendMemberHandler } from './commands/suspend-member.js';
import { ChangeNotesHandler } from './commands/change-notes.js';
import { OwnStudentListsResolver } from './own-student-lists.resolver.js';
import { StudentNotesResolver } from './student-notes.resolver.js';
import { UserDetailResolver } from './user-detail.resolver.js';

@Module({
  imports: [SpacesModule],
  providers: [
    UserDetailResolver,
    OwnStudentListsResolver,
    StudentNotesResolver,
    SuspendMemberHandler,
    ChangeNotesHandler,
  ],
})
export class UserDetailModule {}
