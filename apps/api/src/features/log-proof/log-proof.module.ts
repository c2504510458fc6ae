import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { LogAlarm, LogKey } from './log-chain.js';
import { LogProofResolver } from './log-proof.resolver.js';
import { ProvenExportController } from './proven-export.controller.js';

@Module({
  imports: [AuditModule],
  controllers: [ProvenExportController],
  providers: [LogAlarm, LogKey, LogProofResolver],
})
export class LogProofModule {}
