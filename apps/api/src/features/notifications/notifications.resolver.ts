import { Inject } from '@nestjs/common';
import { Args, ID, Int, Mutation, Query, Resolver, Subscription } from '@nestjs/graphql';
import { NOTIFICATIONS_PAGE_SIZE } from '@nimo/domain';
import {
  countNewNotifications,
  MAX_COUNTED_AS_NEW,
  type NotificationOptions,
  pageOfNotifications,
} from '@nimo/projections';
import { Pool } from 'pg';
import { assertActsAsSelf, assertHasRole, CurrentViewer, SignedIn } from '../../platform/auth/access.js';
import { hasRole, moderatedSpaces, type Viewer } from '../../platform/auth/viewer.js';
import { parseOptionalId } from '../../platform/graphql/arguments.js';
import { parsePage, PaginateOptions } from '../../platform/graphql/page.js';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import type { Settings } from '../../platform/config/load-settings.js';
import { CLOCK, type Clock, SETTINGS } from '../../platform/config/tokens.js';
import { VotePatterns } from '../patterns/vote-patterns.js';
import { SpaceAccess } from '../spaces/spaces.resolver.js';
import { ALL_MODERATED, LastSeenTimes, notificationOf } from './notification-view.js';
import { NotificationUpdates, type LiveNotification } from './notification-updates.js';
import { Notification, NotificationArrival, NotificationPage } from './notification.type.js';

const SPACE = {
  type: () => ID,
  nullable: true,
  description:
    'If omitted, what waits for a moderator in all spaces the caller moderates: reported posts, vote patterns and requests to join. Requires the role of a moderator.',
};

@Resolver(() => Notification)
export class NotificationsResolver {
  constructor(
    private readonly pool: Pool,
    private readonly access: SpaceAccess,
    private readonly lastSeen: LastSeenTimes,
    private readonly updates: NotificationUpdates,
    private readonly patterns: VotePatterns,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'objectionContact'>,
  ) {}

  @SignedIn()
  @Query(() => NotificationPage, { description: 'Notifications of the caller in a space, latest first.' })
  async getPaginatedNotifications(
    @CurrentViewer() viewer: Viewer,
    @Args('space', SPACE) space?: string | null,
    @Args('notifyTo', { type: () => ID, nullable: true }) notifyTo?: string | null,
    @Args('paginateOptions', { type: () => PaginateOptions, nullable: true })
    options?: PaginateOptions | null,
  ): Promise<NotificationPage> {
    assertActsAsSelf(viewer, notifyTo);
    const { page, limit } = parsePage(options ?? {}, NOTIFICATIONS_PAGE_SIZE);
    const spaceId = await this.requireSpace(viewer, space);
    const found = await pageOfNotifications(this.pool, {
      ...(await this.queryFor(viewer, spaceId)),
      page,
      limit,
    });
    const objectTo = this.settings.objectionContact ?? null;
    return { ...found, docs: found.docs.map((view) => notificationOf(view, objectTo)) };
  }

  @SignedIn()
  @Query(() => Int, { description: `Number of new notifications, capped at ${MAX_COUNTED_AS_NEW}.` })
  async getNewNotificationCount(
    @CurrentViewer() viewer: Viewer,
    @Args('space', SPACE) space?: string | null,
  ): Promise<number> {
    const spaceId = await this.requireSpace(viewer, space);
    return countNewNotifications(this.pool, await this.queryFor(viewer, spaceId));
  }

  @SignedIn()
  @Limited('changes')
  @Mutation(() => Int, {
    description: 'Marks notifications as seen and returns the number still new. Never moves backwards.',
  })
  async markNotificationsSeen(
    @CurrentViewer() viewer: Viewer,
    @Args('space', SPACE) space?: string | null,
    @Args('upTo', {
      type: () => DateTimeScalar,
      nullable: true,
      description:
        '`createdAt` of the latest notification shown, so that later ones stay new. Defaults to now.',
    })
    upTo?: string | null,
  ): Promise<number> {
    const spaceId = await this.requireSpace(viewer, space);
    await this.lastSeen.move(viewer.studentId, spaceId ?? ALL_MODERATED, this.clamp(upTo));
    return countNewNotifications(this.pool, await this.queryFor(viewer, spaceId));
  }

  @SignedIn()
  @Subscription(() => NotificationArrival, {
    description:
      'Signals on subscription, so that a reconnecting client refetches, and then on each arrival.',
  })
  async notificationArrived(
    @CurrentViewer() viewer: Viewer,
    @Args('space', SPACE) space?: string | null,
  ): Promise<AsyncIterableIterator<LiveNotification>> {
    const spaceId = await this.requireSpace(viewer, space);
    return this.updates.subscribe(spaceId ?? ALL_MODERATED, viewer.studentId);
  }

  /** Clamps the time to a range that the database can store, and not into the future. */
  private clamp(upTo: string | null | undefined): string {
    const now = this.clock().getTime();
    const requested = upTo ? Date.parse(upTo) : now;
    return new Date(Math.min(Math.max(requested, 0), now)).toISOString();
  }

  /** @returns null for all spaces the viewer moderates */
  private async requireSpace(viewer: Viewer, space: string | null | undefined): Promise<string | null> {
    const spaceId = parseOptionalId('space', space) ?? null;
    if (spaceId === null) assertHasRole(viewer, 'MODERATOR');
    else await this.access.assertMayRead(viewer, spaceId);
    return spaceId;
  }

  private async queryFor(viewer: Viewer, spaceId: string | null): Promise<NotificationOptions> {
    const { studentId: receiverId } = viewer;
    const seen = await this.lastSeen.of(receiverId);
    const place = { receiverId, spaceId, now: this.clock().toISOString() };
    if (spaceId === null) {
      const patterns = await this.patterns.toTriage(viewer);
      return { ...place, seenAt: null, staff: { spaces: moderatedSpaces(viewer), seen, patterns } };
    }
    const seenAt = seen[spaceId] ?? null;
    if (!hasRole(viewer, 'MODERATOR', spaceId)) return { ...place, seenAt, staff: null };
    const patterns = await this.patterns.knownToTriage(viewer, spaceId);
    return { ...place, seenAt, staff: { spaces: [spaceId], seen, patterns } };
  }
}
