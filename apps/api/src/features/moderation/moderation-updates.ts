import { Injectable } from '@nestjs/common';
import type { DomainEvent, PostRef } from '@nimo/domain';
import type { RecordedEvent } from '@nimo/event-store';
import { ProjectionWaiter } from '@nimo/projection-engine';
import { moderatedSpaces, type Viewer } from '../../platform/auth/viewer.js';
import { LiveTopics } from '../live/live-topics.js';
import { LogFollower } from '../live/log-follower.js';

export interface LiveModeration {
  /** Null if changes may have been missed. */
  readonly moderationChanged: { readonly postId: string | null };
}

const ALL = '*';
const topicOf = (viewer: Viewer): string => {
  const spaces = moderatedSpaces(viewer);
  return [viewer.studentId, ...(spaces === 'all' ? [ALL] : spaces)].join(' ');
};
const moderatorOf = (topic: string): string | undefined => topic.split(' ')[0];

/** Like the queue: only the moderator's spaces, excluding their own posts. */
function concerns(topic: string, { spaceId, postAuthorId }: Change): boolean {
  const [moderatorId, ...spaces] = topic.split(' ');
  return moderatorId !== postAuthorId && (spaces.includes(ALL) || spaces.includes(spaceId));
}

/** Signals changed cases to moderators once the projection shows them. */
@Injectable()
export class ModerationUpdates {
  private readonly topics = new LiveTopics<LiveModeration>((isActive) => this.log.setActive(this, isActive));

  constructor(
    private readonly log: LogFollower,
    private readonly waiter: ProjectionWaiter,
  ) {}

  /** Signals once immediately, then for each change until the moderator loses a role. */
  async subscribe(viewer: Viewer): Promise<AsyncIterableIterator<LiveModeration>> {
    const updates = this.topics.subscribe(topicOf(viewer), { moderationChanged: { postId: null } });
    await this.log.whenStarted();
    return updates;
  }

  async read(batch: readonly RecordedEvent[]): Promise<void> {
    // The codec has upcast the events.
    const events = batch.map(({ type, data }) => ({ type, data }) as unknown as DomainEvent);
    const changes = distinct(events.flatMap(changesOf));
    const last = batch.at(-1);
    if (last && changes.length > 0) {
      await this.waiter.waitFor(['moderation'], last.position);
      changes.forEach((change) => this.publish(change));
    }
    events.forEach((event) => this.endForRevoked(event));
  }

  onGap(): void {
    for (const topic of this.topics.activeTopics)
      this.topics.publish(topic, { moderationChanged: { postId: null } });
  }

  private publish(change: Change): void {
    for (const topic of this.topics.activeTopics)
      if (concerns(topic, change))
        this.topics.publish(topic, { moderationChanged: { postId: change.postId } });
  }

  private endForRevoked(event: DomainEvent): void {
    if (event.type !== 'RoleRevoked') return;
    for (const topic of this.topics.activeTopics)
      if (moderatorOf(topic) === event.data.studentId) this.topics.end(topic);
  }
}

/** `postId` is null for a removal of all posts of an author. */
type Change = Pick<PostRef, 'spaceId' | 'postAuthorId'> & { readonly postId: string | null };

/** A removal changes up to a thousand cases, which give one signal per batch. */
function changesOf(event: DomainEvent): Change[] {
  if (event.type === 'PostsRemoved' || event.type === 'PostsRestored') {
    const { spaceId, authorId } = event.data;
    return [{ spaceId, postAuthorId: authorId, postId: null }];
  }
  const isOfRemoval = 'removalId' in event.data;
  return changedPost(event).map(({ spaceId, postAuthorId, postId }) => ({
    ...{ spaceId, postAuthorId, postId: isOfRemoval ? null : postId },
  }));
}

const distinct = (changes: readonly Change[]): readonly Change[] => [
  ...new Map(
    changes.map((change) => [`${change.spaceId} ${change.postAuthorId} ${change.postId}`, change]),
  ).values(),
];

/** The post of a changed case, or nothing. */
export function changedPost(event: DomainEvent): PostRef[] {
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
