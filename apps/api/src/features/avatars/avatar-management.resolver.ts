import { Args, Context, Field, ID, InputType, Mutation, ObjectType, Query, Resolver } from '@nestjs/graphql';
import { CommandBus } from '@nestjs/cqrs';
import { DomainError } from '@nimo/domain';
import { findAvatarById, listAvatars } from '@nimo/projections';
import { Pool } from 'pg';
import { CurrentViewer, HasRole } from '../../platform/auth/access.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { type CommandContext, commandContext } from '../../platform/commands/command-context.js';
import { omitNullish } from '../../platform/graphql/arguments.js';
import type { RequestContext } from '../../platform/auth/request-context.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { StaffActionResult, OwnStaffActions } from '../staff-actions/own-staff-actions.js';
import { OwnUploads } from '../uploads/own-uploads.js';
import { AddAvatar, ChangeAvatar, SetAvatarStatus } from './commands/avatars.js';
import { Untraced } from '../../platform/traces/traces.js';

@ObjectType()
class ManagedAvatar {
  @Field(() => ID) readonly _id!: string;
  @Field(() => String) readonly group!: string;
  @Field(() => String) readonly label!: string;
  @Field(() => String) readonly imageUrl!: string;
  @Field(() => Boolean, { description: 'No longer offered.' }) readonly isRetired!: boolean;
  @Field(() => Boolean, { description: 'Ships with Nimo.' }) readonly isBuiltIn!: boolean;
}

@ObjectType()
class SavedAvatarResult extends StaffActionResult {
  @Field(() => ManagedAvatar) readonly avatar!: ManagedAvatar;
}

@InputType({ description: 'Fields that are not set stay unchanged.' })
class AvatarChange {
  @Field(() => String, { nullable: true }) readonly group?: string | null;
  @Field(() => String, { nullable: true }) readonly label?: string | null;
  @Field(() => String, { nullable: true }) readonly imageUrl?: string | null;
}

/** Avatar management for maintainers. */
@Resolver(() => ManagedAvatar)
export class AvatarManagementResolver {
  constructor(
    private readonly pool: Pool,
    private readonly commands: CommandBus,
    private readonly uploads: OwnUploads,
    private readonly acts: OwnStaffActions,
  ) {}

  @HasRole('MAINTAINER')
  @Untraced('avatars contain no personal data')
  @Query(() => [ManagedAvatar], { description: 'All avatars, including retired ones.' })
  getManagedAvatars(): Promise<ManagedAvatar[]> {
    return listAvatars(this.pool);
  }

  @HasRole('MAINTAINER')
  @Limited('posts')
  @Mutation(() => SavedAvatarResult)
  async addAvatar(
    @Context() request: RequestContext,
    @CurrentViewer() viewer: Viewer,
    @Args('group', { type: () => String }) group: string,
    @Args('label', { type: () => String }) label: string,
    @Args('imageUrl', { type: () => String, description: 'An upload of the caller.' }) imageUrl: string,
  ): Promise<SavedAvatarResult> {
    const context = commandContext(request, 'addAvatar');
    await this.assertOwnPicture(imageUrl, viewer);
    const id = await this.commands.execute(new AddAvatar(context, { group, label, imageUrl }));
    return this.saved(context, id);
  }

  @HasRole('MAINTAINER')
  @Limited('posts')
  @Mutation(() => SavedAvatarResult, { description: 'Fails if the avatar no longer matches `seen`.' })
  async changeAvatar(
    @Context() request: RequestContext,
    @CurrentViewer() viewer: Viewer,
    @Args('id', { type: () => ID }) avatarId: string,
    @Args('change', { type: () => AvatarChange }) change: AvatarChange,
    @Args('seen', { type: () => AvatarChange, nullable: true }) seen?: AvatarChange | null,
  ): Promise<SavedAvatarResult> {
    const context = commandContext(request, 'changeAvatar');
    const shown = (await findAvatarById(this.pool, avatarId))?.imageUrl;
    await this.assertOwnPicture(change.imageUrl, viewer, shown);
    await this.commands.execute(
      new ChangeAvatar(context, { avatarId, change: omitNullish(change), seen: omitNullish(seen ?? {}) }),
    );
    return this.saved(context, avatarId);
  }

  @HasRole('MAINTAINER')
  @Limited('staff')
  @Mutation(() => SavedAvatarResult, {
    description: 'Stops offering the avatar. Users who have it keep it.',
  })
  async retireAvatar(
    @Context() request: RequestContext,
    @Args('id', { type: () => ID }) avatarId: string,
  ): Promise<SavedAvatarResult> {
    const context = commandContext(request, 'retireAvatar');
    await this.commands.execute(new SetAvatarStatus(context, avatarId, 'retire'));
    return this.saved(context, avatarId);
  }

  @HasRole('MAINTAINER')
  @Limited('staff')
  @Mutation(() => SavedAvatarResult)
  async restoreAvatar(
    @Context() request: RequestContext,
    @Args('id', { type: () => ID }) avatarId: string,
  ): Promise<SavedAvatarResult> {
    const context = commandContext(request, 'restoreAvatar');
    await this.commands.execute(new SetAvatarStatus(context, avatarId, 'restore'));
    return this.saved(context, avatarId);
  }

  /** Skips empty values, which the domain rejects. */
  private async assertOwnPicture(
    imageUrl: string | null | undefined,
    viewer: Viewer,
    shown?: string,
  ): Promise<void> {
    if (imageUrl !== '') await this.uploads.assertOwnPicture(imageUrl, viewer, { field: 'imageUrl', shown });
  }

  private async saved(context: CommandContext, avatarId: string): Promise<SavedAvatarResult> {
    const avatar = await findAvatarById(this.pool, avatarId);
    if (!avatar) throw new DomainError('AVATAR_NOT_FOUND');
    return { avatar, act: await this.acts.positionOf(context) };
  }
}
