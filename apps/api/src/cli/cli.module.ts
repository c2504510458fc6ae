import { Module, type DynamicModule } from '@nestjs/common';
import { FilesModule } from '../platform/adapters/files/files.module.js';
import { PostAnswerHandler } from '../features/answers/commands/answers.js';
import { SaveQuestionHandler } from '../features/bookmarks/commands/bookmarks.js';
import { PostCommentHandler } from '../features/comments/commands/comments.js';
import { DemoModule } from '../features/demo/demo.module.js';
import { VerifyPhoneHandler } from '../features/otp/commands/verify-phone.js';
import { ErasureModule } from '../features/erasure/erasure.module.js';
import { InvitationsCoreModule } from '../features/invitations/invitations.module.js';
import { KeysModule } from '../features/keys/keys.module.js';
import { PublishNewspostHandler } from '../features/news/commands/newsposts.js';
import { ReactToNewspostHandler } from '../features/news/commands/react-to-newspost.js';
import { PostsModule } from '../features/posts/posts.module.js';
import { AcceptAnswerHandler } from '../features/questions/commands/accept-answer.js';
import { AskQuestionHandler } from '../features/questions/commands/ask-question.js';
import {
  PublishScoringRulesHandler,
  WithdrawScoringRulesHandler,
} from '../features/scoring/commands/scoring-rules.js';
import { FactorsModule } from '../features/second-factor/second-factor.module.js';
import { AddSubjectHandler, ChangeSubjectHandler } from '../features/spaces/commands/subjects.js';
import {
  ArchiveSpaceHandler,
  ChangeSpaceHandler,
  CreateSpaceHandler,
  RemoveSpaceHandler,
} from '../features/spaces/commands/manage-space.js';
import { SpaceNames } from '../features/spaces/space-names.js';
import { JoinSpaceHandler } from '../features/spaces/commands/join-space.js';
import {
  InviteStudentHandler,
  RequestEntryHandler,
  RevokeStudentInvitationHandler,
} from '../features/spaces/commands/request-entry.js';
import { AccountsModule } from '../features/accounts/accounts.module.js';
import { BlockStudentHandler, UnblockStudentHandler } from '../features/students/commands/block-student.js';
import {
  CreateStudentHandler,
  ImportStudentHandler,
  RegisterStudentHandler,
} from '../features/students/commands/register-student.js';
import { GrantRoleHandler, RevokeRoleHandler } from '../features/students/commands/roles.js';
import {
  AddTopicHandler,
  ChangeTopicHandler,
  CreateTopicHandler,
} from '../features/topics/commands/topics.js';
import { ToggleVoteHandler } from '../features/votes/commands/toggle-vote.js';
import { ProjectionAdminModule } from '../features/projections/projections.module.js';
import { AuthModule } from '../platform/auth/auth.module.js';
import { CommandModule } from '../platform/commands/command.module.js';
import { TracesModule } from '../platform/traces/traces.module.js';
import { RuntimeModule } from '../platform/runtime/runtime.module.js';
import type { Runtime } from '../platform/runtime/runtime.js';

/** Only the command handlers. Leaving out GraphQL, jobs and pictures makes commands start faster. */
@Module({})
export class CliModule {
  static forRuntime(runtime: Runtime): DynamicModule {
    return {
      module: CliModule,
      imports: [
        RuntimeModule.forRuntime(runtime),
        AuthModule,
        CommandModule,
        TracesModule,
        AccountsModule,
        FactorsModule,
        PostsModule,
        DemoModule,
        ProjectionAdminModule,
        FilesModule,
        ErasureModule,
        InvitationsCoreModule,
        KeysModule,
      ],
      providers: [
        CreateStudentHandler,
        VerifyPhoneHandler,
        RegisterStudentHandler,
        ImportStudentHandler,
        GrantRoleHandler,
        RevokeRoleHandler,
        BlockStudentHandler,
        UnblockStudentHandler,
        SpaceNames,
        ArchiveSpaceHandler,
        CreateSpaceHandler,
        ChangeSpaceHandler,
        RemoveSpaceHandler,
        AddSubjectHandler,
        ChangeSubjectHandler,
        AddTopicHandler,
        ChangeTopicHandler,
        CreateTopicHandler,
        JoinSpaceHandler,
        RequestEntryHandler,
        InviteStudentHandler,
        RevokeStudentInvitationHandler,
        AskQuestionHandler,
        PostAnswerHandler,
        PostCommentHandler,
        ToggleVoteHandler,
        AcceptAnswerHandler,
        SaveQuestionHandler,
        PublishNewspostHandler,
        ReactToNewspostHandler,
        PublishScoringRulesHandler,
        WithdrawScoringRulesHandler,
      ],
    };
  }
}
