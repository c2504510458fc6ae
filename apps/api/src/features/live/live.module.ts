import { Module } from '@nestjs/common';
import { LiveResolver } from './live.resolver.js';
import { QuestionUpdates } from './question-updates.js';

@Module({ providers: [LiveResolver, QuestionUpdates] })
export class LiveModule {}
