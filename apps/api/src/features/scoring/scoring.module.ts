import { Module } from '@nestjs/common';
import { PublishScoringRulesHandler, WithdrawScoringRulesHandler } from './commands/scoring-rules.js';
import { ScoringDrafts } from './scoring-drafts.js';
import { ScoringDraftsResolver } from './scoring-drafts.resolver.js';
import { ScoringTrials } from './scoring-trials.js';
import { ScoringTrialsResolver } from './scoring-trials.resolver.js';

@Module({
  providers: [
    ScoringDrafts,
    ScoringTrials,
    ScoringDraftsResolver,
    ScoringTrialsResolver,
    PublishScoringRulesHandler,
    WithdrawScoringRulesHandler,
  ],
})
export class ScoringModule {}
