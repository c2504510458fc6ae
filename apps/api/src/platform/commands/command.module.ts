import { type DynamicModule, Global, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { CommandRunner, HAS_SNAPSHOTS } from './command-runner.js';
import { IdempotencyKeys } from './idempotency-keys.js';
import { OwnEvents } from './own-events.js';
import { OwnPositions } from './own-positions.js';
import { Terms } from './terms.js';

@Global()
@Module({
  imports: [CqrsModule.forRoot()],
  providers: [CommandRunner, IdempotencyKeys, OwnEvents, OwnPositions, Terms],
  exports: [CommandRunner, IdempotencyKeys, OwnEvents, OwnPositions, Terms],
})
export class CommandModule {
  /** For the worker, whose role may not use them. */
  static withoutSnapshots(): DynamicModule {
    return { module: CommandModule, providers: [{ provide: HAS_SNAPSHOTS, useValue: false }] };
  }
}
