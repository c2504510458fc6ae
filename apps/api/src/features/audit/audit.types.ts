import { Field, ID, InputType, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import type { Actor, AuditClass, FactKind, ReportedPostType, VoteDirection } from '@nimo/domain';
import { AUDIT_KINDS, type AuditFilter, type AuditKind, type AuditPoints } from '@nimo/projections';
import { DateTimeScalar, toIsoTimestamp } from '../../platform/graphql/scalars.js';
import { ScoreReasonKindEnum } from '../leaderboard/score-explanation.type.js';
import { PostTypeEnum } from '../reports/reports.resolver.js';
import { ApiError } from '../../platform/errors/api-error.js';
import { parseOptionalId } from '../../platform/graphql/arguments.js';
import { oldNameOf } from '../schema/interfaces.js';

const AuditKindEnum = Object.fromEntries(AUDIT_KINDS.map((kind) => [kind, kind]));
registerEnumType(AuditKindEnum, {
  name: 'AuditKind',
  description: 'Event types with entries in the audit.',
});

const AuditClassEnum = { VOTE: 'VOTE', REPORT: 'REPORT', ACT: 'ACT', READ: 'READ' } as const satisfies {
  [C in AuditClass]: C;
};
registerEnumType(AuditClassEnum, { name: 'AuditClass' });

export const AuditActorKindEnum = {
  student: 'student',
  operator: 'operator',
  system: 'system',
  import: 'import',
} as const satisfies { [K in Actor['kind']]: K };
registerEnumType(AuditActorKindEnum, {
  name: 'AuditActorKind',
  description:
    'Actor of an event: a signed-in user, the command line, the system, or an import on behalf of a user of another community.',
});

const VoteDirectionEnum = { UP: 'UP', DOWN: 'DOWN' } as const satisfies { [D in VoteDirection]: D };
registerEnumType(VoteDirectionEnum, { name: 'VoteDirection' });

const AuditSideEnum = { RECEIVER: 'RECEIVER', VOTER: 'VOTER' } as const satisfies {
  [S in AuditPoints['side']]: S;
};
registerEnumType(AuditSideEnum, { name: 'AuditSide' });

@ObjectType({ description: 'A person in the audit. Names are empty if erased.' })
class AuditPerson {
  @Field(() => ID) readonly _id!: string;
  @Field(() => String) readonly userName!: string;
  @Field(() => String) readonly firstName!: string;
  @Field(() => String) readonly lastName!: string;
  @Field(() => String, { nullable: true }) readonly realProfilePicUrl!: string | null;
  @Field(() => Boolean) readonly isErased!: boolean;
  @Field(() => Boolean, { description: 'Placeholder for imported votes whose voter is unknown.' })
  readonly isStandIn!: boolean;
}

@ObjectType()
class AuditSpace {
  @Field(() => ID) readonly _id!: string;
  @Field(() => String) readonly name!: string;
}

@ObjectType()
class AuditPost {
  @Field(() => ID) readonly _id!: string;
  @Field(() => PostTypeEnum) readonly postType!: ReportedPostType;
  @Field(() => ID) readonly questionId!: string;
  @Field(() => String, { description: 'Title of the question.' }) readonly title!: string;
}

@ObjectType({
  description:
    'Points by the rules in force at the time. Investigations, penalties and their reversals show what they really moved; points of votes are nominal, because merit cannot drop below its minimum.',
})
class AuditPointsMoved {
  @Field(() => AuditSideEnum) readonly side!: AuditPoints['side'];
  @Field(() => ScoreReasonKindEnum) readonly kind!: FactKind;
  @Field(() => Int) readonly merit!: number;
  @Field(() => Int) readonly impact!: number;
  @Field(() => Int) readonly rulesVersion!: number;
}

@ObjectType({ description: 'An audit entry. Events of a vote investigation have one entry per vote.' })
export class AuditEntry {
  @Field(() => Int, { description: 'Position of the event in the log.' }) readonly ordinal!: number;
  @Field(() => Int) readonly line!: number;
  @Field(() => Int, { description: 'Number of entries of the event in this space.' }) readonly lines!: number;
  @Field(() => AuditKindEnum) readonly kind!: AuditKind;
  @Field(() => AuditClassEnum) readonly class!: AuditClass;
  @Field(() => ID) readonly eventId!: string;
  @Field(() => ID, { description: 'Shared by all events of one command.' }) readonly commandId!: string;
  @Field(() => DateTimeScalar, {
    description: 'When it occurred; for imports, the time given by the source.',
  })
  readonly occurredAt!: string;
  @Field(() => DateTimeScalar) readonly recordedAt!: string;
  @Field(() => AuditActorKindEnum) readonly actorKind!: Actor['kind'];
  @Field(() => AuditPerson, { nullable: true }) readonly actor!: AuditPerson | null;
  @Field(() => String, {
    nullable: true,
    description: 'Name given by the operator at the command line. Null for other actors.',
  })
  readonly operator!: string | null;
  @Field(() => AuditPerson, { nullable: true, description: 'The voter or reporter.' })
  readonly voter!: AuditPerson | null;
  @Field(() => AuditPerson, {
    nullable: true,
    description: 'Author of the post, or subject of the staff action.',
  })
  readonly receiver!: AuditPerson | null;
  @Field(() => AuditSpace, { nullable: true }) readonly space!: AuditSpace | null;
  @Field(() => AuditPost, { nullable: true }) readonly post!: AuditPost | null;
  @Field(() => VoteDirectionEnum, { nullable: true }) readonly direction!: VoteDirection | null;
  @Field(() => Boolean, { description: 'Part of a changed vote: withdrawn and cast in one command.' })
  readonly isSwitch!: boolean;
  @Field(() => String, { nullable: true }) readonly reason!: string | null;
  @Field(() => Int, { nullable: true, description: 'Report round of the post.' })
  readonly round!: number | null;
  @Field(() => ID, { nullable: true }) readonly caseId!: string | null;
  @Field(() => String, { nullable: true, description: 'Name of the role, topic, news post or similar.' })
  readonly about!: string | null;
  @Field(() => [AuditPointsMoved]) readonly points!: readonly AuditPointsMoved[];
}

@ObjectType()
class AuditPageInfo {
  @Field(() => String, { nullable: true, description: 'Pass as `after`. Null on an empty page.' })
  readonly endCursor!: string | null;
  @Field(() => Boolean) readonly hasNextPage!: boolean;
}

@ObjectType({ description: 'Newest first. New entries do not shift the pages.' })
export class AuditConnection {
  @Field(() => [AuditEntry]) readonly nodes!: readonly AuditEntry[];
  @Field(() => AuditPageInfo) readonly pageInfo!: AuditPageInfo;
}

@ObjectType({ description: 'Sums over audit entries, with the points of each entry as listed.' })
export class AuditTotals {
  @Field(() => Int, { description: 'Entries of the list.' }) readonly lines!: number;
  @Field(() => Int, { description: 'Like `lines`, but counts each vote of an investigation.' })
  readonly entries!: number;
  @Field(() => Int) readonly receiverMerit!: number;
  @Field(() => Int) readonly receiverImpact!: number;
  @Field(() => Int) readonly voterMerit!: number;
  @Field(() => Int) readonly voterImpact!: number;
  @Field(() => Boolean, { description: 'False if older entries were left out. An export has all sums.' })
  readonly isComplete!: boolean;
}

@ObjectType({ description: 'A field of an event, formatted for display.' })
export class AuditField {
  @Field(() => String, { description: 'Field name; a dotted path for nested fields.' })
  readonly name!: string;
  @Field(() => String, { nullable: true }) readonly value!: string | null;
  @Field(() => Boolean, { description: 'Personal data of an erased person.' }) readonly isErased!: boolean;
  @Field(() => AuditPerson, { nullable: true, description: 'The person whose id the value is.' })
  readonly person!: AuditPerson | null;
}

@ObjectType({ description: 'One event with all its data.' })
export class AuditEvent {
  @Field(() => AuditEntry) readonly entry!: AuditEntry;
  @Field(() => String) readonly streamId!: string;
  @Field(() => Int) readonly revision!: number;
  @Field(() => Int) readonly schemaVersion!: number;
  @Field(() => ID) readonly correlationId!: string;
  @Field(() => ID) readonly causationId!: string;
  @Field(() => [AuditField]) readonly data!: readonly AuditField[];
}

const id = { nullable: true } as const;

@InputType({ description: 'Fields that are not set do not filter.' })
export class AuditFilterInput {
  @Field(() => ID, id) readonly space?: string | null;
  @Field(() => ID, id) readonly post?: string | null;
  @Field(() => ID, { nullable: true, description: 'The voter or reporter.' }) readonly voter?: string | null;
  @Field(() => ID, { nullable: true, description: 'Author of the post, or subject of the staff action.' })
  readonly receiver?: string | null;
  @Field(() => ID, { nullable: true, description: 'Person or system that performed the action.' })
  readonly actor?: string | null;
  @Field(() => ID, id) readonly caseId?: string | null;
  @Field(() => [AuditKindEnum], { nullable: true }) readonly kinds?: readonly AuditKind[] | null;
  @Field(() => Boolean, {
    nullable: true,
    description: 'Excludes votes and reports. Lists each staff action once.',
  })
  readonly actionsOnly?: boolean | null;
  @Field(() => Boolean, { nullable: true, ...oldNameOf('actionsOnly') }) readonly actsOnly?: boolean | null;
  @Field(() => Boolean, {
    nullable: true,
    description: 'Only the access log. Excluded by default unless `kinds` includes it.',
  })
  readonly readsOnly?: boolean | null;
  @Field(() => DateTimeScalar, { nullable: true, description: 'Occurred at or after this time.' })
  readonly from?: string | null;
  @Field(() => DateTimeScalar, { nullable: true, description: 'Occurred before this time.' })
  readonly until?: string | null;
  @Field(() => Int, { nullable: true }) readonly fromOrdinal?: number | null;
  @Field(() => Int, { nullable: true }) readonly toOrdinal?: number | null;
}

/** @throws ApiError VALIDATION_FAILED if an id is malformed */
export function auditFilterOf(input: AuditFilterInput): AuditFilter {
  return {
    spaceId: parseOptionalId('space', input.space),
    postId: parseOptionalId('post', input.post),
    voterId: parseOptionalId('voter', input.voter),
    receiverId: parseOptionalId('receiver', input.receiver),
    actorId: parseOptionalId('actor', input.actor),
    caseId: parseOptionalId('caseId', input.caseId),
    kinds: input.kinds?.length ? input.kinds : undefined,
    actsOnly: input.actionsOnly ?? input.actsOnly ?? undefined,
    readsOnly: input.readsOnly ?? undefined,
    from: input.from ?? undefined,
    until: input.until ?? undefined,
    fromOrdinal: input.fromOrdinal ?? undefined,
    toOrdinal: input.toOrdinal ?? undefined,
  };
}

const FILTER_PARSERS = {
  space: textOf,
  post: textOf,
  voter: textOf,
  receiver: textOf,
  actor: textOf,
  caseId: textOf,
  kinds: kindsOf,
  actionsOnly: booleanOf,
  actsOnly: booleanOf,
  readsOnly: booleanOf,
  from: timeOf,
  until: timeOf,
  fromOrdinal: ordinalOf,
  toOrdinal: ordinalOf,
} as const satisfies { readonly [N in keyof AuditFilterInput]-?: (value: string, name: string) => unknown };

/**
 * Parses the filter from a query string.
 * @throws ApiError for unknown names: a misspelt filter would export everything
 */
export function auditFilterOfQuery(query: Readonly<Record<string, unknown>>): AuditFilter {
  const read = Object.entries(query).map(([name, value]): [string, unknown] => {
    if (!isFilterName(name))
      throw invalidFilter(
        name,
        `“${name.slice(0, 40)}” is not a filter. Valid filters: ${Object.keys(FILTER_PARSERS).join(', ')}.`,
      );
    if (typeof value !== 'string') throw invalidFilter(name, `${name} must appear only once.`);
    return [name, value === '' ? null : FILTER_PARSERS[name](value, name)];
  });
  return auditFilterOf(Object.fromEntries(read));
}

const isFilterName = (name: string): name is keyof typeof FILTER_PARSERS =>
  Object.hasOwn(FILTER_PARSERS, name);

function textOf(value: string): string {
  return value;
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);
function booleanOf(value: string, name: string): boolean {
  const flag = BOOLEANS.get(value);
  if (flag === undefined) throw invalidFilter(name, `${name} must be true or false.`);
  return flag;
}

function kindsOf(value: string, name: string): readonly AuditKind[] {
  return value.split(',').map((named) => {
    const kind = AUDIT_KINDS.find((known) => known === named);
    if (!kind)
      throw invalidFilter(
        name,
        `“${named.slice(0, 40)}” is not a kind. Valid kinds: ${AUDIT_KINDS.join(', ')}.`,
      );
    return kind;
  });
}

function timeOf(value: string, name: string): string {
  const moment = toIsoTimestamp(value);
  if (moment === undefined)
    throw invalidFilter(name, `${name} must be a date and time, for example 2026-01-31T12:00:00Z.`);
  return moment;
}

const MAX_INT = 2_147_483_647;
function ordinalOf(value: string, name: string): number {
  const ordinal = Number(value);
  if (!Number.isInteger(ordinal) || ordinal < 0 || ordinal > MAX_INT)
    throw invalidFilter(name, `${name} must be a whole number from 0 to ${MAX_INT}.`);
  return ordinal;
}

const invalidFilter = (field: string, message: string): ApiError =>
  new ApiError('VALIDATION_FAILED', message, {
    field: field.slice(0, 40),
    rule: 'AUDIT_FILTER_INVALID',
  });
