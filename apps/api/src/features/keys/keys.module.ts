import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ClaimRotation } from './claim-rotation.js';
import { KeyRotation } from './key-rotation.js';

/** Key rotation for the command line. */
@Module({
  imports: [AccountsModule],
  providers: [ClaimRotation, KeyRotation],
  exports: [KeyRotation],
})
export class KeysModule {}
