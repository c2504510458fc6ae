import { Module } from '@nestjs/common';
import { Pool } from 'pg';
import { SETTINGS } from '../../platform/config/tokens.js';
import { SpacesModule } from '../spaces/spaces.module.js';
import { CONFIGURED_ENGINE, configuredEngine, Search } from './search.js';
import { SearchResolver } from './search.resolver.js';
import { SearchWarmUp } from './search-shipping.js';

@Module({
  imports: [SpacesModule],
  providers: [
    SearchResolver,
    Search,
    SearchWarmUp,
    { provide: CONFIGURED_ENGINE, useFactory: configuredEngine, inject: [SETTINGS, Pool] },
  ],
  exports: [Search],
})
export class SearchModule {}
