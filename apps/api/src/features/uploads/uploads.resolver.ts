import { Args, Int, Query, Resolver } from '@nestjs/graphql';
import { DomainError } from '@nimo/domain';
import { OptionalViewer, Public } from '../../platform/auth/access.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import type { LimitName } from '../../platform/rate-limit/limits.js';
import { RateLimiter } from '../../platform/rate-limit/rate-limiter.js';
import { PhoneGrants } from '../otp/phone-grants.js';
import { UploadSlot } from './upload-slot.type.js';
import { UploadAddresses } from './upload-addresses.js';

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
