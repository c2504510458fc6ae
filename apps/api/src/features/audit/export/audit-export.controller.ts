import { Controller, Get, Query, Req, type StreamableFile } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { HasRole } from '../../../platform/auth/access.js';
import { AuditFiles } from './audit-files.js';
import { AuditCopy } from './audit-copy.js';

const FILE = { name: 'nimo-audit-{day}' };

@Controller('audit')
export class AuditExportController {
  constructor(private readonly files: AuditFiles) {}

  @HasRole('MODERATOR', 'MAINTAINER')
  @AuditCopy('AUDIT_EXPORT')
  @Get('export.csv')
  csv(@Req() request: FastifyRequest, @Query() query: Record<string, unknown>): Promise<StreamableFile> {
    return this.files.answer({ request, query, format: 'csv' }, FILE);
  }

  @HasRole('MODERATOR', 'MAINTAINER')
  @AuditCopy('AUDIT_EXPORT')
  @Get('export.ndjson')
  ndjson(@Req() request: FastifyRequest, @Query() query: Record<string, unknown>): Promise<StreamableFile> {
    return this.files.answer({ request, query, format: 'ndjson' }, FILE);
  }
}
