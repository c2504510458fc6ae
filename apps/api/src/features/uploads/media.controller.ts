import { Controller, Get, Header, Inject, Param, StreamableFile } from '@nestjs/common';
import type { FileStore } from '../../adapters/files/file-store.js';
import { FILES } from '../../adapters/tokens.js';
import { Public } from '../../platform/auth/access.js';
import { ApiError } from '../../platform/errors/api-error.js';
import { isMediaKey, STORED_AT } from './media-paths.js';

/** A key never gets another content. */
const FOREVER = 'public, max-age=31536000, immutable';
const WEBP = { type: 'image/webp', disposition: 'inline' } as const;

/** Pictures, which are public to whoever knows the address. */
@Controller('media')
export class MediaController {
  constructor(@Inject(FILES) private readonly files: FileStore) {}

  @Public()
  @Get(':key')
  @Header('cache-control', FOREVER)
  async picture(@Param('key') key: string): Promise<StreamableFile> {
    return this.send(key, STORED_AT.picture);
  }

  @Public()
  @Get('thumb/:key')
  @Header('cache-control', FOREVER)
  async thumbnail(@Param('key') key: string): Promise<StreamableFile> {
    return this.send(key, STORED_AT.thumbnail);
  }

  private async send(key: string, place: (key: string) => string): Promise<StreamableFile> {
    const bytes = isMediaKey(key) ? await this.files.get(place(key)) : null;
    if (!bytes) throw new ApiError('NOT_FOUND', 'Not found.');
    return new StreamableFile(bytes, { ...WEBP, length: bytes.length });
  }
}
