import { Query, Resolver, Field, ObjectType } from '@nestjs/graphql';
import { Public } from '../../platform/auth/access.js';
import { OfferedAvatars } from './offered-avatars.js';

@ObjectType()
class AvatarGroup {
  @Field(() => String) readonly category!: string;
  @Field(() => [String]) readonly urls!: readonly string[];
}

@Resolver()
export class AvatarsResolver {
  constructor(private readonly offered: OfferedAvatars) {}

  @Public()
  @Query(() => [AvatarGroup], { description: 'Pictures to pick from, by category.' })
  getAvatars(): Promise<readonly AvatarGroup[]> {
    return this.offered.groups();
  }
}
