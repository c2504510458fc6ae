import { Query, Resolver } from '@nestjs/graphql';
import { Public } from '../../platform/auth/access.js';
import { AvatarGroup } from './avatar-group.type.js';
import { OfferedAvatars } from './offered-avatars.js';

@Resolver()
export class AvatarsResolver {
  constructor(private readonly offered: OfferedAvatars) {}

  @Public()
  @Query(() => [AvatarGroup], { description: 'Pictures to pick from, by category.' })
  getAvatars(): Promise<readonly AvatarGroup[]> {
    return this.offered.groups();
  }
}
