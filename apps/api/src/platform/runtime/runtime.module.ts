import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { ProjectionWaiter } from '@nimo/projection-engine';
import pg from 'pg';
import { Messages } from '../pubsub/messages.js';
import { Metrics } from '../operations/metrics.js';
import { Tracing } from '../operations/tracing.js';
import { ClaimHasher } from '../personal-data/key-uses.js';
import { StudentKeys } from '../personal-data/student-keys.js';
import { ExpensiveWork, WORK_LIMITS } from '../callers/expensive-work.js';
import type { Runtime } from './runtime.js';
import { CLOCK, EVENT_STORE, LOGGER, SETTINGS, SHARED_CLOCK, STORED_LOG } from '../config/tokens.js';

/** Provides the parts of the runtime for injection. */
@Module({})
export class RuntimeModule {
  static forRuntime(runtime: Runtime): DynamicModule {
    const providers: Provider[] = [
      { provide: SETTINGS, useValue: runtime.settings },
      { provide: LOGGER, useValue: runtime.logger },
      { provide: pg.Pool, useValue: runtime.pool },
      { provide: Messages, useValue: runtime.messages },
      { provide: EVENT_STORE, useValue: runtime.store },
      { provide: STORED_LOG, useValue: runtime.log },
      { provide: StudentKeys, useValue: runtime.studentKeys },
      { provide: ClaimHasher, useValue: runtime.hasher },
      { provide: ProjectionWaiter, useValue: runtime.waiter },
      { provide: CLOCK, useValue: runtime.clock },
      { provide: SHARED_CLOCK, useValue: runtime.sharedClock },
      { provide: Metrics, useValue: runtime.metrics },
      { provide: Tracing, useValue: runtime.tracing },
      {
        provide: ExpensiveWork,
        useValue: new ExpensiveWork(WORK_LIMITS, (kind) => runtime.metrics.admissionRejections.inc({ kind })),
      },
    ];
    return { module: RuntimeModule, global: true, providers, exports: providers };
  }
}
