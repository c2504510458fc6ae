import { Controller, HttpCode, Param, Put, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Public } from '../../platform/auth/access.js';
import { ApiError } from '../../platform/errors/api-error.js';
import { ImageJobs } from './image-jobs.js';
import { ImageRefused, inspectImage, refusedFor } from './image-rules.js';
import { isMediaKey, locationOf } from './media-paths.js';
import { UploadEnds } from './upload-ends.js';
import { UploadSlots } from './upload-slots.js';

const PATIENCE_MS = 8_000;

const slotInvalid = () =>
  new ApiError('FORBIDDEN', 'This upload address is not valid (any more).', { rule: 'UPLOAD_SLOT_INVALID' });

@Controller('upload')
export class UploadController {
  constructor(
    private readonly slots: UploadSlots,
    private readonly images: ImageJobs,
    private readonly ends: UploadEnds,
  ) {}

  /** Answers when the picture is there. One that takes longer is served as soon as it is ready. */
  @Public()
  @Put(':key')
  @HttpCode(200)
  async put(
    @Param('key') key: string,
    @Query('expires') expires: string,
    @Query('signature') signature = '',
    @Req() request: FastifyRequest,
  ): Promise<{ readonly location: string }> {
    const bytes = request.body;
    if (!isMediaKey(key) || !this.slots.isAddress(key, Number(expires), signature)) throw slotInvalid();
    if (!Buffer.isBuffer(bytes)) throw refusedFor('IMAGE_TYPE');
    if ((await this.slots.take(key)) === undefined) throw slotInvalid();
    await this.accept(key, bytes);
    return { location: locationOf(key) };
  }

  private async accept(key: string, bytes: Buffer): Promise<void> {
    try {
      await inspectImage(bytes);
    } catch (error) {
      if (!(error instanceof ImageRefused)) throw error;
      await this.slots.finish(key, { status: 'refused', rule: error.rule });
      throw refusedFor(error.rule);
    }
    const done = this.ends.of(key, PATIENCE_MS);
    await this.images.enqueue(key, bytes);
    await done;
    const state = await this.slots.stateOf(key);
    if (state?.status === 'refused') throw refusedFor(state.rule ?? 'IMAGE_BROKEN');
  }
}
