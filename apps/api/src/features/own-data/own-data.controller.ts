import { Controller, Get, Req, Res, StreamableFile } from '@nestjs/common';
import { DomainError } from '@nimo/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SignedIn } from '../../platform/auth/access.js';
import { HttpViewers } from '../../platform/auth/http-viewers.js';
import { ApiError } from '../../platform/errors/api-error.js';
import { OwnExports } from './own-exports.js';

/** The token comes in the header as everywhere: no address opens anything. */
@Controller('own-data')
export class OwnDataController {
  constructor(
    private readonly exports: OwnExports,
    private readonly viewers: HttpViewers,
  ) {}

  @SignedIn()
  @Get('export.zip')
  async file(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    const viewer = await this.viewers.of(request);
    if (!viewer) throw new DomainError('SIGN_IN_REQUIRED');
    const file = await this.exports.fileOf(viewer.studentId);
    if (!file) throw new ApiError('NOT_FOUND', 'There is no copy to download. Ask for a new one.');
    void reply.header('cache-control', 'private, no-store');
    const day = new Date().toISOString().slice(0, 10);
    return new StreamableFile(file.stream, {
      type: 'application/zip',
      disposition: `attachment; filename="nimo-data-${day}.zip"`,
      length: file.bytes,
    });
  }
}
