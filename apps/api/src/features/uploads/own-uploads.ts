import { Inject, Injectable } from '@nestjs/common';
import { DomainError, MAX_IMAGES, picturesIn, requireBodySize } from '@nimo/domain';
import { cleanHtml } from '@nimo/rich-text';
import { Pool } from 'pg';
import { Args, Field, Int, ObjectType, Query, Resolver } from '@nestjs/graphql';
import { ApiError } from '../../platform/errors/api-error.js';
import { keyAt, locationIn, STORED_AT } from './picture-access.js';
import type { Announced, FileStore } from '../../platform/adapters/files/file-store.js';
import { FILES } from '../../platform/adapters/tokens.js';
import { IMAGE_TYPES, MAX_UPLOAD_BYTES, refusedFor } from './image-rules.js';
import { SLOT_SECONDS, UploadSlots } from './upload-slots.js';
import { OptionalViewer, Public } from '../../platform/auth/access.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import type { LimitName } from '../../platform/rate-limit/limits.js';
import { RateLimiter } from '../../platform/rate-limit/rate-limiter.js';
import { PhoneGrants } from '../otp/phone-grants.js';

/** A post as a client sends it: addresses of pictures may still have the right to see them. */
interface SentPost {
  readonly body?: string | null | undefined;
  readonly imageUrls?: readonly string[] | null | undefined;
}

interface OwnPost {
  /** Sanitised; undefined where none was sent. */
  readonly body: string | undefined;
  /** Those in its body, all of which may stand there. */
  readonly pictures: readonly string[];
  readonly imageUrls: readonly string[] | undefined;
}

/** Posts and profiles may show what their author has uploaded, and nothing from elsewhere. */
@Injectable()
export class OwnUploads {
  constructor(private readonly pool: Pool) {}

  /** @throws DomainError IMAGE_URL_INVALID where a location is not an upload of that student */
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
   * The pictures of a post, beside its text and in it: uploads of that student, or what the post shows already, wherever it came from.
   *
   * @throws DomainError IMAGE_URL_INVALID where another one is among them, TOO_MANY_IMAGES, BODY_TOO_LONG
   */
  async assertOwnPost(
    sent: SentPost,
    studentId: string,
    findShown: () => Promise<readonly string[] | undefined> = () => Promise.resolve([]),
  ): Promise<OwnPost> {
    const body = sent.body == null ? undefined : cleanHtml(requireBodySize(sent.body));
    const imageUrls = sent.imageUrls?.map(locationIn);
    const pictures = picturesIn(body ?? '');
    if (pictures.length + (imageUrls?.length ?? 0) > 0) {
      const shown = new Set(await findShown());
      const areNew = (urls: readonly string[]) => urls.filter((url) => !shown.has(url));
      await this.assertOwn(areNew(imageUrls ?? []), studentId);
      await this.assertOwn(areNew(pictures), studentId, 'body');
    }
    return { body, pictures, imageUrls };
  }

  /** One picture, if one is given: an upload of that student, or what is shown already, whoever uploaded it. */
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
  @Field(() => String, { description: 'For one PUT of the file, with the type that was announced.' })
  readonly url!: string;
  @Field(() => String) readonly key!: string;
  @Field(() => String, {
    nullable: true,
    description:
      'To be POSTed when the PUT is done, where that goes straight to a store; it answers as the PUT would. Null where the PUT answers itself.',
  })
  readonly doneUrl!: string | null;
}

type SaidOfFile = { readonly [Part in keyof Announced]?: Announced[Part] | null | undefined };

/** Where a browser sends a file: into the quarantine of the store where there is one, otherwise to the api. */
@Injectable()
export class UploadAddresses {
  constructor(
    private readonly slots: UploadSlots,
    @Inject(FILES) private readonly files: FileStore,
  ) {}

  async open(studentId: string, { contentType, contentLength }: SaidOfFile): Promise<UploadSlot> {
    await this.tidy();
    const { addresses } = this.files;
    if (!addresses || typeof contentType !== 'string' || typeof contentLength !== 'number') {
      const { key, url } = await this.slots.open(studentId);
      return { key, url, doneUrl: null };
    }
    const announced = admitted({ contentType, contentLength });
    const { key, doneUrl } = await this.slots.open(studentId);
    const url = await addresses.toPut(STORED_AT.incoming(key), announced, SLOT_SECONDS);
    return { key, url, doneUrl };
  }

  /** What came into quarantine and was never told of would stay there. */
  private async tidy(): Promise<void> {
    const unused = await this.slots.dropUnused();
    await Promise.all(unused.map((key) => this.files.remove(STORED_AT.incoming(key))));
  }
}

/** What is said of the file is bound into the address; what it is, is found out when it is there. */
function admitted(announced: Announced): Announced {
  const { contentType, contentLength } = announced;
  if (!IMAGE_TYPES.has(contentType)) throw refusedFor('IMAGE_TYPE');
  if (contentLength < 1) throw refusedFor('IMAGE_EMPTY');
  if (contentLength > MAX_UPLOAD_BYTES) throw new DomainError('IMAGE_TOO_LARGE');
  return announced;
}

const UPLOAD_LIMITS = ['uploads', 'uploadsPerDay', 'uploadsPerMonth'] as const satisfies readonly LimitName[];

@Resolver()
export class UploadsResolver {
  constructor(
    private readonly addresses: UploadAddresses,
    private readonly grants: PhoneGrants,
    private readonly limiter: RateLimiter,
  ) {}

  @Public()
  @Query(() => UploadSlot, {
    description: 'An address for one PUT of an image; by session or by the grant of verifyOTP.',
  })
  async getPresignedS3Url(
    @OptionalViewer() viewer: Viewer | null,
    @Args('contentType', { type: () => String, nullable: true }) contentType?: string | null,
    @Args('grant', { type: () => String, nullable: true }) grant?: string | null,
    @Args('contentLength', {
      type: () => Int,
      nullable: true,
      description: 'Bytes of the file. With type and length the address may be that of a store.',
    })
    contentLength?: number | null,
  ): Promise<UploadSlot> {
    const studentId = viewer?.studentId ?? (await this.ownerByGrant(grant));
    for (const limit of UPLOAD_LIMITS) await this.limiter.use(limit, studentId);
    return this.addresses.open(studentId, { contentType, contentLength });
  }

  private async ownerByGrant(grant: string | null | undefined): Promise<string> {
    if (typeof grant !== 'string') throw new DomainError('SIGN_IN_REQUIRED');
    return this.grants.studentOf(grant);
  }
}
