import { Module } from '@nestjs/common';
import { ActsModule } from '../acts/acts.module.js';
import { SecondFactorModule } from '../second-factor/second-factor.module.js';
import { AccountsModule } from '../students/accounts.module.js';
import { ErasureModule } from './erasure.module.js';
import { ManagedErasureResolver } from './managed-erasure.resolver.js';
import { OwnErasureResolver } from './own-erasure.resolver.js';

@Module({
  imports: [AccountsModule, ActsModule, ErasureModule, SecondFactorModule],
  providers: [OwnErasureResolver, ManagedErasureResolver],
})
export class OwnErasureModule {}
