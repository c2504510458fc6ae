import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { RequestErasureHandler, WithdrawErasureHandler } from './commands/request-erasure.js';
import { ErasureReactor, Erasures } from './erasures.js';
import { ErasureSteps } from './erasure-steps.js';
import { PostWords } from './post-words.js';
import { RemovedSpaceReactor } from './removed-space.reactor.js';
import { Tombstones } from './tombstones.js';
import { StaffActionsModule } from '../staff-actions/staff-actions.module.js';
import { SecondFactorModule } from '../second-factor/second-factor.module.js';
import { ManagedErasureResolver, OwnErasureResolver } from './own-erasure.resolver.js';

/** Erasure commands and steps. The GraphQL operations are in `OwnErasureModule`. */
@Module({
  imports: [AccountsModule],
  providers: [
    RequestErasureHandler,
    WithdrawErasureHandler,
    Erasures,
    ErasureReactor,
    ErasureSteps,
    PostWords,
    RemovedSpaceReactor,
    Tombstones,
  ],
  exports: [Erasures, ErasureReactor, RemovedSpaceReactor, Tombstones],
})
export class ErasureModule {}

@Module({
  imports: [AccountsModule, StaffActionsModule, ErasureModule, SecondFactorModule],
  providers: [OwnErasureResolver, ManagedErasureResolver],
})
export class OwnErasureModule {}
