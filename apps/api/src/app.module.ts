import { Module, type DynamicModule } from '@nestjs/common';
import { AuthModule } from './platform/auth/auth.module.js';
import { CommandModule } from './platform/commands/command.module.js';
import { graphqlModule } from './platform/graphql/graphql.module.js';
import { RateLimitModule } from './platform/rate-limit/rate-limit.module.js';
import { RuntimeModule } from './platform/runtime/runtime.module.js';
import type { Runtime } from './platform/runtime/runtime.js';
import { SessionsModule } from './features/sessions/sessions.module.js';
import { StudentsModule } from './features/students/students.module.js';

const features = [SessionsModule, StudentsModule];

/** The api: what is running around it (configuration, database, log) comes from outside. */
@Module({})
export class AppModule {
  static forRuntime(runtime: Runtime): DynamicModule {
    return {
      module: AppModule,
      imports: [
        RuntimeModule.forRuntime(runtime),
        AuthModule,
        CommandModule,
        RateLimitModule,
        graphqlModule(runtime.settings.nodeEnv === 'production'),
        ...features,
      ],
    };
  }
}
