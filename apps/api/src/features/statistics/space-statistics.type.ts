import { Field, Int, ObjectType } from '@nestjs/graphql';
import { Subject } from '../subjects/subject.type.js';

@ObjectType()
export class WorkloadDay {
  @Field(() => String, { description: 'YYYY-MM-DD in UTC.' }) readonly day!: string;
  @Field(() => Int) readonly questions!: number;
  @Field(() => Int) readonly answers!: number;
}

@ObjectType({ description: 'Of the questions asked in the period that are not removed.' })
export class SubjectClarity {
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
export class SpaceStatistics {
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
export class SolvedShare {
  @Field(() => Int) readonly questions!: number;
  @Field(() => Int) readonly solved!: number;
}
