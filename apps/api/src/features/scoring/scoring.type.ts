import { ArgsType, Field, Float, ID, InputType, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { type FactKind, RULES_STATES, type RulesState } from '@nimo/domain';
import { MOVE_SORTS, type MoveSort, SCORE_LINES, type ScoreLine } from '@nimo/projections';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { PaginateOptions } from '../../platform/graphql/page.js';
import { ScoreReasonKindEnum, ScoringWeight } from '../leaderboard/score-explanation.type.js';
import { Author } from '../students/student.types.js';

const enumOf = (values: readonly string[]): Record<string, string> =>
  Object.fromEntries(values.map((value) => [value, value]));

const ScoreLineEnum = enumOf(SCORE_LINES);
registerEnumType(ScoreLineEnum, {
  name: 'ScoreLine',
  description:
    'MEDALS: the first three places; FIRST_PAGE: the first twenty; ABOVE_FLOOR: more than 1 merit.',
});
const ScoreMovesEnum = enumOf(['MOVERS', ...SCORE_LINES]);
registerEnumType(ScoreMovesEnum, {
  name: 'ScoreMoves',
  description: 'Whose score changes, or who crosses that line.',
});
const ScoreMoveSortEnum = enumOf(MOVE_SORTS);
registerEnumType(ScoreMoveSortEnum, { name: 'ScoreMoveSort' });

const ScoringVersionStateEnum = enumOf(RULES_STATES);
registerEnumType(ScoringVersionStateEnum, {
  name: 'ScoringVersionState',
  description: 'Where a version of the scoring rules stands now.',
});

@ObjectType()
export class ScoringVersion {
  @Field(() => Int) readonly version!: number;
  @Field(() => DateTimeScalar, { nullable: true, description: 'Null: for all of history.' })
  readonly effectiveFrom!: string | null;
  @Field(() => Int) readonly reportThreshold!: number;
  @Field(() => [ScoringWeight]) readonly weights!: readonly ScoringWeight[];
  @Field(() => String) readonly note!: string;
  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Null for the rules that the product began with.',
  })
  readonly publishedAt!: string | null;
  @Field(() => Author, {
    nullable: true,
    description: 'Null: from the command line, or nobody for the first.',
  })
  readonly publishedBy!: Author | null;
  @Field(() => ScoringVersionStateEnum) readonly state!: RulesState;
  @Field(() => DateTimeScalar, { nullable: true, description: 'Null unless it was withdrawn.' })
  readonly withdrawnAt!: string | null;
  @Field(() => Author, {
    nullable: true,
    description: 'Null: from the command line, or it was not withdrawn.',
  })
  readonly withdrawnBy!: Author | null;
  @Field(() => String, { nullable: true, description: 'Null unless it was withdrawn.' })
  readonly withdrawalReason!: string | null;
}

@ObjectType({ description: 'The one draft that all maintainers share.' })
export class ScoringDraft {
  @Field(() => ID, {
    description: 'Another with every change: a change names the state that it was made from.',
  })
  readonly revision!: string;
  @Field(() => Int) readonly basedOn!: number;
  @Field(() => DateTimeScalar, { nullable: true, description: 'Null: for all of history.' })
  readonly effectiveFrom!: string | null;
  @Field(() => Int) readonly reportThreshold!: number;
  @Field(() => [ScoringWeight]) readonly weights!: readonly ScoringWeight[];
  @Field(() => DateTimeScalar) readonly savedAt!: string;
  @Field(() => Author, { nullable: true }) readonly savedBy!: Author | null;
}

@InputType()
export class ScoringWeightInput {
  @Field(() => ScoreReasonKindEnum) readonly kind!: FactKind;
  @Field(() => Int) readonly merit!: number;
  @Field(() => Int) readonly impact!: number;
}

@InputType()
export class ScoringDraftInput {
  @Field(() => Int, { description: 'The version that it is made from.' }) readonly basedOn!: number;
  @Field(() => DateTimeScalar, { nullable: true, description: 'Left out: for all of history.' })
  readonly effectiveFrom?: string | null;
  @Field(() => Int) readonly reportThreshold!: number;
  @Field(() => [ScoringWeightInput], { description: 'Every kind once.' })
  readonly weights!: readonly ScoringWeightInput[];
}

@ObjectType()
export class ScoreLineCrossing {
  @Field(() => ScoreLineEnum) readonly line!: ScoreLine;
  @Field(() => Int) readonly entered!: number;
  @Field(() => Int) readonly left!: number;
}

@ObjectType()
export class ScoreClass {
  @Field(() => Int) readonly from!: number;
  @Field(() => Int, { nullable: true, description: 'Null: without end.' }) readonly to!: number | null;
  @Field(() => Int) readonly before!: number;
  @Field(() => Int) readonly after!: number;
}

@ObjectType({
  description: 'What rules would come to, over the whole history, as of `madeAt`. Kept for some minutes.',
})
export class ScoringTrial {
  @Field(() => ID) readonly _id!: string;
  @Field(() => DateTimeScalar, { nullable: true }) readonly effectiveFrom!: string | null;
  @Field(() => DateTimeScalar) readonly madeAt!: string;
  @Field(() => Int) readonly tookMs!: number;
  @Field(() => Int, { description: 'Rows of leaderboards: a student counts once a space.' })
  readonly students!: number;
  @Field(() => Int, { description: 'Whose score changes.' }) readonly movers!: number;
  @Field(() => Int) readonly gainers!: number;
  @Field(() => Int) readonly losers!: number;
  @Field(() => Int, { description: 'Who comes to another place.' }) readonly reranked!: number;
  @Field(() => Float) readonly pointsBefore!: number;
  @Field(() => Float) readonly pointsAfter!: number;
  @Field(() => [ScoreLineCrossing]) readonly lines!: readonly ScoreLineCrossing[];
  @Field(() => [ScoreClass]) readonly distribution!: readonly ScoreClass[];
}

@ObjectType()
export class ScoreStanding {
  @Field(() => Int, { description: 'Merit.' }) readonly reputations!: number;
  @Field(() => Int, { description: 'Impact.' }) readonly commitments!: number;
  @Field(() => Int) readonly score!: number;
  @Field(() => Int) readonly rank!: number;
}

@ObjectType({
  description: 'A student in a space; a standing is null where there is no row under those rules.',
})
export class ScoreMove {
  @Field(() => ID) readonly _id!: string;
  @Field(() => ID) readonly spaceId!: string;
  @Field(() => String) readonly spaceName!: string;
  @Field(() => Author) readonly student!: Author;
  @Field(() => ScoreStanding, { nullable: true, description: 'As it stands.' })
  readonly before!: ScoreStanding | null;
  @Field(() => ScoreStanding, { nullable: true, description: 'Under the other rules.' })
  readonly after!: ScoreStanding | null;
  @Field(() => Int) readonly change!: number;
}

@ObjectType()
export class ScoreMovePage {
  @Field(() => [ScoreMove]) readonly docs!: readonly ScoreMove[];
  @Field(() => Int) readonly page!: number;
  @Field(() => Int) readonly totalPages!: number;
  @Field(() => Int) readonly total!: number;
}

@ObjectType({
  description: 'Today’s facts under the rules as they were with that version and those before it.',
})
export class LeaderboardUnderRules extends ScoreMovePage {
  @Field(() => Int) readonly version!: number;
  @Field(() => DateTimeScalar) readonly madeAt!: string;
}

@ArgsType()
export class ScoringMovesArgs {
  @Field(() => ID) readonly trial!: string;
  @Field(() => ScoreMovesEnum, { nullable: true, defaultValue: 'MOVERS' })
  readonly only?: 'MOVERS' | ScoreLine | null;
  @Field(() => ScoreMoveSortEnum, { nullable: true, defaultValue: 'GAIN' }) readonly sort?: MoveSort | null;
  @Field(() => ID, { nullable: true }) readonly space?: string | null;
  @Field(() => String, { nullable: true, description: 'In names and user names.' })
  readonly search?: string | null;
  @Field(() => PaginateOptions, { nullable: true }) readonly paginateOptions?: PaginateOptions | null;
}
