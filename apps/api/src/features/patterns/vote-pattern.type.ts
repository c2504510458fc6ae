import { Field, Float, ID, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import type { PatternVerdict, PostType, VoteDirection } from '@nimo/domain';
import type { PatternKind, PatternState } from '@nimo/projections';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { PostTypeEnum } from '../reports/post-report.type.js';
import { Author } from '../students/author.type.js';

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
export class JudgedQuestion {
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
export class VotePatternLink {
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
export class VotePatternTriage {
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
