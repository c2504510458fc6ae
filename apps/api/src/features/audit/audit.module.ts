import { Module } from '@nestjs/common';
import { AuditResolver } from './audit.resolver.js';
import { AuditExportController, AuditFiles } from './export/audit-export.js';

@Module({
  controllers: [AuditExportController],
  providers: [AuditFiles, AuditResolver],
  exports: [AuditFiles],
})
export class AuditModule {}
