import { Inject } from '@nestjs/common';
import { Args, ID, Int, Mutation, Query, Resolver, Subscription } from '@nestjs/graphql';
import { NOTIFICATIONS_PAGE_SIZE } from '@nimo/domain';
import { countNewNotifications, MAX_COUNTED_AS_NEW, pageOfNotifications } from '@nimo/projections';
import { Pool } from 'pg';
import { assertActsAsSelf, CurrentViewer, SignedIn } from '../../platform/auth/access.js';
import { hasRole, type Viewer } from '../../platform/auth/viewer.js';
import { IdPipe } from '../../platform/graphql/arguments.js';
import { parsePage, PaginateOptions } from '../../platform/graphql/page.js';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { CLOCK, type Clock } from '../../platform/config/tokens.js';
import { SpaceAccess } from '../spaces/spaces.resolver.js';
import { LastSeenTimes, notificationOf } from './notification-view.js';
import { NotificationUpdates, type LiveNotification } from './notification-updates.js';
import { Notification, NotificationArrival, NotificationPage } from './notification.type.js';

@Resolver(() => Notification)
export class NotificationsResolver {
  constructor(
    private readonly pool: Pool,
    private readonly access: SpaceAccess,
    private readonly lastSeen: LastSeenTimes,
    private readonly updates: NotificationUpdates,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @SignedIn()
  @Query(() => NotificationPage, { description: 'Notifications of the caller in a space, latest first.' })
  async getPaginatedNotifications(
    @CurrentViewer() viewer: Viewer,
    @Args('space', { type: () => ID }, IdPipe) space: string,
    @Args('notifyTo', { type: () => ID, nullable: true }) notifyTo?: string | null,
    @Args('paginateOptions', { type: () => PaginateOptions, nullable: true })
    options?: PaginateOptions | null,
  ): Promise<NotificationPage> {
    assertActsAsSelf(viewer, notifyTo);
    const { page, limit } = parsePage(options ?? {}, NOTIFICATIONS_PAGE_SIZE);
    await this.access.assertMayRead(viewer, space);
    const found = await pageOfNotifications(this.pool, {
      ...(await this.queryFor(viewer, space)),
      page,
      limit,
    });
    return { ...found, docs: found.docs.map(notificationOf) };
  }

  @SignedIn()
  @Query(() => Int, { description: `Number of new notifications, capped at ${MAX_COUNTED_AS_NEW}.` })
  async getNewNotificationCount(
    @CurrentViewer() viewer: Viewer,
    @Args('space', { type: () => ID }, IdPipe) space: string,
  ): Promise<number> {
    await this.access.assertMayRead(viewer, space);
    return countNewNotifications(this.pool, await this.queryFor(viewer, space));
  }

  @SignedIn()
  @Limited('changes')
  @Mutation(() => Int, {
    description: 'Marks notifications as seen and returns the number still new. Never moves backwards.',
  })
  async markNotificationsSeen(
    @CurrentViewer() viewer: Viewer,
    @Args('space', { type: () => ID }, IdPipe) space: string,
    @Args('upTo', {
      type: () => DateTimeScalar,
      nullable: true,
      description:
        '`createdAt` of the latest notification shown, so that later ones stay new. Defaults to now.',
    })
    upTo?: string | null,
  ): Promise<number> {
    await this.access.assertMayRead(viewer, space);
    await this.lastSeen.move(viewer.studentId, space, this.clamp(upTo));
    return countNewNotifications(this.pool, await this.queryFor(viewer, space));
  }

  @SignedIn()
  @Subscription(() => NotificationArrival, {
    description:
      'Signals on subscription, so that a reconnecting client refetches, and then on each arrival.',
  })
  async notificationArrived(
    @CurrentViewer() viewer: Viewer,
    @Args('space', { type: () => ID }, IdPipe) space: string,
  ): Promise<AsyncIterableIterator<LiveNotification>> {
    await this.access.assertMayRead(viewer, space);
    return this.updates.subscribe(space, viewer.studentId);
  }

  /** Clamps the time to a range that the database can store, and not into the future. */
  private clamp(upTo: string | null | undefined): string {
    const now = this.clock().getTime();
    const requested = upTo ? Date.parse(upTo) : now;
    return new Date(Math.min(Math.max(requested, 0), now)).toISOString();
  }

  private async queryFor(viewer: Viewer, spaceId: string) {
    const { studentId: receiverId } = viewer;
    const seenAt = await this.lastSeen.find(receiverId, spaceId);
    const isModerator = hasRole(viewer, 'MODERATOR', spaceId);
    return { receiverId, spaceId, seenAt, now: this.clock().toISOString(), isModerator };
  }
}
