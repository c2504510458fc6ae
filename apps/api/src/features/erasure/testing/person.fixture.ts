import { randomUUID } from 'node:crypto';
import { getNamedType, isLeafType, type GraphQLSchema } from 'graphql';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import { eventually } from '@nimo/testing';
import type { TestApp } from '../../../../../../test/app.js';
import type { Community } from '../../../../../../test/community.js';
import type { Participant } from '../../../../../../test/participant.js';

type Values = Readonly<Record<string, unknown>>;

/** Sends mutations by name and remembers which ones succeeded. */
export class Mutations {
  readonly done = new Set<string>();
  readonly schema: GraphQLSchema;

  constructor(private readonly app: TestApp) {
    this.schema = app.api.get(GraphQLSchemaHost, { strict: false }).schema;
  }

  /** @param selection of the result, for example `_id` */
  async send<Result>(
    by: string | undefined,
    name: string,
    values: Values = {},
    selection = '__typename',
    headers: Record<string, string> = {},
  ): Promise<Result> {
    const field = this.schema.getMutationType()?.getFields()[name];
    if (!field) throw new Error(`no mutation ${name}`);
    const args = field.args.filter((arg) => arg.name in values);
    const declared = args.map((arg) => `$${arg.name}: ${String(arg.type)}`).join(', ');
    const passed = args.map((arg) => `${arg.name}: $${arg.name}`).join(', ');
    const [head, call] = args.length === 0 ? ['', ''] : [`(${declared})`, `(${passed})`];
    const result = isLeafType(getNamedType(field.type)) ? '' : ` { ${selection} }`;
    const { data, errors } = await this.app.graphql<{ done: Result }>(
      `mutation${head} { done: ${name}${call}${result} }`,
      { ...values },
      by,
      headers,
    );
    if (errors) throw new Error(`${name}: ${JSON.stringify(errors)}`);
    this.done.add(name);
    return data.done;
  }
}

export interface Surroundings {
  readonly app: TestApp;
  readonly mutations: Mutations;
  readonly community: Community;
  /** A member who reacts to the person. */
  readonly ben: Participant;
  /** A maintainer who also moderates all spaces. */
  readonly staff: Participant;
}

/** Unlikely to occur by chance, in one word. */
export const newWord = (): string => `w${randomUUID().replaceAll('-', '').slice(0, 15)}`;

/** A student who will be erased, with everything of theirs to look for afterwards. */
export class Person {
  /** Erased in any case: who they are, and what staff wrote about them. */
  readonly identity: Record<string, string> = {};
  /** Erased together with their posts. */
  readonly words: Record<string, string> = {};
  /** Erased in any case, but replaced or only stored encrypted before that. */
  readonly hidden: Record<string, string> = {};
  /** Names of uploads, by what shows them. */
  readonly pictures: Record<'profile' | 'posts', Record<string, string>> = { profile: {}, posts: {} };
  studentId = '';
  token = '';
  password = 'correct horse';

  constructor(readonly surroundings: Surroundings) {}

  /** A new value, unique to the person. */
  value(label: string, value: string = newWord()): string {
    this.identity[label] = value;
    return value;
  }

  /** A new value that is stored encrypted, or replaced later. */
  hiddenValue(label: string, value: string = newWord()): string {
    this.hidden[label] = value;
    return value;
  }

  /** A new word for a post. */
  word(label: string): string {
    const word = newWord();
    this.words[label] = word;
    return word;
  }

  valueOf(label: string): string {
    const value = this.identity[label];
    if (value === undefined) throw new Error(`no ${label}`);
    return value;
  }

  /** A mutation by the person. */
  does<Result = { _id: string }>(name: string, values: Values = {}, selection?: string): Promise<Result> {
    return this.surroundings.mutations.send<Result>(this.token, name, values, selection);
  }

  /** A mutation by staff. */
  staffDoes<Result = { _id: string }>(
    name: string,
    values: Values = {},
    selection?: string,
  ): Promise<Result> {
    const { mutations, staff } = this.surroundings;
    return mutations.send<Result>(staff.student.token, name, values, selection);
  }

  benDoes<Result = { _id: string }>(name: string, values: Values = {}, selection?: string): Promise<Result> {
    const { mutations, ben } = this.surroundings;
    return mutations.send<Result>(ben.student.token, name, values, selection);
  }

  /** A mutation without a session. */
  anyoneDoes<Result = { flag: number }>(name: string, values: Values, selection?: string): Promise<Result> {
    return this.surroundings.mutations.send<Result>(undefined, name, values, selection);
  }

  async reads<Result>(operation: string): Promise<Result> {
    const { data, errors } = await this.surroundings.app.graphql<{ done: Result }>(
      `{ done: ${operation} }`,
      {},
      this.token,
    );
    if (errors) throw new Error(`${operation}: ${JSON.stringify(errors)}`);
    return data.done;
  }

  /** The first group of the pattern in the newest message that has one. */
  messageTo(recipient: string, pattern: RegExp, after = '0'): Promise<string> {
    return eventually(async () => {
      const { rows } = await this.surroundings.app.pool.query<{ text: string }>(
        'select text from state.outbox where recipient = $1 and id > $2 order by id desc',
        [recipient, after],
      );
      return rows.flatMap(({ text }) => pattern.exec(text)?.[1] ?? [])[0] ?? '';
    });
  }

  /** Where the outbox ends now: codes are sent by a job, so older messages may match too. */
  async lastMessage(): Promise<string> {
    const { rows } = await this.surroundings.app.pool.query<{ id: string }>(
      'select coalesce(max(id), 0)::text as id from state.outbox',
    );
    return rows[0]?.id ?? '0';
  }
}
