import { Module } from '@nestjs/common';
import { SpacesModule } from '../spaces/spaces.module.js';
import { Search } from './search.js';
import { SearchResolver } from './search.resolver.js';

@Module({ imports: [SpacesModule], providers: [SearchResolver, Search], exports: [Search] })
export class SearchModule {}
