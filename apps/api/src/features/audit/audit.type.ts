import { Field, ID, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import type { Actor, AuditClass, FactKind, ReportedPostType, VoteDirection } from '@nimo/domain';
import { AUDIT_KINDS, type AuditKind, type AuditPoints } from '@nimo/projections';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { ScoreReasonKindEnum } from '../leaderboard/score-explanation.type.js';
import { PostTypeEnum } from '../reports/post-report.type.js';

export const AuditKindEnum = Object.fromEntries(AUDIT_KINDS.map((kind) => [kind, kind]));
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
export class AuditPerson {
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
export class AuditSpace {
  @Field(() => ID) readonly _id!: string;
  @Field(() => String) readonly name!: string;
}

@ObjectType()
export class AuditPost {
  @Field(() => ID) readonly _id!: string;
  @Field(() => PostTypeEnum) readonly postType!: ReportedPostType;
  @Field(() => ID) readonly questionId!: string;
  @Field(() => String, { description: 'Of the question.' }) readonly title!: string;
}

@ObjectType({
  description:
    'What the line moved by the rules that had been published before it. The floor of merit may have made it less.',
})
export class AuditPointsMoved {
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
export class AuditPageInfo {
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
