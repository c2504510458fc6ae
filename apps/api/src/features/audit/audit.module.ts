import { Module } from '@nestjs/common';
import { AuditResolver } from './audit.resolver.js';
import { AuditExportController } from './export/audit-export.controller.js';

@Module({ controllers: [AuditExportController], providers: [AuditResolver] })
export class AuditModule {}
