import { Injectable } from '@nestjs/common';
import type { DomainEvent, PostRef } from '@nimo/domain';
import type { RecordedEvent } from '@nimo/event-store';
import { ProjectionWaiter } from '@nimo/projection-engine';
import { moderatedSpaces, type Viewer } from '../../platform/auth/viewer.js';
import { LiveTopics } from '../live/live-topics.js';
import { LogFollower } from '../live/log-follower.js';

export interface LiveModeration {
  /** Null: something may have been missed. */
  readonly moderationChanged: { readonly postId: string | null };
}

const ALL = '*';
const topicOf = (viewer: Viewer): string => {
  const spaces = moderatedSpaces(viewer);
  return [viewer.studentId, ...(spaces === 'all' ? [ALL] : spaces)].join(' ');
};
const moderatorOf = (topic: string): string | undefined => topic.split(' ')[0];

/** As the queue: of the own spaces, never about an own post. */
function concerns(topic: string, { spaceId, postAuthorId }: PostRef): boolean {
  const [moderatorId, ...spaces] = topic.split(' ');
  return moderatorId !== postAuthorId && (spaces.includes(ALL) || spaces.includes(spaceId));
}

/** Tells moderators which case changed, once the read side can show it. */
@Injectable()
export class ModerationUpdates {
  private readonly moderators = new LiveTopics<LiveModeration>((isUsed) => this.log.use(this, isUsed));

  constructor(
    private readonly log: LogFollower,
    private readonly waiter: ProjectionWaiter,
  ) {}

  /** At once, and then until the iterator is returned, or a role is taken from the moderator. Nothing is missed between the two. */
  async of(viewer: Viewer): Promise<AsyncIterableIterator<LiveModeration>> {
    const told = this.moderators.of(topicOf(viewer), { moderationChanged: { postId: null } });
    await this.log.hasBegun();
    return told;
  }

  async read(batch: readonly RecordedEvent[]): Promise<void> {
    // The codec lifted the events to today's shape.
    const events = batch.map(({ type, data }) => ({ type, data }) as unknown as DomainEvent);
    const posts = events.flatMap(changedPost);
    const last = batch.at(-1);
    if (last && posts.length > 0) {
      await this.waiter.waitFor(['moderation'], last.position);
      posts.forEach((post) => this.tell(post));
    }
    events.forEach((event) => this.endForRevoked(event));
  }

  missed(): void {
    for (const topic of this.moderators.all)
      this.moderators.tell(topic, { moderationChanged: { postId: null } });
  }

  private tell(post: PostRef): void {
    for (const topic of this.moderators.all)
      if (concerns(topic, post)) this.moderators.tell(topic, { moderationChanged: { postId: post.postId } });
  }

  private endForRevoked(event: DomainEvent): void {
    if (event.type !== 'RoleRevoked') return;
    for (const topic of this.moderators.all)
      if (moderatorOf(topic) === event.data.studentId) this.moderators.end(topic);
  }
}

function changedPost(event: DomainEvent): PostRef[] {
  switch (event.type) {
    case 'PostReported':
    case 'ReportsUpheld':
    case 'ReportsDismissed':
    case 'ReportsHandedOver':
    case 'UpholdingReversed':
      return [event.data];
    default:
      return [];
  }
}
