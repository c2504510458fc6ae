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
import { findAuthorsByIds, findMembersByIds, findSpaceById } from '@nimo/projections';
import { Pool } from 'pg';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { Author } from '../students/student.types.js';
import { Invitations, type InvitationState, type ListedInvitation } from './invitations.js';
import { CurrentViewer, HasRole } from '../../platform/auth/access.js';
import { hasRole, type Viewer } from '../../platform/auth/viewer.js';
import { commandContext } from '../../platform/commands/command-context.js';
import { IdPipe } from '../../platform/graphql/arguments.js';
import type { RequestContext } from '../../platform/auth/request-context.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { Untraced } from '../../platform/traces/traces.js';
import { CreateInvitation, RevokeInvitation } from './commands/manage-invitations.js';
import { FlagResult } from '../../platform/errors/refusal.js';
import { oldNameOf } from '../schema/interfaces.js';

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
} as const satisfies { readonly [S in InvitationState]: S };
registerEnumType(InvitationStateEnum, { name: 'InvitationState' });

@ObjectType({ description: 'A reusable invitation to a space, as its staff see it.' })
class Invitation {
  @Field(() => ID) readonly _id!: string;
  @Field(() => InvitationKindEnum) readonly kind!: InvitationKind;
  @Field(() => InvitationStateEnum) readonly state!: InvitationState;
  @Field(() => String, {
    nullable: true,
    description: 'Secret of an active link (`/join#<secret>`) or class code (`/join/<code>`).',
  })
  readonly secret!: string | null;
  @Field(() => String, { nullable: true, description: 'The domain, or `<provider>:<group>`.' })
  readonly rule!: string | null;
  @Field(() => Int, { nullable: true, description: 'Maximum number of uses; null if unlimited.' })
  readonly uses!: number | null;
  @Field(() => Int) readonly used!: number;
  @Field(() => DateTimeScalar) readonly createdAt!: string;
  @Field(() => DateTimeScalar, { nullable: true }) readonly expiresAt!: string | null;
  @Field(() => Author, {
    nullable: true,
    description: 'Null if the account was deleted or an operator created the invitation.',
  })
  readonly createdBy!: Author | null;
  @Field(() => Author, { nullable: true, ...oldNameOf('createdBy') }) readonly madeBy!: Author | null;
}

@ObjectType({ description: 'A class code with who joined with it, for the page that its teacher projects.' })
class ClassCode {
  @Field(() => Invitation) readonly invitation!: Invitation;
  @Field(() => String, { description: 'Name of the space it leads to.' }) readonly spaceName!: string;
  @Field(() => [Author], {
    description: 'Members who joined with it, latest first. Those who left are counted but not listed.',
  })
  readonly students!: readonly Author[];
}

@InputType({ description: 'Each kind uses only its own fields.' })
class NewInvitation {
  @Field(() => InvitationKindEnum) readonly kind!: InvitationKind;
  @Field(() => Int, { nullable: true, description: 'For a link or a code.' }) readonly uses?: number | null;
  @Field(() => Int, { nullable: true, description: 'Lifetime of a link, a code or a list in days.' })
  readonly days?: number | null;
  @Field(() => String, {
    nullable: true,
    description:
      'Email addresses and mobile numbers, separated by newlines or commas. Stored only as keyed hashes.',
  })
  readonly contacts?: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'For example `school.example`. Does not include subdomains.',
  })
  readonly domain?: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'For a group: an enabled provider of `getSignInProviders`.',
  })
  readonly provider?: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'Exact name at the provider. Takes effect at the next login with it.',
  })
  readonly group?: string | null;
}

@Resolver(() => Invitation)
export class InvitationsResolver {
  constructor(
    private readonly pool: Pool,
    private readonly commands: CommandBus,
    private readonly invitations: Invitations,
  ) {}

  @HasRole('MODERATOR', 'MAINTAINER')
  @Untraced('invitations created by staff and their use counts; never names users')
  @Query(() => [Invitation], {
    description: 'Invitations of a space including recently ended ones, latest first.',
  })
  async getInvitations(
    @CurrentViewer() viewer: Viewer,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
  ): Promise<Invitation[]> {
    if (!hasRole(viewer, 'MODERATOR', spaceId) && !hasRole(viewer, 'MAINTAINER'))
      throw new DomainError('FORBIDDEN');
    return this.withCreators(await this.invitations.list(spaceId));
  }

  @HasRole('MODERATOR')
  @Untraced('members who joined with a class code, under the names that members see')
  @Query(() => ClassCode, {
    description:
      'A class code and who joined with it. For moderators of the space: maintainers cannot read its members.',
  })
  async getClassCode(
    @CurrentViewer() viewer: Viewer,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
    @Args('id', { type: () => ID }, IdPipe) id: string,
  ): Promise<ClassCode> {
    if (!hasRole(viewer, 'MODERATOR', spaceId)) throw new DomainError('FORBIDDEN');
    const code = await this.invitations.classCode(spaceId, id);
    const [space, [invitation], students] = await Promise.all([
      findSpaceById(this.pool, spaceId, viewer.studentId),
      this.withCreators([code]),
      this.invitations.usersOf(id).then((ids) => findMembersByIds(this.pool, spaceId, ids)),
    ]);
    if (!space || !invitation) throw new DomainError('INVITATION_UNKNOWN');
    return { invitation, spaceName: space.name, students };
  }

  private async withCreators(listed: readonly ListedInvitation[]): Promise<Invitation[]> {
    const creators = await findAuthorsByIds(
      this.pool,
      listed.map(({ madeBy }) => madeBy ?? ''),
    );
    return listed.map(({ createdAt, expiresAt, ...invitation }, at) => ({
      ...invitation,
      createdAt: createdAt.toISOString(),
      expiresAt: expiresAt?.toISOString() ?? null,
      createdBy: creators[at] ?? null,
      madeBy: creators[at] ?? null,
    }));
  }

  @HasRole('MODERATOR', 'MAINTAINER')
  @Limited('staff')
  @Mutation(() => ID, { description: 'Creates an invitation to a space that is not open. Returns its ID.' })
  async createInvitation(
    @Context() request: RequestContext,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
    @Args('details', { type: () => NewInvitation }) details: NewInvitation,
  ): Promise<string> {
    const { kind, uses, days, contacts, domain, provider, group } = details;
    return this.commands.execute(
      new CreateInvitation(commandContext(request, 'createInvitation'), spaceId, {
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
  @Mutation(() => FlagResult, {
    description: 'Revokes an invitation. Students who joined with it stay members.',
  })
  async revokeInvitation(
    @Context() request: RequestContext,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
    @Args('id', { type: () => ID }, IdPipe) id: string,
  ): Promise<FlagResult> {
    await this.commands.execute(
      new RevokeInvitation(commandContext(request, 'revokeInvitation'), spaceId, id),
    );
    return { flag: 1 };
  }
}
