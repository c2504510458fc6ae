import { Module, type DynamicModule } from '@nestjs/common';
import { AdaptersModule } from '../platform/adapters/adapters.module.js';
import { ContactChangeNoticeReactor } from '../features/contacts/contact-change-notice.reactor.js';
import { FactorResetReactor } from '../features/second-factor/factor-reset.reactor.js';
import { RemovalsReactor } from '../features/removals/removals.reactor.js';
import { EntryAnswerReactor } from '../features/spaces/entry-answer.reactor.js';
import { AccountMailModule } from '../features/account-mail/account-mail.module.js';
import { ErasureModule } from '../features/erasure/erasure.module.js';
import { LogAlarm, LogChain, LogVerification } from '../features/log-proof/log-chain.js';
import { OwnExportBuilder } from '../features/own-data/own-export-builder.js';
import { OwnExports } from '../features/own-data/own-exports.js';
import { SearchShipping } from '../features/search/search-shipping.js';
import { SecurityLogReactor } from '../features/security-log/security-log.reactor.js';
import { AccountsModule } from '../features/accounts/accounts.module.js';
import { OperationsModule } from '../features/system/operations.module.js';
import { PicturesModule } from '../features/uploads/uploads.module.js';
import { AuthModule } from '../platform/auth/auth.module.js';
import { CommandModule } from '../platform/commands/command.module.js';
import { RuntimeModule } from '../platform/runtime/runtime.module.js';
import type { Runtime } from '../platform/runtime/runtime.js';
import { WorkerTelemetry } from './worker-telemetry.js';
import { Workers } from './workers.js';

/** The background process: projections, reactors and jobs. */
@Module({})
export class WorkerModule {
  static forRuntime(runtime: Runtime): DynamicModule {
    return {
      module: WorkerModule,
      imports: [
        RuntimeModule.forRuntime(runtime),
        AdaptersModule,
        AuthModule,
        CommandModule.withoutSnapshots(),
        AccountsModule,
        AccountMailModule,
        PicturesModule,
        ErasureModule,
        OperationsModule.for('worker'),
      ],
      providers: [
        SearchShipping,
        LogAlarm,
        LogChain,
        LogVerification,
        SecurityLogReactor,
        ContactChangeNoticeReactor,
        FactorResetReactor,
        EntryAnswerReactor,
        RemovalsReactor,
        OwnExports,
        OwnExportBuilder,
        WorkerTelemetry,
        Workers,
      ],
    };
  }
}
