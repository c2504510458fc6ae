import { Module } from '@nestjs/common';
import { AuditResolver } from './audit.resolver.js';
import { AuditExportController } from './export/audit-export.controller.js';
import { AuditFiles } from './export/audit-files.js';

@Module({
  controllers: [AuditExportController],
  providers: [AuditFiles, AuditResolver],
  exports: [AuditFiles],
})
export class AuditModule {}
