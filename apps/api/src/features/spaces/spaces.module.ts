import { Module } from '@nestjs/common';
import { ActsModule } from '../acts/acts.module.js';
import { InvitationsModule } from '../invitations/invitations.module.js';
import { PicturesModule } from '../uploads/pictures.module.js';
import { AnswerEntryRequestHandler, RemoveMemberHandler } from './commands/answer-entry-request.js';
import { AddSubjectHandler } from './commands/add-subject.js';
import { ChangeSpaceHandler } from './commands/change-space.js';
import { ChangeSubjectHandler } from './commands/change-subject.js';
import { CreateSpaceHandler } from './commands/create-space.js';
import { InviteStudentHandler, RevokeStudentInvitationHandler } from './commands/invite-student.js';
import { JoinSpaceHandler } from './commands/join-space.js';
import { LeaveSpaceHandler } from './commands/leave-space.js';
import { RequestEntryHandler, WithdrawEntryRequestHandler } from './commands/request-entry.js';
import { EntryByInvitationResolver } from './entry-by-invitation.resolver.js';
import { EntryRequestsResolver } from './entry-requests.resolver.js';
import { SpaceAccess } from './space-access.js';
import { SpaceManagementResolver } from './space-management.resolver.js';
import { SpacesResolver } from './spaces.resolver.js';
import { StudentInvitationsResolver } from './student-invitations.resolver.js';
import { SubjectManagementResolver } from './subject-management.resolver.js';

@Module({
  imports: [ActsModule, InvitationsModule, PicturesModule],
  providers: [
    SpacesResolver,
    SpaceManagementResolver,
    SubjectManagementResolver,
    EntryByInvitationResolver,
    EntryRequestsResolver,
    StudentInvitationsResolver,
    SpaceAccess,
    JoinSpaceHandler,
    LeaveSpaceHandler,
    RequestEntryHandler,
    WithdrawEntryRequestHandler,
    AnswerEntryRequestHandler,
    RemoveMemberHandler,
    InviteStudentHandler,
    RevokeStudentInvitationHandler,
    CreateSpaceHandler,
    ChangeSpaceHandler,
    AddSubjectHandler,
    ChangeSubjectHandler,
  ],
  exports: [SpaceAccess],
})
export class SpacesModule {}
