import { Injectable } from '@nestjs/common';
import { listAvatars, type AvatarView } from '@nimo/projections';
import { Pool } from 'pg';

interface Group {
  readonly category: string;
  readonly urls: readonly string[];
}

/** The avatars that are not retired. */
@Injectable()
export class OfferedAvatars {
  constructor(private readonly pool: Pool) {}

  /** In the order of their first avatars. */
  async groups(): Promise<readonly Group[]> {
    const urls = new Map<string, string[]>();
    for (const { group, imageUrl } of await this.list())
      urls.set(group, [...(urls.get(group) ?? []), imageUrl]);
    return [...urls].map(([category, of]) => ({ category, urls: of }));
  }

  /** Whether a student may pick it. */
  async has(url: string): Promise<boolean> {
    return (await this.list()).some(({ imageUrl }) => imageUrl === url);
  }

  private async list(): Promise<AvatarView[]> {
    return (await listAvatars(this.pool)).filter(({ isRetired }) => !isRetired);
  }
}
