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

const signalFor = (space: string): LiveNotification => ({ notificationArrived: { space } });

const SEPARATOR = ':';
const topicOf = (spaceId: string, studentId: string): string => `${spaceId}${SEPARATOR}${studentId}`;
const studentOf = (topic: string): string => topic.split(SEPARATOR)[1] ?? '';

/**
 * Signals new notifications to students once the projections show them. Votes give no signal, because its time could reveal the voter;
 * they appear in a daily summary.
 */
@Injectable()
export class NotificationUpdates {
  private readonly topics = new LiveTopics<LiveNotification>((isActive) =>
    this.log.setActive(this, isActive),
  );

  constructor(
    private readonly log: LogFollower,
    private readonly waiter: ProjectionWaiter,
  ) {}

  /** Signals once immediately, then for each notification until the student leaves the space. */
  async subscribe(spaceId: string, studentId: string): Promise<AsyncIterableIterator<LiveNotification>> {
    const updates = this.topics.subscribe(topicOf(spaceId, studentId), signalFor(spaceId));
    await this.log.whenStarted();
    return updates;
  }

  async read(batch: readonly RecordedEvent[]): Promise<void> {
    // The codec has upcast the events; the ordinal is not needed here.
    const events = batch.map((event) => ({ ...event, ordinal: 0 }) as unknown as ProjectedEvent);
    const topics = new Set(events.flatMap((event) => this.topicsOf(event)));
    const last = batch.at(-1);
    if (last && topics.size > 0) {
      await this.waiter.waitFor(['notifications', 'questions'], last.position);
      this.publish(topics);
    }
    events.forEach((event) => this.endForLeavers(event));
  }

  onGap(): void {
    this.publish(this.topics.activeTopics);
  }

  private topicsOf(event: ProjectedEvent): string[] {
    return noticesOf(event).flatMap(({ receiver_id, space_id, actor_id }) => {
      if (receiver_id !== EVERY_MEMBER) return [topicOf(space_id, receiver_id)];
      const inSpace = topicOf(space_id, '');
      return this.topics.activeTopics.filter(
        (topic) => topic.startsWith(inSpace) && studentOf(topic) !== actor_id,
      );
    });
  }

  private publish(topics: Iterable<string>): void {
    for (const topic of topics) {
      const [spaceId = ''] = topic.split(SEPARATOR);
      this.topics.publish(topic, signalFor(spaceId));
    }
  }

  private endForLeavers(event: DomainEvent): void {
    if (event.type !== 'SpaceLeft') return;
    this.topics.end(topicOf(event.data.spaceId, event.data.studentId));
  }
}
