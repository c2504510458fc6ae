import { Field, Float, ID, InputType, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import type { CaseStatus, InvalidationCategory, PatternVerdict, PostType, VoteDirection } from '@nimo/domain';
import type { PatternKind, PatternState } from '@nimo/projections';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { PostTypeEnum } from '../reports/reports.resolver.js';
import { oldNameOf } from '../schema/interfaces.js';
import { Author } from '../students/student.types.js';

const PatternKindEnum: { readonly [K in PatternKind]: K } = {
  PAIR: 'PAIR',
  RING: 'RING',
  STAR: 'STAR',
  BURST: 'BURST',
  ONE_PERSON: 'ONE_PERSON',
};
registerEnumType(PatternKindEnum, { name: 'VotePatternKind' });

export const PatternVerdictEnum: { readonly [V in PatternVerdict]: V } = {
  SEEN: 'SEEN',
  HARMLESS: 'HARMLESS',
  WATCHED: 'WATCHED',
};
registerEnumType(PatternVerdictEnum, { name: 'VotePatternVerdict' });

const PatternStateEnum: { readonly [S in PatternState]: S } = { NEW: 'NEW', ...PatternVerdictEnum };
registerEnumType(PatternStateEnum, { name: 'VotePatternState' });

const CaseVoteDirectionEnum: { readonly [D in VoteDirection]: D } = { UP: 'UP', DOWN: 'DOWN' };
registerEnumType(CaseVoteDirectionEnum, { name: 'CaseVoteDirection' });

@ObjectType()
class JudgedQuestion {
  @Field(() => ID) readonly _id!: string;
  @Field(() => String) readonly title!: string;
}

@ObjectType({ description: 'A vote on a post, as moderators see it.' })
export class JudgedVote {
  @Field(() => ID) readonly postId!: string;
  @Field(() => PostTypeEnum) readonly postType!: PostType;
  @Field(() => Author) readonly voter!: Author;
  @Field(() => Author) readonly author!: Author;
  @Field(() => CaseVoteDirectionEnum) readonly direction!: VoteDirection;
  @Field(() => DateTimeScalar, { nullable: true }) readonly castAt!: string | null;
  @Field(() => Boolean, { description: 'Not withdrawn.' }) readonly isHeld!: boolean;
  @Field(() => [ID], { description: 'Open cases that include it.' }) readonly caseIds!: readonly string[];
  @Field(() => JudgedQuestion) readonly question!: JudgedQuestion;
}

@ObjectType()
export class JudgedVotePage {
  @Field(() => [JudgedVote]) readonly docs!: readonly JudgedVote[];
  @Field(() => Int) readonly page!: number;
  @Field(() => Int) readonly totalPages!: number;
  @Field(() => Int) readonly total!: number;
}

@ObjectType()
class VotePatternLink {
  @Field(() => Author) readonly voter!: Author;
  @Field(() => Author) readonly author!: Author;
  @Field(() => CaseVoteDirectionEnum) readonly direction!: VoteDirection;
  @Field(() => Int) readonly votes!: number;
  @Field(() => Int, { description: 'All votes cast by the voter; for a burst, within its time.' })
  readonly given!: number;
  @Field(() => Float, { description: 'Votes expected if the voter chose as everyone else does.' })
  readonly expected!: number;
  @Field(() => Float, {
    description:
      'Common logarithm of the probability of this link alone, corrected for the number of possible findings.',
  })
  readonly chanceLog10!: number;
}

@ObjectType()
class VotePatternTriage {
  @Field(() => PatternVerdictEnum) readonly verdict!: PatternVerdict;
  @Field(() => Author) readonly moderator!: Author;
  @Field(() => DateTimeScalar) readonly at!: string;
  @Field(() => Int) readonly votes!: number;
}

@ObjectType({ description: 'Unusual voting in a space. Never acted on automatically.' })
export class VotePattern {
  @Field(() => ID) readonly _id!: string;
  @Field(() => PatternKindEnum) readonly kind!: PatternKind;
  @Field(() => [Author]) readonly students!: readonly Author[];
  @Field(() => [VotePatternLink]) readonly links!: readonly VotePatternLink[];
  @Field(() => Int) readonly votes!: number;
  @Field(() => Float) readonly expected!: number;
  @Field(() => Float, {
    description:
      'Common logarithm of the probability of all links together, corrected for the number of possible findings.',
  })
  readonly chanceLog10!: number;
  @Field(() => Int, {
    nullable: true,
    description: 'For a star: accounts that voted soon after joining and before posting anything.',
  })
  readonly newAccounts!: number | null;
  @Field(() => DateTimeScalar, { nullable: true, description: 'First vote of a burst.' })
  readonly from!: string | null;
  @Field(() => DateTimeScalar, { nullable: true, description: 'Last vote of a burst.' })
  readonly until!: string | null;
  @Field(() => PatternStateEnum) readonly state!: PatternState;
  @Field(() => Boolean, {
    description: 'Whether votes or accounts were added since triage.',
  })
  readonly hasGrown!: boolean;
  @Field(() => VotePatternTriage, { nullable: true }) readonly triage!: VotePatternTriage | null;
  @Field(() => Int) readonly revision!: number;
  @Field(() => [JudgedVote], {
    description: 'Votes behind the pattern; only returned for a single pattern.',
  })
  readonly evidence!: readonly JudgedVote[];
}

export const InvalidationCategoryEnum: { readonly [C in InvalidationCategory]: C } = {
  ARRANGED: 'ARRANGED',
  SERIAL: 'SERIAL',
  VOTING_ONLY: 'VOTING_ONLY',
  OTHER: 'OTHER',
};
registerEnumType(InvalidationCategoryEnum, {
  name: 'InvalidationCategory',
  description: 'Reason shown to affected users.',
});

const CaseStateEnum: { readonly [S in CaseStatus]: S } = {
  PROPOSED: 'PROPOSED',
  INVALIDATED: 'INVALIDATED',
  DECLINED: 'DECLINED',
  REVERSED: 'REVERSED',
};
registerEnumType(CaseStateEnum, { name: 'InvalidationState' });

@InputType()
export class VoteRefInput {
  @Field(() => ID) readonly postId!: string;
  @Field(() => ID) readonly voterId!: string;
}

@ObjectType()
export class CaseSpace {
  @Field(() => ID) readonly _id!: string;
  @Field(() => String) readonly name!: string;
}

@ObjectType()
class EffectStanding {
  @Field(() => Int) readonly reputations!: number;
  @Field(() => Int) readonly commitments!: number;
  @Field(() => Int) readonly score!: number;
  @Field(() => Int, { nullable: true }) readonly rank!: number | null;
}

@ObjectType()
class StudentEffect {
  @Field(() => Author) readonly student!: Author;
  @Field(() => CaseSpace) readonly space!: CaseSpace;
  @Field(() => Int) readonly votesGiven!: number;
  @Field(() => Int) readonly votesReceived!: number;
  @Field(() => EffectStanding) readonly before!: EffectStanding;
  @Field(() => EffectStanding) readonly after!: EffectStanding;
}

@ObjectType()
class PostVoteCounts {
  @Field(() => Int) readonly upvotes!: number;
  @Field(() => Int) readonly downvotes!: number;
}

@ObjectType()
class PostEffect {
  @Field(() => ID) readonly postId!: string;
  @Field(() => PostTypeEnum) readonly postType!: PostType;
  @Field(() => JudgedQuestion) readonly question!: JudgedQuestion;
  @Field(() => PostVoteCounts) readonly before!: PostVoteCounts;
  @Field(() => PostVoteCounts) readonly after!: PostVoteCounts;
}

@ObjectType()
export class InvalidationEffect {
  @Field(() => [StudentEffect], { description: 'The 100 students whose scores change most.' })
  readonly students!: readonly StudentEffect[];
  @Field(() => Int, { description: 'All affected students.' }) readonly studentCount!: number;
  @Field(() => [PostEffect], { description: 'The 100 posts whose vote counts change most.' })
  readonly posts!: readonly PostEffect[];
  @Field(() => Int, { description: 'All affected posts.' }) readonly postCount!: number;
  /** Spaces of all affected students, for the access log. */
  readonly spaceIds!: readonly string[];
}

@ObjectType()
export class InvalidationPreview {
  @Field(() => String, {
    description: 'Confirms the preview: different votes, or votes changed since, are refused.',
  })
  readonly fingerprint!: string;
  @Field(() => Boolean, { description: 'Whether a second moderator has to confirm the invalidation.' })
  readonly needsConfirmation!: boolean;
  @Field(() => InvalidationEffect) readonly effect!: InvalidationEffect;
}

@ObjectType()
export class OpenedCase {
  @Field(() => ID) readonly _id!: string;
  @Field(() => CaseStateEnum, { description: 'State of the case.' }) readonly state!: CaseStatus;
}

@ObjectType()
export class InvalidationCase extends OpenedCase {
  @Field(() => [CaseSpace]) readonly spaces!: readonly CaseSpace[];
  @Field(() => Author, { description: 'Who invalidated the votes; for a proposal, who proposed it.' })
  readonly moderator!: Author;
  @Field(() => InvalidationCategoryEnum) readonly category!: InvalidationCategory;
  @Field(() => String) readonly reason!: string;
  @Field(() => Int) readonly votes!: number;
  @Field(() => DateTimeScalar, {
    description: 'When the votes were proposed, or invalidated without a proposal.',
  })
  readonly openedAt!: string;
  @Field(() => Author, {
    nullable: true,
    description: 'Who proposed it; null if one moderator decided alone.',
  })
  readonly proposedBy!: Author | null;
  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the votes stopped counting; null if they never did.',
  })
  readonly invalidatedAt!: string | null;
  @Field(() => Author, {
    nullable: true,
    description: 'Who declined the proposal, or its proposer if withdrawn; otherwise null.',
  })
  readonly declinedBy!: Author | null;
  @Field(() => String, { nullable: true, description: 'Why it was declined or withdrawn; otherwise null.' })
  readonly declineReason!: string | null;
  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When it was declined or withdrawn; otherwise null.',
  })
  readonly declinedAt!: string | null;
  @Field(() => Author, { nullable: true }) readonly reversedBy!: Author | null;
  @Field(() => String, { nullable: true }) readonly reversalReason!: string | null;
  @Field(() => DateTimeScalar, { nullable: true }) readonly reversedAt!: string | null;
}

@ObjectType()
export class InvalidationCaseDetail extends InvalidationCase {
  @Field(() => [JudgedVote]) readonly reviewedVotes!: readonly JudgedVote[];
  @Field(() => [JudgedVote], oldNameOf('reviewedVotes')) readonly judgedVotes!: readonly JudgedVote[];
  @Field(() => InvalidationEffect, { nullable: true, description: 'Effect when it was confirmed.' })
  readonly effect!: InvalidationEffect | null;
  @Field(() => Boolean) readonly canBeConfirmed!: boolean;
}

@ObjectType()
export class InvalidationCasePage {
  @Field(() => [InvalidationCase]) readonly docs!: readonly InvalidationCase[];
  @Field(() => Int) readonly page!: number;
  @Field(() => Int) readonly totalPages!: number;
  @Field(() => Int) readonly total!: number;
}

const ScoreNoticeKindEnum = { INVALIDATED: 'INVALIDATED', VALID_AGAIN: 'VALID_AGAIN' } as const;
registerEnumType(ScoreNoticeKindEnum, { name: 'ScoreNoticeKind' });
const VoteSideEnum = { GIVEN: 'GIVEN', RECEIVED: 'RECEIVED' } as const;
registerEnumType(VoteSideEnum, { name: 'VoteSide' });

@ObjectType()
class NoticedPost {
  @Field(() => ID) readonly _id!: string;
  @Field(() => PostTypeEnum) readonly postType!: PostType;
  @Field(() => JudgedQuestion, { nullable: true, description: 'Null if the question was removed.' })
  readonly question!: JudgedQuestion | null;
}

@ObjectType({ description: 'Notice that votes were invalidated or restored. Does not reveal who voted.' })
export class ScoreNotice {
  @Field(() => ID) readonly _id!: string;
  @Field(() => String, { description: 'YYYY-MM-DD in UTC.' }) readonly day!: string;
  @Field(() => ScoreNoticeKindEnum) readonly kind!: keyof typeof ScoreNoticeKindEnum;
  @Field(() => VoteSideEnum, { description: 'Votes the student cast, or votes the post received.' })
  readonly side!: keyof typeof VoteSideEnum;
  @Field(() => InvalidationCategoryEnum) readonly category!: InvalidationCategory;
  @Field(() => Int) readonly count!: number;
  @Field(() => NoticedPost) readonly post!: NoticedPost;
}
