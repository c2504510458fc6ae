import { Module } from '@nestjs/common';
import { SpacesModule } from '../spaces/spaces.module.js';
import { LeaderboardResolver } from './leaderboard.resolver.js';

@Module({ imports: [SpacesModule], providers: [LeaderboardResolver] })
export class LeaderboardModule {}
