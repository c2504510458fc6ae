import type { SeededRandom } from '@nimo/testing';
import type { TestApp } from '../../../../../../test/app.js';
import { newCommunity, type Community } from '../../../../../../test/community.js';
import { Participant } from '../../../../../../test/participant.js';
import { profile } from './account-history.fixture.js';
import { newWord, Mutations, Person } from './person.fixture.js';

interface Post {
  readonly id: string;
  readonly kind: 'QUESTION' | 'ANSWER' | 'QUESTION_COMMENT' | 'COMMENT';
  readonly author: Person;
}

interface Step {
  readonly name: string;
  readonly values: Readonly<Record<string, unknown>>;
  readonly selection?: string;
}

const PEOPLE = 4;

/** A small community in which people act at random. Refused actions are part of the history; an internal error fails the test. */
export class RandomHistory {
  readonly people: Person[] = [];
  private readonly posts: Post[] = [];

  private constructor(
    private readonly chance: SeededRandom,
    private readonly app: TestApp,
    private readonly community: Community,
    private readonly mutations: Mutations,
    private readonly staff: Participant,
  ) {}

  static async start(app: TestApp, chance: SeededRandom): Promise<RandomHistory> {
    const community = await newCommunity(app, PEOPLE + 1);
    const members = community.members.map((member) => new Participant(app, member, community));
    const [staff, ben, ...others] = members;
    if (!staff || !ben) throw new Error('no members');
    await app.grantRole(staff.student.studentId, 'MODERATOR');
    await app.grantRole(staff.student.studentId, 'MAINTAINER');
    const mutations = new Mutations(app);
    const history = new RandomHistory(chance, app, community, mutations, staff);
    for (const { student } of [ben, ...others]) {
      const person = new Person({ app, mutations, community, ben, staff });
      person.studentId = student.studentId;
      person.token = student.token;
      person.value('phone', student.phone);
      person.value('user name at sign-up', student.userName);
      await profile(person);
      history.people.push(person);
    }
    return history;
  }

  async run(steps: number): Promise<void> {
    for (let step = 0; step < steps; step += 1) await this.act();
    await this.app.caughtUp();
  }

  private async act(): Promise<void> {
    const by = this.pick(this.people);
    const isByStaff = this.chance.isTrue(0.2);
    if (isByStaff) await this.send(this.staff.student.token, this.staffStep(by));
    else if (this.posts.length < 3 || this.chance.isTrue(0.4)) await this.write(by);
    else await this.send(by.token, this.reaction(this.pick(this.posts)));
  }

  private async write(by: Person): Promise<void> {
    const word = newWord();
    const target = this.chance.pick(
      this.posts.filter(({ kind }) => kind === 'QUESTION' || kind === 'ANSWER'),
    );
    const { subjectId: subject, topicId: topic, spaceId: space } = this.community;
    const mention = `@[${this.pick(this.people).studentId}]`;
    const [kind, step]: [Post['kind'], Step] =
      !target || this.chance.isTrue(0.3)
        ? ['QUESTION', { name: 'createQuestion', values: { subject, topic, space, title: `Is ${word} so?` } }]
        : target.kind === 'ANSWER'
          ? [
              'COMMENT',
              { name: 'createComment', values: { answerId: target.id, body: `${word} ${mention}` } },
            ]
          : this.chance.isTrue(0.6)
            ? ['ANSWER', { name: 'createAnswer', values: { questionId: target.id, body: `<p>${word}</p>` } }]
            : [
                'QUESTION_COMMENT',
                {
                  name: 'createQuestionComment',
                  values: { questionId: target.id, body: `${word} ${mention}` },
                },
              ];
    const made = await this.send<{ _id: string }>(by.token, { ...step, selection: '_id' });
    if (!made) return;
    by.words[`${kind} ${made._id}`] = word;
    this.posts.push({ id: made._id, kind, author: by });
  }

  /** An action that anyone may try with a post. */
  private reaction({ id, kind, author }: Post): Step {
    const word = newWord();
    const edited = (step: Step): Step => {
      author.words[`edit ${word}`] = word;
      return step;
    };
    const report = { name: 'reportPost', values: { postId: id, postType: kind, reason: 'Its spam' } };
    switch (kind) {
      case 'QUESTION':
        return this.pick([
          { name: 'upvoteQuestion', values: { questionId: id } },
          { name: 'downvoteQuestion', values: { questionId: id } },
          { name: 'saveQuestion', values: { questionId: id } },
          { name: 'unsaveQuestion', values: { questionId: id } },
          { name: 'deleteQuestionById', values: { id } },
          edited({ name: 'updateQuestion', values: { id, title: `Is ${word} edited?` } }),
          report,
        ]);
      case 'ANSWER':
        return this.pick([
          { name: 'upvoteAnswer', values: { answerId: id } },
          { name: 'downvoteAnswer', values: { answerId: id } },
          { name: 'deleteAnswerById', values: { id } },
          edited({ name: 'updateAnswer', values: { id, body: `<p>${word}</p>` } }),
          ...this.posts
            .filter((post) => post.kind === 'QUESTION')
            .map((question) => ({ name: 'acceptAnswer', values: { answerId: id, questionId: question.id } })),
          report,
        ]);
      case 'COMMENT':
        return this.pick([{ name: 'deleteCommentById', values: { id } }, report]);
      case 'QUESTION_COMMENT':
        return this.pick([{ name: 'deleteQuestionCommentById', values: { id } }, report]);
    }
  }

  /** An action that staff may try with a person, each with its own reason. */
  private staffStep(person: Person): Step {
    const { studentId } = person;
    const reason = person.hiddenValue(`reason ${Object.keys(person.hidden).length}`);
    const about = { space: this.community.spaceId, studentId };
    const post = this.chance.pick(this.posts);
    const seen = { revision: 0, openReports: 1 };
    return this.pick([
      { name: 'writeStudentNote', values: { ...about, text: reason } },
      { name: 'warnMember', values: { ...about, text: reason } },
      { name: 'blockAccount', values: { studentId, reason } },
      { name: 'unblockAccount', values: { studentId, reason } },
      ...(post?.author === person
        ? [
            { name: 'upholdReports', values: { postId: post.id, reason, seen } },
            { name: 'dismissReports', values: { postId: post.id, reason, seen } },
          ]
        : []),
    ]);
  }

  private async send<Result>(by: string, { name, values, selection }: Step): Promise<Result | undefined> {
    try {
      return await this.mutations.send<Result>(by, name, values, selection);
    } catch (error) {
      if (String(error).includes('INTERNAL')) throw error;
      return undefined;
    }
  }

  private pick<Value>(values: readonly Value[]): Value {
    const picked = this.chance.pick(values);
    if (picked === undefined) throw new Error('nothing to pick');
    return picked;
  }
}
