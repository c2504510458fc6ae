import { Module } from '@nestjs/common';
import { SearchModule } from '../search/search.module.js';
import { SpacesModule } from '../spaces/spaces.module.js';
import { CreateTopicHandler } from './commands/create-topic.js';
import { TopicsResolver } from './topics.resolver.js';

@Module({ imports: [SearchModule, SpacesModule], providers: [TopicsResolver, CreateTopicHandler] })
export class TopicsModule {}
