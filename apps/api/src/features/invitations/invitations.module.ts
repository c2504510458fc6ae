import { Module } from '@nestjs/common';
import { InvitationsResolver } from './invitations.resolver.js';
import { WaysInModule } from './ways-in.module.js';

/** Their screens. */
@Module({ imports: [WaysInModule], providers: [InvitationsResolver], exports: [WaysInModule] })
export class InvitationsModule {}
