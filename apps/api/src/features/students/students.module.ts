import { Module } from '@nestjs/common';
import { OtpModule } from '../otp/otp.module.js';
import { PicturesModule } from '../uploads/pictures.module.js';
import { AccountsModule } from './accounts.module.js';
import { AvatarsController } from './avatars.controller.js';
import { AvatarsResolver } from './avatars.resolver.js';
import { OwnStudentListsResolver } from './own-student-lists.resolver.js';
import { ProfilesResolver } from './profiles.resolver.js';
import { StudentsResolver } from './students.resolver.js';

@Module({
  controllers: [AvatarsController],
  imports: [AccountsModule, OtpModule, PicturesModule],
  providers: [StudentsResolver, ProfilesResolver, OwnStudentListsResolver, AvatarsResolver],
})
export class StudentsModule {}
