import { Module } from '@nestjs/common';
import { LiveResolver } from './live.resolver.js';
import { LogFollower } from './log-follower.js';
import { QuestionUpdates } from './question-updates.js';

@Module({ providers: [LiveResolver, LogFollower, QuestionUpdates], exports: [LogFollower] })
export class LiveModule {}
