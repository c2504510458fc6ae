import { CommandBus } from '@nestjs/cqrs';
import { Args, Context, ID, Mutation, Query, Resolver } from '@nestjs/graphql';
import { DomainError } from '@nimo/domain';
import {
  findManagedSpace,
  findManagedSubject,
  findSubjectById,
  listManagedSpaces,
  listManagedSubjects,
} from '@nimo/projections';
import { Pool } from 'pg';
import { CurrentViewer, HasRole } from '../../platform/auth/access.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { type CommandContext, commandContext } from '../../platform/commands/command-context.js';
import { omitNullish, IdPipe } from '../../platform/graphql/arguments.js';
import type { RequestContext } from '../../platform/auth/request-context.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { OwnStaffActions } from '../staff-actions/own-staff-actions.js';
import { normalisedLocation } from '../uploads/picture-access.js';
import { OwnUploads } from '../uploads/own-uploads.js';
import { ArchiveSpace, ChangeSpace, CreateSpace, RemoveSpace } from './commands/manage-space.js';
import {
  DeletedSpaceResult,
  ManagedSpace,
  ManagedSubject,
  NewSpace,
  SavedSpaceResult,
  SavedSubjectResult,
  SpaceChange,
  SubjectChange,
} from './space.types.js';
import { Untraced } from '../../platform/traces/traces.js';
import { AddSubject, ChangeSubject } from './commands/subjects.js';

/** Lets maintainers create and change spaces. */
@Resolver(() => ManagedSpace)
export class SpaceManagementResolver {
  constructor(
    private readonly pool: Pool,
    private readonly commands: CommandBus,
    private readonly uploads: OwnUploads,
    private readonly acts: OwnStaffActions,
  ) {}

  @HasRole('MAINTAINER')
  @Untraced('spaces as their members see them')
  @Query(() => [ManagedSpace], { description: 'Ordered by name.' })
  getManagedSpaces(): Promise<ManagedSpace[]> {
    return listManagedSpaces(this.pool);
  }

  @HasRole('MAINTAINER')
  @Untraced('spaces as their members see them')
  @Query(() => ManagedSpace, { nullable: true })
  getManagedSpace(@Args('id', { type: () => ID }, IdPipe) spaceId: string): Promise<ManagedSpace | null> {
    return findManagedSpace(this.pool, spaceId);
  }

  @HasRole('MAINTAINER')
  @Limited('posts')
  @Mutation(() => SavedSpaceResult)
  async createSpace(
    @Context() request: RequestContext,
    @CurrentViewer() viewer: Viewer,
    @Args('details', { type: () => NewSpace }) details: NewSpace,
  ): Promise<SavedSpaceResult> {
    const context = commandContext(request, 'createSpace');
    const bannerImageUrl = details.bannerImageUrl ?? null;
    await this.uploads.assertOwnPicture(bannerImageUrl, viewer, { field: 'bannerImageUrl' });
    const spaceId = await this.commands.execute(
      new CreateSpace(context, {
        name: details.name,
        description: details.description ?? '',
        bannerImageUrl,
        color: details.color,
        hiddenFromSearchEngines: details.hiddenFromSearchEngines ?? true,
        entry: details.entry ?? 'OPEN',
        publicPages: details.publicPages ?? false,
        consentAge: details.consentAge ?? null,
      }),
    );
    return this.saved(context, spaceId);
  }

  @HasRole('MAINTAINER')
  @Limited('posts')
  @Mutation(() => SavedSpaceResult, { description: 'Rejected if the values in `seen` are outdated.' })
  async changeSpace(
    @Context() request: RequestContext,
    @CurrentViewer() viewer: Viewer,
    @Args('id', { type: () => ID }, IdPipe) spaceId: string,
    @Args('change', { type: () => SpaceChange }) input: SpaceChange,
    @Args('seen', { type: () => SpaceChange, nullable: true }) seen?: SpaceChange | null,
  ): Promise<SavedSpaceResult> {
    const context = commandContext(request, 'changeSpace');
    const change = patchOf(input);
    const shown = (await findManagedSpace(this.pool, spaceId))?.bannerImageUrl;
    await this.uploads.assertOwnPicture(change.bannerImageUrl, viewer, { field: 'bannerImageUrl', shown });
    await this.commands.execute(new ChangeSpace(context, spaceId, { change, seen: patchOf(seen ?? {}) }));
    return this.saved(context, spaceId);
  }

  @HasRole('MAINTAINER')
  @Limited('staff')
  @Mutation(() => SavedSpaceResult, {
    description: 'Makes a space read-only for everybody, and hides it from students who are not members.',
  })
  async archiveSpace(
    @Context() request: RequestContext,
    @Args('id', { type: () => ID }, IdPipe) spaceId: string,
  ): Promise<SavedSpaceResult> {
    const context = commandContext(request, 'archiveSpace');
    await this.commands.execute(new ArchiveSpace(context, spaceId, true));
    return this.saved(context, spaceId);
  }

  @HasRole('MAINTAINER')
  @Limited('staff')
  @Mutation(() => SavedSpaceResult, {
    description: 'Opens an archived space again, with its former settings.',
  })
  async unarchiveSpace(
    @Context() request: RequestContext,
    @Args('id', { type: () => ID }, IdPipe) spaceId: string,
  ): Promise<SavedSpaceResult> {
    const context = commandContext(request, 'unarchiveSpace');
    await this.commands.execute(new ArchiveSpace(context, spaceId, false));
    return this.saved(context, spaceId);
  }

  @HasRole('MAINTAINER')
  @Limited('staff')
  @Mutation(() => DeletedSpaceResult, {
    description:
      'Deletes an archived space for good: its members, posts, votes and scores are gone for everybody, and its name is free.',
  })
  async deleteSpace(
    @Context() request: RequestContext,
    @Args('id', { type: () => ID }, IdPipe) spaceId: string,
    @Args('name', { type: () => String, description: 'Its name, repeated to confirm.' }) name: string,
  ): Promise<DeletedSpaceResult> {
    const context = commandContext(request, 'deleteSpace');
    await this.commands.execute(new RemoveSpace(context, spaceId, name));
    return { _id: spaceId, act: await this.acts.positionOf(context) };
  }

  private async saved(context: CommandContext, spaceId: string): Promise<SavedSpaceResult> {
    const space = await findManagedSpace(this.pool, spaceId);
    if (!space) throw new DomainError('SPACE_NOT_FOUND');
    return { space, act: await this.acts.positionOf(context) };
  }
}

const patchOf = ({ bannerImageUrl, consentAge, ...others }: SpaceChange) => ({
  ...omitNullish(others),
  ...(consentAge !== undefined && { consentAge }),
  ...(bannerImageUrl !== undefined && {
    bannerImageUrl: bannerImageUrl && normalisedLocation(bannerImageUrl),
  }),
});

/** Lets maintainers manage the subjects of a space. */
@Resolver(() => ManagedSubject)
export class SubjectManagementResolver {
  constructor(
    private readonly pool: Pool,
    private readonly commands: CommandBus,
    private readonly acts: OwnStaffActions,
  ) {}

  @HasRole('MAINTAINER')
  @Untraced('subjects contain no personal data')
  @Query(() => [ManagedSubject], { description: 'Ordered by name.' })
  getManagedSubjects(@Args('space', { type: () => ID }, IdPipe) spaceId: string): Promise<ManagedSubject[]> {
    return listManagedSubjects(this.pool, spaceId);
  }

  @HasRole('MAINTAINER')
  @Limited('posts')
  @Mutation(() => SavedSubjectResult)
  async addSubject(
    @Context() request: RequestContext,
    @Args('space', { type: () => ID }, IdPipe) spaceId: string,
    @Args('subjectName', { type: () => String }) subjectName: string,
    @Args('color', { type: () => String, description: 'Hex without #.' }) color: string,
  ): Promise<SavedSubjectResult> {
    const context = commandContext(request, 'addSubject');
    const id = await this.commands.execute(new AddSubject(context, { spaceId, subjectName, color }));
    return this.saved(context, id);
  }

  @HasRole('MAINTAINER')
  @Limited('posts')
  @Mutation(() => SavedSubjectResult, { description: 'Rejected if the values in `seen` are outdated.' })
  async changeSubject(
    @Context() request: RequestContext,
    @Args('id', { type: () => ID }, IdPipe) subjectId: string,
    @Args('change', { type: () => SubjectChange }) change: SubjectChange,
    @Args('seen', { type: () => SubjectChange, nullable: true }) seen?: SubjectChange | null,
  ): Promise<SavedSubjectResult> {
    const context = commandContext(request, 'changeSubject');
    const subject = await findSubjectById(this.pool, subjectId);
    if (!subject) throw new DomainError('SUBJECT_NOT_FOUND');
    await this.commands.execute(
      new ChangeSubject(context, subject.spaceId, {
        subjectId,
        change: omitNullish(change),
        seen: omitNullish(seen ?? {}),
      }),
    );
    return this.saved(context, subjectId);
  }

  private async saved(context: CommandContext, subjectId: string): Promise<SavedSubjectResult> {
    const subject = await findManagedSubject(this.pool, subjectId);
    if (!subject) throw new DomainError('SUBJECT_NOT_FOUND');
    return { subject, act: await this.acts.positionOf(context) };
  }
}
