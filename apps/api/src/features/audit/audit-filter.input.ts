import { Field, ID, InputType, Int } from '@nestjs/graphql';
import { AUDIT_KINDS, type AuditFilter, type AuditKind } from '@nimo/projections';
import { ApiError } from '../../platform/errors/api-error.js';
import { optionalIdOf } from '../../platform/graphql/arguments.js';
import { DateTimeScalar, isoMoment } from '../../platform/graphql/scalars.js';
import { AuditKindEnum } from './audit.type.js';

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

const LARGEST_INT = 2_147_483_647;
function ordinalOf(value: string, name: string): number {
  const ordinal = Number(value);
  if (!Number.isInteger(ordinal) || ordinal < 0 || ordinal > LARGEST_INT)
    throw refused(name, `${name} must be a whole number from 0 to ${LARGEST_INT}.`);
  return ordinal;
}

const refused = (field: string, message: string): ApiError =>
  new ApiError('VALIDATION_FAILED', message, {
    field: field.slice(0, 40),
    rule: 'AUDIT_FILTER_INVALID',
  });
