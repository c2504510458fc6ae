import { Module, type DynamicModule } from '@nestjs/common';
import type { EventStore } from '@nimo/event-store';
import pg from 'pg';
import { ReadYourWrites } from '../commands/read-your-writes.js';
import { PostgresListener } from '../notifications/postgres-listener.js';
import { CLOCK, EVENT_STORE, type Clock } from './tokens.js';

/** What a process opens before Nest and closes after it. */
export interface Runtime {
  readonly isProduction: boolean;
  readonly pool: pg.Pool;
  readonly listener: PostgresListener;
  readonly store: EventStore;
  readonly readYourWrites: ReadYourWrites;
  readonly clock: Clock;
}

@Module({})
export class RuntimeModule {
  static forRuntime(runtime: Runtime): DynamicModule {
    const providers = [
      { provide: pg.Pool, useValue: runtime.pool },
      { provide: PostgresListener, useValue: runtime.listener },
      { provide: EVENT_STORE, useValue: runtime.store },
      { provide: ReadYourWrites, useValue: runtime.readYourWrites },
      { provide: CLOCK, useValue: runtime.clock },
    ];
    return { module: RuntimeModule, global: true, providers, exports: providers };
  }
}
