import { Module } from '@nestjs/common';
import { LogKey } from './log-key.js';
import { LogProofResolver } from './log-proof.resolver.js';
import { ProvenExportController } from './proven-export.controller.js';

@Module({ controllers: [ProvenExportController], providers: [LogKey, LogProofResolver] })
export class LogProofModule {}
