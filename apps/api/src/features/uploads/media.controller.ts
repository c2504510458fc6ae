import { Controller, Get, Inject, Param, Res, StreamableFile } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { FileStore } from '../../adapters/files/file-store.js';
import { FILES } from '../../adapters/tokens.js';
import { Public } from '../../platform/auth/access.js';
import { ApiError } from '../../platform/errors/api-error.js';
import { isMediaKey, STORED_AT } from './media-paths.js';

/** A key never gets another content. */
const FOREVER = 'public, max-age=31536000, immutable';
/** The store's addresses are good for an hour at least. */
const AS_LONG_AS_SIGNED = 'public, max-age=3000';
const notFound = () => new ApiError('NOT_FOUND', 'Not found.');
const WEBP = { type: 'image/webp', disposition: 'inline' } as const;

/** Pictures, which are public to whoever knows the address. */
@Controller('media')
export class MediaController {
  constructor(@Inject(FILES) private readonly files: FileStore) {}

  @Public()
  @Get(':key')
  async picture(
    @Param('key') key: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile | undefined> {
    return this.send(key, STORED_AT.picture, reply);
  }

  @Public()
  @Get('thumb/:key')
  async thumbnail(
    @Param('key') key: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile | undefined> {
    return this.send(key, STORED_AT.thumbnail, reply);
  }

  private async send(
    key: string,
    place: (key: string) => string,
    reply: FastifyReply,
  ): Promise<StreamableFile | undefined> {
    if (!isMediaKey(key)) throw notFound();
    const { addresses } = this.files;
    if (addresses) {
      if ((await this.files.sizeOf(place(key))) === null) throw notFound();
      const location = await addresses.toGet(place(key));
      void reply.status(302).headers({ location, 'cache-control': AS_LONG_AS_SIGNED });
      return undefined;
    }
    const bytes = await this.files.get(place(key));
    if (!bytes) throw notFound();
    void reply.header('cache-control', FOREVER);
    return new StreamableFile(bytes, { ...WEBP, length: bytes.length });
  }
}
