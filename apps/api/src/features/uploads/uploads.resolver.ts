import { Args, Query, Resolver } from '@nestjs/graphql';
import { DomainError } from '@nimo/domain';
import { OptionalViewer, Public } from '../../platform/auth/access.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { RateLimiter } from '../../platform/rate-limit/rate-limiter.js';
import { PhoneGrants } from '../otp/phone-grants.js';
import { UploadSlot } from './upload-slot.type.js';
import { UploadSlots } from './upload-slots.js';

@Resolver()
export class UploadsResolver {
  constructor(
    private readonly slots: UploadSlots,
    private readonly grants: PhoneGrants,
    private readonly limiter: RateLimiter,
  ) {}

  @Public()
  @Query(() => UploadSlot, {
    description: 'An address for one PUT of an image; by session or by the grant of verifyOTP.',
  })
  async getPresignedS3Url(
    @OptionalViewer() viewer: Viewer | null,
    @Args('contentType', { type: () => String, nullable: true }) _contentType?: string | null,
    @Args('grant', { type: () => String, nullable: true }) grant?: string | null,
  ): Promise<UploadSlot> {
    const studentId = viewer?.studentId ?? (await this.ownerByGrant(grant));
    await this.limiter.use('uploads', studentId);
    return this.slots.open(studentId);
  }

  private async ownerByGrant(grant: string | null | undefined): Promise<string> {
    if (typeof grant !== 'string') throw new DomainError('SIGN_IN_REQUIRED');
    return this.grants.studentOf(grant);
  }
}
