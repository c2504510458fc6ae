import { Module } from '@nestjs/common';
import { StaffActionsModule } from '../staff-actions/staff-actions.module.js';
import { AvatarsModule } from '../avatars/avatars.module.js';
import { OtpModule } from '../otp/otp.module.js';
import { PicturesModule } from '../uploads/uploads.module.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { BlockStudentHandler, UnblockStudentHandler } from './commands/block-student.js';
import { ChangeProfileHandler } from './commands/change-profile.js';
import {
  CreateStudentHandler,
  ImportStudentHandler,
  RegisterStudentHandler,
} from './commands/register-student.js';
import { GrantRoleHandler, RevokeRoleHandler } from './commands/roles.js';
import { ProfilesResolver, StudentsResolver } from './students.resolver.js';
import { RolesResolver, StudentManagementResolver } from './student-management.resolver.js';

@Module({
  imports: [AccountsModule, StaffActionsModule, AvatarsModule, OtpModule, PicturesModule],
  providers: [
    StudentsResolver,
    ProfilesResolver,
    RolesResolver,
    StudentManagementResolver,
    CreateStudentHandler,
    RegisterStudentHandler,
    ImportStudentHandler,
    ChangeProfileHandler,
    GrantRoleHandler,
    RevokeRoleHandler,
    BlockStudentHandler,
    UnblockStudentHandler,
  ],
})
export class StudentsModule {}
