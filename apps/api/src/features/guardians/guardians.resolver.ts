import { CommandBus } from '@nestjs/cqrs';
import { Args, Context, ID, Mutation, Query, Resolver } from '@nestjs/graphql';
import { DomainError, GUARDIAN_CONSENTS_PAGE_SIZE, type AgeBand } from '@nimo/domain';
import { findSpaceById, pageOfYoungerStudents } from '@nimo/projections';
import { Pool } from 'pg';
import { CurrentViewer, HasRole, SignedIn } from '../../platform/auth/access.js';
import { hasRole, type Viewer } from '../../platform/auth/viewer.js';
import { commandContext } from '../../platform/commands/command-context.js';
import { IdPipe } from '../../platform/graphql/arguments.js';
import { parsePage, PaginateOptions } from '../../platform/graphql/page.js';
import type { RequestContext } from '../../platform/auth/request-context.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { Confidential } from '../../platform/traces/traces.js';
import { AgeBandEnum, Space } from '../spaces/space.types.js';
import { ForgetAge, StateAge } from './commands/state-age.js';
import { GuardianRequests } from './guardian-links.js';
import { YoungerStudentPage } from './guardian-consents.resolver.js';
import { FlagResult } from '../../platform/errors/refusal.js';
import { oldNameOf } from '../schema/interfaces.js';

const EMAIL = 'Email address of the parent or guardian.';

/** Age statements and consent requests, for students and moderators of their spaces. */
@Resolver()
export class GuardiansResolver {
  constructor(
    private readonly pool: Pool,
    private readonly commands: CommandBus,
    private readonly requests: GuardianRequests,
  ) {}

  @SignedIn()
  @Limited('toggles', { andOn: ['togglesOfOne', 'spaceId'] })
  @Mutation(() => Space, {
    description:
      'Declares the caller’s age band in a space that asks for it. Only a moderator can let BELOW be changed to FROM.',
  })
  async declareAge(
    @Context() request: RequestContext,
    @CurrentViewer() viewer: Viewer,
    @Args('spaceId', { type: () => ID }, IdPipe) spaceId: string,
    @Args('band', { type: () => AgeBandEnum }) band: AgeBand,
  ): Promise<Space> {
    await this.commands.execute(new StateAge(commandContext(request, 'declareAge'), spaceId, band));
    return this.space(spaceId, viewer);
  }

  @SignedIn()
  @Limited('guardianAsks')
  @Mutation(() => Space, {
    description: 'Emails a parent or guardian a link to give or refuse consent. Replaces a previous link.',
  })
  async requestGuardianConsent(
    @Context() request: RequestContext,
    @CurrentViewer() viewer: Viewer,
    @Args('spaceId', { type: () => ID }, IdPipe) spaceId: string,
    @Args('email', { type: () => String, description: EMAIL }) email: string,
  ): Promise<Space> {
    const context = commandContext(request, 'requestGuardianConsent');
    await this.requests.ask({ context, spaceId, email, client: request.client });
    return this.space(spaceId, viewer);
  }

  @HasRole('MODERATOR')
  @Confidential<{ space: string }, YoungerStudentPage>('PEOPLE', ({ args, result: { docs } }) => ({
    spaceIds: [args.space],
    studentIds: docs.map(({ _id }) => _id),
    rows: docs.length,
  }))
  @Query(() => YoungerStudentPage, {
    description: 'Students who declared that they are under the consent age of the space, by user name.',
  })
  async getYoungerStudents(
    @CurrentViewer() viewer: Viewer,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
    @Args('paginateOptions', { type: () => PaginateOptions, nullable: true })
    options?: PaginateOptions | null,
  ): Promise<YoungerStudentPage> {
    if (!hasRole(viewer, 'MODERATOR', spaceId)) throw new DomainError('FORBIDDEN');
    const { page, limit } = parsePage(options ?? {}, GUARDIAN_CONSENTS_PAGE_SIZE);
    return pageOfYoungerStudents(this.pool, { spaceId, page, limit });
  }

  @HasRole('MODERATOR')
  @Limited('staff')
  @Mutation(() => FlagResult, {
    description:
      'Clears the declared age, so that the student can declare it again. For moderators of the space.',
  })
  async clearAge(
    @Context() request: RequestContext,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
    @Args('studentId', { type: () => ID }, IdPipe) studentId: string,
  ): Promise<FlagResult> {
    await this.commands.execute(new ForgetAge(commandContext(request, 'clearAge'), spaceId, studentId));
    return { flag: 1 };
  }

  @SignedIn()
  @Limited('toggles', { andOn: ['togglesOfOne', 'spaceId'] })
  @Mutation(() => Space, oldNameOf('declareAge'))
  stateAge(
    @Context() request: RequestContext,
    @CurrentViewer() viewer: Viewer,
    @Args('spaceId', { type: () => ID }, IdPipe) spaceId: string,
    @Args('band', { type: () => AgeBandEnum }) band: AgeBand,
  ): Promise<Space> {
    return this.declareAge(request, viewer, spaceId, band);
  }

  @SignedIn()
  @Limited('guardianAsks')
  @Mutation(() => Space, oldNameOf('requestGuardianConsent'))
  askGuardian(
    @Context() request: RequestContext,
    @CurrentViewer() viewer: Viewer,
    @Args('spaceId', { type: () => ID }, IdPipe) spaceId: string,
    @Args('email', { type: () => String, description: EMAIL }) email: string,
  ): Promise<Space> {
    return this.requestGuardianConsent(request, viewer, spaceId, email);
  }

  @HasRole('MODERATOR')
  @Limited('staff')
  @Mutation(() => FlagResult, oldNameOf('clearAge'))
  forgetAge(
    @Context() request: RequestContext,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
    @Args('studentId', { type: () => ID }, IdPipe) studentId: string,
  ): Promise<FlagResult> {
    return this.clearAge(request, spaceId, studentId);
  }

  private async space(spaceId: string, viewer: Viewer): Promise<Space> {
    const space = await findSpaceById(this.pool, spaceId, viewer.studentId);
    if (!space) throw new DomainError('SPACE_NOT_FOUND');
    return space;
  }
}
