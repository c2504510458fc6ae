import { Module } from '@nestjs/common';
import { ActsModule } from '../acts/acts.module.js';
import { PicturesModule } from '../uploads/pictures.module.js';
import { AvatarManagementResolver } from './avatar-management.resolver.js';
import { AvatarsController } from './avatars.controller.js';
import { AvatarsResolver } from './avatars.resolver.js';
import { AddAvatarHandler } from './commands/add-avatar.js';
import { ChangeAvatarHandler } from './commands/change-avatar.js';
import { RestoreAvatarHandler } from './commands/restore-avatar.js';
import { RetireAvatarHandler } from './commands/retire-avatar.js';
import { OfferedAvatars } from './offered-avatars.js';

@Module({
  controllers: [AvatarsController],
  imports: [ActsModule, PicturesModule],
  providers: [
    AvatarsResolver,
    AvatarManagementResolver,
    OfferedAvatars,
    AddAvatarHandler,
    ChangeAvatarHandler,
    RetireAvatarHandler,
    RestoreAvatarHandler,
  ],
  exports: [OfferedAvatars],
})
export class AvatarsModule {}
