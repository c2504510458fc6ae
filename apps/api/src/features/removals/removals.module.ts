import { Module } from '@nestjs/common';
import { RemovePostsHandler, RestorePostsHandler } from './commands/remove-posts.js';
import { RemovalsResolver } from './removals.resolver.js';

@Module({ providers: [RemovalsResolver, RemovePostsHandler, RestorePostsHandler] })
export class RemovalsModule {}
