import { Module } from '@nestjs/common';
import { PostsModule } from '../posts/posts.module.js';
import { CommentsResolver } from './comments.resolver.js';
import { DeleteCommentHandler, PostCommentHandler } from './commands/comments.js';

@Module({ imports: [PostsModule], providers: [CommentsResolver, PostCommentHandler, DeleteCommentHandler] })
export class CommentsModule {}
