import { Injectable } from '@nestjs/common';
import { DomainError, IMAGES_MAX } from '@nimo/domain';
import { Pool } from 'pg';
import { ApiError } from '../../platform/errors/api-error.js';
import { keyAt } from './media-paths.js';

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
