import {
  answerStream,
  commentStream,
  type DomainEvent,
  membershipStream,
  type PostType,
  questionStream,
  spaceStream,
  studentStream,
  topicStream,
} from '@nimo/domain';
import type { Append } from '@nimo/event-store';
import { v5 as uuidv5 } from 'uuid';
import { pastAppend } from './past-append.js';
import { Random } from './random.js';
import { body, sentence } from './texts.js';

const FROM = Date.parse('2025-01-01T08:00:00.000Z');
const PAUSE_MS = 20;
const NAMESPACE = '0b8f6d1e-6a0c-5c53-8f0a-7d2c9b1e4a63';
/** The same in each run, because the database is cached. */
const idOf = (name: string): string => uuidv5(name, NAMESPACE);

/** Sizes of the lists that a screen reads a page of. */
export interface Crowding {
  readonly members: number;
  /** Comments by others on the questions of one student, one notification each. */
  readonly notifications: number;
  /** Answers to one question, and as many comments, half of them on its first answer. */
  readonly answers: number;
}

const COMMENTS_PER_QUESTION = 100;

/** A space with many members, a student with many notifications, and a question with many answers and comments. */
export class CrowdedSpace {
  readonly spaceId = idOf('space');
  readonly starId = idOf('star');
  readonly longId = idOf('long question');
  readonly firstAnswerId = idOf('answer 0');
  private readonly random = new Random(20_261_124);
  private readonly filed = { spaceId: this.spaceId, subjectId: idOf('subject'), topicId: idOf('topic') };
  private now = FROM;

  constructor(private readonly crowding: Crowding) {}

  /** Appends of one array depend on each other. */
  *history(): Generator<readonly Append[]> {
    const { members, notifications, answers } = this.crowding;
    yield [...this.founding(), ...this.star(), this.question(this.longId)];
    for (let count = 0; count < members; count += 1) yield [...this.member(count)];
    for (let count = 0; count < notifications; count += 1) yield [...this.notification(count)];
    for (let count = 0; count < answers; count += 1) yield [this.answer(count)];
    for (let count = 0; count < answers; count += 1) yield [this.commentOnLong(count)];
  }

  private memberId(count: number): string {
    return idOf(`member ${count % this.crowding.members}`);
  }

  private *founding(): Generator<Append> {
    const { spaceId, subjectId, topicId } = this.filed;
    const looks = {
      bannerImageUrl: null,
      color: '3b5bdb',
      hiddenFromSearchEngines: false,
      entry: 'OPEN' as const,
      publicPages: true,
      consentAge: null,
    };
    yield this.append(spaceStream(spaceId), spaceId, {
      type: 'SpaceCreated',
      data: { spaceId, name: 'All schools', description: '', scope: 'world', ...looks },
    });
    yield this.append(spaceStream(spaceId), spaceId, {
      type: 'SubjectAdded',
      data: { spaceId, subjectId, subjectName: 'Physics', color: '0ca678' },
    });
    const topic = { topicId, subjectId, topicName: 'Waves', slug: 'waves', spaceId };
    yield this.append(topicStream(subjectId, 'waves'), spaceId, {
      type: 'TopicCreated',
      data: { ...topic, topicType: 'PRIMARY', imageS3Url: null },
    });
  }

  private *star(): Generator<Append> {
    const { starId: studentId, spaceId } = this;
    const profile = { userName: 'star', firstName: 'Stella', lastName: 'Star', profileDesc: '' };
    yield this.append(
      studentStream(studentId),
      studentId,
      {
        type: 'StudentSignedUp',
        data: { studentId, phone: '917000000000', email: null, registrationType: 'SELF' },
      },
      { type: 'StudentPhoneVerified', data: { studentId } },
      { type: 'StudentRegistered', data: { studentId, ...profile, realProfilePicUrl: null } },
    );
    yield this.append(membershipStream(spaceId, studentId), studentId, {
      type: 'SpaceJoined',
      data: { spaceId, studentId },
    });
  }

  private *member(count: number): Generator<Append> {
    const { spaceId, random } = this;
    const studentId = this.memberId(count);
    const names = { firstName: sentence(random, 1, 1), lastName: sentence(random, 1, 1), profileDesc: '' };
    const origin = { source: 'bench', sourceId: `${count}`, standIn: false };
    yield this.append(studentStream(studentId), studentId, {
      type: 'StudentImported',
      data: { studentId, userName: `student_${count}`, ...names, realProfilePicUrl: null, ...origin },
    });
    yield this.append(membershipStream(spaceId, studentId), studentId, {
      type: 'SpaceJoined',
      data: { spaceId, studentId },
    });
  }

  private question(questionId: string): Append {
    const { filed, starId: authorId, random } = this;
    const title = `${sentence(random, 5, 12)}?`;
    return this.append(questionStream(questionId), authorId, {
      type: 'QuestionAsked',
      data: { questionId, ...filed, authorId, title, body: body(random), imageUrls: [], tags: ['Waves'] },
    });
  }

  /** A comment by someone else on one of the star's questions. */
  private *notification(count: number): Generator<Append> {
    const questionId = idOf(`question ${Math.floor(count / COMMENTS_PER_QUESTION)}`);
    if (count % COMMENTS_PER_QUESTION === 0) yield this.question(questionId);
    const parent = { parentType: 'QUESTION', parentId: questionId, parentAuthorId: this.starId } as const;
    yield this.comment(idOf(`notified ${count}`), questionId, this.memberId(count), parent);
  }

  private answer(count: number): Append {
    const [answerId, authorId] = [idOf(`answer ${count}`), this.memberId(count)];
    const about = { questionId: this.longId, spaceId: this.spaceId, questionAuthorId: this.starId };
    return this.append(answerStream(answerId), authorId, {
      type: 'AnswerPosted',
      data: { answerId, ...about, authorId, body: body(this.random), imageUrls: [] },
    });
  }

  private commentOnLong(count: number): Append {
    const { longId, starId, firstAnswerId } = this;
    const parent =
      count % 2 === 0
        ? ({ parentType: 'QUESTION', parentId: longId, parentAuthorId: starId } as const)
        : ({ parentType: 'ANSWER', parentId: firstAnswerId, parentAuthorId: this.memberId(0) } as const);
    return this.comment(idOf(`comment ${count}`), longId, this.memberId(count + 1), parent);
  }

  private comment(
    commentId: string,
    questionId: string,
    authorId: string,
    parent: {
      readonly parentType: PostType;
      readonly parentId: string;
      readonly parentAuthorId: string;
    },
  ): Append {
    const text = { body: sentence(this.random, 4, 25), mentionedStudentIds: [] };
    return this.append(commentStream(commentId), authorId, {
      type: 'CommentPosted',
      data: { commentId, ...parent, questionId, spaceId: this.spaceId, authorId, ...text },
    });
  }

  private append(streamId: string, actorId: string, ...events: readonly DomainEvent[]): Append {
    this.now += PAUSE_MS;
    return pastAppend(this.now, streamId, actorId, events);
  }
}
