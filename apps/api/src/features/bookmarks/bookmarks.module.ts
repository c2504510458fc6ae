import { Module } from '@nestjs/common';
import { PostsModule } from '../posts/posts.module.js';
import { BookmarksResolver } from './bookmarks.resolver.js';
import { SaveQuestionHandler } from './commands/save-question.js';
import { UnsaveQuestionHandler } from './commands/unsave-question.js';

@Module({
  imports: [PostsModule],
  providers: [BookmarksResolver, SaveQuestionHandler, UnsaveQuestionHandler],
})
export class BookmarksModule {}
