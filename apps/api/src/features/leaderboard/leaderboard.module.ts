import { Module } from '@nestjs/common';
import { SpacesModule } from '../spaces/spaces.module.js';
import { LeaderboardResolver } from './leaderboard.resolver.js';
import { ScoreExplanationResolver } from './score-explanation.resolver.js';

@Module({ imports: [SpacesModule], providers: [LeaderboardResolver, ScoreExplanationResolver] })
export class LeaderboardModule {}
