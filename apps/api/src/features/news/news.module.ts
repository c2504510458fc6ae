import { Module } from '@nestjs/common';
import { ActsModule } from '../acts/acts.module.js';
import { SpacesModule } from '../spaces/spaces.module.js';
import {
  ChangeNewspostHandler,
  PublishNewspostHandler,
  SetNewspostVisibilityHandler,
} from './commands/newsposts.js';
import { ReactToNewspostHandler } from './commands/react-to-newspost.js';
import { NewsManagementResolver, NewsMutationsResolver } from './news-management.resolver.js';
import { NewsResolver } from './newsposts.resolver.js';

@Module({
  imports: [ActsModule, SpacesModule],
  providers: [
    NewsResolver,
    NewsMutationsResolver,
    NewsManagementResolver,
    PublishNewspostHandler,
    ChangeNewspostHandler,
    SetNewspostVisibilityHandler,
    ReactToNewspostHandler,
  ],
})
export class NewsModule {}
