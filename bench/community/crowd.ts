import { randomUUID } from 'node:crypto';
import { commentStream, type DomainEvent, questionStream, spaceStream, voteStream } from '@nimo/domain';
import type { Append } from '@nimo/event-store';
import { pastAppend } from './past-append.js';
import { Random } from './random.js';

const FROM = Date.parse('2024-01-01T08:00:00.000Z');
const PAUSE_MS = 60;
/** Students with one comment and no votes, who share the lowest score. */
const SHARE_WITHOUT_VOTES = 0.6;
const MAX_VOTES = 8;

/**
 * Students of one space, each with at least one fact, for leaderboards and ranks. They have no profiles, because encrypting them would take
 * minutes; a page looks up twenty by key either way.
 */
export class Crowd {
  readonly spaceId = randomUUID();
  private readonly random = new Random(20_261_121);
  private readonly questionId = randomUUID();
  private now = FROM;

  constructor(private readonly students: number) {}

  *history(): Generator<readonly Append[]> {
    const { spaceId } = this;
    yield [
      this.append(spaceStream(spaceId), spaceId, {
        type: 'SpaceCreated',
        data: {
          spaceId,
          name: 'All schools',
          description: '',
          scope: 'world',
          bannerImageUrl: null,
          color: '3b5bdb',
          hiddenFromSearchEngines: false,
          entry: 'OPEN' as const,
          publicPages: true,
          consentAge: null,
        },
      }),
    ];
    for (let count = 0; count < this.students; count += 1) yield [...this.student()];
  }

  private *student(): Generator<Append> {
    const { spaceId, questionId } = this;
    const studentId = randomUUID();
    const commentId = randomUUID();
    const parent = { parentType: 'QUESTION', parentId: questionId, parentAuthorId: spaceId } as const;
    yield this.append(commentStream(commentId), studentId, {
      type: 'CommentPosted',
      data: {
        ...{ commentId, ...parent, questionId, spaceId, authorId: studentId },
        ...{ body: 'Me too', mentionedStudentIds: [] },
      },
    });
    if (this.random.next() > SHARE_WITHOUT_VOTES) yield* this.questionOf(studentId);
  }

  /** A question of the student with votes from unknown students. */
  private *questionOf(authorId: string): Generator<Append> {
    const { spaceId } = this;
    const questionId = randomUUID();
    const subject = { subjectId: spaceId, topicId: spaceId };
    yield this.append(questionStream(questionId), authorId, {
      type: 'QuestionAsked',
      data: {
        ...{ questionId, spaceId, ...subject, authorId },
        ...{ title: 'Why?', body: '', imageUrls: [], tags: [] },
      },
    });
    for (let votes = Math.ceil(this.random.next() ** 2 * MAX_VOTES); votes > 0; votes -= 1) {
      const voterId = randomUUID();
      yield this.append(voteStream(questionId, voterId), voterId, {
        type: 'VoteCast',
        data: {
          ...{ postType: 'QUESTION', postId: questionId, questionId, spaceId, postAuthorId: authorId },
          ...{ voterId, direction: 'UP', voterIsStandIn: true },
        },
      });
    }
  }

  private append(streamId: string, actorId: string, event: DomainEvent): Append {
    this.now += PAUSE_MS;
    return pastAppend(this.now, streamId, actorId, [event]);
  }
}
