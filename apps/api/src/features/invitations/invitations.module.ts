import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { CarriedGroups, WaysIn } from './ways-in.js';
import { MakeInvitationHandler, RevokeInvitationHandler } from './commands/make-invitation.js';
import { Invitations } from './invitations.js';
import { InvitationsResolver } from './invitations.resolver.js';

/** Ways into a space that many may use, also where there is no api: the command line makes some for the demonstration. */
@Module({
  imports: [AccountsModule],
  providers: [Invitations, WaysIn, CarriedGroups, MakeInvitationHandler, RevokeInvitationHandler],
  exports: [Invitations, WaysIn, CarriedGroups],
})
export class WaysInModule {}

/** Their screens. */
@Module({ imports: [WaysInModule], providers: [InvitationsResolver], exports: [WaysInModule] })
export class InvitationsModule {}
