import { Module } from '@nestjs/common';
import { StaffActionsModule } from '../staff-actions/staff-actions.module.js';
import { InvitationsModule } from '../invitations/invitations.module.js';
import { PicturesModule } from '../uploads/uploads.module.js';
import {
  AnswerEntryRequestHandler,
  InviteStudentHandler,
  RemoveMemberHandler,
  RequestEntryHandler,
  RevokeStudentInvitationHandler,
  WithdrawEntryRequestHandler,
} from './commands/request-entry.js';
import { AddSubjectHandler, ChangeSubjectHandler } from './commands/subjects.js';
import {
  ArchiveSpaceHandler,
  ChangeSpaceHandler,
  CreateSpaceHandler,
  RemoveSpaceHandler,
} from './commands/manage-space.js';
import { JoinSpaceHandler, LeaveSpaceHandler } from './commands/join-space.js';
import {
  EntryByInvitationResolver,
  EntryRequestsResolver,
  StudentInvitationsResolver,
} from './space-entry.resolver.js';
import { SpaceNames } from './space-names.js';
import { SpaceAccess, SpacesResolver } from './spaces.resolver.js';
import { SpaceManagementResolver, SubjectManagementResolver } from './space-management.resolver.js';

@Module({
  imports: [StaffActionsModule, InvitationsModule, PicturesModule],
  providers: [
    SpacesResolver,
    SpaceManagementResolver,
    SubjectManagementResolver,
    EntryByInvitationResolver,
    EntryRequestsResolver,
    StudentInvitationsResolver,
    SpaceAccess,
    SpaceNames,
    JoinSpaceHandler,
    LeaveSpaceHandler,
    RequestEntryHandler,
    WithdrawEntryRequestHandler,
    AnswerEntryRequestHandler,
    RemoveMemberHandler,
    InviteStudentHandler,
    RevokeStudentInvitationHandler,
    ArchiveSpaceHandler,
    RemoveSpaceHandler,
    CreateSpaceHandler,
    ChangeSpaceHandler,
    AddSubjectHandler,
    ChangeSubjectHandler,
  ],
  exports: [SpaceAccess],
})
export class SpacesModule {}
