import { Module } from '@nestjs/common';
import { AccountsModule } from '../students/accounts.module.js';
import { ResetSecondFactorHandler } from './commands/reset-second-factor.js';
import { SecondFactors } from './second-factors.js';

/** What the command line needs as well: to reset the second factor of somebody. */
@Module({
  imports: [AccountsModule],
  providers: [SecondFactors, ResetSecondFactorHandler],
  exports: [SecondFactors],
})
export class FactorsModule {}
