import { Field, ID, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { FACT_KINDS, type FactKind, type ReportedPostType, type Safeguards } from '@nimo/domain';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { PostTypeEnum } from '../reports/reports.resolver.js';
import { Author } from '../students/student.types.js';

export const ScoreReasonKindEnum = Object.fromEntries(FACT_KINDS.map((kind) => [kind, kind]));
registerEnumType(ScoreReasonKindEnum, {
  name: 'ScoreReasonKind',
  description: 'Reason for gaining or losing points.',
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
  @Field(() => ScoredQuestion, { nullable: true, description: 'Null if the question is removed.' })
  readonly question!: ScoredQuestion | null;
}

@ObjectType({ description: 'One action of the student, or all actions of others on one post in one day.' })
export class ScorePoint {
  @Field(() => ID) readonly _id!: string;
  @Field(() => ScoreReasonKindEnum) readonly kind!: FactKind;
  @Field(() => String, { description: 'YYYY-MM-DD in UTC.' }) readonly day!: string;
  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Time of the student’s own action. Null for actions of others, whom it could reveal.',
  })
  readonly occurredAt!: string | null;
  @Field(() => Int) readonly count!: number;
  @Field(() => Int, { description: 'Change in merit.' }) readonly reputations!: number;
  @Field(() => Int, { description: 'Change in impact.' }) readonly commitments!: number;
  @Field(() => Int) readonly rulesVersion!: number;
  @Field(() => ScoredPost) readonly post!: ScoredPost;
}

@ObjectType()
export class ScoreDay {
  @Field(() => String, { description: 'YYYY-MM-DD in UTC.' }) readonly day!: string;
  @Field(() => Int) readonly reputations!: number;
  @Field(() => Int) readonly commitments!: number;
  @Field(() => Int, { description: 'Loss that did not count because merit never drops below 1.' })
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
    '`reputations` = `startingReputations` + all changes in merit + `heldByFloor`; `commitments` = all changes in impact.',
})
export class ScoreExplanationPage {
  @Field(() => [ScorePoint], { description: 'Latest day first.' }) readonly docs!: readonly ScorePoint[];
  @Field(() => Int) readonly page!: number;
  @Field(() => Int) readonly totalPages!: number;
  @Field(() => Int) readonly total!: number;
  @Field(() => [ScoreDay], { description: 'Totals of the days on this page, regardless of the filter.' })
  readonly days!: readonly ScoreDay[];
  @Field(() => [ScoreReason], { description: 'Totals by reason over all points, regardless of the filter.' })
  readonly reasons!: readonly ScoreReason[];
  @Field(() => Int, {
    description:
      'Loss of all days that did not count because merit never drops below 1. `score` = `startingReputations` + all `reasons` + this.',
  })
  readonly heldByFloor!: number;
  @Field(() => Int) readonly startingReputations!: number;
  @Field(() => Int) readonly reputations!: number;
  @Field(() => Int) readonly commitments!: number;
  @Field(() => Int, { description: 'Equals the score on the leaderboard.' }) readonly score!: number;
  @Field(() => Int, {
    description: 'Version of the scoring rules in force. Each point carries the version that applied to it.',
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

@ObjectType({ description: 'Rules against farming points.' })
export class ScoringSafeguards implements Safeguards {
  @Field(() => Boolean, {
    description: 'Whether only the last acceptance of a question pays, on both sides.',
  })
  readonly acceptancePaysOncePerQuestion!: boolean;
  @Field(() => Int, {
    description:
      'A post earns its author nothing if the author deletes it within this many hours. 0 disables the rule.',
  })
  readonly deletionForfeitsWithinHours!: number;
  @Field(() => Boolean, { description: 'Whether a downvote needs enough merit to pay for it.' })
  readonly downvotesNeedMerit!: boolean;
  @Field(() => Boolean, {
    description: 'Whether upheld reports cost the author points even below the threshold.',
  })
  readonly upheldReportsCount!: boolean;
}

@ObjectType({ description: 'Announcement of new scoring rules to students.' })
export class ScoringChange {
  @Field(() => Int) readonly version!: number;
  @Field(() => String) readonly note!: string;
  @Field(() => DateTimeScalar) readonly publishedAt!: string;
  @Field(() => DateTimeScalar, { nullable: true, description: 'Null if the rules apply to all of history.' })
  readonly effectiveFrom!: string | null;
  @Field(() => Boolean, { description: 'Whether `effectiveFrom` is still in the future.' })
  readonly isScheduled!: boolean;
}

@ObjectType()
export class CurrentScoringRules {
  @Field(() => Int) readonly version!: number;
  @Field(() => Int, { description: 'Number of reports from which a post costs points.' })
  readonly reportThreshold!: number;
  @Field(() => [ScoringWeight]) readonly weights!: readonly ScoringWeight[];
  @Field(() => ScoringSafeguards) readonly safeguards!: ScoringSafeguards;
  @Field(() => [ScoringChange], { description: 'Latest first; empty while the initial rules are in force.' })
  readonly changes!: readonly ScoringChange[];
}
