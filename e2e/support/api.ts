import { randomInt, randomUUID } from 'node:crypto';
import { eventually } from '@nimo/testing';

const DEMO_SPACE = 'Greenfield High';
const DEMO_MODERATOR = { userName: 'ms_rao', password: 'learn-together' };
const DEMO_MAINTAINER = { userName: 'sam_admin', password: 'learn-together' };

export interface Named {
  readonly _id: string;
  readonly name: string;
}

export interface Student {
  readonly _id: string;
  readonly userName: string;
  readonly password: string;
  /** Ten digits. */
  readonly phone: string;
  readonly token: string;
}

export interface Filing {
  readonly space: Named;
  readonly subject: Named;
  readonly topic: Named;
}

interface Verified {
  readonly id: string;
  readonly grant: string;
}

interface Answer<Data> {
  readonly data: Data;
  readonly extensions?: { readonly stale?: boolean };
}

interface Sms {
  readonly recipient: string;
  readonly text: string;
}

export const newPhone = (): string => String(randomInt(6_000_000_000, 9_999_999_999));
export const newUserName = (prefix = 'student'): string => `${prefix}_${randomUUID().slice(0, 8)}`;
/** Makes a text unique among all journeys. */
export const unique = (text: string): string => `${text} ${randomUUID().slice(0, 8)}`;

/** Sets up journeys through the product's own operations. */
export class NimoApi {
  private knownSpace: Named | undefined;
  private knownFiling: Filing | undefined;

  constructor(
    readonly url: string,
    /** The space to use. */
    private readonly spaceName = DEMO_SPACE,
  ) {}

  /** Retries with the same idempotency key until the read side has caught up with the caller's writes. */
  async graphql<Data>(query: string, variables: Record<string, unknown>, token?: string): Promise<Data> {
    const headers = {
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    };
    const { data } = await eventually(
      () => this.post<Data>(query, { headers, body: JSON.stringify({ query, variables }) }),
      ({ extensions }) => extensions?.stale !== true,
    );
    return data;
  }

  private async post<Data>(
    query: string,
    request: Pick<RequestInit, 'headers' | 'body'>,
  ): Promise<Answer<Data>> {
    const response = await fetch(`${this.url}/graphql`, { method: 'POST', ...request });
    const { data, errors, ...rest } = (await response.json()) as Partial<Answer<Data>> & {
      errors?: { message: string }[];
    };
    if (errors?.[0] || !data) throw new Error(`${query}\n${errors?.[0]?.message ?? response.statusText}`);
    return { data, ...rest };
  }

  /**
   * The code of the latest SMS to a number, from the development outbox.
   * @param earlier number of codes sent before; waits for another one, which may be the same code
   */
  async latestCode(phone: string, earlier = 0): Promise<string> {
    const codes = await eventually(
      async () => {
        const { messages } = (await (await fetch(`${this.url}/dev/outbox.json`)).json()) as {
          messages: Sms[];
        };
        return messages
          .filter(({ recipient }) => recipient === `+91${phone}`)
          .flatMap(({ text }) => /\b\d{4}\b/.exec(text)?.[0] ?? []);
      },
      ({ length }) => length > earlier,
      () => `code sent to ${phone}`,
    );
    return codes[0] ?? '';
  }

  /** Registers a student with a session, as the sign-up screens do. Joins the space unless `joins` is false. */
  async newStudent({
    userName = newUserName(),
    firstName = 'Ada',
    lastName = 'Lovelace',
    about = '',
    picture = null as string | null,
    joins = true,
  } = {}): Promise<Student> {
    const [phone, password] = [newPhone(), 'Correct-horse-1'];
    const { id, grant } = await this.verifiedPhone(phone);
    await this.graphql(
      `mutation($id: ID!, $grant: String, $userName: String, $firstName: String, $lastName: String, $password: String, $about: String, $picture: String) {
        updateStudent(id: $id, grant: $grant, userName: $userName, firstName: $firstName, lastName: $lastName, password: $password,
          profileDesc: $about, realProfilePicUrl: $picture, isRegistered: true, registrationType: "SELF") { _id }
      }`,
      { id, grant, userName, firstName, lastName, password, about, picture },
    );
    const { login } = await this.graphql<{ login: { accessToken: string } }>(
      'query($userName: String, $password: String!) { login(userName: $userName, password: $password) { accessToken } }',
      { userName, password },
    );
    const student = { _id: id, userName, password, phone, token: login.accessToken };
    if (joins) await this.join(student);
    return student;
  }

  /** The moderator of the demo space. */
  moderator(): Promise<Student> {
    return this.demoPerson(DEMO_MODERATOR);
  }

  /** The maintainer of the demo. */
  maintainer(): Promise<Student> {
    return this.demoPerson(DEMO_MAINTAINER);
  }

  private async demoPerson(person: {
    readonly userName: string;
    readonly password: string;
  }): Promise<Student> {
    const { login } = await this.graphql<{ login: { accessToken: string } }>(
      'query($userName: String, $password: String!) { login(userName: $userName, password: $password) { accessToken } }',
      person,
    );
    const { getStudent } = await this.graphql<{ getStudent: { _id: string } }>(
      '{ getStudent { _id } }',
      {},
      login.accessToken,
    );
    return { ...person, _id: getStudent._id, phone: '', token: login.accessToken };
  }

  private async verifiedPhone(phone: string): Promise<Verified> {
    await this.graphql(
      'mutation($phone: Phone!) { createStudent(phone: $phone, registrationType: "SELF") { _id } sendOTP(phone: $phone) { flag } }',
      { phone: `91${phone}` },
    );
    const { verifyOTP } = await this.graphql<{ verifyOTP: Verified }>(
      'mutation($phone: Phone!, $code: String!) { verifyOTP(phone: $phone, verificationCode: $code) { id grant } }',
      { phone: `91${phone}`, code: await this.latestCode(phone) },
    );
    return verifyOTP;
  }

  async space(token: string): Promise<Named> {
    this.knownSpace ??= await this.findSpace(token);
    return this.knownSpace;
  }

  private async findSpace(token: string): Promise<Named> {
    const { getSpaces } = await this.graphql<{ getSpaces: Named[] }>('{ getSpaces { _id name } }', {}, token);
    const space = getSpaces.find(({ name }) => name === this.spaceName);
    if (!space) throw new Error(`Unknown space ${this.spaceName}: was its content created?`);
    return space;
  }

  /** A subject of the space with any of its topics, or with the named one. */
  async filing(token: string, topicName?: string): Promise<Filing> {
    if (topicName !== undefined) return this.findFiling(token, topicName);
    this.knownFiling ??= await this.findFiling(token);
    return this.knownFiling;
  }

  private async findFiling(token: string, topicName?: string): Promise<Filing> {
    const space = await this.space(token);
    const { subjects } = await this.graphql<{ subjects: Named[] }>(
      'query($space: ID!) { subjects: getSubjectsForSpace(id: $space) { _id name: subjectName } }',
      { space: space._id },
      token,
    );
    for (const subject of subjects) {
      const { topics } = await this.graphql<{ topics: Named[] }>(
        'query($subject: ID!) { topics: getSubjectTopics(subjects: [$subject]) { _id name: topicName } }',
        { subject: subject._id },
        token,
      );
      const topic = topics.find(({ name }) => topicName === undefined || name === topicName);
      if (topic) return { space, subject, topic };
    }
    throw new Error(`${this.spaceName} has no topics`);
  }

  async join({ token }: Student): Promise<void> {
    const space = await this.space(token);
    await this.graphql(
      'mutation($space: ID!) { joinSpace(spaceId: $space) { _id } }',
      { space: space._id },
      token,
    );
  }

  async ask(
    author: Student,
    title: string,
    {
      body = '<p>I tried it twice.</p>',
      imageUrls = [] as readonly string[],
      topicName = undefined as string | undefined,
    } = {},
  ): Promise<string> {
    const { space, subject, topic } = await this.filing(author.token, topicName);
    const { createQuestion } = await this.graphql<{ createQuestion: { _id: string } }>(
      `mutation($space: ID!, $subject: ID!, $topic: ID!, $title: String!, $body: String, $imageUrls: [String!]) {
        createQuestion(space: $space, subject: $subject, topic: $topic, title: $title, body: $body, imageUrls: $imageUrls) { _id }
      }`,
      { space: space._id, subject: subject._id, topic: topic._id, title, body, imageUrls },
      author.token,
    );
    return createQuestion._id;
  }

  async answer(author: Student, questionId: string, body: string): Promise<string> {
    const { createAnswer } = await this.graphql<{ createAnswer: { _id: string } }>(
      'mutation($questionId: ID!, $body: String!) { createAnswer(questionId: $questionId, body: $body) { _id } }',
      { questionId, body },
      author.token,
    );
    return createAnswer._id;
  }

  /** @param body mentions are `@[student id]` */
  async comment(author: Student, questionId: string, body: string): Promise<void> {
    await this.graphql(
      'mutation($questionId: ID!, $body: String!) { createQuestionComment(questionId: $questionId, body: $body) { _id } }',
      { questionId, body },
      author.token,
    );
  }

  async upvote(voter: Student, questionId: string): Promise<void> {
    await this.graphql(
      'mutation($questionId: ID!) { upvoteQuestion(questionId: $questionId) { _id } }',
      { questionId },
      voter.token,
    );
  }

  async upvoteAnswer(voter: Student, answerId: string): Promise<void> {
    await this.graphql(
      'mutation($answerId: ID!) { upvoteAnswer(answerId: $answerId) { _id } }',
      { answerId },
      voter.token,
    );
  }

  async report(
    reporter: Student,
    postType: 'QUESTION' | 'ANSWER',
    postId: string,
    reason: string,
  ): Promise<void> {
    await this.graphql(
      'mutation($postId: ID!, $postType: PostType!, $reason: String!) { reportPost(postId: $postId, postType: $postType, reason: $reason) { _id } }',
      { postId, postType, reason },
      reporter.token,
    );
  }

  async accept(author: Student, questionId: string, answerId: string): Promise<void> {
    await this.graphql(
      'mutation($questionId: ID!, $answerId: ID!) { acceptAnswer(questionId: $questionId, answerId: $answerId) { _id } }',
      { questionId, answerId },
      author.token,
    );
  }

  async save(student: Student, questionId: string): Promise<void> {
    await this.graphql(
      'mutation($questionId: ID!) { saveQuestion(questionId: $questionId) { _id } }',
      { questionId },
      student.token,
    );
  }

  /** Waits until the leaderboard has a score: a student's own reads do not wait for other students' commands. */
  async waitForScore({ token }: Student, score: number): Promise<void> {
    const { _id } = await this.space(token);
    const own = () =>
      this.graphql<{ getLeaderboardScores: { scores: { score: number } | null } }>(
        'query($space: ID!) { getLeaderboardScores(space: $space) { scores { score } } }',
        { space: _id },
        token,
      );
    await eventually(own, ({ getLeaderboardScores: { scores } }) => scores?.score === score);
  }

  /** Waits until the student has an unseen notification. */
  async waitForNotification({ token }: Student): Promise<void> {
    const { _id } = await this.space(token);
    const unseen = () =>
      this.graphql<{ count: number }>(
        'query($space: ID!) { count: getNewNotificationCount(space: $space) }',
        { space: _id },
        token,
      );
    await eventually(unseen, ({ count }) => count > 0);
  }

  /** Uploads an image as the screens do. @returns its URL */
  async upload({ token }: Student, content: Buffer): Promise<string> {
    const { slot } = await this.graphql<{ slot: { url: string; key: string } }>(
      '{ slot: getPresignedS3Url(contentType: "image/png") { url key } }',
      {},
      token,
    );
    const response = await fetch(new URL(slot.url, this.url), {
      method: 'PUT',
      headers: { 'content-type': 'image/png' },
      body: new Uint8Array(content),
    });
    if (!response.ok) throw new Error(`The upload was rejected: ${response.status} ${await response.text()}`);
    return ((await response.json()) as { location: string }).location;
  }
}
