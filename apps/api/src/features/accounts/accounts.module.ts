import { Module } from '@nestjs/common';
import { Accounts, SignInAccounts } from './accounts.js';
import { Claims } from './claims.js';
import { ClaimsReactor } from './claims.reactor.js';
import { ChangeProfileHandler } from './commands/change-profile.js';
import {
  CreateStudentHandler,
  ImportStudentHandler,
  RegisterStudentHandler,
} from './commands/register-student.js';
import { GrantRoleHandler, RevokeRoleHandler } from './commands/roles.js';
import { BlockStudentHandler, UnblockStudentHandler } from './commands/block-student.js';
import { UnfinishedSignUps } from './unfinished-sign-ups.js';
import { CarriedValues } from './carried-values.js';
import { VerifyPhoneHandler } from './commands/verify-phone.js';

/** The commands on students and what they stand on; the operations are in `StudentsModule`. */
@Module({
  providers: [
    Accounts,
    SignInAccounts,
    Claims,
    ClaimsReactor,
    CarriedValues,
    UnfinishedSignUps,
    CreateStudentHandler,
    VerifyPhoneHandler,
    RegisterStudentHandler,
    ChangeProfileHandler,
    ImportStudentHandler,
    GrantRoleHandler,
    RevokeRoleHandler,
    BlockStudentHandler,
    UnblockStudentHandler,
  ],
  exports: [Accounts, SignInAccounts, Claims, ClaimsReactor, CarriedValues, UnfinishedSignUps],
})
export class AccountsModule {}
