import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { CarriedGroups, WaysIn } from './ways-in.js';
import { CreateInvitationHandler, RevokeInvitationHandler } from './commands/make-invitation.js';
import { Invitations } from './invitations.js';
import { InvitationsResolver } from './invitations.resolver.js';

/** Invitations without the GraphQL API: the command line creates some for the demo. */
@Module({
  imports: [AccountsModule],
  providers: [Invitations, WaysIn, CarriedGroups, CreateInvitationHandler, RevokeInvitationHandler],
  exports: [Invitations, WaysIn, CarriedGroups],
})
export class WaysInModule {}

/** GraphQL API for invitations. */
@Module({ imports: [WaysInModule], providers: [InvitationsResolver], exports: [WaysInModule] })
export class InvitationsModule {}
