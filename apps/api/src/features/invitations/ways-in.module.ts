import { Module } from '@nestjs/common';
import { AccountsModule } from '../students/accounts.module.js';
import { CarriedGroups } from './carried-groups.js';
import { MakeInvitationHandler, RevokeInvitationHandler } from './commands/make-invitation.js';
import { Invitations } from './invitations.js';
import { WaysIn } from './ways-in.js';

/** Ways into a space that many may use, also where there is no api: the command line makes some for the demonstration. */
@Module({
  imports: [AccountsModule],
  providers: [Invitations, WaysIn, CarriedGroups, MakeInvitationHandler, RevokeInvitationHandler],
  exports: [Invitations, WaysIn, CarriedGroups],
})
export class WaysInModule {}
