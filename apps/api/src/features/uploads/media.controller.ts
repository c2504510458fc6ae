import { Controller, Get, Headers, Inject, Param, Query, Res, StreamableFile } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { FileStore } from '../../adapters/files/file-store.js';
import { FILES } from '../../adapters/tokens.js';
import { Public } from '../../platform/auth/access.js';
import { ApiError } from '../../platform/errors/api-error.js';
import { isMediaKey, STORED_AT } from './media-paths.js';
import { PictureAccess, type SignedRight } from './picture-access.js';

/** For the reader alone, and asked again after a minute: a picture is served as long as its post is. */
const WHILE_SERVED = 'private, max-age=60, must-revalidate';
const notFound = () => new ApiError('NOT_FOUND', 'Not found.');
const WEBP = { type: 'image/webp', disposition: 'inline' } as const;

interface Wanted {
  readonly key: string;
  readonly place: (key: string) => string;
  readonly right: SignedRight;
  readonly known: string | undefined;
}

/** Pictures, to whoever knows the address, for as long as something shows them. */
@Controller('media')
export class MediaController {
  constructor(
    @Inject(FILES) private readonly files: FileStore,
    private readonly access: PictureAccess,
  ) {}

  @Public()
  @Get(':key')
  async picture(
    @Param('key') key: string,
    @Query() right: SignedRight,
    @Headers('if-none-match') known: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile | undefined> {
    return this.send({ key, place: STORED_AT.picture, right, known }, reply);
  }

  @Public()
  @Get('thumb/:key')
  async thumbnail(
    @Param('key') key: string,
    @Query() right: SignedRight,
    @Headers('if-none-match') known: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile | undefined> {
    return this.send({ key, place: STORED_AT.thumbnail, right, known }, reply);
  }

  private async send(
    { key, place, right, known }: Wanted,
    reply: FastifyReply,
  ): Promise<StreamableFile | undefined> {
    if (!isMediaKey(key) || !(await this.access.isServed(key, right))) throw notFound();
    // A key never gets another content.
    const etag = `"${place(key)}"`;
    void reply.headers({ 'cache-control': WHILE_SERVED, etag });
    if (known === etag) {
      void reply.status(304);
      return undefined;
    }
    const { addresses } = this.files;
    if (addresses) {
      if ((await this.files.sizeOf(place(key))) === null) throw notFound();
      void reply.status(302).header('location', await addresses.toGet(place(key)));
      return undefined;
    }
    const bytes = await this.files.get(place(key));
    if (!bytes) throw notFound();
    return new StreamableFile(bytes, { ...WEBP, length: bytes.length });
  }
}
