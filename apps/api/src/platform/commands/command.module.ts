import { Global, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { CommandRunner } from './command-runner.js';
import { Days } from './days.js';
import { IdempotencyKeys } from './idempotency-keys.js';

@Global()
@Module({
  imports: [CqrsModule.forRoot()],
  providers: [CommandRunner, Days, IdempotencyKeys],
  exports: [CommandRunner, Days, IdempotencyKeys],
})
export class CommandModule {}
