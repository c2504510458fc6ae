import { Module } from '@nestjs/common';
import { PostsModule } from '../posts/posts.module.js';
import { ToggleVoteHandler } from './commands/toggle-vote.js';
import { VotesResolver } from './votes.resolver.js';

@Module({ imports: [PostsModule], providers: [VotesResolver, ToggleVoteHandler] })
export class VotesModule {}
