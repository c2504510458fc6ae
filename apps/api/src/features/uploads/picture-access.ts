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
import { findPictureStanding } from '@nimo/projections';
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

/** Keys come from addresses that anybody can write. */
export const isMediaKey = (key: string): boolean => KEY.test(key);

export const locationOf = (key: string): string => `/media/${key}`;

/** The key of a location of ours, undefined for any other address. */
export function keyAt(location: string): string | undefined {
  const key = location.startsWith('/media/') ? location.slice('/media/'.length) : '';
  return isMediaKey(key) ? key : undefined;
}

/** The location that a client means: by the key of an upload, or by an address of ours, whatever right goes with it. */
export const locationIn = (given: string): string => {
  if (isMediaKey(given)) return locationOf(given);
  return given.startsWith('/media/') ? given.replace(/\?.*$/s, '') : given;
};

export const STORED_AT = {
  incoming: (key: string) => `incoming/${key}`,
  picture: (key: string) => `pictures/${key}`,
  thumbnail: (key: string) => `thumbnails/${key}`,
} as const;

/** A signed address is good for this long at least, and for twice as long at most: it stays the same meanwhile. */
const SIGNED_SECONDS = 600;

/** In a stored body, which is sanitised and written in one way. */
const PICTURE = /(<img src=")([^"]+)/g;

interface SignedRight {
  readonly until?: string | undefined;
  readonly signature?: string | undefined;
}

/** Staff also see what is not shown any more. */
type SignedFor = 'staff' | 'reader';

/** Which pictures are served: those that something shows, those just uploaded, to readers of a space those that are for them, and to staff those that were removed after reports. */
@Injectable()
export class PictureAccess {
  constructor(
    private readonly pool: Pool,
    private readonly slots: UploadSlots,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'signingKey'>,
  ) {}

  async isServed(key: string, right: SignedRight = {}): Promise<boolean> {
    if (this.isSigned(key, right, 'staff')) return true;
    const { isShown, isPublic, wasUsed } = await findPictureStanding(this.pool, locationOf(key));
    // Somebody is about to show it: only who uploaded it knows the address.
    return (
      isPublic ||
      (isShown && this.isSigned(key, right, 'reader')) ||
      (!wasUsed && (await this.slots.isNew(key)))
    );
  }

  /** An address by which a moderator sees the picture for a while, whatever became of its post. Others' addresses stay. */
  forStaff(location: string): string {
    return this.signed(location, 'staff');
  }

  /** An address by which somebody who may read in the space sees the picture for a while, as long as it is shown. */
  forReader(location: string): string {
    return this.signed(location, 'reader');
  }

  /** The same for the pictures that stand in a body. */
  inBody(body: string, to: SignedFor): string {
    return body.replace(
      PICTURE,
      (_, before: string, location: string) =>
        `${before}${this.signed(location, to).replaceAll('&', '&amp;')}`,
    );
  }

  private signed(location: string, to: SignedFor): string {
    const key = keyAt(location);
    if (key === undefined) return location;
    const step = Math.floor(Date.now() / 1000 / SIGNED_SECONDS);
    const until = (step + 2) * SIGNED_SECONDS;
    return `${location}?until=${until}&signature=${this.sign(key, until, to)}`;
  }

  private isSigned(key: string, { until, signature = '' }: SignedRight, to: SignedFor): boolean {
    const end = Number(until);
    if (!Number.isSafeInteger(end) || end * 1000 < Date.now()) return false;
    const expected = Buffer.from(this.sign(key, end, to));
    const given = Buffer.from(signature);
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  private sign(key: string, until: number, to: SignedFor): string {
    const text = `GET:${to}:${key}:${until}`;
    return createHmac('sha256', this.settings.signingKey).update(text).digest('base64url');
  }
}

interface PictureHolder {
  readonly imageUrls: readonly string[];
  /** Where a view does not say, its pictures are signed: as of the past. */
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
 * Every answer gives pictures that are not for everybody with addresses that are signed: told to the schema once, for whatever answers with such a
 * type. Plain functions, as a resolver of Nest would make every list wait.
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
      resolve<PictureHolder>(schema, type, 'imageUrls', ({ imageUrls, hasPrivatePictures = true }) =>
        hasPrivatePictures ? imageUrls.map((url) => this.access.forReader(url)) : imageUrls,
      );
      resolve<BodyHolder>(schema, type, 'body', ({ body, hasPrivatePictures = true }) =>
        hasPrivatePictures ? this.access.inBody(body, 'reader') : body,
      );
    }
    for (const type of ['Space', 'ManagedSpace'])
      resolve<BannerHolder>(schema, type, 'bannerImageUrl', ({ entry, bannerImageUrl }) =>
        bannerImageUrl === null || entry === 'OPEN' ? bannerImageUrl : this.access.forReader(bannerImageUrl),
      );
  }
}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller says what is read of which type
function resolve<Holder>(
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
