import { Module } from '@nestjs/common';
import { ActsModule } from '../acts/acts.module.js';
import { AvatarsModule } from '../avatars/avatars.module.js';
import { OtpModule } from '../otp/otp.module.js';
import { PicturesModule } from '../uploads/uploads.module.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ProfilesResolver, StudentsResolver } from './students.resolver.js';
import { RolesResolver, StudentManagementResolver } from './student-management.resolver.js';

@Module({
  imports: [AccountsModule, ActsModule, AvatarsModule, OtpModule, PicturesModule],
  providers: [StudentsResolver, ProfilesResolver, RolesResolver, StudentManagementResolver],
})
export class StudentsModule {}
