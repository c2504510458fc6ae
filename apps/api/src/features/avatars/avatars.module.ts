import { Module } from '@nestjs/common';
import { StaffActionsModule } from '../staff-actions/staff-actions.module.js';
import { PicturesModule } from '../uploads/uploads.module.js';
import { AvatarManagementResolver } from './avatar-management.resolver.js';
import { AvatarsController, AvatarsResolver, OfferedAvatars } from './avatars.resolver.js';
import { AddAvatarHandler, ChangeAvatarHandler, SetAvatarStatusHandler } from './commands/avatars.js';

@Module({
  controllers: [AvatarsController],
  imports: [StaffActionsModule, PicturesModule],
  providers: [
    AvatarsResolver,
    AvatarManagementResolver,
    OfferedAvatars,
    AddAvatarHandler,
    ChangeAvatarHandler,
    SetAvatarStatusHandler,
  ],
  exports: [OfferedAvatars],
})
export class AvatarsModule {}
