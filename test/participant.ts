import type { SignedUpStudent, GraphqlAnswer, TestApp } from './app.js';
import { newCommunity, type Community } from './community.js';

type Done<Fields = { _id: string }> = { done: Fields };

const CREATE_QUESTION = `mutation($subject: ID!, $topic: ID!, $space: ID!, $title: String!, $body: String, $imageUrls: [String!], $author: ID) {
  done: createQuestion(subject: $subject, topic: $topic, space: $space, title: $title, body: $body, imageUrls: $imageUrls, author: $author) {
    _id title body tags author { _id userName } isSaved isAuthorizedToView isAuthorizedToInteract } }`;

/** A member who calls GraphQL operations; `done` is the alias of the operation. */
export class Participant {
  constructor(
    private readonly app: TestApp,
    readonly student: SignedUpStudent,
    private readonly community: Community,
  ) {}

  /** @param operation with arguments and selection, such as `joinSpace(spaceId: "…") { _id }` */
  async mutate<Fields = { _id: string }>(
    operation: string,
    headers: Record<string, string> = {},
  ): Promise<GraphqlAnswer<Done<Fields>>> {
    return this.app.graphql<Done<Fields>>(`mutation { done: ${operation} }`, {}, this.student.token, headers);
  }

  async query<Fields>(operation: string): Promise<Fields> {
    const { data, errors } = await this.app.graphql<Done<Fields>>(
      `{ done: ${operation} }`,
      {},
      this.student.token,
    );
    if (errors) throw new Error(`${operation}: ${JSON.stringify(errors)}`);
    return data.done;
  }

  /** Sends an operation that must fail. @returns its error */
  async refusal(operation: string): Promise<{ message: string; code: string; field?: string }> {
    return refusalOf(await this.app.graphql(operation, {}, this.student.token));
  }

  tryToAsk(changes: Record<string, unknown> = {}): Promise<GraphqlAnswer<Done>> {
    const { subjectId: subject, topicId: topic, spaceId: space } = this.community;
    const variables = { subject, topic, space, title: 'Is every group a set?', ...changes };
    return this.app.graphql<Done>(CREATE_QUESTION, variables, this.student.token);
  }

  async ask(changes: Record<string, unknown> = {}): Promise<string> {
    return idOf(await this.tryToAsk(changes));
  }

  async answer(questionId: string, body = '<p>Yes.</p>'): Promise<string> {
    return idOf(
      await this.app.graphql<Done>(
        'mutation($id: ID!, $body: String!) { done: createAnswer(questionId: $id, body: $body) { _id } }',
        { id: questionId, body },
        this.student.token,
      ),
    );
  }

  async commentOnAnswer(answerId: string, body = 'Why?'): Promise<string> {
    return idOf(
      await this.app.graphql<Done>(
        'mutation($id: ID!, $body: String!) { done: createComment(answerId: $id, body: $body) { _id } }',
        { id: answerId, body },
        this.student.token,
      ),
    );
  }

  async commentOnQuestion(questionId: string, body = 'Which set?'): Promise<string> {
    return idOf(
      await this.app.graphql<Done>(
        'mutation($id: ID!, $body: String!) { done: createQuestionComment(questionId: $id, body: $body) { _id } }',
        { id: questionId, body },
        this.student.token,
      ),
    );
  }

  /** Sends a mutation that must succeed. @returns its result */
  async perform<Fields = { _id: string }>(operation: string): Promise<Fields> {
    const { data, errors } = await this.mutate<Fields>(operation);
    if (errors) throw new Error(`${operation}: ${JSON.stringify(errors)}`);
    return data.done;
  }
}

interface ParticipantsByCount {
  readonly 1: readonly [Participant];
  readonly 2: readonly [Participant, Participant];
  readonly 3: readonly [Participant, Participant, Participant];
  readonly 4: readonly [Participant, Participant, Participant, Participant];
}

/** The members of a new community, as a tuple to destructure. */
export async function newParticipants<Count extends keyof ParticipantsByCount>(
  app: TestApp,
  count: Count,
): Promise<{ readonly community: Community; readonly people: ParticipantsByCount[Count] }> {
  const community = await newCommunity(app, count);
  const people = community.members.map((member) => new Participant(app, member, community));
  return { community, people: people as unknown as ParticipantsByCount[Count] };
}

function idOf({ data, errors }: GraphqlAnswer<Done>): string {
  if (errors) throw new Error(JSON.stringify(errors));
  return data.done._id;
}

/** Message, code and field of the first error. @throws Error if the operation succeeded */
export function refusalOf({ data, errors }: GraphqlAnswer): {
  message: string;
  code: string;
  field?: string;
} {
  const error = errors?.[0];
  if (!error) throw new Error(`expected an error, got ${JSON.stringify(data)}`);
  const { code, field } = error.extensions;
  return { message: error.message, code, ...(field !== undefined && { field }) };
}
