import { Args, Field, ID, Int, ObjectType, Query, Resolver } from '@nestjs/graphql';
import { Inject } from '@nestjs/common';
import { findSolvedShare, listSubjectClarity, listWorkload } from '@nimo/projections';
import { Pool } from 'pg';
import { ApiError } from '../../platform/errors/api-error.js';
import { CurrentViewer, SignedIn } from '../../platform/auth/access.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { IdPipe, parseIds } from '../../platform/graphql/arguments.js';
import { type Clock, CLOCK } from '../../platform/config/tokens.js';
import { SpaceAccess } from '../spaces/spaces.resolver.js';
import { Subject } from '../spaces/space.types.js';

const DAY_MS = 86_400_000;
const MAX_DAYS = 366;
const DEFAULT_DAYS = 30;

/** First and last day, YYYY-MM-DD in UTC. */
interface Period {
  readonly from: string;
  readonly to: string;
}

const dayOf = (moment: number): string => new Date(moment).toISOString().slice(0, 10);

function parseDay(field: string, day: string): number {
  const moment = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00.000Z`) : Number.NaN;
  // Date.parse rolls a day that does not exist over to the next month.
  if (Number.isNaN(moment) || dayOf(moment) !== day) {
    throw new ApiError('VALIDATION_FAILED', `${field} must be a date as YYYY-MM-DD.`, {
      field,
      rule: 'DAY_MALFORMED',
    });
  }
  return moment;
}

/** The requested period, by default the last 30 days. */
export function periodOf(
  requested: { readonly from?: string | null | undefined; readonly to?: string | null | undefined },
  now: Date,
): Period {
  const to = parseDay('to', requested.to ?? dayOf(now.getTime()));
  const from = requested.from ? parseDay('from', requested.from) : to - (DEFAULT_DAYS - 1) * DAY_MS;
  const days = (to - from) / DAY_MS + 1;
  if (days < 1 || days > MAX_DAYS) {
    throw new ApiError('VALIDATION_FAILED', `The period must span 1 to ${MAX_DAYS} days.`, {
      field: 'from',
      rule: 'PERIOD_OUT_OF_RANGE',
    });
  }
  return { from: dayOf(from), to: dayOf(to) };
}

@ObjectType()
class WorkloadDay {
  @Field(() => String, { description: 'YYYY-MM-DD in UTC.' }) readonly day!: string;
  @Field(() => Int) readonly questions!: number;
  @Field(() => Int) readonly answers!: number;
}

@ObjectType({ description: 'Questions asked in the period, excluding removed ones.' })
class SubjectClarity {
  @Field(() => Subject) readonly subject!: Subject;
  @Field(() => Int) readonly questions!: number;
  @Field(() => Int) readonly solved!: number;
  @Field(() => Int) readonly unsolved!: number;
  @Field(() => Int, { description: 'First answered within an hour.' }) readonly withinHour!: number;
  @Field(() => Int, { description: 'After an hour, within a day.' }) readonly withinDay!: number;
  @Field(() => Int, { description: 'After a day, within a week.' }) readonly withinWeek!: number;
  @Field(() => Int, { description: 'After more than a week.' }) readonly later!: number;
  @Field(() => Int) readonly unanswered!: number;
}

@ObjectType()
class SpaceStatistics {
  @Field(() => String) readonly from!: string;
  @Field(() => String) readonly to!: string;
  @Field(() => [WorkloadDay], {
    description: 'Days with questions or answers, in chronological order.',
  })
  readonly workload!: readonly WorkloadDay[];
  @Field(() => [SubjectClarity], { description: 'Lowest share of solved questions first.' })
  readonly subjects!: readonly SubjectClarity[];
}

@ObjectType({ description: 'All questions, excluding removed ones.' })
class SolvedShare {
  @Field(() => Int) readonly questions!: number;
  @Field(() => Int) readonly solved!: number;
}

@Resolver()
export class StatisticsResolver {
  constructor(
    private readonly pool: Pool,
    private readonly access: SpaceAccess,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @SignedIn()
  @Query(() => SpaceStatistics, {
    description: 'For members. Dates are YYYY-MM-DD in UTC. Defaults to the last 30 days.',
  })
  async getSpaceStatistics(
    @CurrentViewer() viewer: Viewer,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
    @Args('from', { type: () => String, nullable: true }) from?: string | null,
    @Args('to', { type: () => String, nullable: true }) to?: string | null,
    @Args('subjectIds', { type: () => [ID], nullable: true }) subjects?: readonly string[] | null,
  ): Promise<SpaceStatistics> {
    const period = periodOf({ from, to }, this.clock());
    const subjectIds = parseIds('subjectIds', subjects ?? []);
    await this.access.assertMayRead(viewer, spaceId);
    const [workload, clarity] = await Promise.all([
      listWorkload(this.pool, { spaceId, ...period, subjectIds }),
      listSubjectClarity(this.pool, { spaceId, ...period, subjectIds }),
    ]);
    return { ...period, workload, subjects: clarity };
  }

  @SignedIn()
  @Query(() => SolvedShare, { description: 'For members. Cheap enough to poll every two seconds.' })
  async getSolvedShare(
    @CurrentViewer() viewer: Viewer,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
    @Args('subjectIds', { type: () => [ID], nullable: true }) subjects?: readonly string[] | null,
  ): Promise<SolvedShare> {
    const subjectIds = parseIds('subjectIds', subjects ?? []);
    await this.access.assertMayRead(viewer, spaceId);
    return findSolvedShare(this.pool, { spaceId, subjectIds });
  }
}
