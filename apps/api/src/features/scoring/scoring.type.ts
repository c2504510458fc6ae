import { ArgsType, Field, Float, ID, InputType, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { type FactKind, RULES_STATES, type RulesState, type Safeguards } from '@nimo/domain';
import { MOVE_SORTS, type MoveSort, SCORE_LINES, type ScoreLine } from '@nimo/projections';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { PaginateOptions } from '../../platform/graphql/page.js';
import {
  ScoreReasonKindEnum,
  ScoringSafeguards,
  ScoringWeight,
} from '../leaderboard/score-explanation.type.js';
import { Author } from '../students/student.types.js';
import { oldNameOf } from '../schema/interfaces.js';

const enumOf = (values: readonly string[]): Record<string, string> =>
  Object.fromEntries(values.map((value) => [value, value]));

const ScoreLineEnum = enumOf(SCORE_LINES);
registerEnumType(ScoreLineEnum, {
  name: 'ScoreLine',
  description:
    'Threshold. MEDALS: the first three places; FIRST_PAGE: the first twenty; ABOVE_FLOOR: more than 1 merit.',
});
const ScoreMovesEnum = enumOf(['MOVERS', ...SCORE_LINES]);
registerEnumType(ScoreMovesEnum, {
  name: 'ScoreMoves',
  description: 'Students whose score changes, or who cross a threshold.',
});
const ScoreMoveSortEnum = enumOf(MOVE_SORTS);
registerEnumType(ScoreMoveSortEnum, { name: 'ScoreMoveSort' });

const ScoringVersionStateEnum = enumOf(RULES_STATES);
registerEnumType(ScoringVersionStateEnum, {
  name: 'ScoringVersionState',
  description: 'State of a version of the scoring rules.',
});

@ObjectType()
export class ScoringVersion {
  @Field(() => Int) readonly version!: number;
  @Field(() => DateTimeScalar, { nullable: true, description: 'Null for the entire history.' })
  readonly effectiveFrom!: string | null;
  @Field(() => Int) readonly reportThreshold!: number;
  @Field(() => [ScoringWeight]) readonly weights!: readonly ScoringWeight[];
  @Field(() => ScoringSafeguards) readonly safeguards!: ScoringSafeguards;
  @Field(() => String) readonly note!: string;
  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Null for the initial rules.',
  })
  readonly publishedAt!: string | null;
  @Field(() => Author, {
    nullable: true,
    description: 'Null for the command line and for the initial rules.',
  })
  readonly publishedBy!: Author | null;
  @Field(() => ScoringVersionStateEnum) readonly state!: RulesState;
  @Field(() => DateTimeScalar, { nullable: true, description: 'Null unless it was withdrawn.' })
  readonly withdrawnAt!: string | null;
  @Field(() => Author, {
    nullable: true,
    description: 'Null for the command line, or if it was not withdrawn.',
  })
  readonly withdrawnBy!: Author | null;
  @Field(() => String, { nullable: true, description: 'Null unless it was withdrawn.' })
  readonly withdrawalReason!: string | null;
}

@ObjectType({ description: 'The single draft shared by all maintainers.' })
export class ScoringDraft {
  @Field(() => ID, {
    description: 'Changes with every save. Changes must name the revision they are based on.',
  })
  readonly revision!: string;
  @Field(() => Int) readonly basedOn!: number;
  @Field(() => DateTimeScalar, { nullable: true, description: 'Null for the entire history.' })
  readonly effectiveFrom!: string | null;
  @Field(() => Int) readonly reportThreshold!: number;
  @Field(() => [ScoringWeight]) readonly weights!: readonly ScoringWeight[];
  @Field(() => ScoringSafeguards) readonly safeguards!: ScoringSafeguards;
  @Field(() => DateTimeScalar) readonly savedAt!: string;
  @Field(() => Author, { nullable: true }) readonly savedBy!: Author | null;
}

@InputType()
export class ScoringWeightInput {
  @Field(() => ScoreReasonKindEnum) readonly kind!: FactKind;
  @Field(() => Int) readonly merit!: number;
  @Field(() => Int) readonly impact!: number;
}

@InputType({ description: 'Rules against farming points.' })
export class ScoringSafeguardsInput implements Safeguards {
  @Field(() => Boolean) readonly acceptancePaysOncePerQuestion!: boolean;
  @Field(() => Int) readonly deletionForfeitsWithinHours!: number;
  @Field(() => Boolean) readonly downvotesNeedMerit!: boolean;
  @Field(() => Boolean) readonly upheldReportsCount!: boolean;
}

@InputType()
export class ScoringDraftInput {
  @Field(() => Int, { description: 'Version the draft is based on.' }) readonly basedOn!: number;
  @Field(() => DateTimeScalar, { nullable: true, description: 'Defaults to the entire history.' })
  readonly effectiveFrom?: string | null;
  @Field(() => Int) readonly reportThreshold!: number;
  @Field(() => [ScoringWeightInput], { description: 'Each kind once.' })
  readonly weights!: readonly ScoringWeightInput[];
  @Field(() => ScoringSafeguardsInput, {
    nullable: true,
    description: 'Defaults to those of the version the draft is based on.',
  })
  readonly safeguards?: ScoringSafeguardsInput | null;
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
  @Field(() => Int, { nullable: true, description: 'Null if unlimited.' }) readonly to!: number | null;
  @Field(() => Int) readonly before!: number;
  @Field(() => Int) readonly after!: number;
}

@ObjectType({
  description: 'Preview of scoring rules over the entire history. Kept for 15 minutes.',
})
export class ScoringTrial {
  @Field(() => ID) readonly _id!: string;
  @Field(() => DateTimeScalar, { nullable: true }) readonly effectiveFrom!: string | null;
  @Field(() => DateTimeScalar) readonly calculatedAt!: string;
  @Field(() => DateTimeScalar, oldNameOf('calculatedAt')) readonly madeAt!: string;
  @Field(() => Int) readonly durationMs!: number;
  @Field(() => Int, oldNameOf('durationMs')) readonly tookMs!: number;
  @Field(() => Int, { description: 'Number of leaderboard entries: a student counts once per space.' })
  readonly students!: number;
  @Field(() => Int, { description: 'Number of students whose score changes.' }) readonly movers!: number;
  @Field(() => Int) readonly gainers!: number;
  @Field(() => Int) readonly losers!: number;
  @Field(() => Int, { description: 'Number of students whose rank changes.' }) readonly reranked!: number;
  @Field(() => Int, {
    description: 'Number of standing downvotes that these rules would have refused for lack of merit.',
  })
  readonly refusedDownvotes!: number;
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
  description:
    'Change of a student’s score in a space. A standing is null if there is none under those rules.',
})
export class ScoreMove {
  @Field(() => ID) readonly _id!: string;
  @Field(() => ID) readonly spaceId!: string;
  @Field(() => String) readonly spaceName!: string;
  @Field(() => Author) readonly student!: Author;
  @Field(() => ScoreStanding, { nullable: true, description: 'Current standing.' })
  readonly before!: ScoreStanding | null;
  @Field(() => ScoreStanding, { nullable: true, description: 'Standing under the other rules.' })
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
  description: 'Today’s leaderboard under the rules up to and including an earlier version.',
})
export class LeaderboardUnderRules extends ScoreMovePage {
  @Field(() => Int) readonly version!: number;
  @Field(() => DateTimeScalar) readonly calculatedAt!: string;
  @Field(() => DateTimeScalar, oldNameOf('calculatedAt')) readonly madeAt!: string;
}

@ArgsType()
export class ScoringMovesArgs {
  @Field(() => ID) readonly trial!: string;
  @Field(() => ScoreMovesEnum, { nullable: true, defaultValue: 'MOVERS' })
  readonly only?: 'MOVERS' | ScoreLine | null;
  @Field(() => ScoreMoveSortEnum, { nullable: true, defaultValue: 'GAIN' }) readonly sort?: MoveSort | null;
  @Field(() => ID, { nullable: true }) readonly space?: string | null;
  @Field(() => String, { nullable: true, description: 'Search in names and user names.' })
  readonly search?: string | null;
  @Field(() => PaginateOptions, { nullable: true }) readonly paginateOptions?: PaginateOptions | null;
}
