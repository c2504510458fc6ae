import { Field, ID, Int, ObjectType } from '@nestjs/graphql';
import type { Actor, PayloadField } from '@nimo/domain';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { AuditActorKindEnum } from '../audit/audit.types.js';
import { StoppedEventField } from '../projections/projection.type.js';

@ObjectType()
export class LogEvent {
  @Field(() => Int) readonly ordinal!: number;
  @Field(() => ID) readonly eventId!: string;
  @Field(() => String) readonly type!: string;
  @Field(() => String) readonly streamId!: string;
  @Field(() => Int) readonly revision!: number;
  @Field(() => DateTimeScalar) readonly occurredAt!: string;
  @Field(() => DateTimeScalar) readonly recordedAt!: string;
  @Field(() => AuditActorKindEnum) readonly actorKind!: Actor['kind'];
  @Field(() => String, { nullable: true }) readonly operator!: string | null;
  @Field(() => ID) readonly commandId!: string;
  @Field(() => ID) readonly correlationId!: string;
  @Field(() => ID) readonly causationId!: string;
  @Field(() => Int) readonly schemaVersion!: number;
  @Field(() => Boolean) readonly isStaffAction!: boolean;
}

@ObjectType()
export class LogEventDetail {
  @Field(() => LogEvent) readonly event!: LogEvent;
  @Field(() => String, { nullable: true }) readonly undecodable!: string | null;
  @Field(() => [StoppedEventField]) readonly data!: readonly PayloadField[];
}

@ObjectType()
export class LogPage {
  @Field(() => [LogEvent]) readonly events!: readonly LogEvent[];
  @Field(() => Int) readonly fromOrdinal!: number;
  @Field(() => Int) readonly toOrdinal!: number;
  @Field(() => Int) readonly lastOrdinal!: number;
}

@ObjectType()
export class LogStream {
  @Field(() => String) readonly streamId!: string;
  @Field(() => [LogEvent]) readonly events!: readonly LogEvent[];
  @Field(() => Boolean) readonly hasMore!: boolean;
}

@ObjectType()
export class LogFilters {
  @Field(() => [String]) readonly types!: readonly string[];
  @Field(() => [String]) readonly categories!: readonly string[];
}
