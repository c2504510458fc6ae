import { Module } from '@nestjs/common';
import { SpacesModule } from '../spaces/spaces.module.js';
import {
  CaseEffects,
  ConfirmInvalidationHandler,
  DeclineInvalidationHandler,
  InvalidateVotesHandler,
  ReverseInvalidationHandler,
} from './commands/invalidate-votes.js';
import { TriageVotePatternHandler } from './commands/triage-vote-pattern.js';
import { InvalidationCasesResolver } from './invalidation-cases.resolver.js';
import { VoteGiversResolver } from './vote-givers.resolver.js';
import { VotePatterns } from './vote-patterns.js';
import { VotePatternsResolver } from './vote-patterns.resolver.js';

@Module({
  imports: [SpacesModule],
  providers: [
    VotePatternsResolver,
    InvalidationCasesResolver,
    VoteGiversResolver,
    CaseEffects,
    VotePatterns,
    TriageVotePatternHandler,
    ConfirmInvalidationHandler,
    DeclineInvalidationHandler,
    InvalidateVotesHandler,
    ReverseInvalidationHandler,
  ],
  exports: [VotePatterns],
})
export class PatternsModule {}
