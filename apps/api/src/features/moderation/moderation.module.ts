import { Module } from '@nestjs/common';
import { LiveModule } from '../live/live.module.js';
import { PatternsModule } from '../patterns/patterns.module.js';
import { PostsModule } from '../posts/posts.module.js';
import { PicturesModule } from '../uploads/uploads.module.js';
import { CaseDecisions, ModerationAccess, ModerationCases } from './moderation-cases.js';
import { AssignCaseHandler, RuleOnCaseHandler } from './commands/rule-on-case.js';
import { ModerationUpdates } from './moderation-updates.js';
import { ModerationCountsResolver } from './moderation-counts.resolver.js';
import { OwnRemovalsResolver } from './own-removals.resolver.js';
import { CaseDecisionsResolver, ModerationResolver } from './moderation.resolver.js';

@Module({
  imports: [LiveModule, PatternsModule, PicturesModule, PostsModule],
  providers: [
    ModerationResolver,
    CaseDecisionsResolver,
    ModerationCountsResolver,
    OwnRemovalsResolver,
    ModerationAccess,
    ModerationCases,
    ModerationUpdates,
    CaseDecisions,
    RuleOnCaseHandler,
    AssignCaseHandler,
  ],
  exports: [ModerationAccess],
})
export class ModerationModule {}
