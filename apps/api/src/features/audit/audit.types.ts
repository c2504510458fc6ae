import { Field, ID, InputType, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import type { Actor, AuditClass, FactKind, ReportedPostType, VoteDirection } from '@nimo/domain';
import { AUDIT_KINDS, type AuditFilter, type AuditKind, type AuditPoints } from '@nimo/projections';
import { DateTimeScalar, isoMoment } from '../../platform/graphql/scalars.js';
import { ScoreReasonKindEnum } from '../leaderboard/score-explanation.type.js';
import { PostTypeEnum } from '../reports/reports.resolver.js';
import { ApiError } from '../../platform/errors/api-error.js';
import { optionalIdOf } from '../../platform/graphql/arguments.js';

const AuditKindEnum = Object.fromEntries(AUDIT_KINDS.map((kind) => [kind, kind]));
registerEnumType(AuditKindEnum, {
  name: 'AuditKind',
  description: 'Event types that have lines in the audit.',
});

const AuditClassEnum = { VOTE: 'VOTE', REPORT: 'REPORT', ACT: 'ACT', READ: 'READ' } as const satisfies {
  [C in AuditClass]: C;
};
registerEnumType(AuditClassEnum, { name: 'AuditClass' });

const AuditActorKindEnum = {
  student: 'student',
  operator: 'operator',
  system: 'system',
  import: 'import',
} as const satisfies { [K in Actor['kind']]: K };
registerEnumType(AuditActorKindEnum, {
  name: 'AuditActorKind',
  description:
    'Who acted: somebody signed in, the command line, the product itself, or an import for somebody of another community.',
});

const VoteDirectionEnum = { UP: 'UP', DOWN: 'DOWN' } as const satisfies { [D in VoteDirection]: D };
registerEnumType(VoteDirectionEnum, { name: 'VoteDirection' });

const AuditSideEnum = { RECEIVER: 'RECEIVER', VOTER: 'VOTER' } as const satisfies {
  [S in AuditPoints['side']]: S;
};
registerEnumType(AuditSideEnum, { name: 'AuditSide' });

@ObjectType({ description: 'A person in the audit; the names of an erased one are empty.' })
class AuditPerson {
  @Field(() => ID) readonly _id!: string;
  @Field(() => String) readonly userName!: string;
  @Field(() => String) readonly firstName!: string;
  @Field(() => String) readonly lastName!: string;
  @Field(() => String, { nullable: true }) readonly realProfilePicUrl!: string | null;
  @Field(() => Boolean) readonly isErased!: boolean;
  @Field(() => Boolean, { description: 'Carries votes of an import whose voter the source does not tell.' })
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
  @Field(() => String, { description: 'Of the question.' }) readonly title!: string;
}

@ObjectType({
  description:
    'What the line moved by the rules that had been published before it. The floor of merit may have made it less.',
})
class AuditPointsMoved {
  @Field(() => AuditSideEnum) readonly side!: AuditPoints['side'];
  @Field(() => ScoreReasonKindEnum) readonly kind!: FactKind;
  @Field(() => Int) readonly merit!: number;
  @Field(() => Int) readonly impact!: number;
  @Field(() => Int) readonly rulesVersion!: number;
}

@ObjectType({ description: 'A line of the history. An event of a case has one for each vote.' })
export class AuditEntry {
  @Field(() => Int, { description: 'The place of the event in the log.' }) readonly ordinal!: number;
  @Field(() => Int) readonly line!: number;
  @Field(() => Int, { description: 'Lines of the event in this space.' }) readonly lines!: number;
  @Field(() => AuditKindEnum) readonly kind!: AuditKind;
  @Field(() => AuditClassEnum) readonly class!: AuditClass;
  @Field(() => ID) readonly eventId!: string;
  @Field(() => ID, { description: 'The same for what one act did.' }) readonly commandId!: string;
  @Field(() => DateTimeScalar, { description: 'When it happened; of an import the source’s time.' })
  readonly occurredAt!: string;
  @Field(() => DateTimeScalar) readonly recordedAt!: string;
  @Field(() => AuditActorKindEnum) readonly actorKind!: Actor['kind'];
  @Field(() => AuditPerson, { nullable: true }) readonly actor!: AuditPerson | null;
  @Field(() => String, {
    nullable: true,
    description: 'Who worked at the command line, as they said it; null for others.',
  })
  readonly operator!: string | null;
  @Field(() => AuditPerson, { nullable: true, description: 'Who voted or reported.' })
  readonly voter!: AuditPerson | null;
  @Field(() => AuditPerson, { nullable: true, description: 'Whose post it is, or whom the act is about.' })
  readonly receiver!: AuditPerson | null;
  @Field(() => AuditSpace, { nullable: true }) readonly space!: AuditSpace | null;
  @Field(() => AuditPost, { nullable: true }) readonly post!: AuditPost | null;
  @Field(() => VoteDirectionEnum, { nullable: true }) readonly direction!: VoteDirection | null;
  @Field(() => Boolean, { description: 'Half of a vote turned round: taken back and cast in one act.' })
  readonly isSwitch!: boolean;
  @Field(() => String, { nullable: true }) readonly reason!: string | null;
  @Field(() => Int, { nullable: true, description: 'Round of reports on the post.' })
  readonly round!: number | null;
  @Field(() => ID, { nullable: true }) readonly caseId!: string | null;
  @Field(() => String, { nullable: true, description: 'Of a role, a topic, a newspost …' })
  readonly about!: string | null;
  @Field(() => [AuditPointsMoved]) readonly points!: readonly AuditPointsMoved[];
}

@ObjectType()
class AuditPageInfo {
  @Field(() => String, { nullable: true, description: 'For `after`; null on an empty page.' })
  readonly endCursor!: string | null;
  @Field(() => Boolean) readonly hasNextPage!: boolean;
}

@ObjectType({ description: 'The newest first. What is recorded meanwhile moves no page.' })
export class AuditConnection {
  @Field(() => [AuditEntry]) readonly nodes!: readonly AuditEntry[];
  @Field(() => AuditPageInfo) readonly pageInfo!: AuditPageInfo;
}

@ObjectType({ description: 'A value of an event, for reading.' })
export class AuditField {
  @Field(() => String, { description: 'As in the event; of a value inside another the way to it.' })
  readonly name!: string;
  @Field(() => String, { nullable: true }) readonly value!: string | null;
  @Field(() => Boolean, { description: 'Was personal; the person is erased.' }) readonly isErased!: boolean;
  @Field(() => AuditPerson, { nullable: true, description: 'Whose id the value is.' })
  readonly person!: AuditPerson | null;
}

@ObjectType({ description: 'One event, whole.' })
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

@InputType({ description: 'What is left out does not narrow.' })
export class AuditFilterInput {
  @Field(() => ID, id) readonly space?: string | null;
  @Field(() => ID, id) readonly post?: string | null;
  @Field(() => ID, { nullable: true, description: 'Who voted or reported.' }) readonly voter?: string | null;
  @Field(() => ID, { nullable: true, description: 'Whose post it is, or whom the act is about.' })
  readonly receiver?: string | null;
  @Field(() => ID, { nullable: true, description: 'Who acted.' }) readonly actor?: string | null;
  @Field(() => ID, id) readonly caseId?: string | null;
  @Field(() => [AuditKindEnum], { nullable: true }) readonly kinds?: readonly AuditKind[] | null;
  @Field(() => Boolean, { nullable: true, description: 'Neither votes nor reports; each act once.' })
  readonly actsOnly?: boolean | null;
  @Field(() => Boolean, {
    nullable: true,
    description: 'What staff looked at, alone; left out otherwise unless `kinds` names it.',
  })
  readonly readsOnly?: boolean | null;
  @Field(() => DateTimeScalar, { nullable: true, description: 'Happened then or later.' })
  readonly from?: string | null;
  @Field(() => DateTimeScalar, { nullable: true, description: 'Happened before then.' })
  readonly until?: string | null;
  @Field(() => Int, { nullable: true }) readonly fromOrdinal?: number | null;
  @Field(() => Int, { nullable: true }) readonly toOrdinal?: number | null;
}

/** @throws ApiError naming what is no id */
export function auditFilterOf(input: AuditFilterInput): AuditFilter {
  return {
    spaceId: optionalIdOf('space', input.space),
    postId: optionalIdOf('post', input.post),
    voterId: optionalIdOf('voter', input.voter),
    receiverId: optionalIdOf('receiver', input.receiver),
    actorId: optionalIdOf('actor', input.actor),
    caseId: optionalIdOf('caseId', input.caseId),
    kinds: input.kinds?.length ? input.kinds : undefined,
    actsOnly: input.actsOnly ?? undefined,
    readsOnly: input.readsOnly ?? undefined,
    from: input.from ?? undefined,
    until: input.until ?? undefined,
    fromOrdinal: input.fromOrdinal ?? undefined,
    toOrdinal: input.toOrdinal ?? undefined,
  };
}

const NAMES = {
  space: textOf,
  post: textOf,
  voter: textOf,
  receiver: textOf,
  actor: textOf,
  caseId: textOf,
  kinds: kindsOf,
  actsOnly: (value: string) => value === 'true',
  readsOnly: (value: string) => value === 'true',
  from: timeOf,
  until: timeOf,
  fromOrdinal: ordinalOf,
  toOrdinal: ordinalOf,
} as const satisfies { readonly [N in keyof AuditFilterInput]-?: (value: string, name: string) => unknown };

/**
 * The same filter out of an address.
 * @throws ApiError for a name that it does not know: a misspelt filter would export everything
 */
export function auditFilterOfQuery(query: Readonly<Record<string, unknown>>): AuditFilter {
  const read = Object.entries(query).map(([name, value]): [string, unknown] => {
    if (!isFilterName(name))
      throw refused(name, `“${name.slice(0, 40)}” is not a filter. Known: ${Object.keys(NAMES).join(', ')}.`);
    if (typeof value !== 'string') throw refused(name, `${name} must be given once.`);
    return [name, value === '' ? null : NAMES[name](value, name)];
  });
  return auditFilterOf(Object.fromEntries(read));
}

const isFilterName = (name: string): name is keyof typeof NAMES => Object.hasOwn(NAMES, name);

function textOf(value: string): string {
  return value;
}

function kindsOf(value: string, name: string): readonly AuditKind[] {
  return value.split(',').map((named) => {
    const kind = AUDIT_KINDS.find((known) => known === named);
    if (!kind)
      throw refused(name, `“${named.slice(0, 40)}” is not a kind. Known: ${AUDIT_KINDS.join(', ')}.`);
    return kind;
  });
}

function timeOf(value: string, name: string): string {
  const moment = isoMoment(value);
  if (moment === undefined)
    throw refused(name, `${name} must be a date and time, for example 2026-01-31T12:00:00Z.`);
  return moment;
}

const MAX_INT = 2_147_483_647;
function ordinalOf(value: string, name: string): number {
  const ordinal = Number(value);
  if (!Number.isInteger(ordinal) || ordinal < 0 || ordinal > MAX_INT)
    throw refused(name, `${name} must be a whole number from 0 to ${MAX_INT}.`);
  return ordinal;
}

const refused = (field: string, message: string): ApiError =>
  new ApiError('VALIDATION_FAILED', message, {
    field: field.slice(0, 40),
    rule: 'AUDIT_FILTER_INVALID',
  });
