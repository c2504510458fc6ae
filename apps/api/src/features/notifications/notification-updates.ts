import { Injectable } from '@nestjs/common';
import type { DomainEvent } from '@nimo/domain';
import type { RecordedEvent } from '@nimo/event-store';
import { EVERY_MEMBER, noticesOf, type ProjectedEvent } from '@nimo/projections';
import { ProjectionWaiter } from '@nimo/projection-engine';
import { LiveTopics } from '../live/live-topics.js';
import { LogFollower } from '../live/log-follower.js';

export interface LiveNotification {
  readonly notificationArrived: { readonly space: string };
}

const arrivedIn = (space: string): LiveNotification => ({ notificationArrived: { space } });

const SEPARATOR = ':';
const topicOf = (spaceId: string, studentId: string): string => `${spaceId}${SEPARATOR}${studentId}`;
const studentOf = (topic: string): string => topic.split(SEPARATOR)[1] ?? '';

/**
 * Tells students that there is something new for them, once the read side can show it. Votes are not told: at midnight they are
 * news of yesterday, and the moment of one would say who cast it.
 */
@Injectable()
export class NotificationUpdates {
  private readonly receivers = new LiveTopics<LiveNotification>((isUsed) => this.log.use(this, isUsed));

  constructor(
    private readonly log: LogFollower,
    private readonly waiter: ProjectionWaiter,
  ) {}

  /** At once, and then until the iterator is returned or the student leaves the space. Nothing is missed between the two. */
  async of(spaceId: string, studentId: string): Promise<AsyncIterableIterator<LiveNotification>> {
    const told = this.receivers.of(topicOf(spaceId, studentId), arrivedIn(spaceId));
    await this.log.hasBegun();
    return told;
  }

  async read(batch: readonly RecordedEvent[]): Promise<void> {
    // The codec lifted the events to today's shape; the ordinal is none of this fold's business.
    const events = batch.map((event) => ({ ...event, ordinal: 0 }) as unknown as ProjectedEvent);
    const told = new Set(events.flatMap((event) => this.concernedBy(event)));
    const last = batch.at(-1);
    if (last && told.size > 0) {
      await this.waiter.waitFor(['notifications', 'questions'], last.position);
      this.tell(told);
    }
    events.forEach((event) => this.endForLeavers(event));
  }

  missed(): void {
    this.tell(this.receivers.all);
  }

  private concernedBy(event: ProjectedEvent): string[] {
    return noticesOf(event).flatMap(({ receiver_id, space_id, actor_id }) => {
      if (receiver_id !== EVERY_MEMBER) return [topicOf(space_id, receiver_id)];
      const inSpace = topicOf(space_id, '');
      return this.receivers.all.filter((topic) => topic.startsWith(inSpace) && studentOf(topic) !== actor_id);
    });
  }

  private tell(topics: Iterable<string>): void {
    for (const topic of topics) {
      const [spaceId = ''] = topic.split(SEPARATOR);
      this.receivers.tell(topic, arrivedIn(spaceId));
    }
  }

  private endForLeavers(event: DomainEvent): void {
    if (event.type !== 'SpaceLeft') return;
    this.receivers.end(topicOf(event.data.spaceId, event.data.studentId));
  }
}
