import { Field, Float, ID, InputType, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import type { Penalty, ReportedPostType } from '@nimo/domain';
import type { QueueState } from '@nimo/projections';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { PostTypeEnum } from '../reports/reports.resolver.js';
import { AccountStatusEnum, Author } from '../students/student.types.js';
import { BlockScopeEnum } from '../user-detail/student-detail.type.js';

export const QueueStateEnum: { readonly [S in QueueState]: S } = { OPEN: 'OPEN', DECIDED: 'DECIDED' };
registerEnumType(QueueStateEnum, { name: 'ModerationQueueState' });

export const DecisionEnum = {
  UPHELD: 'UPHELD',
  DISMISSED: 'DISMISSED',
  HANDED_OVER: 'HANDED_OVER',
  REVERSED: 'REVERSED',
  DELETED: 'DELETED',
} as const;
registerEnumType(DecisionEnum, { name: 'ModerationDecision' });
type Decision = keyof typeof DecisionEnum;

export const OutcomeEnum = { OPEN: 'OPEN', UPHELD: 'UPHELD', DISMISSED: 'DISMISSED' } as const;
registerEnumType(OutcomeEnum, { name: 'ReportOutcome' });

export const PenaltyEnum: { readonly [P in Penalty]: P } = { RULES: 'RULES', NONE: 'NONE', FULL: 'FULL' };
registerEnumType(PenaltyEnum, { name: 'Penalty' });

@ObjectType({ description: 'Effect of a penalty if the reports were upheld now.' })
export class PenaltyEffect {
  @Field(() => PenaltyEnum) readonly penalty!: Penalty;
  @Field(() => Int) readonly points!: number;
}

@InputType({
  description: 'State of the case that the moderator saw. The decision is refused if the case has changed.',
})
export class SeenCaseInput {
  @Field(() => Int) readonly revision!: number;
  @Field(() => Int) readonly openReports!: number;
}

@ObjectType()
export class ReasonCount {
  @Field(() => String) readonly reason!: string;
  @Field(() => Int) readonly count!: number;
}

@ObjectType({ description: 'A reported post in the moderation queue.' })
export class QueuedCase {
  @Field(() => ID) readonly postId!: string;
  @Field(() => PostTypeEnum) readonly postType!: ReportedPostType;
  @Field(() => ID) readonly spaceId!: string;
  @Field(() => String) readonly spaceName!: string;
  @Field(() => String, { description: "The question's." }) readonly title!: string;
  @Field(() => String, { description: 'Plain text cut from the post.' }) readonly excerpt!: string;
  @Field(() => Author, { nullable: true }) readonly author!: Author | null;
  @Field(() => Int) readonly openReports!: number;
  @Field(() => [ReasonCount]) readonly reasons!: readonly ReasonCount[];
  @Field(() => DateTimeScalar, { nullable: true }) readonly firstReportedAt!: string | null;
  @Field(() => DateTimeScalar, { nullable: true }) readonly lastReportedAt!: string | null;
  @Field(() => Int, { nullable: true, description: 'Null for a decided case.' }) readonly weight!:
    | number
    | null;
  @Field(() => Author, { nullable: true, description: 'Moderator assigned to the case.' })
  readonly assignee!: Author | null;
  @Field(() => DecisionEnum, { nullable: true }) readonly lastDecision!: Decision | null;
  @Field(() => Author, { nullable: true }) readonly decidedBy!: Author | null;
  @Field(() => DateTimeScalar, { nullable: true }) readonly decidedAt!: string | null;
}

@ObjectType()
export class ModerationQueue {
  @Field(() => [QueuedCase]) readonly docs!: readonly QueuedCase[];
  @Field(() => String, { nullable: true, description: 'Cursor for `after`; null on the last page.' })
  readonly next!: string | null;
  @Field(() => Int, { description: 'Number of all open cases, regardless of the page.' })
  readonly totalOpen!: number;
}

@ObjectType()
export class CaseReport {
  @Field(() => ID) readonly reporterId!: string;
  @Field(() => Author, { nullable: true, description: 'Null if the student was erased.' })
  readonly reporter!: Author | null;
  @Field(() => String) readonly reason!: string;
  @Field(() => DateTimeScalar) readonly at!: string;
  @Field(() => OutcomeEnum) readonly outcome!: keyof typeof OutcomeEnum;
  @Field(() => Int, { description: 'Upheld reports of the same reporter in the space, excluding this one.' })
  readonly upheldBefore!: number;
  @Field(() => Int) readonly dismissedBefore!: number;
}

@ObjectType()
export class CaseDecision {
  @Field(() => Float) readonly ordinal!: number;
  @Field(() => ID) readonly postId!: string;
  @Field(() => DecisionEnum) readonly decision!: Decision;
  @Field(() => Author, { nullable: true }) readonly moderator!: Author | null;
  @Field(() => Author, { nullable: true }) readonly toModerator!: Author | null;
  @Field(() => String) readonly reason!: string;
  @Field(() => PenaltyEnum, { nullable: true, description: 'Null unless reports were upheld.' })
  readonly penalty!: Penalty | null;
  @Field(() => DateTimeScalar) readonly at!: string;
}

export const BlockKindEnum = { BLOCKED: 'BLOCKED', UNBLOCKED: 'UNBLOCKED' } as const;
registerEnumType(BlockKindEnum, { name: 'BlockKind' });

@ObjectType()
export class AuthorBlock {
  @Field(() => BlockKindEnum) readonly kind!: keyof typeof BlockKindEnum;
  @Field(() => String, { nullable: true }) readonly reason!: string | null;
  @Field(() => DateTimeScalar) readonly at!: string;
}

@ObjectType({ description: 'Activity and moderation history of the author in the space.' })
export class CaseAuthorRecord {
  @Field(() => Int) readonly score!: number;
  @Field(() => Int) readonly questionsAsked!: number;
  @Field(() => Int) readonly questionsAnswered!: number;
  @Field(() => DateTimeScalar, { nullable: true }) readonly joinedAt!: string | null;
  @Field(() => Int, { description: 'Including this one.' }) readonly reportedPosts!: number;
  @Field(() => Int, {
    description: 'Posts removed by moderators, with or without reports, and not restored.',
  })
  readonly removedPosts!: number;
  @Field(() => Int) readonly upheldReports!: number;
  @Field(() => Int) readonly dismissedReports!: number;
  @Field(() => Int, { description: 'Earlier warnings in the space.' }) readonly warnings!: number;
  @Field(() => [AuthorBlock]) readonly blocks!: readonly AuthorBlock[];
  @Field(() => [CaseDecision], { description: 'Decisions about other posts, latest first.' })
  readonly decisions!: readonly CaseDecision[];
  @Field(() => AccountStatusEnum, { nullable: true }) readonly accountStatus!: 'ACTIVE' | 'BLOCKED' | null;
  @Field(() => Boolean) readonly isBlockable!: boolean;
  @Field(() => BlockScopeEnum, {
    nullable: true,
    description: 'Scope of the current block, or of the block that the caller could place.',
  })
  readonly blockScope!: 'ACCOUNT' | 'SPACE' | null;
  @Field(() => Boolean, {
    description: 'Whether the caller may suspend the author in the space now, or replace the suspension.',
  })
  readonly isSuspendable!: boolean;
  @Field(() => Boolean, { description: 'Whether the caller may warn the author in the space.' })
  readonly isWarnable!: boolean;
  @Field(() => Boolean, {
    description: 'Whether the caller may remove all posts of the author in the space with `removePosts`.',
  })
  readonly arePostsRemovable!: boolean;
  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the suspension ends; null if there is none or it has to be lifted.',
  })
  readonly suspendedUntil!: string | null;
}

@ObjectType({ description: 'Votes on the post on one day (UTC).' })
export class VoteDay {
  @Field(() => String) readonly day!: string;
  @Field(() => Int) readonly up!: number;
  @Field(() => Int) readonly down!: number;
  @Field(() => Int) readonly withdrawn!: number;
}

@ObjectType({ description: 'A reported or removed post as its moderators see it.' })
export class ModerationCase {
  @Field(() => ID) readonly _id!: string;
  @Field(() => PostTypeEnum) readonly postType!: ReportedPostType;
  @Field(() => ID) readonly questionId!: string;
  @Field(() => ID) readonly spaceId!: string;
  @Field(() => String) readonly spaceName!: string;
  @Field(() => Boolean, { description: 'The reports can still be decided.' })
  readonly isSpaceArchived!: boolean;
  @Field(() => String, { description: "The question's." }) readonly title!: string;
  @Field(() => String, { description: 'Sanitised HTML; plain text for a comment.' }) readonly body!: string;
  @Field(() => [String]) readonly imageUrls!: readonly string[];
  @Field(() => DateTimeScalar, { nullable: true }) readonly createdAt!: string | null;
  @Field(() => Boolean, { description: 'Deleted by its author, or directly by a moderator.' })
  readonly isDeleted!: boolean;
  @Field(() => Boolean, { description: 'Removed by a moderator.' }) readonly isUpheld!: boolean;
  @Field(() => ID, {
    nullable: true,
    description: 'Removal of all posts of the author that removed this post. Null if it was removed alone.',
  })
  readonly removalId!: string | null;
  @Field(() => Int, { description: 'Pass as `seen.revision` of a decision.' }) readonly revision!: number;
  @Field(() => Int) readonly openReports!: number;
  @Field(() => Int, { nullable: true }) readonly weight!: number | null;
  @Field(() => Author, { nullable: true }) readonly author!: Author | null;
  @Field(() => Author, { nullable: true }) readonly assignee!: Author | null;
  @Field(() => [CaseReport], { description: 'Latest first.' }) readonly reports!: readonly CaseReport[];
  @Field(() => Int) readonly reportsTotal!: number;
  @Field(() => [CaseDecision], { description: 'Latest first.' })
  readonly decisions!: readonly CaseDecision[];
  @Field(() => CaseAuthorRecord) readonly record!: CaseAuthorRecord;
  /** Round of the open reports. */
  readonly round!: number;
  @Field(() => [VoteDay], { description: 'Earliest first; days without votes are omitted.' })
  readonly voteDays!: readonly VoteDay[];
}

@ObjectType({
  description:
    'Signals that a case changed and should be refetched. `postId` is null if changes may have been missed.',
})
export class ModerationChange {
  @Field(() => ID, { nullable: true }) readonly postId!: string | null;
}
