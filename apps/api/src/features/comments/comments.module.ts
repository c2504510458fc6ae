import { Module } from '@nestjs/common';
import { PostsModule } from '../posts/posts.module.js';
import { CommentsResolver } from './comments.resolver.js';
import { DeleteCommentHandler } from './commands/delete-comment.js';
import { PostCommentHandler } from './commands/post-comment.js';

@Module({ imports: [PostsModule], providers: [CommentsResolver, PostCommentHandler, DeleteCommentHandler] })
export class CommentsModule {}
