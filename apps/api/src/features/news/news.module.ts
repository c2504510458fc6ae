import { Module } from '@nestjs/common';
import { ActsModule } from '../acts/acts.module.js';
import { SpacesModule } from '../spaces/spaces.module.js';
import { ChangeNewspostHandler } from './commands/change-newspost.js';
import { PublishNewspostHandler } from './commands/publish-newspost.js';
import { ReactToNewspostHandler } from './commands/react-to-newspost.js';
import { RemoveNewspostHandler } from './commands/remove-newspost.js';
import { RestoreNewspostHandler } from './commands/restore-newspost.js';
import { NewsManagementResolver } from './news-management.resolver.js';
import { NewsWritingResolver } from './news-writing.resolver.js';
import { NewsResolver } from './news.resolver.js';

@Module({
  imports: [ActsModule, SpacesModule],
  providers: [
    NewsResolver,
    NewsWritingResolver,
    NewsManagementResolver,
    PublishNewspostHandler,
    ChangeNewspostHandler,
    RemoveNewspostHandler,
    RestoreNewspostHandler,
    ReactToNewspostHandler,
  ],
})
export class NewsModule {}
