import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AskErasureHandler, WithdrawErasureHandler } from './commands/ask-erasure.js';
import { ErasureReactor, Erasures } from './erasures.js';
import { ErasureSteps } from './erasure-steps.js';
import { Tombstones } from './tombstones.js';
import { ActsModule } from '../acts/acts.module.js';
import { SecondFactorModule } from '../second-factor/second-factor.module.js';
import { ManagedErasureResolver, OwnErasureResolver } from './own-erasure.resolver.js';

/** Erasure commands and steps. The GraphQL operations are in `OwnErasureModule`. */
@Module({
  imports: [AccountsModule],
  providers: [AskErasureHandler, WithdrawErasureHandler, Erasures, ErasureReactor, ErasureSteps, Tombstones],
  exports: [Erasures, ErasureReactor, Tombstones],
})
export class ErasureModule {}

@Module({
  imports: [AccountsModule, ActsModule, ErasureModule, SecondFactorModule],
  providers: [OwnErasureResolver, ManagedErasureResolver],
})
export class OwnErasureModule {}
