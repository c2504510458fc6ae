import { Injectable } from '@nestjs/common';
import { type DomainEvent, spacesOfVotes } from '@nimo/domain';
import type { Position, RecordedEvent } from '@nimo/event-store';
import { EVERY_MEMBER, listSpaceModerators, noticesOf, type ProjectedEvent } from '@nimo/projections';
import { ProjectionWaiter } from '@nimo/projection-engine';
import { Pool } from 'pg';
import { LiveTopics } from '../live/live-topics.js';
import { LogFollower } from '../live/log-follower.js';
import { changedPost } from '../moderation/moderation-updates.js';
import { ALL_MODERATED } from './notification-view.js';

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
    private readonly pool: Pool,
  ) {}

  /** Signals once immediately, then for each notification until the student leaves the space. @param spaceId or `ALL_MODERATED` */
  async subscribe(spaceId: string, studentId: string): Promise<AsyncIterableIterator<LiveNotification>> {
    const updates = this.topics.subscribe(topicOf(spaceId, studentId), signalFor(spaceId));
    await this.log.whenStarted();
    return updates;
  }

  async read(batch: readonly RecordedEvent[]): Promise<void> {
    // The codec has upcast the events; the ordinal is not needed here.
    const events = batch.map((event) => ({ ...event, ordinal: 0 }) as unknown as ProjectedEvent);
    const last = batch.at(-1);
    if (last) {
      await this.signalNotices(events, last.position);
      await this.signalSanctions(events, last.position);
      await this.signalOpenWork(events, last.position);
    }
    events.forEach((event) => this.endForLeavers(event));
  }

  onGap(): void {
    this.publish(this.topics.activeTopics);
  }

  private async signalNotices(events: readonly ProjectedEvent[], position: Position): Promise<void> {
    const topics = new Set(events.flatMap((event) => this.topicsOf(event)));
    if (topics.size === 0) return;
    await this.waiter.waitFor(['notifications', 'questions'], position);
    this.publish(topics);
  }

  /** Signals warnings, suspensions and removals of all posts, which have no notices. */
  private async signalSanctions(events: readonly DomainEvent[], position: Position): Promise<void> {
    const topics = events.flatMap(sanctionedTopic);
    if (topics.length === 0) return;
    await this.waiter.waitFor(['spaces', 'moderation'], position);
    this.publish(topics);
  }

  /** Signals open work to the moderators of the space only: a member could otherwise tell when somebody asks or reports. */
  private async signalOpenWork(events: readonly DomainEvent[], position: Position): Promise<void> {
    const changes = events
      .flatMap(changedWork)
      .filter(({ spaceId }) => this.activeIn(spaceId).length + this.activeIn(ALL_MODERATED).length > 0);
    if (changes.length === 0) return;
    await this.waiter.waitFor(['moderation', 'patterns', 'spaces', 'students'], position);
    const topics = new Set<string>();
    for (const { spaceId, hiddenFrom } of changes) {
      const moderators = await listSpaceModerators(this.pool, spaceId);
      for (const { _id } of moderators.filter(({ _id }) => !hiddenFrom.has(_id))) {
        topics.add(topicOf(spaceId, _id)).add(topicOf(ALL_MODERATED, _id));
      }
    }
    this.publish(topics);
  }

  private activeIn(spaceId: string): string[] {
    return this.topics.activeTopics.filter((topic) => topic.startsWith(topicOf(spaceId, '')));
  }

  private topicsOf(event: ProjectedEvent): string[] {
    return noticesOf(event).flatMap(({ receiver_id, space_id, actor_id }) => {
      if (receiver_id !== EVERY_MEMBER) return [topicOf(space_id, receiver_id)];
      return this.activeIn(space_id).filter((topic) => studentOf(topic) !== actor_id);
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

function sanctionedTopic(event: DomainEvent): string[] {
  switch (event.type) {
    case 'MemberSuspended':
    case 'SuspensionLifted':
    case 'MemberWarned':
      return [topicOf(event.data.spaceId, event.data.studentId)];
    case 'PostsRemoved':
    case 'PostsRestored':
      return [topicOf(event.data.spaceId, event.data.authorId)];
    default:
      return [];
  }
}

interface ChangedWork {
  readonly spaceId: string;
  /** The author of the reported post, or those concerned by the votes of a proposal. They must not learn of it. */
  readonly hiddenFrom: ReadonlySet<string>;
}

const NOBODY: ReadonlySet<string> = new Set();

/** The spaces of a changed case or proposal, or of a request to join that was made, withdrawn or answered. Joining by invitation also ends a request. */
function changedWork(event: DomainEvent): ChangedWork[] {
  switch (event.type) {
    case 'EntryRequested':
    case 'EntryRequestWithdrawn':
    case 'EntryRequestAccepted':
    case 'EntryRequestRefused':
    case 'SpaceJoined':
      return [{ spaceId: event.data.spaceId, hiddenFrom: NOBODY }];
    case 'InvalidationProposed':
    case 'VotesInvalidated': {
      const { votes } = event.data;
      const hiddenFrom = new Set(votes.flatMap(({ voterId, postAuthorId }) => [voterId, postAuthorId]));
      return spacesOfVotes(votes).map((spaceId) => ({ spaceId, hiddenFrom }));
    }
    case 'InvalidationDeclined':
      return event.data.spaceIds.map((spaceId) => ({ spaceId, hiddenFrom: NOBODY }));
    default:
      return changedPost(event).map(({ spaceId, postAuthorId }) => ({
        spaceId,
        hiddenFrom: new Set([postAuthorId]),
      }));
  }
}
