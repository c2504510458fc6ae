import { Module } from '@nestjs/common';
import { SearchModule } from '../search/search.module.js';
import { SpacesModule } from '../spaces/spaces.module.js';
import { MembersResolver } from './members.resolver.js';

@Module({ imports: [SearchModule, SpacesModule], providers: [MembersResolver] })
export class MembersModule {}
