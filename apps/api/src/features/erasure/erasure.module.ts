import { Module } from '@nestjs/common';
import { AccountsModule } from '../students/accounts.module.js';
import { AskErasureHandler } from './commands/ask-erasure.js';
import { WithdrawErasureHandler } from './commands/withdraw-erasure.js';
import { Erasures } from './erasures.js';
import { ErasureReactor } from './erasure.reactor.js';
import { ErasureSteps } from './erasure-steps.js';
import { Tombstones } from './tombstones.js';

/** The commands and the steps; the operations are in `OwnErasureModule`. */
@Module({
  imports: [AccountsModule],
  providers: [AskErasureHandler, WithdrawErasureHandler, Erasures, ErasureReactor, ErasureSteps, Tombstones],
  exports: [Erasures, ErasureReactor, Tombstones],
})
export class ErasureModule {}
