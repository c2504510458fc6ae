import { randomUUID } from 'node:crypto';
import {
  answerStream,
  bookmarkStream,
  BUILT_IN_AVATARS,
  commentStream,
  type DomainEvent,
  membershipStream,
  moderationStream,
  type PostType,
  questionStream,
  spaceStream,
  studentStream,
  topicStream,
  type VoteDirection,
  voteStream,
} from '@nimo/domain';
import type { Append } from '@nimo/event-store';
import { pastAppend } from './past-append.js';
import { Random } from './random.js';
import { body, sentence } from './texts.js';

const ANSWERS_PER_QUESTION = 2;
/** With the answers, five posts per question. */
const COMMENTS_ON = ['question', 0, 1] as const;
const SHARE_ACCEPTED = 0.4;
const SHARE_SAVED = 0.1;
const MAX_VOTES = 4;
/** Shares of votes, questions, posts and reported posts. */
const SHARE_WITHDRAWN = 0.03;
const SHARE_EDITED = 0.05;
const SHARE_REPORTED = 0.01;
const SHARE_UPHELD = 0.3;
const MAX_REPORTERS = 3;
const QUESTIONS_PER_STUDENT = 20;
const AVATARS_CHOSEN = 12;
const SUBJECTS = [
  'Mathematics',
  'Physics',
  'Chemistry',
  'Biology',
  'French',
  'History',
  'Music',
  'Geography',
];
const TOPICS_PER_SUBJECT = 10;
const DAY = 86_400_000;
const FROM = Date.parse('2022-01-01T08:00:00.000Z');
const UNTIL = FROM + 4 * 365 * DAY;

interface Place {
  readonly subjectId: string;
  readonly topicId: string;
  readonly topicName: string;
}

interface Votable {
  readonly postType: PostType;
  readonly postId: string;
  readonly authorId: string;
}

/** Events of a school's community over four years. */
export class Community {
  readonly spaceId = randomUUID();
  private readonly random = new Random(20_261_121);
  private readonly students: string[] = [];
  private readonly places: Place[] = [];
  private now = FROM;

  constructor(private readonly questions: number) {}

  /** Chronological. Appends of one array depend on each other; arrays may be appended in parallel. */
  *history(): Generator<readonly Append[]> {
    yield [...this.founding()];
    const students = Math.max(50, Math.round(this.questions / QUESTIONS_PER_STUDENT));
    for (let count = 0; count < students; count += 1) yield [...this.newStudent(count)];
    const pause = (UNTIL - this.now) / (this.questions * 10);
    for (let count = 0; count < this.questions; count += 1) yield [...this.thread(pause)];
  }

  private *founding(): Generator<Append> {
    const { spaceId } = this;
    yield this.append(spaceStream(spaceId), randomUUID(), [
      {
        type: 'SpaceCreated',
        data: {
          spaceId,
          name: 'Lycée Curie',
          description: 'Questions and answers of all classes.',
          scope: 'world',
          bannerImageUrl: null,
          color: '3b5bdb',
          hiddenFromSearchEngines: false,
          entry: 'OPEN',
          publicPages: true,
          consentAge: null,
        },
      },
    ]);
    for (const subjectName of SUBJECTS) yield* this.subject(subjectName);
  }

  private *subject(subjectName: string): Generator<Append> {
    const { spaceId } = this;
    const subjectId = randomUUID();
    const data = { spaceId, subjectId, subjectName, color: '0ca678' };
    yield this.append(spaceStream(spaceId), randomUUID(), [{ type: 'SubjectAdded', data }]);
    for (let count = 1; count <= TOPICS_PER_SUBJECT; count += 1) {
      const topic = { topicId: randomUUID(), subjectId, topicName: `${subjectName} ${count}` };
      const slug = topic.topicName.toLowerCase().replace(' ', '-');
      this.places.push(topic);
      yield this.append(topicStream(subjectId, slug), randomUUID(), [
        { type: 'TopicCreated', data: { ...topic, spaceId, slug, topicType: 'PRIMARY', imageS3Url: null } },
      ]);
    }
  }

  private *newStudent(count: number): Generator<Append> {
    const { spaceId } = this;
    const studentId = randomUUID();
    this.students.push(studentId);
    this.now += 1000;
    yield this.append(studentStream(studentId), studentId, [
      {
        type: 'StudentSignedUp',
        data: { studentId, phone: `91${7_000_000_000 + count}`, email: null, registrationType: 'SELF' },
      },
      { type: 'StudentPhoneVerified', data: { studentId } },
      {
        type: 'StudentRegistered',
        data: {
          studentId,
          userName: `student_${count}`,
          firstName: sentence(this.random, 1, 1),
          lastName: sentence(this.random, 1, 1),
          profileDesc: sentence(this.random, 3, 12),
          realProfilePicUrl: BUILT_IN_AVATARS[count % AVATARS_CHOSEN]?.imageUrl ?? null,
        },
      },
    ]);
    yield this.append(membershipStream(spaceId, studentId), studentId, [
      { type: 'SpaceJoined', data: { spaceId, studentId } },
    ]);
  }

  /** A question with its answers, comments and votes, spread over the time until the next question. */
  private *thread(pause: number): Generator<Append> {
    const { spaceId, random } = this;
    const questionId = randomUUID();
    const authorId = random.oneSkewed(this.students);
    const { subjectId, topicId, topicName } = random.one(this.places);
    const tick = (): void => void (this.now += random.next() * 2 * pause);
    tick();
    yield this.append(questionStream(questionId), authorId, [
      {
        type: 'QuestionAsked',
        data: {
          questionId,
          spaceId,
          subjectId,
          topicId,
          authorId,
          title: `${sentence(random, 5, 12)}?`,
          body: body(random),
          imageUrls: random.next() < 0.1 ? [`${randomUUID()}.webp`] : [],
          tags: [topicName],
        },
      },
    ]);
    const question: Votable = { postType: 'QUESTION', postId: questionId, authorId };
    const answers: Votable[] = [];
    for (let count = 0; count < ANSWERS_PER_QUESTION; count += 1) {
      tick();
      const answer = this.answer(questionId, authorId);
      answers.push(answer.post);
      yield answer.append;
    }
    for (const place of COMMENTS_ON) {
      tick();
      const parent = place === 'question' ? question : answers[place];
      if (parent) yield this.comment(questionId, parent);
    }
    tick();
    for (const post of [question, ...answers]) yield* this.votes(questionId, post);
    if (random.next() < SHARE_EDITED) yield this.edit(questionId, authorId);
    for (const post of [question, ...answers])
      if (random.next() < SHARE_REPORTED) yield* this.reports(questionId, post);
    yield* this.ending(questionId, authorId, answers);
  }

  private answer(questionId: string, questionAuthorId: string): { append: Append; post: Votable } {
    const answerId = randomUUID();
    const authorId = this.random.oneSkewed(this.students);
    const append = this.append(answerStream(answerId), authorId, [
      {
        type: 'AnswerPosted',
        data: {
          answerId,
          questionId,
          spaceId: this.spaceId,
          questionAuthorId,
          authorId,
          body: body(this.random),
          imageUrls: [],
        },
      },
    ]);
    return { append, post: { postType: 'ANSWER', postId: answerId, authorId } };
  }

  private comment(questionId: string, parent: Votable): Append {
    const commentId = randomUUID();
    const authorId = this.random.oneSkewed(this.students);
    return this.append(commentStream(commentId), authorId, [
      {
        type: 'CommentPosted',
        data: {
          commentId,
          parentType: parent.postType,
          parentId: parent.postId,
          questionId,
          spaceId: this.spaceId,
          parentAuthorId: parent.authorId,
          authorId,
          body: sentence(this.random, 4, 25),
          mentionedStudentIds: [],
        },
      },
    ]);
  }

  private *votes(questionId: string, { postType, postId, authorId }: Votable): Generator<Append> {
    const voters = new Set<string>();
    for (let count = Math.floor(this.random.next() ** 2 * MAX_VOTES); count > 0; count -= 1) {
      voters.add(this.random.oneSkewed(this.students));
    }
    voters.delete(authorId);
    for (const voterId of voters) {
      const direction: VoteDirection = this.random.next() < 0.85 ? 'UP' : 'DOWN';
      const data = {
        ...{ postType, postId, questionId, spaceId: this.spaceId, postAuthorId: authorId },
        ...{ voterId, direction, voterIsStandIn: false },
      };
      const isWithdrawn = this.random.next() < SHARE_WITHDRAWN;
      yield this.append(voteStream(postId, voterId), voterId, [
        { type: 'VoteCast', data },
        ...(isWithdrawn ? [{ type: 'VoteWithdrawn', data } as const] : []),
      ]);
    }
  }

  private edit(questionId: string, authorId: string): Append {
    const { spaceId, random } = this;
    const text = { title: `${sentence(random, 5, 12)}?`, body: body(random), imageUrls: [] };
    return this.append(questionStream(questionId), authorId, [
      { type: 'QuestionEdited', data: { questionId, spaceId, authorId, ...text } },
    ]);
  }

  private *reports(questionId: string, { postType, postId, authorId }: Votable): Generator<Append> {
    const { spaceId, random } = this;
    const post = { postType, postId, questionId, spaceId, postAuthorId: authorId };
    const reporters = new Set<string>();
    for (let count = Math.ceil(random.next() * MAX_REPORTERS); count > 0; count -= 1)
      reporters.add(random.oneSkewed(this.students));
    reporters.delete(authorId);
    for (const reporterId of reporters)
      yield this.append(moderationStream(postId), reporterId, [
        { type: 'PostReported', data: { ...post, reporterId, reason: 'Its spam', round: 0 } },
      ]);
    const [moderatorId] = this.students;
    if (reporters.size === 0 || moderatorId === undefined || random.next() >= SHARE_UPHELD) return;
    yield this.append(moderationStream(postId), moderatorId, [
      { type: 'ReportsUpheld', data: { ...post, moderatorId, reason: 'It is spam.', round: 0 } },
    ]);
  }

  private *ending(questionId: string, authorId: string, answers: readonly Votable[]): Generator<Append> {
    const accepted = answers.find((answer) => answer.authorId !== authorId);
    const { spaceId } = this;
    if (accepted && this.random.next() < SHARE_ACCEPTED) {
      const data = {
        questionId,
        answerId: accepted.postId,
        spaceId,
        questionAuthorId: authorId,
        answerAuthorId: accepted.authorId,
      };
      yield this.append(questionStream(questionId), authorId, [{ type: 'AnswerAccepted', data }]);
    }
    if (this.random.next() < SHARE_SAVED) {
      const studentId = this.random.oneSkewed(this.students);
      yield this.append(bookmarkStream(questionId, studentId), studentId, [
        { type: 'QuestionSaved', data: { questionId, spaceId, studentId } },
      ]);
    }
  }

  private append(streamId: string, actorId: string, events: readonly DomainEvent[]): Append {
    return pastAppend(this.now, streamId, actorId, events);
  }
}
