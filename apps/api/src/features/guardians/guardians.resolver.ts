import { CommandBus } from '@nestjs/cqrs';
import { Args, Context, ID, Mutation, Query, Resolver } from '@nestjs/graphql';
import { DomainError, GUARDIAN_CONSENTS_PAGE_SIZE, type AgeBand } from '@nimo/domain';
import { findSpaceById, pageOfYoungerStudents } from '@nimo/projections';
import { Pool } from 'pg';
import { CurrentViewer, HasRole, SignedIn } from '../../platform/auth/access.js';
import { hasRole, type Viewer } from '../../platform/auth/viewer.js';
import { commandOf } from '../../platform/commands/command-context.js';
import { IdPipe } from '../../platform/graphql/arguments.js';
import { pageOf, PaginateOptions } from '../../platform/graphql/page.js';
import type { RequestContext } from '../../platform/auth/request-context.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { Confidential } from '../../platform/traces/traces.js';
import { AgeBandEnum, Space } from '../spaces/space.types.js';
import { ForgetAge, StateAge } from './commands/state-age.js';
import { GuardianAsking } from './guardian-links.js';
import { YoungerStudentPage } from './guardian-consents.resolver.js';
import { FlagResult } from '../../platform/errors/refusal.js';

/** Ages and consents, for students and those who moderate their spaces. */
@Resolver()
export class GuardiansResolver {
  constructor(
    private readonly pool: Pool,
    private readonly commands: CommandBus,
    private readonly asking: GuardianAsking,
  ) {}

  @SignedIn()
  @Limited('toggles', { andOn: ['togglesOfOne', 'spaceId'] })
  @Mutation(() => Space, {
    description:
      'The caller says how old they are, where the space asks. BELOW becomes FROM by a moderator alone.',
  })
  async stateAge(
    @Context() request: RequestContext,
    @CurrentViewer() viewer: Viewer,
    @Args('spaceId', { type: () => ID }, IdPipe) spaceId: string,
    @Args('band', { type: () => AgeBandEnum }) band: AgeBand,
  ): Promise<Space> {
    await this.commands.execute(new StateAge(commandOf(request, 'stateAge'), spaceId, band));
    return this.space(spaceId, viewer);
  }

  @SignedIn()
  @Limited('guardianAsks')
  @Mutation(() => Space, {
    description: 'Mails a parent or guardian of the caller a link to agree or refuse by. A former link ends.',
  })
  async askGuardian(
    @Context() request: RequestContext,
    @CurrentViewer() viewer: Viewer,
    @Args('spaceId', { type: () => ID }, IdPipe) spaceId: string,
    @Args('email', { type: () => String, description: 'Of the parent or guardian.' }) email: string,
  ): Promise<Space> {
    const context = commandOf(request, 'askGuardian');
    await this.asking.ask({ context, spaceId, email, client: request.client });
    return this.space(spaceId, viewer);
  }

  @HasRole('MODERATOR')
  @Confidential<{ space: string }, YoungerStudentPage>('PEOPLE', ({ args, result: { docs } }) => ({
    spaceIds: [args.space],
    studentIds: docs.map(({ _id }) => _id),
    rows: docs.length,
  }))
  @Query(() => YoungerStudentPage, {
    description: 'Who said to be younger than the space asks about, by user name.',
  })
  async getYoungerStudents(
    @CurrentViewer() viewer: Viewer,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
    @Args('paginateOptions', { type: () => PaginateOptions, nullable: true })
    options?: PaginateOptions | null,
  ): Promise<YoungerStudentPage> {
    if (!hasRole(viewer, 'MODERATOR', spaceId)) throw new DomainError('FORBIDDEN');
    const { page, limit } = pageOf(options ?? {}, GUARDIAN_CONSENTS_PAGE_SIZE);
    return pageOfYoungerStudents(this.pool, { spaceId, page, limit });
  }

  @HasRole('MODERATOR')
  @Limited('staff')
  @Mutation(() => FlagResult, {
    description: 'By moderators of the space: the student states the age again.',
  })
  async forgetAge(
    @Context() request: RequestContext,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
    @Args('studentId', { type: () => ID }, IdPipe) studentId: string,
  ): Promise<FlagResult> {
    await this.commands.execute(new ForgetAge(commandOf(request, 'forgetAge'), spaceId, studentId));
    return { flag: 1 };
  }

  private async space(spaceId: string, viewer: Viewer): Promise<Space> {
    const space = await findSpaceById(this.pool, spaceId, viewer.studentId);
    if (!space) throw new DomainError('SPACE_NOT_FOUND');
    return space;
  }
}
