import { Injectable } from '@nestjs/common';
import { DomainError, IMAGES_MAX, picturesIn, requireBodySize } from '@nimo/domain';
import { cleanHtml } from '@nimo/rich-text';
import { Pool } from 'pg';
import { ApiError } from '../../platform/errors/api-error.js';
import { keyAt, locationIn } from './media-paths.js';

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
    if (locations.length > IMAGES_MAX) throw new DomainError('TOO_MANY_IMAGES');
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
