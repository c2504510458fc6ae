import { Module } from '@nestjs/common';
import { StaffActionsModule } from '../staff-actions/staff-actions.module.js';
import { SearchModule } from '../search/search.module.js';
import { SpacesModule } from '../spaces/spaces.module.js';
import { PicturesModule } from '../uploads/uploads.module.js';
import { AddTopicHandler, ChangeTopicHandler, CreateTopicHandler } from './commands/topics.js';
import { TopicManagementResolver } from './topic-management.resolver.js';
import { TopicsResolver } from './topics.resolver.js';

@Module({
  imports: [StaffActionsModule, PicturesModule, SearchModule, SpacesModule],
  providers: [
    TopicsResolver,
    TopicManagementResolver,
    CreateTopicHandler,
    AddTopicHandler,
    ChangeTopicHandler,
  ],
})
export class TopicsModule {}
