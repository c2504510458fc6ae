import { Module } from '@nestjs/common';
import { PostsModule } from '../posts/posts.module.js';
import { BookmarksResolver } from './bookmarks.resolver.js';
import { SaveQuestionHandler, UnsaveQuestionHandler } from './commands/bookmarks.js';

@Module({
  imports: [PostsModule],
  providers: [BookmarksResolver, SaveQuestionHandler, UnsaveQuestionHandler],
})
export class BookmarksModule {}
