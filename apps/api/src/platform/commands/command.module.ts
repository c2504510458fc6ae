import { type DynamicModule, Global, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { CommandRunner, HAS_SNAPSHOTS } from './command-runner.js';
import { IdempotencyKeys } from './idempotency-keys.js';
import { Terms } from './terms.js';

@Global()
@Module({
  imports: [CqrsModule.forRoot()],
  providers: [CommandRunner, IdempotencyKeys, Terms],
  exports: [CommandRunner, IdempotencyKeys, Terms],
})
export class CommandModule {
  /** For the worker, whose database role has no access to snapshots. */
  static withoutSnapshots(): DynamicModule {
    return { module: CommandModule, providers: [{ provide: HAS_SNAPSHOTS, useValue: false }] };
  }
}
