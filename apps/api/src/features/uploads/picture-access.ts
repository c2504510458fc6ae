import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  Controller,
  Get,
  Headers,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  Param,
  Query,
  Res,
  StreamableFile,
} from '@nestjs/common';
import { findPictureUsage } from '@nimo/projections';
import { Pool } from 'pg';
import { ModuleRef } from '@nestjs/core';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import type { SpaceEntry } from '@nimo/domain';
import { type GraphQLSchema, isObjectType } from 'graphql';
import type { FastifyReply } from 'fastify';
import type { Settings } from '../../platform/config/load-settings.js';
import { SETTINGS } from '../../platform/config/tokens.js';
import { UploadSlots } from './upload-slots.js';
import type { FileStore } from '../../platform/adapters/files/file-store.js';
import { FILES } from '../../platform/adapters/tokens.js';
import { Public } from '../../platform/auth/access.js';
import { ApiError } from '../../platform/errors/api-error.js';

const KEY = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.webp$/;

/** Validates a key, which comes from untrusted URLs. */
export const isMediaKey = (key: string): boolean => KEY.test(key);

export const locationOf = (key: string): string => `/media/${key}`;

/** The key of a local location; undefined for any other URL. */
export function keyAt(location: string): string | undefined {
  const key = location.startsWith('/media/') ? location.slice('/media/'.length) : '';
  return isMediaKey(key) ? key : undefined;
}

/** Normalises an upload key or a local URL, signed or not, to its location. Other URLs stay as they are. */
export const normalisedLocation = (url: string): string => {
  if (isMediaKey(url)) return locationOf(url);
  return url.startsWith('/media/') ? url.replace(/\?.*$/s, '') : url;
};

export const STORAGE_PATHS = {
  incoming: (key: string) => `incoming/${key}`,
  picture: (key: string) => `pictures/${key}`,
  thumbnail: (key: string) => `thumbnails/${key}`,
} as const;

/** Signed URLs are valid for one to two periods and stay identical within a period. */
const SIGNED_SECONDS = 600;

/** Matches pictures in stored bodies, whose markup is normalised. */
const PICTURE = /(<img src=")([^"]+)/g;

interface SignedQuery {
  readonly until?: string | undefined;
  readonly signature?: string | undefined;
}

/** Staff also see pictures that are no longer shown. */
type Audience = 'staff' | 'reader';

/** Decides which pictures are served: public ones, fresh uploads, and with a signed URL those for readers of a space or for staff. */
@Injectable()
export class PictureAccess {
  constructor(
    private readonly pool: Pool,
    private readonly slots: UploadSlots,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'signingKey'>,
  ) {}

  async isServed(key: string, query: SignedQuery = {}): Promise<boolean> {
    if (this.isSigned(key, query, 'staff')) return true;
    const { isShown, isPublic, wasUsed } = await findPictureUsage(this.pool, locationOf(key));
    // A fresh upload: only its uploader knows the URL.
    return (
      isPublic ||
      (isShown && this.isSigned(key, query, 'reader')) ||
      (!wasUsed && (await this.slots.isFresh(key)))
    );
  }

  /** A temporary URL that shows moderators the picture even if its post was removed. Foreign URLs stay as they are. */
  forStaff(location: string): string {
    return this.signed(location, 'staff');
  }

  /** A temporary URL for readers of the space, valid only while the picture is shown. */
  forReader(location: string): string {
    return this.signed(location, 'reader');
  }

  /** Signs the pictures in a body. */
  signBody(body: string, audience: Audience): string {
    return body.replace(
      PICTURE,
      (_, before: string, location: string) =>
        `${before}${this.signed(location, audience).replaceAll('&', '&amp;')}`,
    );
  }

  private signed(location: string, audience: Audience): string {
    const key = keyAt(location);
    if (key === undefined) return location;
    const step = Math.floor(Date.now() / 1000 / SIGNED_SECONDS);
    const until = (step + 2) * SIGNED_SECONDS;
    return `${location}?until=${until}&signature=${this.sign(key, until, audience)}`;
  }

  private isSigned(key: string, { until, signature = '' }: SignedQuery, audience: Audience): boolean {
    const end = Number(until);
    if (!Number.isSafeInteger(end) || end * 1000 < Date.now()) return false;
    const expected = Buffer.from(this.sign(key, end, audience));
    const actual = Buffer.from(signature);
    return actual.length === expected.length && timingSafeEqual(actual, expected);
  }

  private sign(key: string, until: number, audience: Audience): string {
    const text = `GET:${audience}:${key}:${until}`;
    return createHmac('sha256', this.settings.signingKey).update(text).digest('base64url');
  }
}

interface PictureHolder {
  readonly imageUrls: readonly string[];
  /** Views that omit it, such as past states, have their pictures signed. */
  readonly hasPrivatePictures?: boolean;
}

interface BodyHolder extends PictureHolder {
  readonly body: string;
}

interface BannerHolder {
  readonly entry: SpaceEntry;
  readonly bannerImageUrl: string | null;
}

/**
 * Signs the URLs of non-public pictures in every response. Sets plain resolver functions on the schema types, because a Nest
 * resolver would slow down every list.
 */
@Injectable()
export class SignedPictures implements OnApplicationBootstrap {
  constructor(
    private readonly modules: ModuleRef,
    private readonly access: PictureAccess,
  ) {}

  onApplicationBootstrap(): void {
    const { schema } = this.modules.get(GraphQLSchemaHost, { strict: false });
    for (const type of ['Question', 'Answer', 'AnswerAsOf']) {
      setFieldResolver<PictureHolder>(schema, type, 'imageUrls', ({ imageUrls, hasPrivatePictures = true }) =>
        hasPrivatePictures ? imageUrls.map((url) => this.access.forReader(url)) : imageUrls,
      );
      setFieldResolver<BodyHolder>(schema, type, 'body', ({ body, hasPrivatePictures = true }) =>
        hasPrivatePictures ? this.access.signBody(body, 'reader') : body,
      );
    }
    for (const type of ['Space', 'ManagedSpace'])
      setFieldResolver<BannerHolder>(schema, type, 'bannerImageUrl', ({ entry, bannerImageUrl }) =>
        bannerImageUrl === null || entry === 'OPEN' ? bannerImageUrl : this.access.forReader(bannerImageUrl),
      );
  }
}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows the type behind the name
function setFieldResolver<Holder>(
  schema: GraphQLSchema,
  typeName: string,
  fieldName: string,
  read: (holder: Holder) => unknown,
): void {
  const type = schema.getType(typeName);
  const field = isObjectType(type) ? type.getFields()[fieldName] : undefined;
  if (!field) throw new Error(`the schema has no ${typeName}.${fieldName}`);
  field.resolve = (holder: Holder) => read(holder);
}

/** Private and revalidated after a minute, because a picture disappears with its post. */
const CACHE_CONTROL = 'private, max-age=60, must-revalidate';
const notFound = () => new ApiError('NOT_FOUND', 'Not found.');
const WEBP = { type: 'image/webp', disposition: 'inline' } as const;

interface MediaRequest {
  readonly key: string;
  readonly pathOf: (key: string) => string;
  readonly query: SignedQuery;
  /** ETag of the client's copy. */
  readonly known: string | undefined;
}

/** Serves pictures and thumbnails. */
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
    @Query() query: SignedQuery,
    @Headers('if-none-match') known: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile | undefined> {
    return this.send({ key, pathOf: STORAGE_PATHS.picture, query, known }, reply);
  }

  @Public()
  @Get('thumb/:key')
  async thumbnail(
    @Param('key') key: string,
    @Query() query: SignedQuery,
    @Headers('if-none-match') known: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile | undefined> {
    return this.send({ key, pathOf: STORAGE_PATHS.thumbnail, query, known }, reply);
  }

  private async send(
    { key, pathOf, query, known }: MediaRequest,
    reply: FastifyReply,
  ): Promise<StreamableFile | undefined> {
    if (!isMediaKey(key) || !(await this.access.isServed(key, query))) throw notFound();
    // The content of a key never changes.
    const etag = `"${pathOf(key)}"`;
    void reply.headers({ 'cache-control': CACHE_CONTROL, etag });
    if (known === etag) {
      void reply.status(304);
      return undefined;
    }
    const { signedUrls } = this.files;
    if (signedUrls) {
      if ((await this.files.sizeOf(pathOf(key))) === null) throw notFound();
      void reply.status(302).header('location', await signedUrls.toGet(pathOf(key)));
      return undefined;
    }
    const bytes = await this.files.get(pathOf(key));
    if (!bytes) throw notFound();
    return new StreamableFile(bytes, { ...WEBP, length: bytes.length });
  }
}
