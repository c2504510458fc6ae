import { Inject, Injectable } from '@nestjs/common';
import { DomainError, MAX_IMAGES, inlinePictures, requireBodySize } from '@nimo/domain';
import { cleanHtml } from '@nimo/rich-text';
import { Pool } from 'pg';
import { Args, Field, Int, ObjectType, Query, Resolver } from '@nestjs/graphql';
import { ApiError } from '../../platform/errors/api-error.js';
import { keyAt, normalisedLocation, STORAGE_PATHS } from './picture-access.js';
import type { UploadAnnouncement, FileStore } from '../../platform/adapters/files/file-store.js';
import { FILES } from '../../platform/adapters/tokens.js';
import { IMAGE_TYPES, MAX_UPLOAD_BYTES, imageError } from './image-rules.js';
import { SLOT_SECONDS, UploadSlots } from './upload-slots.js';
import { OptionalViewer, Public } from '../../platform/auth/access.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import type { LimitName } from '../../platform/rate-limit/limits.js';
import { RateLimiter } from '../../platform/rate-limit/rate-limiter.js';
import { PhoneGrants } from '../otp/phone-grants.js';

/** A post as sent by a client. Picture URLs may still carry signatures. */
interface SentPost {
  readonly body?: string | null | undefined;
  readonly imageUrls?: readonly string[] | null | undefined;
}

interface OwnPost {
  /** Sanitised; undefined if not sent. */
  readonly body: string | undefined;
  /** Locations of the pictures in the body, all permitted. */
  readonly pictures: readonly string[];
  readonly imageUrls: readonly string[] | undefined;
}

/** Limits posts and profiles to pictures that their author has uploaded. */
@Injectable()
export class OwnUploads {
  constructor(private readonly pool: Pool) {}

  /** @throws DomainError IMAGE_URL_INVALID if a location is not an upload of the student */
  async assertOwn(locations: readonly string[], studentId: string, field = 'imageUrls'): Promise<void> {
    if (locations.length === 0) return;
    if (locations.length > MAX_IMAGES) throw new DomainError('TOO_MANY_IMAGES');
    const keys = new Set(locations.map((location) => keyAt(location)));
    const { rows } = await this.pool.query<{ found: number }>(
      `select count(*)::int as found from state.upload
       where key = any($1::text[]) and student_id = $2 and status in ('received', 'ready')`,
      [[...keys], studentId],
    );
    if (rows[0]?.found === keys.size) return;
    const refused = new DomainError('IMAGE_URL_INVALID');
    throw field === refused.field
      ? refused
      : new ApiError('VALIDATION_FAILED', refused.message, { field, rule: refused.code });
  }

  /**
   * Sanitises a post and checks its pictures, attached and inline: the student's uploads and those the post already shows.
   * @throws DomainError IMAGE_URL_INVALID, TOO_MANY_IMAGES or BODY_TOO_LONG
   */
  async assertOwnPost(
    sent: SentPost,
    studentId: string,
    findShown: () => Promise<readonly string[] | undefined> = () => Promise.resolve([]),
  ): Promise<OwnPost> {
    const body = sent.body == null ? undefined : cleanHtml(requireBodySize(sent.body));
    const imageUrls = sent.imageUrls?.map(normalisedLocation);
    const pictures = inlinePictures(body ?? '');
    if (pictures.length + (imageUrls?.length ?? 0) > 0) {
      const shown = new Set(await findShown());
      const withoutShown = (urls: readonly string[]) => urls.filter((url) => !shown.has(url));
      await this.assertOwn(withoutShown(imageUrls ?? []), studentId);
      await this.assertOwn(withoutShown(pictures), studentId, 'body');
    }
    return { body, pictures, imageUrls };
  }

  /** Checks an optional picture: an upload of the student, or the one shown so far. */
  async assertOwnPicture(
    location: string | null | undefined,
    { studentId }: { readonly studentId: string },
    { field, shown }: { readonly field: string; readonly shown?: string | null | undefined },
  ): Promise<void> {
    if (typeof location === 'string' && location !== shown)
      await this.assertOwn([location], studentId, field);
  }
}

@ObjectType()
class UploadSlot {
  @Field(() => String, { description: 'Send the file here with one PUT and the announced content type.' })
  readonly url!: string;
  @Field(() => String) readonly key!: string;
  @Field(() => String, {
    nullable: true,
    description:
      'If the PUT goes directly to a store, POST here afterwards to get the result. Null if the PUT itself returns it.',
  })
  readonly doneUrl!: string | null;
}

type FileClaims = {
  readonly [Part in keyof UploadAnnouncement]?: UploadAnnouncement[Part] | null | undefined;
};

/** Hands out upload URLs: to the quarantine of a configured store, otherwise to the API. */
@Injectable()
export class UploadUrls {
  constructor(
    private readonly slots: UploadSlots,
    @Inject(FILES) private readonly files: FileStore,
  ) {}

  async open(studentId: string, { contentType, contentLength }: FileClaims): Promise<UploadSlot> {
    await this.removeUnused();
    const { signedUrls } = this.files;
    if (!signedUrls || typeof contentType !== 'string' || typeof contentLength !== 'number') {
      const { key, url } = await this.slots.open(studentId);
      return { key, url, doneUrl: null };
    }
    const announced = validatedClaims({ contentType, contentLength });
    const { key, doneUrl } = await this.slots.open(studentId);
    const url = await signedUrls.toPut(STORAGE_PATHS.incoming(key), announced, SLOT_SECONDS);
    return { key, url, doneUrl };
  }

  /** Removes quarantined files that were never completed. */
  private async removeUnused(): Promise<void> {
    const unused = await this.slots.dropUnused();
    await Promise.all(unused.map((key) => this.files.remove(STORAGE_PATHS.incoming(key))));
  }
}

/** Validates the claims that are signed into the URL. The content is inspected after the upload. */
function validatedClaims(announced: UploadAnnouncement): UploadAnnouncement {
  const { contentType, contentLength } = announced;
  if (!IMAGE_TYPES.has(contentType)) throw imageError('IMAGE_TYPE');
  if (contentLength < 1) throw imageError('IMAGE_EMPTY');
  if (contentLength > MAX_UPLOAD_BYTES) throw new DomainError('IMAGE_TOO_LARGE');
  return announced;
}

const UPLOAD_LIMITS = ['uploads', 'uploadsPerDay', 'uploadsPerMonth'] as const satisfies readonly LimitName[];

@Resolver()
export class UploadsResolver {
  constructor(
    private readonly addresses: UploadUrls,
    private readonly grants: PhoneGrants,
    private readonly limiter: RateLimiter,
  ) {}

  @Public()
  @Query(() => UploadSlot, {
    description: 'A URL for one PUT of an image. Requires a session or the grant of verifyOTP.',
  })
  async getPresignedS3Url(
    @OptionalViewer() viewer: Viewer | null,
    @Args('contentType', { type: () => String, nullable: true }) contentType?: string | null,
    @Args('grant', { type: () => String, nullable: true }) grant?: string | null,
    @Args('contentLength', {
      type: () => Int,
      nullable: true,
      description: 'Size in bytes. With type and length the URL may point directly to a store.',
    })
    contentLength?: number | null,
  ): Promise<UploadSlot> {
    const studentId = viewer?.studentId ?? (await this.ownerByGrant(grant));
    for (const limit of UPLOAD_LIMITS) await this.limiter.use(limit, studentId);
    return this.addresses.open(studentId, { contentType, contentLength });
  }

  private async ownerByGrant(grant: string | null | undefined): Promise<string> {
    if (typeof grant !== 'string') throw new DomainError('SIGN_IN_REQUIRED');
    return this.grants.ownerOf(grant);
  }
}
