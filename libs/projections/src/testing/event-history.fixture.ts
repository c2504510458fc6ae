import {
  acceptAnswer,
  type AnswerEvent,
  type CommentEvent,
  eraseAnswerWords,
  eraseCommentWords,
  eraseQuestionWords,
  type QuestionEvent,
  type ActingStudent,
  type Actor,
  aggregate,
  type Aggregate,
  answerDecider,
  type AnswerState,
  answerStream,
  askQuestion,
  bookmarkDecider,
  caseStream,
  commentDecider,
  commentStream,
  DEFAULT_SCORING_RULES,
  deleteAnswer,
  deleteComment,
  deleteQuestion,
  dismissReports,
  DomainError,
  type DomainEvent,
  editAnswer,
  editQuestion,
  type EventMetadata,
  type EventOf,
  fold,
  handOverReports,
  caseDecider,
  confirmInvalidation,
  declineInvalidation,
  invalidateVotes,
  joinSpace,
  leaveSpace,
  membershipDecider,
  mentionedStudentIds,
  moderationDecider,
  moderationStream,
  postAnswer,
  postComment,
  type PostFacts,
  type PostRef,
  questionDecider,
  type QuestionState,
  questionStream,
  REPORT_REASONS,
  type ReportedPostType,
  reportPost,
  authorRemovalsDecider,
  removePosts,
  restorePosts,
  reverseInRemoval,
  reverseUpholding,
  saveQuestion,
  SCORING_RULES_STREAM,
  type ScoringRules,
  spaceStream,
  robotId,
  studentStream,
  toggleVote,
  topicStream,
  unsaveQuestion,
  type Penalty,
  upholdInRemoval,
  upholdReports,
  type VoteData,
  voteDecider,
  type VoteDirection,
} from '@nimo/domain';
import type { Append } from '@nimo/event-store';
import { randomUUID } from 'node:crypto';
import { DestroyedKeys } from './destroyed-keys.fixture.js';

/** An event as stored in the log. */
export type HistoryEvent = DomainEvent & {
  readonly id: string;
  readonly streamId: string;
  readonly metadata: EventMetadata;
};

type VotablePost = PostFacts<PostRef & { readonly postType: 'QUESTION' | 'ANSWER' }>;
interface Place {
  readonly spaceId: string;
  readonly subjectId: string;
  readonly topicId: string;
  readonly topicName: string;
}

const MINUTE = 60_000;

/** Offsets in milliseconds. */
interface Clock {
  /** Clock skew of the recording process. */
  readonly skewMs: number;
  /** Time between occurrence and recording, as in an import. */
  readonly delayMs: number;
}

/** An event was appended to the stream after its state was read. */
class StreamConflict extends Error {}
const NO_EVENTS = { from: 0, to: 0 };

/** A valid history, built with the domain's deciders. `happened` adds events that a decider with stale state could produce. */
export class EventHistory {
  readonly events: HistoryEvent[] = [];
  private readonly standIns = new Set<string>();
  private readonly moderators = new Set<string>();
  private readonly newId: () => string;
  private readonly stepMs: number;
  private now = Date.parse('2026-01-01T08:00:00.000Z');
  private actor: Actor = { kind: 'system' };
  private clock: Clock = { skewMs: 0, delayMs: 0 };
  /** Range of events that are invisible to the next decisions. */
  private unseen = NO_EVENTS;
  private readonly destroyedKeys = new DestroyedKeys();

  /** @param stepMs milliseconds between events */
  constructor(newId: () => string = randomUUID, stepMs = MINUTE) {
    this.newId = newId;
    this.stepMs = stepMs;
  }

  get appends(): Append[] {
    return appendsOf(this.events);
  }
  append(streamId: string, ...events: readonly DomainEvent[]): void {
    const { from, to } = this.unseen;
    if (this.events.slice(from, to).some((event) => event.streamId === streamId)) throw new StreamConflict();
    this.now += this.stepMs;
    const recorded = this.now + this.clock.skewMs;
    const occurredAt = new Date(recorded - this.clock.delayMs).toISOString();
    const recordedAt = new Date(recorded).toISOString();
    const ids = events.map(() => this.newId());
    const commandId = ids[0] ?? '';
    const trace = { commandId, correlationId: commandId, causationId: commandId, schemaVersion: 1 };
    for (const [index, event] of events.entries()) {
      const id = ids[index] ?? '';
      const metadata: EventMetadata = { occurredAt, recordedAt, actor: this.actor, ...trace };
      this.events.push({ ...this.destroyedKeys.withoutErasedData(event), id, streamId, metadata });
    }
  }

  /**
   * Runs two commands concurrently: the second is decided on the state before the first. If both append to the same stream, the second is
   * retried, as after a version conflict.
   */
  overlapping(first: () => void, second: () => void): void {
    const from = this.events.length;
    first();
    this.unseen = { from, to: this.events.length };
    try {
      second();
      return;
    } catch (error) {
      if (!(error instanceof StreamConflict)) throw error;
    } finally {
      this.unseen = NO_EVENTS;
    }
    second();
  }

  /** Moves the clock; negative values move it back. */
  passTime(milliseconds: number): void {
    this.now += milliseconds;
  }

  /** Current day, YYYY-MM-DD in UTC. */
  get today(): string {
    return new Date(this.now).toISOString().slice(0, 'YYYY-MM-DD'.length);
  }

  /** Records the events of the callback with another clock. */
  withClock<Result>(clock: Partial<Clock>, happen: () => Result): Result {
    const before = this.clock;
    this.clock = { ...before, ...clock };
    try {
      return happen();
    } finally {
      this.clock = before;
    }
  }

  /** Records the events of the callback with another actor. The default is the system. */
  as<Result>(actor: Actor, happen: () => Result): Result {
    const before = this.actor;
    this.actor = actor;
    try {
      return happen();
    } finally {
      this.actor = before;
    }
  }

  /** Current state of an aggregate, without the unseen events. */
  private state<S, E extends DomainEvent>({ decider, streamId }: Aggregate<S, E>): S {
    const { from, to } = this.unseen;
    const own = this.events.filter(
      (event, index) => event.streamId === streamId && (index < from || index >= to),
    ) as unknown as E[];
    return fold(decider, own);
  }

  newStudent(profile: Partial<EventOf<'StudentRegistered'>['data']> = {}): string {
    const studentId = this.newId();
    const userName = `user_${studentId.slice(0, 8)}`;
    this.append(studentStream(studentId), {
      type: 'StudentSignedUp',
      data: { studentId, phone: '919876543210', email: null, registrationType: 'SELF' },
    });
    this.append(
      studentStream(studentId),
      { type: 'StudentPhoneVerified', data: { studentId } },
      {
        type: 'StudentRegistered',
        data: {
          studentId,
          userName,
          firstName: 'Ada',
          lastName: 'L',
          profileDesc: '',
          realProfilePicUrl: null,
          ...profile,
        },
      },
    );
    return studentId;
  }

  newStandIn(): string {
    const studentId = this.newImported(this.newId(), true);
    this.standIns.add(studentId);
    return studentId;
  }

  newRobot(): string {
    return this.newImported(robotId(this.newId()), false);
  }

  private newImported(studentId: string, standIn: boolean): string {
    const userName = `voter_${studentId.slice(0, 8)}`;
    const profile = {
      studentId,
      userName,
      firstName: 'Voter',
      lastName: '',
      profileDesc: '',
      realProfilePicUrl: null,
    };
    this.append(studentStream(studentId), {
      type: 'StudentImported',
      data: { ...profile, source: 'elsewhere', sourceId: studentId, standIn },
    });
    return studentId;
  }

  newModerator(): string {
    const studentId = this.newStudent();
    this.moderators.add(studentId);
    this.append(studentStream(studentId), {
      type: 'RoleGranted',
      data: { studentId, role: 'MODERATOR', spaceId: null },
    });
    return studentId;
  }

  newSpace(details: Partial<EventOf<'SpaceCreated'>['data']> = {}): string {
    const spaceId = this.newId();
    const space = { name: 'Space', description: 'A space', bannerImageUrl: null, color: '123456' };
    this.append(spaceStream(spaceId), {
      type: 'SpaceCreated',
      data: {
        spaceId,
        ...space,
        scope: 'world',
        hiddenFromSearchEngines: false,
        entry: 'OPEN',
        publicPages: true,
        consentAge: null,
        ...details,
      },
    });
    return spaceId;
  }

  newSubject(spaceId: string, subjectName = 'Mathematics'): string {
    const subjectId = this.newId();
    const data = { spaceId, subjectId, subjectName, color: 'abcdef' };
    this.append(spaceStream(spaceId), { type: 'SubjectAdded', data });
    return subjectId;
  }

  newTopic(
    spaceId: string,
    subjectId: string,
    topicName = 'Algebra',
    topicType: 'PRIMARY' | 'SECONDARY' = 'PRIMARY',
  ): Place {
    const topicId = this.newId();
    const slug = `${topicName.toLowerCase()}-${topicId.slice(0, 4)}`;
    this.append(topicStream(subjectId, slug), {
      type: 'TopicCreated',
      data: { topicId, spaceId, subjectId, topicName, slug, topicType, imageS3Url: null },
    });
    return { spaceId, subjectId, topicId, topicName };
  }

  renameTopic({ topicId, spaceId, subjectId }: Place, topicName: string): void {
    const created = this.events.find(({ type, data }) => type === 'TopicCreated' && data.topicId === topicId);
    if (created?.type !== 'TopicCreated') throw new Error('no such topic');
    const data = { ...created.data, spaceId, subjectId, topicName };
    this.append(created.streamId, { type: 'TopicChanged', data });
  }

  erase(studentId: string): void {
    this.append(studentStream(studentId), {
      type: 'StudentErased',
      data: { studentId, withWords: false },
    });
    this.destroyedKeys.destroy('identity', studentId);
  }

  /** Erases a student along with their posts. */
  eraseWithWords(studentId: string): void {
    const streams = new Set(
      this.events.flatMap(({ streamId, data }) =>
        'authorId' in data && data.authorId === studentId ? [streamId] : [],
      ),
    );
    for (const streamId of streams) this.append(streamId, ...this.erasedWords(streamId));
    this.append(studentStream(studentId), { type: 'StudentErased', data: { studentId, withWords: true } });
    this.destroyedKeys.destroy('identity', studentId);
    this.destroyedKeys.destroy('words', studentId);
  }

  /** Includes unseen events, because destroying a key affects all of them. */
  private erasedWords(streamId: string): readonly DomainEvent[] {
    const own = this.events.filter((event) => event.streamId === streamId) as unknown[];
    if (streamId.startsWith('question-'))
      return eraseQuestionWords(fold(questionDecider, own as QuestionEvent[]));
    if (streamId.startsWith('answer-')) return eraseAnswerWords(fold(answerDecider, own as AnswerEvent[]));
    if (streamId.startsWith('comment-'))
      return eraseCommentWords(fold(commentDecider, own as CommentEvent[]));
    return [];
  }

  join(studentId: string, spaceId: string): void {
    const membership = aggregate(membershipDecider, spaceId, studentId);
    const state = this.state(membership);
    this.append(
      membership.streamId,
      ...joinSpace({ actor: this.acting(studentId), spaceId, entry: 'OPEN' }, state),
    );
  }

  leave(studentId: string, spaceId: string): void {
    const membership = aggregate(membershipDecider, spaceId, studentId);
    const state = this.state(membership);
    this.append(membership.streamId, ...leaveSpace({ actor: this.acting(studentId), spaceId }, state));
  }

  ask(studentId: string, place: Place, texts: { title?: string; body?: string } = {}): string {
    const questionId = this.newId();
    const { spaceId, subjectId } = place;
    const events = askQuestion(
      {
        actor: this.acting(studentId),
        isMember: true,
        questionId,
        spaceId,
        subject: { subjectId, spaceId },
        topic: place,
        title: 'How?',
        body: '<p>Why &amp; how</p>',
        imageUrls: [],
        ...texts,
      },
      undefined,
    );
    this.append(questionStream(questionId), ...events);
    return questionId;
  }

  editQuestion(questionId: string, title: string, body = '<p>edited</p>'): void {
    const question = this.question(questionId);
    const actor = this.acting(question.authorId);
    const command = { actor, isMember: true, removedByModerator: false, title, body, imageUrls: ['a.webp'] };
    this.append(questionStream(questionId), ...editQuestion(command, question));
  }

  deleteQuestion(questionId: string): void {
    const question = this.question(questionId);
    const command = { actor: this.acting(question.authorId), reason: null };
    this.append(questionStream(questionId), ...deleteQuestion(command, question));
  }

  answer(studentId: string, questionId: string, body = '<p>So.</p>'): string {
    const answerId = this.newId();
    const question = { ...this.question(questionId), removed: false };
    const command = {
      actor: this.acting(studentId),
      isMember: true,
      answerId,
      question,
      body,
      imageUrls: [],
    };
    this.append(answerStream(answerId), ...postAnswer(command, undefined));
    return answerId;
  }

  editAnswer(answerId: string, body: string): void {
    const answer = this.answerState(answerId);
    const command = { actor: this.acting(answer.authorId), isMember: true, removed: false, body };
    this.append(answerStream(answerId), ...editAnswer(command, answer));
  }

  deleteAnswer(answerId: string): void {
    const answer = this.answerState(answerId);
    this.append(
      answerStream(answerId),
      ...deleteAnswer({ actor: this.acting(answer.authorId), reason: null }, answer),
    );
  }

  /**
   * @param isPreviousRemoved whether the previously accepted answer was removed
   * @param moderatorId accepts for the author, who is away
   */
  accept(answerId: string, isPreviousRemoved = false, moderatorId?: string): void {
    const answer = { ...this.answerState(answerId), removed: false };
    const question = this.question(answer.questionId);
    const actor = this.acting(moderatorId ?? question.authorId);
    const accepted = question.acceptedAnswerId;
    const previous =
      accepted === null ? undefined : { ...this.answerState(accepted), removed: isPreviousRemoved };
    const command = {
      actor,
      isMember: true,
      isAuthorAway: true,
      removedByModerator: false,
      answer,
      previous,
    };
    this.append(questionStream(question.questionId), ...acceptAnswer(command, question));
  }

  comment(studentId: string, parentId: string, body = 'Thanks'): string {
    const commentId = this.newId();
    const parent = this.post(parentId) as VotablePost;
    const mentionableIds = mentionedStudentIds(body);
    const command = {
      actor: this.acting(studentId),
      isMember: true,
      commentId,
      parent,
      body,
      mentionableIds,
    };
    this.append(commentStream(commentId), ...postComment(command, undefined));
    return commentId;
  }

  deleteComment(commentId: string): void {
    const comment = this.state(aggregate(commentDecider, commentId));
    if (!comment) throw new DomainError('POST_NOT_FOUND');
    const command = { actor: this.acting(comment.authorId), reason: null };
    this.append(commentStream(commentId), ...deleteComment(command, comment));
  }

  /** Toggles the vote. */
  vote(studentId: string, postId: string, direction: VoteDirection): void {
    const vote = aggregate(voteDecider, postId, studentId);
    const post = this.post(postId) as VotablePost;
    const voterIsStandIn = this.standIns.has(studentId);
    const command = { actor: this.acting(studentId), isMember: true, voterIsStandIn, post, direction };
    this.append(vote.streamId, ...toggleVote(command, this.state(vote)));
  }

  voteData(studentId: string, postId: string, direction: VoteDirection): VoteData {
    const { removed: _, ...post } = this.post(postId) as VotablePost;
    return { ...post, voterId: studentId, direction, voterIsStandIn: this.standIns.has(studentId) };
  }

  invalidate(moderatorId: string, votes: readonly VoteData[]): string {
    const caseId = this.newId();
    const category = 'ARRANGED' as const;
    const ownCases = { votesInvalidatedAlone: 0, proposalId: null };
    const command = { actor: this.acting(moderatorId), caseId, category, votes, reason: 'A ring', ownCases };
    this.append(caseStream(caseId), ...invalidateVotes(command, undefined));
    return caseId;
  }

  /** Confirms a large case. */
  confirm(moderatorId: string, caseId: string): void {
    const found = aggregate(caseDecider, caseId);
    const state = this.state(found);
    const votes = state?.invalidation.votes ?? [];
    this.append(found.streamId, ...confirmInvalidation({ actor: this.acting(moderatorId), votes }, state));
  }

  decline(moderatorId: string, caseId: string): void {
    const found = aggregate(caseDecider, caseId);
    const command = { actor: this.acting(moderatorId), reason: 'They study together' };
    this.append(found.streamId, ...declineInvalidation(command, this.state(found)));
  }

  reverse(caseId: string): void {
    const ofCase = this.events.filter((event) => event.streamId === caseStream(caseId));
    const invalidated = ofCase.find((event) => event.type === 'VotesInvalidated');
    if (invalidated?.type !== 'VotesInvalidated') throw new Error('no such case');
    this.append(caseStream(caseId), { type: 'InvalidationReversed', data: invalidated.data });
  }

  save(studentId: string, questionId: string): void {
    const bookmark = aggregate(bookmarkDecider, questionId, studentId);
    const state = this.state(bookmark);
    const question = { ...this.question(questionId), removed: false };
    this.append(
      bookmark.streamId,
      ...saveQuestion({ actor: this.acting(studentId), isMember: true, question }, state),
    );
  }

  unsave(studentId: string, questionId: string): void {
    const bookmark = aggregate(bookmarkDecider, questionId, studentId);
    const state = this.state(bookmark);
    const question = { ...this.question(questionId), removed: false };
    this.append(bookmark.streamId, ...unsaveQuestion({ actor: this.acting(studentId), question }, state));
  }

  report(studentId: string, postId: string): void {
    const moderation = aggregate(moderationDecider, postId);
    const report = { actor: this.acting(studentId), post: this.post(postId), reason: REPORT_REASONS[0] };
    this.append(moderation.streamId, ...reportPost({ ...report, isMember: true }, this.state(moderation)));
  }

  uphold(moderatorId: string, postId: string, penalty: Penalty = 'RULES'): void {
    const { state, facts } = this.case(moderatorId, postId);
    this.append(moderationStream(postId), ...upholdReports({ ...facts, reason: 'Right', penalty }, state));
  }

  reverseUpholding(moderatorId: string, postId: string): void {
    const { state, facts } = this.case(moderatorId, postId);
    this.append(moderationStream(postId), ...reverseUpholding({ ...facts, reason: 'Wrong' }, state));
  }

  /** Removes all posts of an author in a space, and each of them in its own stream. */
  removeAll(moderatorId: string, authorId: string, spaceId: string): string {
    const removalId = this.newId();
    const author = { studentId: authorId, roles: [] };
    const posts = this.visiblePosts(authorId, spaceId);
    const removals = aggregate(authorRemovalsDecider, spaceId, authorId);
    const actor = this.acting(moderatorId);
    const knownRemovalIds = new Set(this.state(removals).map(({ removal }) => removal.removalId));
    const command = { actor, removalId, spaceId, author, posts, knownRemovalIds, reason: 'Spam' };
    const events = removePosts(command, this.state(removals));
    this.append(removals.streamId, ...events);
    for (const { data } of events)
      for (const post of data.posts) {
        const state = this.state(aggregate(moderationDecider, post.postId));
        const isDeleted = this.isDeleted(post);
        this.append(moderationStream(post.postId), ...upholdInRemoval(data, { ...post, isDeleted }, state));
      }
    return removalId;
  }

  restoreAll(moderatorId: string, removalId: string): void {
    const removed = this.events.find(
      ({ type, data }) => type === 'PostsRemoved' && data.removalId === removalId,
    );
    if (removed?.type !== 'PostsRemoved') throw new Error('no such removal');
    const removal = aggregate(authorRemovalsDecider, removed.data.spaceId, removed.data.authorId);
    const command = {
      actor: this.acting(moderatorId),
      removalId,
      reportedByActor: new Set<string>(),
      reason: 'A mistake',
    };
    const events = restorePosts(command, this.state(removal));
    this.append(removal.streamId, ...events);
    for (const { data } of events)
      for (const post of data.posts) {
        const state = this.state(aggregate(moderationDecider, post.postId));
        this.append(moderationStream(post.postId), ...reverseInRemoval(data, post, state));
      }
  }

  private visiblePosts(authorId: string, spaceId: string): PostRef[] {
    const ids = this.events.flatMap(({ type, data }) => {
      if (type === 'QuestionAsked') return [data.questionId];
      if (type === 'AnswerPosted') return [data.answerId];
      return type === 'CommentPosted' ? [data.commentId] : [];
    });
    return ids
      .map((postId) => this.post(postId))
      .filter((post) => post.postAuthorId === authorId && post.spaceId === spaceId)
      .filter(
        (post) => !this.isDeleted(post) && !this.state(aggregate(moderationDecider, post.postId)).upheld,
      );
  }

  private isDeleted({ postType, postId }: PostRef): boolean {
    if (postType === 'QUESTION') return this.state(aggregate(questionDecider, postId))?.deleted ?? true;
    if (postType === 'ANSWER') return this.state(aggregate(answerDecider, postId))?.deleted ?? true;
    return this.state(aggregate(commentDecider, postId))?.deleted ?? true;
  }

  handOver(moderatorId: string, postId: string, toModeratorId: string | null): void {
    const { state, facts } = this.case(moderatorId, postId);
    const to = toModeratorId === null ? null : { studentId: toModeratorId, moderates: true };
    this.append(moderationStream(postId), ...handOverReports({ ...facts, to, note: 'Yours' }, state));
  }

  dismiss(moderatorId: string, postId: string): void {
    const { state, facts } = this.case(moderatorId, postId);
    this.append(moderationStream(postId), ...dismissReports({ ...facts, reason: 'Wrong' }, state));
  }

  publishRules(changes: Partial<ScoringRules>): void {
    const published = this.events.filter(({ type }) => type === 'ScoringRulesPublished').length;
    const version = DEFAULT_SCORING_RULES.version + published + 1;
    const data = { ...DEFAULT_SCORING_RULES, note: 'changed', ...changes, version };
    this.append(SCORING_RULES_STREAM, { type: 'ScoringRulesPublished', data });
  }

  withdrawRules(version: number, reason = 'Too generous'): void {
    this.append(SCORING_RULES_STREAM, { type: 'ScoringRulesWithdrawn', data: { version, reason } });
  }

  /** The post as a stale reader sees it, never removed. */
  post(postId: string): PostFacts {
    for (const { type, data } of this.events) {
      if (type === 'QuestionAsked' && data.questionId === postId) return postAt('QUESTION', postId, data);
      if (type === 'AnswerPosted' && data.answerId === postId) return postAt('ANSWER', postId, data);
      if (type === 'CommentPosted' && data.commentId === postId) {
        return postAt(data.parentType === 'QUESTION' ? 'QUESTION_COMMENT' : 'COMMENT', postId, data);
      }
    }
    throw new Error(`no post ${postId}`);
  }

  /** The report case as the moderator last saw it. */
  private case(moderatorId: string, postId: string) {
    const state = this.state(aggregate(moderationDecider, postId));
    const openReports = 1;
    const seen = { revision: state.revision, openReports };
    const actor = this.acting(moderatorId);
    return {
      state,
      facts: { actor, post: this.post(postId), openReports, isReporter: false, decidedAt: null, seen },
    };
  }

  private question(questionId: string): NonNullable<QuestionState> {
    const question = this.state(aggregate(questionDecider, questionId));
    if (!question) throw new DomainError('POST_NOT_FOUND');
    return question;
  }

  private answerState(answerId: string): NonNullable<AnswerState> {
    const answer = this.state(aggregate(answerDecider, answerId));
    if (!answer) throw new DomainError('POST_NOT_FOUND');
    return answer;
  }

  private acting(studentId: string): ActingStudent {
    const roles = this.moderators.has(studentId) ? [{ role: 'MODERATOR', spaceId: null } as const] : [];
    return { kind: 'student', studentId, registered: true, blocked: false, roles };
  }
}

const postAt = (
  postType: ReportedPostType,
  postId: string,
  { questionId, spaceId, authorId }: { questionId: string; spaceId: string; authorId: string },
): PostFacts => ({ postType, postId, questionId, spaceId, postAuthorId: authorId, removed: false });

/** One append per event. */
const appendsOf = (events: readonly HistoryEvent[]): Append[] =>
  events.map(({ id, streamId, type, data, metadata }) => ({
    streamId,
    expectedRevision: 'any',
    events: [{ id, type, data: data as never, metadata: metadata as never }],
  }));
