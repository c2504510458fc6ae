import { Module } from '@nestjs/common';
import { ActsModule } from '../acts/acts.module.js';
import { SpacesModule } from '../spaces/spaces.module.js';
import { ChangeNewspostHandler, PublishNewspostHandler, ShowNewspostHandler } from './commands/newsposts.js';
import { ReactToNewspostHandler } from './commands/react-to-newspost.js';
import { NewsManagementResolver, NewsWritingResolver } from './news-management.resolver.js';
import { NewsResolver } from './newsposts.resolver.js';

@Module({
  imports: [ActsModule, SpacesModule],
  providers: [
    NewsResolver,
    NewsWritingResolver,
    NewsManagementResolver,
    PublishNewspostHandler,
    ChangeNewspostHandler,
    ShowNewspostHandler,
    ReactToNewspostHandler,
  ],
})
export class NewsModule {}
