import { Module } from '@nestjs/common';
import { StaffActionsModule } from '../staff-actions/staff-actions.module.js';
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
  imports: [StaffActionsModule, SpacesModule],
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
