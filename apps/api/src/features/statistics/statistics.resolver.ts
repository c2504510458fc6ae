import { Args, Field, ID, Int, ObjectType, Query, Resolver } from '@nestjs/graphql';
import { Inject } from '@nestjs/common';
import { findSolvedShare, listSubjectClarity, listWorkload } from '@nimo/projections';
import { Pool } from 'pg';
import { ApiError } from '../../platform/errors/api-error.js';
import { CurrentViewer, SignedIn } from '../../platform/auth/access.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { IdPipe, idsOf } from '../../platform/graphql/arguments.js';
import { type Clock, CLOCK } from '../../platform/config/tokens.js';
import { SpaceAccess } from '../spaces/spaces.resolver.js';
import { Subject } from '../spaces/space.types.js';

const DAY = 86_400_000;
const MAX_DAYS = 366;
const DEFAULT_DAYS = 30;

/** First and last day, YYYY-MM-DD in UTC. */
interface Period {
  readonly from: string;
  readonly to: string;
}

const dayOf = (moment: number): string => new Date(moment).toISOString().slice(0, 10);

function momentOf(field: string, day: string): number {
  const moment = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00.000Z`) : Number.NaN;
  // A day that a month does not have would be read as one of the next month.
  if (Number.isNaN(moment) || dayOf(moment) !== day) {
    throw new ApiError('VALIDATION_FAILED', `${field} must be a day as YYYY-MM-DD.`, {
      field,
      rule: 'DAY_MALFORMED',
    });
  }
  return moment;
}

/** The period that was asked for; the thirty days up to now where nothing was. */
export function periodOf(
  asked: { readonly from?: string | null | undefined; readonly to?: string | null | undefined },
  now: Date,
): Period {
  const to = momentOf('to', asked.to ?? dayOf(now.getTime()));
  const from = asked.from ? momentOf('from', asked.from) : to - (DEFAULT_DAYS - 1) * DAY;
  const days = (to - from) / DAY + 1;
  if (days < 1 || days > MAX_DAYS) {
    throw new ApiError('VALIDATION_FAILED', `A period has 1 to ${MAX_DAYS} days.`, {
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

@ObjectType({ description: 'Of the questions asked in the period that are not removed.' })
class SubjectClarity {
  @Field(() => Subject) readonly subject!: Subject;
  @Field(() => Int) readonly questions!: number;
  @Field(() => Int) readonly solved!: number;
  @Field(() => Int) readonly unsolved!: number;
  @Field(() => Int, { description: 'First answered within an hour.' }) readonly withinHour!: number;
  @Field(() => Int, { description: 'Within a day, not an hour.' }) readonly withinDay!: number;
  @Field(() => Int, { description: 'Within a week, not a day.' }) readonly withinWeek!: number;
  @Field(() => Int, { description: 'After more than a week.' }) readonly later!: number;
  @Field(() => Int) readonly unanswered!: number;
}

@ObjectType()
class SpaceStatistics {
  @Field(() => String) readonly from!: string;
  @Field(() => String) readonly to!: string;
  @Field(() => [WorkloadDay], {
    description: 'Days on which something was asked or answered, the first first.',
  })
  readonly workload!: readonly WorkloadDay[];
  @Field(() => [SubjectClarity], { description: 'The least solved first.' })
  readonly subjects!: readonly SubjectClarity[];
}

@ObjectType({ description: 'Of all questions that are not removed.' })
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
    description: 'For members. Days are YYYY-MM-DD in UTC, the last thirty unless told otherwise.',
  })
  async getSpaceStatistics(
    @CurrentViewer() viewer: Viewer,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
    @Args('from', { type: () => String, nullable: true }) from?: string | null,
    @Args('to', { type: () => String, nullable: true }) to?: string | null,
    @Args('subjectIds', { type: () => [ID], nullable: true }) subjects?: readonly string[] | null,
  ): Promise<SpaceStatistics> {
    const period = periodOf({ from, to }, this.clock());
    const subjectIds = idsOf('subjectIds', subjects ?? []);
    await this.access.assertMayRead(viewer, spaceId);
    const [workload, clarity] = await Promise.all([
      listWorkload(this.pool, { spaceId, ...period, subjectIds }),
      listSubjectClarity(this.pool, { spaceId, ...period, subjectIds }),
    ]);
    return { ...period, workload, subjects: clarity };
  }

  @SignedIn()
  @Query(() => SolvedShare, { description: 'For members. Cheap: a gauge asks for it every two seconds.' })
  async getSolvedShare(
    @CurrentViewer() viewer: Viewer,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
    @Args('subjectIds', { type: () => [ID], nullable: true }) subjects?: readonly string[] | null,
  ): Promise<SolvedShare> {
    const subjectIds = idsOf('subjectIds', subjects ?? []);
    await this.access.assertMayRead(viewer, spaceId);
    return findSolvedShare(this.pool, { spaceId, subjectIds });
  }
}
