import {
  Args,
  Context,
  Field,
  ID,
  InputType,
  Int,
  Mutation,
  ObjectType,
  Query,
  registerEnumType,
  Resolver,
} from '@nestjs/graphql';
import { DomainError, type InvitationKind } from '@nimo/domain';
import { CommandBus } from '@nestjs/cqrs';
import { findAuthorsByIds } from '@nimo/projections';
import { Pool } from 'pg';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { Author } from '../students/student.types.js';
import { Invitations, type InvitationStanding } from './invitations.js';
import { CurrentViewer, HasRole } from '../../platform/auth/access.js';
import { hasRole, type Viewer } from '../../platform/auth/viewer.js';
import { commandOf } from '../../platform/commands/command-context.js';
import { IdPipe } from '../../platform/graphql/arguments.js';
import type { RequestContext } from '../../platform/auth/request-context.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { LeavesNoTrace } from '../../platform/traces/traces.js';
import { MakeInvitation, RevokeInvitation } from './commands/make-invitation.js';
import { FlagResult } from '../../platform/errors/refusal.js';

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
class Invitation {
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
class NewInvitation {
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

/** Links, codes, lists and rules, by those who moderate the space and by maintainers. */
@Resolver(() => Invitation)
export class InvitationsResolver {
  constructor(
    private readonly pool: Pool,
    private readonly commands: CommandBus,
    private readonly invitations: Invitations,
  ) {}

  @HasRole('MODERATOR', 'MAINTAINER')
  @LeavesNoTrace('what staff made themselves, and how often it was used; never by whom')
  @Query(() => [Invitation], { description: 'Of a space, the latest first, with those that ended lately.' })
  async getInvitations(
    @CurrentViewer() viewer: Viewer,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
  ): Promise<Invitation[]> {
    if (!hasRole(viewer, 'MODERATOR', spaceId) && !hasRole(viewer, 'MAINTAINER'))
      throw new DomainError('FORBIDDEN');
    const listed = await this.invitations.list(spaceId);
    const makers = await findAuthorsByIds(
      this.pool,
      listed.map(({ madeBy }) => madeBy ?? ''),
    );
    return listed.map(({ createdAt, expiresAt, ...invitation }, at) => ({
      ...invitation,
      createdAt: createdAt.toISOString(),
      expiresAt: expiresAt?.toISOString() ?? null,
      madeBy: makers[at] ?? null,
    }));
  }

  @HasRole('MODERATOR', 'MAINTAINER')
  @Limited('staff')
  @Mutation(() => ID, { description: 'Of a space that is not open. Answers with its id.' })
  async createInvitation(
    @Context() request: RequestContext,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
    @Args('details', { type: () => NewInvitation }) details: NewInvitation,
  ): Promise<string> {
    const { kind, uses, days, contacts, domain, provider, group } = details;
    return this.commands.execute(
      new MakeInvitation(commandOf(request, 'createInvitation'), spaceId, {
        kind,
        uses: uses ?? null,
        days: days ?? null,
        contacts: contacts ?? null,
        domain: domain ?? null,
        provider: provider ?? null,
        group: group ?? null,
      }),
    );
  }

  @HasRole('MODERATOR', 'MAINTAINER')
  @Limited('staff')
  @Mutation(() => FlagResult, { description: 'Who came in by it stays.' })
  async revokeInvitation(
    @Context() request: RequestContext,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
    @Args('id', { type: () => ID }, IdPipe) id: string,
  ): Promise<FlagResult> {
    await this.commands.execute(new RevokeInvitation(commandOf(request, 'revokeInvitation'), spaceId, id));
    return { flag: 1 };
  }
}
