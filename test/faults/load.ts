import type { Community } from '../community.js';
import type { SignedUpStudent } from '../app.js';
import { CommunityModel, type Direction } from './community-model.js';
import { eventually, SeededRandom } from '@nimo/testing';
import { PersistentClient, type Answer } from './persistent-client.js';

const IDS = 'mutation($id: ID!) { done: ';
const ASK = `mutation($subject: ID!, $topic: ID!, $space: ID!, $text: String!, $body: String) {
  done: createQuestion(subject: $subject, topic: $topic, space: $space, title: $text, body: $body) { _id } }`;
const EDIT_QUESTION =
  'mutation($id: ID!, $text: String!) { done: updateQuestion(id: $id, title: $text) { _id } }';
const ANSWER =
  'mutation($id: ID!, $text: String!) { done: createAnswer(questionId: $id, body: $text) { _id } }';
const EDIT_ANSWER = 'mutation($id: ID!, $text: String!) { done: updateAnswer(id: $id, body: $text) { _id } }';
const COMMENT_ANSWER =
  'mutation($id: ID!, $text: String!) { done: createComment(answerId: $id, body: $text) { _id } }';
const COMMENT_QUESTION =
  'mutation($id: ID!, $text: String!) { done: createQuestionComment(questionId: $id, body: $text) { _id } }';
const ACCEPT =
  'mutation($id: ID!, $question: ID!) { done: acceptAnswer(answerId: $id, questionId: $question) { _id } }';

/** Members of a community who send random requests, each sequentially, until stopped. */
export class Load {
  readonly model = new CommunityModel();
  readonly refusals = new Map<string, number>();
  private readonly clients: PersistentClient[] = [];
  private isStopping = false;
  private running: Promise<void>[] = [];
  private texts = 0;

  constructor(
    private readonly community: Community,
    private readonly url: () => string,
    private readonly seed: number,
  ) {}

  start(): void {
    this.running = this.community.members.map((student, index) => this.run(student, index));
  }

  /** Waits for the requests in progress. */
  async stop(): Promise<void> {
    this.isStopping = true;
    await Promise.all(this.running);
  }

  /** Aborts requests in progress, after a failure. */
  abandon(): void {
    this.isStopping = true;
    for (const client of this.clients) client.abandon();
  }

  get confirmed(): number {
    return this.clients.reduce((sum, { tally }) => sum + tally.confirmed, 0);
  }

  get faults(): string[] {
    return this.clients.flatMap(({ faults }) => faults);
  }

  get tally(): Record<string, number> {
    const total: Record<string, number> = {};
    for (const { tally } of this.clients) {
      for (const [name, count] of Object.entries(tally)) total[name] = (total[name] ?? 0) + Number(count);
    }
    return total;
  }

  /** Waits for `count` more confirmed requests. */
  async waitForConfirmed(count: number): Promise<void> {
    const target = this.confirmed + count;
    await eventually(
      () => this.confirmed >= target,
      Boolean,
      () => [`${count} more confirmed requests`, { ...this.tally, faults: this.faults.slice(-3) }],
    );
  }

  private async run(student: SignedUpStudent, index: number): Promise<void> {
    const chance = new SeededRandom(this.seed + 1_000 + index);
    const client = new PersistentClient(this.url, student.token, chance);
    this.clients.push(client);
    const member = new Member(student.studentId, client, chance, this.model, this.community, (kind) => {
      this.texts += 1;
      return `${kind} ${this.seed} ${this.texts}`;
    });
    while (!this.isStopping) {
      const refusal = await member.act();
      if (refusal !== undefined) this.refusals.set(refusal, (this.refusals.get(refusal) ?? 0) + 1);
    }
  }
}

class Member {
  private sent = 0;

  constructor(
    private readonly id: string,
    private readonly client: PersistentClient,
    private readonly chance: SeededRandom,
    private readonly model: CommunityModel,
    private readonly community: Community,
    private readonly newText: (kind: string) => string,
  ) {}

  /** Sends a random request. @returns the error code, if rejected */
  async act(): Promise<string | undefined> {
    const draw = this.chance.next();
    if (this.model.postsOf('QUESTION').length < 3 || draw < 0.02) return this.ask();
    if (draw < 0.12) return this.answer();
    if (draw < 0.27) return this.comment();
    if (draw < 0.3) return this.deleteComment();
    if (draw < 0.35) return this.edit();
    if (draw < 0.4) return this.accept();
    if (draw < 0.55) return this.bookmark();
    return this.vote();
  }

  private submit(query: string, variables: Record<string, unknown>): Promise<Answer> {
    this.sent += 1;
    return this.client.submit(query, variables, `${this.id}-${this.sent}`);
  }

  private async ask(): Promise<string | undefined> {
    const { subjectId, topicId, spaceId } = this.community;
    const text = this.newText('question');
    const target = { subject: subjectId, topic: topicId, space: spaceId };
    const { data, code } = await this.submit(ASK, { ...target, text, body: '<p>How?</p>' });
    if (code !== undefined) return code;
    if (data?.['done']) this.model.ask(data['done']._id, this.id, text);
    else this.model.postsWithoutId.push({ kind: 'QUESTION', text, authorId: this.id, under: '' });
    return undefined;
  }

  private async answer(): Promise<string | undefined> {
    const question = this.chance.pick(this.model.postsOf('QUESTION'));
    if (!question) return undefined;
    const text = this.newText('answer');
    const { data, code } = await this.submit(ANSWER, { id: question.postId, text: `<p>${text}</p>` });
    if (code !== undefined) return code;
    if (data?.['done']) this.model.answer(data['done']._id, this.id, question.postId, text);
    else this.model.postsWithoutId.push({ kind: 'ANSWER', text, authorId: this.id, under: question.postId });
    return undefined;
  }

  private async comment(): Promise<string | undefined> {
    const post = this.chance.pick([...this.model.posts.values()]);
    if (!post) return undefined;
    const text = this.newText('comment');
    const query = post.kind === 'QUESTION' ? COMMENT_QUESTION : COMMENT_ANSWER;
    const { data, code } = await this.submit(query, { id: post.postId, text });
    if (code !== undefined) return code;
    if (data?.['done']) this.model.comment(data['done']._id, this.id, post.postId, text);
    else this.model.postsWithoutId.push({ kind: 'COMMENT', text, authorId: this.id, under: post.postId });
    return undefined;
  }

  private async deleteComment(): Promise<string | undefined> {
    const own = [...this.model.comments.values()].filter(
      ({ authorId, isDeleted }) => authorId === this.id && !isDeleted,
    );
    const comment = this.chance.pick(own);
    if (!comment) return undefined;
    const kind = this.model.post(comment.parentId).kind;
    const operation = kind === 'QUESTION' ? 'deleteQuestionCommentById' : 'deleteCommentById';
    const { code } = await this.submit(`${IDS}${operation}(id: $id) { _id } }`, { id: comment.commentId });
    if (code === undefined) comment.isDeleted = true;
    return code;
  }

  private async edit(): Promise<string | undefined> {
    const post = this.chance.pick(
      [...this.model.posts.values()].filter(({ authorId }) => authorId === this.id),
    );
    if (!post) return undefined;
    const isQuestion = post.kind === 'QUESTION';
    const text = this.newText('edited');
    const { code } = await this.submit(isQuestion ? EDIT_QUESTION : EDIT_ANSWER, {
      id: post.postId,
      text: isQuestion ? text : `<p>${text}</p>`,
    });
    if (code === undefined) this.model.edit(post.postId, text);
    return code;
  }

  private async accept(): Promise<string | undefined> {
    const answers = this.model.postsOf('ANSWER').filter(({ questionId, authorId }) => {
      const question = this.model.post(questionId);
      return question.authorId === this.id && authorId !== this.id && question.acceptedAnswerId === null;
    });
    const answer = this.chance.pick(answers);
    if (!answer) return undefined;
    const { code } = await this.submit(ACCEPT, { id: answer.postId, question: answer.questionId });
    if (code === undefined) this.model.post(answer.questionId).acceptedAnswerId = answer.postId;
    return code;
  }

  private async bookmark(): Promise<string | undefined> {
    const question = this.chance.pick(this.model.postsOf('QUESTION'));
    if (!question) return undefined;
    // Toggles like the button, because saving twice would append no event to count.
    const isSaved = !this.model.isSaved(question.postId, this.id);
    const operation = isSaved ? 'saveQuestion' : 'unsaveQuestion';
    const { code } = await this.submit(`${IDS}${operation}(questionId: $id) { _id } }`, {
      id: question.postId,
    });
    if (code === undefined) this.model.bookmark(question.postId, this.id, isSaved);
    return code;
  }

  private async vote(): Promise<string | undefined> {
    const post = this.chance.pick(
      [...this.model.posts.values()].filter(({ authorId }) => authorId !== this.id),
    );
    if (!post) return undefined;
    const direction: Direction = this.chance.isTrue(0.7) ? 'UP' : 'DOWN';
    const verb = direction === 'UP' ? 'upvote' : 'downvote';
    const [operation, argument] =
      post.kind === 'QUESTION' ? [`${verb}Question`, 'questionId'] : [`${verb}Answer`, 'answerId'];
    const { code } = await this.submit(`${IDS}${operation}(${argument}: $id) { _id } }`, { id: post.postId });
    if (code === undefined) this.model.toggleVote(post.postId, this.id, direction);
    return code;
  }
}
