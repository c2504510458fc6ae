import { Query, Resolver } from '@nestjs/graphql';
import { Public } from '../../platform/auth/access.js';
import { AVATAR_GROUPS } from './avatar-catalogue.js';
import { AvatarGroup } from './avatar-group.type.js';

@Resolver()
export class AvatarsResolver {
  @Public()
  @Query(() => [AvatarGroup], { description: 'Pictures to pick from, drawn for the product, by category.' })
  getAvatars(): readonly AvatarGroup[] {
    return AVATAR_GROUPS;
  }
}
