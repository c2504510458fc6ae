import { randomUUID } from 'node:crypto';
import {
  answerStream,
  commentStream,
  type DomainEvent,
  type PostType,
  questionStream,
  spaceStream,
  voteStream,
} from '@nimo/domain';
import type { Append } from '@nimo/event-store';
import { pastAppend } from './past-append.js';
import { Random } from './random.js';

const FROM = Date.parse('2022-01-01T08:00:00.000Z');
const PAUSE_MS = 120_000;
/** Share of votes that are withdrawn later. */
const SHARE_WITHDRAWN = 0.03;
const LATEST_POSTS = 5_000;

interface Votable {
  readonly postType: PostType;
  readonly postId: string;
  readonly questionId: string;
  readonly authorId: string;
}

/**
 * A space with many students and events, for leaderboards at earlier times. Each student asks, answers and comments once; all other events are
 * votes on recent posts, some of them withdrawn.
 */
export class LargeSpace {
  readonly spaceId = randomUUID();
  private readonly random = new Random(20_261_121);
  private readonly studentIds: string[];
  private readonly latest: Votable[] = [];
  private events = 0;

  constructor(
    students: number,
    private readonly size: number,
  ) {
    this.studentIds = Array.from({ length: students }, () => randomUUID());
  }

  *history(): Generator<readonly Append[]> {
    yield [this.founding()];
    const votesEach = Math.max(1, this.size / this.studentIds.length - 3);
    let owed = 0;
    for (const studentId of this.studentIds) {
      yield this.posts(studentId);
      for (owed += votesEach; owed >= 1; owed -= 1) {
        const appends = this.vote();
        owed -= appends.length - 1;
        yield appends;
      }
    }
  }

  private founding(): Append {
    const { spaceId } = this;
    const data = { spaceId, name: 'All schools', description: '', scope: 'world' as const };
    const looks = {
      bannerImageUrl: null,
      color: '3b5bdb',
      hiddenFromSearchEngines: false,
      entry: 'OPEN' as const,
      publicPages: true,
      consentAge: null,
    };
    return this.append(spaceStream(spaceId), spaceId, { type: 'SpaceCreated', data: { ...data, ...looks } });
  }

  private posts(authorId: string): readonly Append[] {
    const { spaceId } = this;
    const [questionId, answerId, commentId] = [randomUUID(), randomUUID(), randomUUID()];
    const about = this.latest.length > 0 ? this.random.one(this.latest) : undefined;
    const parent = about ?? { questionId, authorId };
    this.remember({ postType: 'QUESTION', postId: questionId, questionId, authorId });
    this.remember({ postType: 'ANSWER', postId: answerId, questionId: parent.questionId, authorId });
    const filed = { subjectId: spaceId, topicId: spaceId, title: 'Why?', body: '', imageUrls: [], tags: [] };
    const answered = { questionId: parent.questionId, questionAuthorId: parent.authorId };
    const commented = {
      parentType: 'QUESTION',
      parentId: parent.questionId,
      questionId: parent.questionId,
    } as const;
    return [
      this.append(questionStream(questionId), authorId, {
        type: 'QuestionAsked',
        data: { questionId, spaceId, authorId, ...filed },
      }),
      this.append(answerStream(answerId), authorId, {
        type: 'AnswerPosted',
        data: { answerId, spaceId, authorId, body: 'So.', imageUrls: [], ...answered },
      }),
      this.append(commentStream(commentId), authorId, {
        type: 'CommentPosted',
        data: {
          ...{ commentId, spaceId, authorId, ...commented },
          ...{ parentAuthorId: parent.authorId, body: 'Me too', mentionedStudentIds: [] },
        },
      }),
    ];
  }

  private remember(post: Votable): void {
    if (this.latest.length < LATEST_POSTS) this.latest.push(post);
    else this.latest[Math.floor(this.random.next() * LATEST_POSTS)] = post;
  }

  /** In one array, because the second append depends on the first. */
  private vote(): readonly Append[] {
    const { postType, postId, questionId, authorId } = this.random.one(this.latest);
    const voterId = this.random.one(this.studentIds);
    const data = {
      ...{ postType, postId, questionId, spaceId: this.spaceId, postAuthorId: authorId },
      ...({ voterId, direction: this.random.next() < 0.85 ? 'UP' : 'DOWN', voterIsStandIn: false } as const),
    };
    const cast = this.append(voteStream(postId, voterId), voterId, { type: 'VoteCast', data });
    if (this.random.next() > SHARE_WITHDRAWN) return [cast];
    return [cast, this.append(voteStream(postId, voterId), voterId, { type: 'VoteWithdrawn', data })];
  }

  private append(streamId: string, actorId: string, event: DomainEvent): Append {
    this.events += 1;
    return pastAppend(FROM + this.events * PAUSE_MS, streamId, actorId, [event]);
  }
}
