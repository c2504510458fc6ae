import { Module } from '@nestjs/common';
import { SpacesModule } from '../spaces/spaces.module.js';
import { SuspendMemberHandler } from './commands/suspend-member.js';
import { UserDetailResolver } from './user-detail.resolver.js';

@Module({ imports: [SpacesModule], providers: [UserDetailResolver, SuspendMemberHandler] })
export class UserDetailModule {}
