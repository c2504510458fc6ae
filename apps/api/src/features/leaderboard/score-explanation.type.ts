import { Field, ID, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { FACT_KINDS, type FactKind, type ReportedPostType } from '@nimo/domain';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { PostTypeEnum } from '../reports/reports.resolver.js';
import { Author } from '../students/student.types.js';

export const ScoreReasonKindEnum = Object.fromEntries(FACT_KINDS.map((kind) => [kind, kind]));
registerEnumType(ScoreReasonKindEnum, {
  name: 'ScoreReasonKind',
  description: 'What can give or take points.',
});

@ObjectType()
export class ScoredQuestion {
  @Field(() => ID) readonly _id!: string;
  @Field(() => String) readonly title!: string;
}

@ObjectType()
export class ScoredPost {
  @Field(() => ID) readonly _id!: string;
  @Field(() => PostTypeEnum) readonly postType!: ReportedPostType;
  @Field(() => Boolean) readonly isRemoved!: boolean;
  @Field(() => ScoredQuestion, { nullable: true, description: 'Null where the question is removed.' })
  readonly question!: ScoredQuestion | null;
}

@ObjectType({ description: 'An own act, or what others did to one post on one day.' })
export class ScorePoint {
  @Field(() => ID) readonly _id!: string;
  @Field(() => ScoreReasonKindEnum) readonly kind!: FactKind;
  @Field(() => String, { description: 'YYYY-MM-DD in UTC.' }) readonly day!: string;
  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'The moment of an own act. Null for what others did: it would tell who it was.',
  })
  readonly occurredAt!: string | null;
  @Field(() => Int) readonly count!: number;
  @Field(() => Int, { description: 'Merit moved.' }) readonly reputations!: number;
  @Field(() => Int, { description: 'Impact moved.' }) readonly commitments!: number;
  @Field(() => Int) readonly rulesVersion!: number;
  @Field(() => ScoredPost) readonly post!: ScoredPost;
}

@ObjectType()
export class ScoreDay {
  @Field(() => String, { description: 'YYYY-MM-DD in UTC.' }) readonly day!: string;
  @Field(() => Int) readonly reputations!: number;
  @Field(() => Int) readonly commitments!: number;
  @Field(() => Int, { description: 'Merit that was not lost because it never goes below 1.' })
  readonly heldByFloor!: number;
  @Field(() => Int) readonly reputationsAfter!: number;
  @Field(() => Int) readonly commitmentsAfter!: number;
  @Field(() => Int) readonly scoreAfter!: number;
}

@ObjectType()
export class ScoreReason {
  @Field(() => ScoreReasonKindEnum) readonly kind!: FactKind;
  @Field(() => Int) readonly count!: number;
  @Field(() => Int) readonly reputations!: number;
  @Field(() => Int) readonly commitments!: number;
}

@ObjectType({
  description:
    'reputations = startingReputations + what all points moved + what the floor held on all days; commitments = what all points moved.',
})
export class ScoreExplanationPage {
  @Field(() => [ScorePoint], { description: 'The latest day first.' }) readonly docs!: readonly ScorePoint[];
  @Field(() => Int) readonly page!: number;
  @Field(() => Int) readonly totalPages!: number;
  @Field(() => Int) readonly total!: number;
  @Field(() => [ScoreDay], { description: 'Of the points on this page, whole, whatever the filter.' })
  readonly days!: readonly ScoreDay[];
  @Field(() => [ScoreReason], { description: 'Over all points, whatever the filter.' })
  readonly reasons!: readonly ScoreReason[];
  @Field(() => Int) readonly startingReputations!: number;
  @Field(() => Int) readonly reputations!: number;
  @Field(() => Int) readonly commitments!: number;
  @Field(() => Int, { description: 'As the leaderboard shows it.' }) readonly score!: number;
  @Field(() => Int, {
    description: 'Version of the scoring rules that is in force now. Each point has that of its own moment.',
  })
  readonly rulesVersion!: number;
  @Field(() => Author, { nullable: true }) readonly student!: Author | null;
}

@ObjectType()
export class ScoringWeight {
  @Field(() => ScoreReasonKindEnum) readonly kind!: FactKind;
  @Field(() => Int) readonly merit!: number;
  @Field(() => Int) readonly impact!: number;
}

@ObjectType({ description: 'What students are told of new rules.' })
export class ScoringChange {
  @Field(() => Int) readonly version!: number;
  @Field(() => String) readonly note!: string;
  @Field(() => DateTimeScalar) readonly publishedAt!: string;
  @Field(() => DateTimeScalar, { nullable: true, description: 'Null: for all of history.' })
  readonly effectiveFrom!: string | null;
  @Field(() => Boolean, { description: 'True until the change takes effect at `effectiveFrom`.' })
  readonly isScheduled!: boolean;
}

@ObjectType()
export class CurrentScoringRules {
  @Field(() => Int) readonly version!: number;
  @Field(() => Int, { description: 'How many reports of one post cost points.' })
  readonly reportThreshold!: number;
  @Field(() => [ScoringWeight]) readonly weights!: readonly ScoringWeight[];
  @Field(() => [ScoringChange], { description: 'The latest first; none while the first rules hold.' })
  readonly changes!: readonly ScoringChange[];
}
