import { Global, Module } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { AccessGuard } from './access.js';
import { AccessRulesCheck } from './access-rules.check.js';
import { Credentials } from './credentials.js';
import { HttpViewers, SessionReader } from './session-reader.js';
import { Identities } from './identities.js';
import { SecurityLog } from '../security-log/security-log.js';
import { SessionStore } from './session-store.js';

@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    SessionStore,
    Credentials,
    Identities,
    SecurityLog,
    SessionReader,
    HttpViewers,
    AccessRulesCheck,
    { provide: APP_GUARD, useClass: AccessGuard },
  ],
  exports: [SessionStore, Credentials, Identities, SecurityLog, SessionReader, HttpViewers, AccessRulesCheck],
})
export class AuthModule {}
