import { Global, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { CommandRunner } from './command-runner.js';
import { IdempotencyKeys } from './idempotency-keys.js';

@Global()
@Module({
  imports: [CqrsModule.forRoot()],
  providers: [CommandRunner, IdempotencyKeys],
  exports: [CommandRunner, IdempotencyKeys],
})
export class CommandModule {}
