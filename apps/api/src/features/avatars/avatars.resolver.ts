import { Controller, Get, Header, Injectable, Param } from '@nestjs/common';
import { type AvatarView, listAvatars } from '@nimo/projections';
import { Pool } from 'pg';
import { Field, ObjectType, Query, Resolver } from '@nestjs/graphql';
import { Public } from '../../platform/auth/access.js';
import { ApiError } from '../../platform/errors/api-error.js';
import { drawingAt } from './avatar-drawings.js';

interface Group {
  readonly category: string;
  readonly urls: readonly string[];
}

/** Avatars that are not retired. */
@Injectable()
export class OfferedAvatars {
  constructor(private readonly pool: Pool) {}

  /** Groups in the order of their first avatars. */
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

@ObjectType()
class AvatarGroup {
  @Field(() => String) readonly category!: string;
  @Field(() => [String]) readonly urls!: readonly string[];
}

@Resolver()
export class AvatarsResolver {
  constructor(private readonly offered: OfferedAvatars) {}

  @Public()
  @Query(() => [AvatarGroup], { description: 'Available avatars by category.' })
  getAvatars(): Promise<readonly AvatarGroup[]> {
    return this.offered.groups();
  }
}

@Controller('avatars')
export class AvatarsController {
  @Public()
  @Get(':category/:file')
  @Header('content-type', 'image/svg+xml')
  @Header('cache-control', 'public, max-age=86400')
  drawing(@Param('category') category: string, @Param('file') file: string): string {
    const drawing = drawingAt(`/avatars/${category}/${file}`);
    if (drawing === undefined) throw new ApiError('NOT_FOUND', 'Not found.');
    return drawing;
  }
}
