import { createHmac, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { findPictureStanding } from '@nimo/projections';
import { Pool } from 'pg';
import type { Settings } from '../../platform/config/load-settings.js';
import { SETTINGS } from '../../platform/runtime/tokens.js';
import { keyAt, locationOf } from './media-paths.js';
import { UploadSlots } from './upload-slots.js';

/** A staff address is good for this long at least, and for twice as long at most: it stays the same meanwhile. */
const STAFF_SECONDS = 600;

export interface StaffRight {
  readonly until?: string | undefined;
  readonly signature?: string | undefined;
}

/** Which pictures are served: those that something shows, those just uploaded, and to staff those that were removed after reports. */
@Injectable()
export class PictureAccess {
  constructor(
    private readonly pool: Pool,
    private readonly slots: UploadSlots,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'signingKey'>,
  ) {}

  async isServed(key: string, right: StaffRight = {}): Promise<boolean> {
    if (this.isStaffAddress(key, right)) return true;
    const { isShown, wasUsed } = await findPictureStanding(this.pool, locationOf(key));
    // Somebody is about to show it: only who uploaded it knows the address.
    return isShown || (!wasUsed && (await this.slots.isNew(key)));
  }

  /** An address by which a moderator sees the picture for a while, whatever became of its post. Others' addresses stay. */
  forStaff(location: string): string {
    const key = keyAt(location);
    if (key === undefined) return location;
    const step = Math.floor(Date.now() / 1000 / STAFF_SECONDS);
    const until = (step + 2) * STAFF_SECONDS;
    return `${location}?until=${until}&signature=${this.sign(key, until)}`;
  }

  private isStaffAddress(key: string, { until, signature = '' }: StaffRight): boolean {
    const end = Number(until);
    if (!Number.isSafeInteger(end) || end * 1000 < Date.now()) return false;
    const expected = Buffer.from(this.sign(key, end));
    const given = Buffer.from(signature);
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  private sign(key: string, until: number): string {
    return createHmac('sha256', this.settings.signingKey).update(`GET:${key}:${until}`).digest('base64url');
  }
}
