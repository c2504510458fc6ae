import { Module } from '@nestjs/common';
import { LiveModule } from '../live/live.module.js';
import { PostsModule } from '../posts/posts.module.js';
import { PicturesModule } from '../uploads/pictures.module.js';
import { CaseDecisions } from './case-decisions.js';
import { HandOverCaseHandler } from './commands/hand-over-case.js';
import { RuleOnCaseHandler } from './commands/rule-on-case.js';
import { ModerationAccess } from './moderation-access.js';
import { ModerationCases } from './moderation-cases.js';
import { ModerationUpdates } from './moderation-updates.js';
import { OwnRemovalsResolver } from './own-removals.resolver.js';
import { CaseDecisionsResolver, ModerationResolver } from './moderation.resolver.js';

@Module({
  imports: [LiveModule, PicturesModule, PostsModule],
  providers: [
    ModerationResolver,
    CaseDecisionsResolver,
    OwnRemovalsResolver,
    ModerationAccess,
    ModerationCases,
    ModerationUpdates,
    CaseDecisions,
    RuleOnCaseHandler,
    HandOverCaseHandler,
  ],
})
export class ModerationModule {}
