import {
  MAX_BODY_BYTES,
  type DomainEvent,
  membershipStream,
  questionStream,
  spaceStream,
  studentStream,
  topicStream,
  voteStream,
} from '@nimo/domain';
import type { Append } from '@nimo/event-store';
import { v5 as uuidv5 } from 'uuid';
import { pastAppend } from './past-append.js';
import { Random } from './random.js';
import { body, sentence } from './texts.js';

const FROM = Date.parse('2025-01-01T08:00:00.000Z');
const PAUSE_MS = 1_000;

/** Amount of history before the measurement. */
export interface Growth {
  readonly otherSpaces: number;
  /** Toggles of one vote. */
  readonly toggles: number;
  /** Edits of one question, each of the maximum size. */
  readonly edits: number;
  /** Votes on one question by students of the space. */
  readonly votes: number;
}

const STUDENTS = 600;
const UNTOUCHED = 200;
const NAMESPACE = '6d1c8f54-2f0c-5d0e-9a57-0f3f1b6f4c11';
/** The same in each run, because the database is cached. */
const idOf = (name: string): string => uuidv5(name, NAMESPACE);

/** One of many spaces, with 600 students and questions with a toggled vote, with edits, with votes, and without history. */
export class GrownSpace {
  readonly spaceId = idOf('space');
  readonly studentIds = Array.from({ length: STUDENTS }, (_, count) => idOf(`student ${count}`));
  readonly toggled = idOf('toggled');
  readonly edited = idOf('edited');
  readonly voted = idOf('voted');
  /** Questions of the same author without votes. */
  readonly untouched = Array.from({ length: UNTOUCHED }, (_, count) => idOf(`untouched ${count}`));
  private readonly random = new Random(20_261_123);
  private readonly subjectId = idOf('subject');
  private readonly topicId = idOf('topic');
  private now = FROM;

  constructor(private readonly growth: Growth) {}

  /** The first students, who are signed in, have not voted, except for the first one on the toggled question. */
  *history(): Generator<readonly Append[]> {
    yield [...this.founding()];
    for (const [count, studentId] of this.studentIds.entries()) yield [...this.newStudent(studentId, count)];
    for (let count = 0; count < this.growth.otherSpaces; count += 1)
      yield [this.space(idOf(`class ${count}`), `Class ${count}`)];
    for (const questionId of [this.toggled, this.edited, this.voted, ...this.untouched])
      yield [this.question(questionId)];
    // In one array, because each toggle depends on the previous one.
    yield Array.from({ length: this.growth.toggles }, (_, count) => this.toggle(count));
    for (let count = 0; count < this.growth.edits; count += 1) yield [this.edit()];
    for (const voterId of this.studentIds.slice(-1 - this.growth.votes, -1))
      yield [this.vote(this.voted, voterId)];
  }

  get authorId(): string {
    return this.studentIds.at(-1) ?? '';
  }

  private *founding(): Generator<Append> {
    const { spaceId, subjectId, topicId } = this;
    yield this.space(spaceId, 'Lycée Curie');
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

  private space(spaceId: string, name: string): Append {
    const looks = {
      bannerImageUrl: null,
      color: '3b5bdb',
      hiddenFromSearchEngines: false,
      entry: 'OPEN' as const,
      publicPages: true,
      consentAge: null,
    };
    return this.append(spaceStream(spaceId), spaceId, {
      type: 'SpaceCreated',
      data: { spaceId, name, description: '', scope: 'world', ...looks },
    });
  }

  private *newStudent(studentId: string, count: number): Generator<Append> {
    const { spaceId } = this;
    const names = { firstName: sentence(this.random, 1, 1), lastName: sentence(this.random, 1, 1) };
    const profile = { userName: `student_${count}`, profileDesc: '', ...names };
    yield this.append(
      studentStream(studentId),
      studentId,
      {
        type: 'StudentSignedUp',
        data: { studentId, phone: `91${7_000_000_000 + count}`, email: null, registrationType: 'SELF' },
      },
      { type: 'StudentPhoneVerified', data: { studentId } },
      {
        type: 'StudentRegistered',
        data: { studentId, ...profile, realProfilePicUrl: '/avatars/animals/1.svg' },
      },
    );
    yield this.append(membershipStream(spaceId, studentId), studentId, {
      type: 'SpaceJoined',
      data: { spaceId, studentId },
    });
  }

  private question(questionId: string): Append {
    const { spaceId, subjectId, topicId, authorId } = this;
    const filed = { spaceId, subjectId, topicId, authorId, tags: ['Waves'], imageUrls: [] };
    return this.append(questionStream(questionId), authorId, {
      type: 'QuestionAsked',
      data: { questionId, ...filed, title: `${sentence(this.random, 5, 12)}?`, body: body(this.random) },
    });
  }

  private edit(): Append {
    const { edited: questionId, spaceId, authorId } = this;
    let text = '';
    for (let more = body(this.random); text.length + more.length <= MAX_BODY_BYTES; more = body(this.random))
      text += more;
    return this.append(questionStream(questionId), authorId, {
      type: 'QuestionEdited',
      data: { questionId, spaceId, authorId, title: 'Edited once more', body: text, imageUrls: [] },
    });
  }

  private vote(postId: string, voterId: string, type: 'VoteCast' | 'VoteWithdrawn' = 'VoteCast'): Append {
    const post = { postType: 'QUESTION', postId, questionId: postId, spaceId: this.spaceId } as const;
    const data = { ...post, postAuthorId: this.authorId, voterId, voterIsStandIn: false };
    return this.append(voteStream(postId, voterId), voterId, { type, data: { ...data, direction: 'UP' } });
  }

  private toggle(count: number): Append {
    const [voterId = ''] = this.studentIds;
    return this.vote(this.toggled, voterId, count % 2 === 0 ? 'VoteCast' : 'VoteWithdrawn');
  }

  private append(streamId: string, actorId: string, ...events: readonly DomainEvent[]): Append {
    this.now += PAUSE_MS;
    return pastAppend(this.now, streamId, actorId, events);
  }
}
