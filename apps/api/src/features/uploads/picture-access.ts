import { createHmac, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { findPictureStanding } from '@nimo/projections';
import { Pool } from 'pg';
import type { Settings } from '../../platform/config/load-settings.js';
import { SETTINGS } from '../../platform/runtime/tokens.js';
import { keyAt, locationOf } from './media-paths.js';
import { UploadSlots } from './upload-slots.js';

/** A signed address is good for this long at least, and for twice as long at most: it stays the same meanwhile. */
const SIGNED_SECONDS = 600;

/** In a stored body, which is sanitised and written in one way. */
const PICTURE = /(<img src=")([^"]+)/g;

export interface SignedRight {
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
