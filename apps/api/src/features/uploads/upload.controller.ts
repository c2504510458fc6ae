import { Controller, HttpCode, Inject, Param, Post, Put, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { FileStore } from '../../adapters/files/file-store.js';
import { FILES } from '../../adapters/tokens.js';
import { Public } from '../../platform/auth/access.js';
import { ApiError } from '../../platform/errors/api-error.js';
import { ImageJobs } from './image-jobs.js';
import { ImageRefused, inspectImage, LARGEST_UPLOAD_BYTES, refusedFor } from './image-rules.js';
import { isMediaKey, locationOf, STORED_AT } from './media-paths.js';
import { UploadEnds } from './upload-ends.js';
import { slotInvalid, UploadSlots } from './upload-slots.js';

const PATIENCE_MS = 8_000;

@Controller('upload')
export class UploadController {
  constructor(
    private readonly slots: UploadSlots,
    private readonly images: ImageJobs,
    private readonly ends: UploadEnds,
    @Inject(FILES) private readonly files: FileStore,
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
    await this.inspect(key, bytes);
    await this.processed(key, () => this.images.enqueue(key, bytes));
    return { location: locationOf(key) };
  }

  /** The file went straight to the store, into quarantine: from here on all is as with one that came through the api. */
  @Public()
  @Post(':key/done')
  @HttpCode(200)
  async done(
    @Param('key') key: string,
    @Query('expires') expires: string,
    @Query('signature') signature = '',
  ): Promise<{ readonly location: string }> {
    if (!isMediaKey(key) || !this.slots.isAddress(key, Number(expires), signature)) throw slotInvalid();
    const stored = STORED_AT.incoming(key);
    const size = await this.files.sizeOf(stored);
    // The slot stays open: the PUT may be on its way.
    if (size === null) throw new ApiError('NOT_FOUND', 'Not found.', { rule: 'UPLOAD_MISSING' });
    if ((await this.slots.take(key)) === undefined) throw slotInvalid();
    try {
      // The address bound the length; what a store makes of that is not known here.
      await this.inspect(key, size > LARGEST_UPLOAD_BYTES ? undefined : await this.files.get(stored));
    } catch (error) {
      await this.files.remove(stored);
      throw error;
    }
    await this.processed(key, () => this.images.enqueueStored(key));
    return { location: locationOf(key) };
  }

  private async inspect(key: string, bytes: Buffer | null | undefined): Promise<void> {
    try {
      if (!bytes) throw new ImageRefused('IMAGE_BROKEN');
      await inspectImage(bytes);
    } catch (error) {
      if (!(error instanceof ImageRefused)) throw error;
      await this.slots.finish(key, { status: 'refused', rule: error.rule });
      throw refusedFor(error.rule);
    }
  }

  private async processed(key: string, enqueue: () => Promise<void>): Promise<void> {
    const done = this.ends.of(key, PATIENCE_MS);
    await enqueue();
    await done;
    const state = await this.slots.stateOf(key);
    if (state?.status === 'refused') throw refusedFor(state.rule ?? 'IMAGE_BROKEN');
  }
}
