import { Module, type DynamicModule } from '@nestjs/common';
import { AuthModule } from '../platform/auth/auth.module.js';
import { CommandModule } from '../platform/commands/command.module.js';
import { GraphqlModule } from '../platform/graphql/graphql.module.js';
import { RateLimitModule } from '../platform/rate-limit/rate-limit.module.js';
import { RuntimeModule } from '../platform/runtime/runtime.module.js';
import { TracesModule } from '../platform/traces/traces.module.js';
import { WebModule } from '../platform/web/web.module.js';
import type { Runtime } from '../platform/runtime/runtime.js';
import { AdaptersModule } from '../platform/adapters/adapters.module.js';
import { UploadsModule } from '../features/uploads/uploads.module.js';
import { SystemModule } from '../features/system/system.module.js';
import { SignInModule } from '../features/sign-in/sign-in.module.js';
import { OwnDataModule } from '../features/own-data/own-data.module.js';
import { ContactsModule } from '../features/contacts/contacts.module.js';
import { EmailAccountsModule } from '../features/email-accounts/email-accounts.module.js';
import { SecondFactorModule } from '../features/second-factor/second-factor.module.js';
import { OwnErasureModule } from '../features/erasure/erasure.module.js';
import { SecurityLogModule } from '../features/security-log/security-log.module.js';
import { SessionsModule } from '../features/sessions/sessions.module.js';
import { AvatarsModule } from '../features/avatars/avatars.module.js';
import { StudentsModule } from '../features/students/students.module.js';
import { GuardiansModule } from '../features/guardians/guardians.module.js';
import { SpacesModule } from '../features/spaces/spaces.module.js';
import { TopicsModule } from '../features/topics/topics.module.js';
import { QuestionsModule } from '../features/questions/questions.module.js';
import { AnswersModule } from '../features/answers/answers.module.js';
import { CommentsModule } from '../features/comments/comments.module.js';
import { TermsModule } from '../features/terms/terms.module.js';
import { VotesModule } from '../features/votes/votes.module.js';
import { AsOfModule } from '../features/as-of/as-of.module.js';
import { BookmarksModule } from '../features/bookmarks/bookmarks.module.js';
import { ReportsModule } from '../features/reports/reports.module.js';
import { LeaderboardModule } from '../features/leaderboard/leaderboard.module.js';
import { StatisticsModule } from '../features/statistics/statistics.module.js';
import { MembersModule } from '../features/members/members.module.js';
import { ModerationModule } from '../features/moderation/moderation.module.js';
import { NewsModule } from '../features/news/news.module.js';
import { NotificationsModule } from '../features/notifications/notifications.module.js';
import { ActivitiesModule } from '../features/activities/activities.module.js';
import { UserDetailModule } from '../features/user-detail/user-detail.module.js';
import { WarningsModule } from '../features/warnings/warnings.module.js';
import { PublicPagesModule } from '../features/public-pages/public-pages.module.js';
import { LiveModule } from '../features/live/live.module.js';
import { ScoringModule } from '../features/scoring/scoring.module.js';
import { AuditModule } from '../features/audit/audit.module.js';
import { PatternsModule } from '../features/patterns/patterns.module.js';
import { RemovalsModule } from '../features/removals/removals.module.js';
import { LogProofModule } from '../features/log-proof/log-proof.module.js';
import { EventLogModule } from '../features/event-log/event-log.module.js';
import { ProjectionsModule } from '../features/projections/projections.module.js';
import { SearchModule } from '../features/search/search.module.js';
import { describeSchema } from '../features/schema/describe-schema.js';
import { withInterfaces } from '../features/schema/interfaces.js';

const features = [
  SessionsModule,
  SecondFactorModule,
  SecurityLogModule,
  OwnErasureModule,
  EmailAccountsModule,
  ContactsModule,
  OwnDataModule,
  SignInModule,
  StudentsModule,
  AvatarsModule,
  UploadsModule,
  SystemModule,
  SpacesModule,
  GuardiansModule,
  TopicsModule,
  QuestionsModule,
  AnswersModule,
  CommentsModule,
  VotesModule,
  BookmarksModule,
  ReportsModule,
  LeaderboardModule,
  StatisticsModule,
  MembersModule,
  NewsModule,
  ModerationModule,
  UserDetailModule,
  WarningsModule,
  PublicPagesModule,
  LiveModule,
  NotificationsModule,
  ActivitiesModule,
  SearchModule,
  ProjectionsModule,
  AsOfModule,
  ScoringModule,
  AuditModule,
  PatternsModule,
  RemovalsModule,
  LogProofModule,
  EventLogModule,
  TermsModule,
];

/** The API. Its configuration, database and event log come from the runtime. */
@Module({})
export class AppModule {
  static forRuntime(runtime: Runtime): DynamicModule {
    return {
      module: AppModule,
      imports: [
        RuntimeModule.forRuntime(runtime),
        AdaptersModule,
        AuthModule,
        CommandModule,
        TracesModule,
        RateLimitModule,
        WebModule,
        GraphqlModule.for((schema) => describeSchema(withInterfaces(schema))),
        ...features,
      ],
    };
  }
}
