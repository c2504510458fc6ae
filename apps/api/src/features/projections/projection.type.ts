import { Field, Float, ID, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import type { ProjectionMaintenanceEvent, VerificationOutcome } from '@nimo/domain';
import type { GenerationStatus, ProjectionState } from '@nimo/projection-engine';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { Author } from '../students/student.types.js';
import { oldNameOf } from '../schema/interfaces.js';

type EnumOf<T extends string> = { readonly [Value in T]: Value };

const ProjectionStateEnum: EnumOf<ProjectionState> = {
  FOLLOWING: 'FOLLOWING',
  BEHIND: 'BEHIND',
  AHEAD: 'AHEAD',
  STOPPED: 'STOPPED',
  WAITING: 'WAITING',
};
registerEnumType(ProjectionStateEnum, {
  name: 'ProjectionState',
  description:
    'STOPPED at an event; AHEAD of the log, because an older log was restored; WAITING for a worker; BEHIND the log; otherwise FOLLOWING it.',
});

/** Retired generations are stored as `former`, which earlier versions on the same database know. */
const GenerationStatusEnum = {
  live: 'live',
  building: 'building',
  retired: 'former',
  verifying: 'verifying',
} satisfies Record<string, GenerationStatus>;
registerEnumType(GenerationStatusEnum, { name: 'ProjectionGenerationStatus' });

const VerificationOutcomeEnum: EnumOf<VerificationOutcome> = {
  EQUAL: 'EQUAL',
  DIFFERENT: 'DIFFERENT',
  FAILED: 'FAILED',
};
registerEnumType(VerificationOutcomeEnum, { name: 'ProjectionVerificationOutcome' });

const ProjectionActKindEnum: EnumOf<ProjectionMaintenanceEvent['type']> = {
  ProjectionRebuildStarted: 'ProjectionRebuildStarted',
  ProjectionRebuildCancelled: 'ProjectionRebuildCancelled',
  ProjectionSwitched: 'ProjectionSwitched',
  ProjectionVerificationStarted: 'ProjectionVerificationStarted',
  ProjectionVerificationCancelled: 'ProjectionVerificationCancelled',
  ProjectionVerificationFinished: 'ProjectionVerificationFinished',
  ProjectionEventRetried: 'ProjectionEventRetried',
  ProjectionEventSkipped: 'ProjectionEventSkipped',
};
registerEnumType(ProjectionActKindEnum, { name: 'ProjectionActKind' });

@ObjectType()
export class ProjectionError {
  @Field(() => ID) readonly eventId!: string;
  @Field(() => String) readonly eventType!: string;
  @Field(() => Float, { description: 'Position of the event in the log.' }) readonly ordinal!: number;
  @Field(() => String) readonly message!: string;
  @Field(() => DateTimeScalar) readonly at!: string;
}

@ObjectType()
export class StoppedEventField {
  @Field(() => String) readonly name!: string;
  @Field(() => String) readonly value!: string;
  @Field(() => Boolean) readonly isProtected!: boolean;
}

@ObjectType()
export class StoppedEvent {
  @Field(() => ID) readonly eventId!: string;
  @Field(() => String) readonly eventType!: string;
  @Field(() => Float, { description: 'Position of the event in the log.' }) readonly ordinal!: number;
  @Field(() => [ID]) readonly projections!: readonly string[];
  @Field(() => [StoppedEventField], { nullable: true }) readonly data!: readonly StoppedEventField[] | null;
}

@ObjectType()
export class ProjectionSkippedEvent {
  @Field(() => ID) readonly eventId!: string;
  @Field(() => String) readonly eventType!: string;
  @Field(() => Float) readonly ordinal!: number;
  @Field(() => String) readonly reason!: string;
  @Field(() => DateTimeScalar) readonly at!: string;
}

@ObjectType()
export class ProjectionGeneration {
  @Field(() => Int) readonly generation!: number;
  @Field(() => Int) readonly version!: number;
  @Field(() => GenerationStatusEnum) readonly status!: GenerationStatus;
  @Field(() => Float, { description: 'Number of events processed.' }) readonly ordinal!: number;
  @Field(() => Float, { description: 'Size of its tables and indexes in bytes.' }) readonly bytes!: number;
  @Field(() => DateTimeScalar) readonly startedAt!: string;
  @Field(() => DateTimeScalar, { nullable: true }) readonly switchedAt!: string | null;
  @Field(() => String, { nullable: true, description: 'Process that runs it.' })
  readonly leader!: string | null;
  @Field(() => Boolean) readonly isSwitchable!: boolean;
}

@ObjectType()
export class ProjectionWork {
  @Field(() => Int) readonly generation!: number;
  @Field(() => Float) readonly done!: number;
  @Field(() => Float) readonly total!: number;
  @Field(() => Float) readonly eventsPerSecond!: number;
  @Field(() => Float, { nullable: true }) readonly secondsLeft!: number | null;
}

@ObjectType()
export class ProjectionRebuild extends ProjectionWork {
  @Field(() => Boolean, { description: 'Waits for a manual switch once ready.' }) readonly isHeld!: boolean;
  @Field(() => Boolean) readonly isReady!: boolean;
  @Field(() => Boolean, oldNameOf('isRollback')) readonly isWayBack!: boolean;
  @Field(() => ProjectionError, { nullable: true }) readonly error!: ProjectionError | null;
  @Field(() => DateTimeScalar) readonly startedAt!: string;
}

@ObjectType()
export class ProjectionTableDifference {
  @Field(() => String) readonly table!: string;
  @Field(() => Float) readonly rows!: number;
}

@ObjectType()
export class ProjectionVerification {
  @Field(() => VerificationOutcomeEnum) readonly outcome!: VerificationOutcome;
  @Field(() => Float, { description: 'Log position at which the copies were compared.' })
  readonly ordinal!: number;
  @Field(() => String, { nullable: true }) readonly liveHash!: string | null;
  @Field(() => String, { nullable: true }) readonly rebuiltHash!: string | null;
  @Field(() => String, { nullable: true }) readonly error!: string | null;
  @Field(() => [ProjectionTableDifference], {
    nullable: true,
    description:
      'Number of differing rows by table. Empty if none differ any more, null if the comparison failed. `nimo projections verify` lists the rows.',
  })
  readonly differing!: readonly ProjectionTableDifference[] | null;
  @Field(() => DateTimeScalar) readonly finishedAt!: string;
}

@ObjectType({ description: 'A maintenance command, or the result of a verification.' })
export class ProjectionHistoryEntry {
  @Field(() => ID) readonly _id!: string;
  @Field(() => ProjectionActKindEnum) readonly kind!: ProjectionMaintenanceEvent['type'];
  @Field(() => DateTimeScalar) readonly at!: string;
  @Field(() => String, { description: 'One of student, operator, system and import.' })
  readonly actorKind!: string;
  @Field(() => Author, { nullable: true }) readonly actor!: Author | null;
  @Field(() => String, { nullable: true, description: 'Operator name, as given on the command line.' })
  readonly operator!: string | null;
  @Field(() => Int, { nullable: true }) readonly generation!: number | null;
  @Field(() => Boolean, { nullable: true }) readonly hold!: boolean | null;
  @Field(() => VerificationOutcomeEnum, { nullable: true }) readonly outcome!: VerificationOutcome | null;
  @Field(() => String, { nullable: true }) readonly eventType!: string | null;
  @Field(() => Float, { nullable: true, description: 'Log position of the event concerned.' })
  readonly ordinal!: number | null;
  @Field(() => String, { nullable: true }) readonly reason!: string | null;
}

@ObjectType()
export class Projection {
  @Field(() => ID) readonly name!: string;
  @Field(() => String) readonly purpose!: string;
  @Field(() => Int, { description: 'Version of the projection code.' }) readonly version!: number;
  @Field(() => ProjectionStateEnum) readonly state!: ProjectionState;
  @Field(() => ProjectionGeneration, { nullable: true }) readonly live!: ProjectionGeneration | null;
  @Field(() => Float, { description: 'Events not yet processed by the live generation.' })
  readonly lagEvents!: number;
  @Field(() => Float, { description: 'Age of the oldest unprocessed event in milliseconds.' })
  readonly lagMs!: number;
  @Field(() => Float) readonly eventsPerSecond!: number;
  @Field(() => ProjectionError, { nullable: true }) readonly error!: ProjectionError | null;
  @Field(() => [ProjectionSkippedEvent]) readonly skipped!: readonly ProjectionSkippedEvent[];
  @Field(() => ProjectionRebuild, { nullable: true }) readonly rebuild!: ProjectionRebuild | null;
  @Field(() => ProjectionWork, { nullable: true }) readonly verification!: ProjectionWork | null;
  @Field(() => ProjectionVerification, { nullable: true })
  readonly lastVerification!: ProjectionVerification | null;
  @Field(() => [ProjectionGeneration]) readonly generations!: readonly ProjectionGeneration[];
}
