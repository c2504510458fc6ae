import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { MatchedGroups, MatchingInvitations } from './matching-invitations.js';
import { CreateInvitationHandler, RevokeInvitationHandler } from './commands/manage-invitations.js';
import { Invitations } from './invitations.js';
import { InvitationsResolver } from './invitations.resolver.js';

/** Invitations without the GraphQL API, for the command line. */
@Module({
  imports: [AccountsModule],
  providers: [
    Invitations,
    MatchingInvitations,
    MatchedGroups,
    CreateInvitationHandler,
    RevokeInvitationHandler,
  ],
  exports: [Invitations, MatchingInvitations, MatchedGroups],
})
export class InvitationsCoreModule {}

/** GraphQL API for invitations. */
@Module({
  imports: [InvitationsCoreModule],
  providers: [InvitationsResolver],
  exports: [InvitationsCoreModule],
})
export class InvitationsModule {}
