import { Field, ID, InputType, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import type { InvitationKind } from '@nimo/domain';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { Author } from '../students/author.type.js';
import type { InvitationStanding } from './invitations.js';

const InvitationKindEnum = {
  LINK: 'LINK',
  CODE: 'CODE',
  LIST: 'LIST',
  DOMAIN: 'DOMAIN',
  GROUP: 'GROUP',
} as const satisfies { readonly [K in InvitationKind]: K };
registerEnumType(InvitationKindEnum, { name: 'InvitationKind' });

const InvitationStateEnum = {
  ACTIVE: 'ACTIVE',
  EXPIRED: 'EXPIRED',
  USED_UP: 'USED_UP',
  REVOKED: 'REVOKED',
} as const satisfies { readonly [S in InvitationStanding]: S };
registerEnumType(InvitationStateEnum, { name: 'InvitationState' });

@ObjectType({ description: 'A way into a space that many may use, as its staff see it.' })
export class Invitation {
  @Field(() => ID) readonly _id!: string;
  @Field(() => InvitationKindEnum) readonly kind!: InvitationKind;
  @Field(() => InvitationStateEnum) readonly state!: InvitationStanding;
  @Field(() => String, {
    nullable: true,
    description: 'What opens an active link or code: `/join#<secret>`, or to be typed on the spaces page.',
  })
  readonly secret!: string | null;
  @Field(() => String, { nullable: true, description: 'The domain, or `<provider>:<group>`.' })
  readonly rule!: string | null;
  @Field(() => Int, { nullable: true, description: 'How many it lets in; null: no end.' })
  readonly uses!: number | null;
  @Field(() => Int) readonly used!: number;
  @Field(() => DateTimeScalar) readonly createdAt!: string;
  @Field(() => DateTimeScalar, { nullable: true }) readonly expiresAt!: string | null;
  @Field(() => Author, {
    nullable: true,
    description: 'Null where that account is deleted, or an operator did it.',
  })
  readonly madeBy!: Author | null;
}

@InputType({ description: 'Each kind looks at its own fields.' })
export class NewInvitation {
  @Field(() => InvitationKindEnum) readonly kind!: InvitationKind;
  @Field(() => Int, { nullable: true, description: 'Of a link or a code.' }) readonly uses?: number | null;
  @Field(() => Int, { nullable: true, description: 'How long a link, a code or a list lasts.' })
  readonly days?: number | null;
  @Field(() => String, {
    nullable: true,
    description:
      'Email addresses and mobile numbers, one per line or with commas. Kept as keyed hashes alone.',
  })
  readonly contacts?: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'As in `school.example`. Its subdomains are not meant.',
  })
  readonly domain?: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'Of a group: one of `getSignInProviders` that is enabled.',
  })
  readonly provider?: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'As the provider names it, letter for letter. Counts from the next log-in with it on.',
  })
  readonly group?: string | null;
}
