import { Module } from '@nestjs/common';
import { Accounts } from './accounts.js';
import { SignInAccounts } from './sign-in-accounts.js';
import { Claims } from './claims.js';
import { ClaimsReactor } from './claims.reactor.js';
import { ChangeProfileHandler } from './commands/change-profile.js';
import { CreateStudentHandler } from './commands/create-student.js';
import { ImportStudentHandler } from './commands/import-student.js';
import { RegisterStudentHandler } from './commands/register-student.js';
import { GrantRoleHandler } from './commands/grant-role.js';
import { RevokeRoleHandler } from './commands/revoke-role.js';
import { BlockStudentHandler } from './commands/block-student.js';
import { UnblockStudentHandler } from './commands/unblock-student.js';
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
