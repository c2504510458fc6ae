import { Field, Float, ID, InputType, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import type { InvalidationCategory, PatternVerdict, PostType, VoteDirection } from '@nimo/domain';
import type { PatternKind, PatternState } from '@nimo/projections';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { PostTypeEnum } from '../reports/reports.resolver.js';
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

@ObjectType({ description: 'Somebody’s vote on a post, for moderators.' })
export class JudgedVote {
  @Field(() => ID) readonly postId!: string;
  @Field(() => PostTypeEnum) readonly postType!: PostType;
  @Field(() => Author) readonly voter!: Author;
  @Field(() => Author) readonly author!: Author;
  @Field(() => CaseVoteDirectionEnum) readonly direction!: VoteDirection;
  @Field(() => DateTimeScalar, { nullable: true }) readonly castAt!: string | null;
  @Field(() => Boolean, { description: 'Not withdrawn.' }) readonly isHeld!: boolean;
  @Field(() => [ID], { description: 'The open cases that name it.' }) readonly caseIds!: readonly string[];
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
  @Field(() => Int, { description: 'By the voter, for anybody; of a burst, in its time.' })
  readonly given!: number;
  @Field(() => Float, { description: 'Of as many votes, if the voter chose as all others do.' })
  readonly expected!: number;
  @Field(() => Float, {
    description:
      'Common logarithm of the chance of this link by itself, over all that could have been found.',
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

@ObjectType({ description: 'What stands out among the votes of a space. Never acted on by itself.' })
export class VotePattern {
  @Field(() => ID) readonly _id!: string;
  @Field(() => PatternKindEnum) readonly kind!: PatternKind;
  @Field(() => [Author]) readonly students!: readonly Author[];
  @Field(() => [VotePatternLink]) readonly links!: readonly VotePatternLink[];
  @Field(() => Int) readonly votes!: number;
  @Field(() => Float) readonly expected!: number;
  @Field(() => Float, {
    description: 'Common logarithm of the chance of all links together, over all that could have been found.',
  })
  readonly chanceLog10!: number;
  @Field(() => Int, {
    nullable: true,
    description: 'Of a star: accounts that voted soon after they joined and before they wrote anything.',
  })
  readonly newAccounts!: number | null;
  @Field(() => DateTimeScalar, { nullable: true, description: 'The first vote of a burst.' })
  readonly from!: string | null;
  @Field(() => DateTimeScalar, { nullable: true, description: 'The last vote of a burst.' })
  readonly until!: string | null;
  @Field(() => PatternStateEnum) readonly state!: PatternState;
  @Field(() => Boolean, {
    description: 'Whether votes or accounts came on top of what was triaged.',
  })
  readonly hasGrown!: boolean;
  @Field(() => VotePatternTriage, { nullable: true }) readonly triage!: VotePatternTriage | null;
  @Field(() => Int) readonly revision!: number;
  @Field(() => [JudgedVote], {
    description: 'The votes that it rests on; only where one pattern is asked for.',
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
  description: 'What those concerned are told of the reason.',
});

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
  @Field(() => [StudentEffect], { description: 'Those whose score moves most, 100 of them.' })
  readonly students!: readonly StudentEffect[];
  @Field(() => Int, { description: 'All that are concerned.' }) readonly studentCount!: number;
  @Field(() => [PostEffect], { description: 'Those whose votes move most, 100 of them.' })
  readonly posts!: readonly PostEffect[];
  @Field(() => Int, { description: 'All that are concerned.' }) readonly postCount!: number;
  /** Of all that are concerned, for the trace. */
  readonly spaceIds!: readonly string[];
}

@ObjectType()
export class InvalidationPreview {
  @Field(() => String, {
    description: 'Confirms what was seen: other votes, or votes changed since, are refused.',
  })
  readonly fingerprint!: string;
  @Field(() => InvalidationEffect) readonly effect!: InvalidationEffect;
}

@ObjectType()
export class InvalidationCase {
  @Field(() => ID) readonly _id!: string;
  @Field(() => [CaseSpace]) readonly spaces!: readonly CaseSpace[];
  @Field(() => Author) readonly moderator!: Author;
  @Field(() => InvalidationCategoryEnum) readonly category!: InvalidationCategory;
  @Field(() => String) readonly reason!: string;
  @Field(() => Int) readonly votes!: number;
  @Field(() => DateTimeScalar) readonly openedAt!: string;
  @Field(() => Author, { nullable: true }) readonly reversedBy!: Author | null;
  @Field(() => String, { nullable: true }) readonly reversalReason!: string | null;
  @Field(() => DateTimeScalar, { nullable: true }) readonly reversedAt!: string | null;
}

@ObjectType()
export class InvalidationCaseDetail extends InvalidationCase {
  @Field(() => [JudgedVote]) readonly judgedVotes!: readonly JudgedVote[];
  @Field(() => InvalidationEffect, { nullable: true, description: 'What it did when it was confirmed.' })
  readonly effect!: InvalidationEffect | null;
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
  @Field(() => JudgedQuestion, { nullable: true, description: 'Null where the question is removed.' })
  readonly question!: JudgedQuestion | null;
}

@ObjectType({ description: 'That votes were declared invalid, or are valid again. Who voted is not told.' })
export class ScoreNotice {
  @Field(() => ID) readonly _id!: string;
  @Field(() => String, { description: 'YYYY-MM-DD in UTC.' }) readonly day!: string;
  @Field(() => ScoreNoticeKindEnum) readonly kind!: keyof typeof ScoreNoticeKindEnum;
  @Field(() => VoteSideEnum, { description: 'Votes that the student gave, or that the post received.' })
  readonly side!: keyof typeof VoteSideEnum;
  @Field(() => InvalidationCategoryEnum) readonly category!: InvalidationCategory;
  @Field(() => Int) readonly count!: number;
  @Field(() => NoticedPost) readonly post!: NoticedPost;
}
