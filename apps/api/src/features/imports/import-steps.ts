import type { CommandBus } from '@nestjs/cqrs';
import { DomainError, type PostType, type TopicCreated } from '@nimo/domain';
import { PostAnswer } from '../answers/commands/answers.js';
import { SaveQuestion } from '../bookmarks/commands/bookmarks.js';
import { PostComment } from '../comments/commands/comments.js';
import { AcceptAnswer } from '../questions/commands/accept-answer.js';
import { AskQuestion } from '../questions/commands/ask-question.js';
import { CreateTopic } from '../topics/commands/topics.js';
import { ToggleVote } from '../votes/commands/toggle-vote.js';
import { nimoSays, userContent } from './dump-row.js';
import type { ImportContexts, ImportPeople } from './import-people.js';
import { type ImportIds, withMentions } from './import-ids.js';
import type { ImportTally } from './import-tally.js';
import type { Planned } from './staging.js';

/** One piece of work of an import. */
export interface Step {
  /** What others may need of it. */
  readonly makes: string;
  /** Earlier steps that must be over before it begins. */
  readonly needs: readonly string[];
  /** Its events go into the log in the order of the steps. */
  readonly isOrdered: boolean;
  run(): Promise<void>;
}

const UNTAGGED = 'untagged';
/** Stand-ins share what they are called; their user names tell the community and the number. */
const STAND_IN_NAME = 'Stand-in';

interface StepsOptions {
  readonly commands: CommandBus;
  readonly ids: ImportIds;
  readonly contexts: ImportContexts;
  readonly people: ImportPeople;
  readonly tally: ImportTally;
  readonly spaceId: string;
  readonly subjectId: string;
}

/** Of what is planned, the commands: those that a person at the screens gives. */
export class ImportSteps {
  /** A community has some thousands of tags at most. */
  private readonly topics = new Map<string, TopicCreated['data']>();

  constructor(private readonly options: StepsOptions) {}

  step(planned: Planned): Step {
    const { work, makes, needs, isOrdered = true } = this.workFor(planned);
    return { makes, needs, isOrdered, run: () => this.counted(planned, work) };
  }

  /** A step that breaks a rule of the product is left out; any other error ends the import. */
  private async counted(planned: Planned, work: () => Promise<unknown>): Promise<void> {
    const { tally } = this.options;
    try {
      await work();
      tally.add(planned.file, planned.kind);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      tally.leaveOut(planned, nimoSays(error));
    }
  }

  private workFor(planned: Planned): Work {
    switch (planned.kind) {
      case 'topic':
        return this.topic(planned);
      case 'person':
        return this.person(planned);
      case 'stand-in':
        return this.standIn(planned);
      case 'question':
        return this.question(planned);
      case 'answer':
        return this.answer(planned);
      case 'comment':
        return this.comment(planned);
      case 'up':
      case 'down':
        return this.vote(planned);
      case 'bookmark':
        return this.bookmark(planned);
      case 'accept':
        return this.accept(planned);
    }
  }

  private topic({ author, at }: Planned): Work {
    const { commands, contexts, spaceId, subjectId } = this.options;
    const tag = given(author);
    const topic = { spaceId, subjectId, topicName: tag, topicType: 'PRIMARY' as const };
    const context = contexts.operator(`topic:${tag}`, at);
    return {
      makes: topicOf(tag),
      needs: [],
      work: async () => this.topics.set(tag, await commands.execute(new CreateTopic(context, topic))),
    };
  }

  private person({ author, at, content, id, nth }: Planned): Work {
    const { ids, people, spaceId } = this.options;
    const sourceId = given(author);
    const studentId = ids.student(sourceId);
    const { name = '', userName = '' } = content ?? userContent(sourceId.replace(/^~/, ''), id ?? '');
    const numbered = nth !== null && nth > 1 ? `${userName}_${nth}` : userName;
    const student = {
      studentId,
      sourceId,
      firstName: name,
      lastName: '',
      userName: numbered,
      standIn: false,
      at,
    };
    return {
      makes: personOf(sourceId),
      needs: [],
      isOrdered: false,
      work: () => people.addTo(spaceId, student),
    };
  }

  private standIn({ at, voter }: Planned): Work {
    const { ids, people, spaceId } = this.options;
    const number = given(voter);
    const studentId = ids.standIn(number);
    const userName = `stand_in_${ids.importId.slice(0, 8)}_${number}`;
    const names = { firstName: STAND_IN_NAME, lastName: String(number), userName };
    const student = { ...names, studentId, sourceId: `stand-in ${number}`, standIn: true, at };
    return {
      makes: standInOf(number),
      needs: [],
      isOrdered: false,
      work: () => people.addTo(spaceId, student),
    };
  }

  private question({ id, author, at, content }: Planned): Work {
    const { commands, contexts, ids, spaceId, subjectId } = this.options;
    const tags = content?.tags?.length ? content.tags : [UNTAGGED];
    const [first = UNTAGGED] = tags;
    const context = contexts.student(ids.student(given(author)), `posts:${given(id)}`, at);
    const asked = {
      spaceId,
      subjectId,
      title: content?.title ?? '',
      body: content?.body ?? '',
      imageUrls: [],
      tags,
    };
    return {
      makes: postOf(given(id)),
      needs: [personOf(given(author)), topicOf(first)],
      work: () =>
        commands.execute(new AskQuestion(context, { ...asked, topic: this.topics.get(first) ?? null })),
    };
  }

  private answer({ id, author, at, content, question }: Planned): Work {
    const { commands, contexts, ids } = this.options;
    const context = contexts.student(ids.student(given(author)), `posts:${given(id)}`, at);
    const answer = { questionId: ids.question(given(question)), body: content?.body ?? '', imageUrls: [] };
    return {
      makes: postOf(given(id)),
      needs: [personOf(given(author)), postOf(given(question))],
      work: () => commands.execute(new PostAnswer(context, answer)),
    };
  }

  private comment(planned: Planned): Work {
    const { commands, contexts, ids } = this.options;
    const { id, author, at, content, participants, post } = planned;
    const context = contexts.student(ids.student(given(author)), `comments:${given(id)}`, at);
    const others = (participants ?? [])
      .filter((other) => other.author !== author)
      .map((other) => ({ studentId: ids.student(other.author), name: other.name }));
    const { parentType, parentId } = this.parentOf(planned);
    const body = withMentions(content?.body ?? '', others);
    // Who is mentioned has to be a member by then.
    const people = [given(author), ...(participants ?? []).map((other) => other.author)];
    return {
      makes: `comment:${id}`,
      needs: [...people.map(personOf), postOf(given(post))],
      work: () =>
        commands.execute(new PostComment(context, { parentType, parentId, body, isImported: true })),
    };
  }

  private vote(planned: Planned): Work {
    const { commands, contexts, ids } = this.options;
    const { id, at, kind, post, voter } = planned;
    const context = contexts.student(ids.standIn(given(voter)), `votes:${given(id)}`, at);
    const { parentType, parentId } = this.parentOf(planned);
    const direction = kind === 'up' ? ('UP' as const) : ('DOWN' as const);
    const vote = { postType: parentType, postId: parentId, direction, voterIsStandIn: true };
    return {
      makes: `vote:${id}`,
      needs: [standInOf(given(voter)), postOf(given(post))],
      work: () => commands.execute(new ToggleVote(context, vote)),
    };
  }

  private bookmark({ id, author, at, post }: Planned): Work {
    const { commands, contexts, ids } = this.options;
    const context = contexts.student(ids.student(given(author)), `votes:${given(id)}`, at);
    return {
      makes: `vote:${id}`,
      needs: [personOf(given(author)), postOf(given(post))],
      work: () => commands.execute(new SaveQuestion(context, ids.question(given(post)))),
    };
  }

  /** By the author of the question. */
  private accept({ at, post, question, questionAuthor }: Planned): Work {
    const { commands, contexts, ids } = this.options;
    const [questionId, answerId] = [ids.question(given(question)), ids.answer(given(post))];
    const context = contexts.student(ids.student(given(questionAuthor)), `accept:${given(question)}`, at);
    return {
      makes: `accept:${question}`,
      needs: [postOf(given(question)), postOf(given(post))],
      work: () => commands.execute(new AcceptAnswer(context, questionId, answerId)),
    };
  }

  private parentOf({ post, postKind }: Planned): { parentType: PostType; parentId: string } {
    const { ids } = this.options;
    return postKind === 'question'
      ? { parentType: 'QUESTION', parentId: ids.question(given(post)) }
      : { parentType: 'ANSWER', parentId: ids.answer(given(post)) };
  }
}

interface Work {
  readonly makes: string;
  readonly needs: readonly string[];
  /** True unless said otherwise. */
  readonly isOrdered?: boolean;
  readonly work: () => Promise<unknown>;
}

const topicOf = (tag: string): string => `topic:${tag}`;
const personOf = (author: string): string => `person:${author}`;
const standInOf = (voter: number): string => `stand-in:${voter}`;
const postOf = (row: number): string => `post:${row}`;

function given<Value>(value: Value | null): Value {
  if (value === null) throw new Error('the plan lacks what its kind of row has');
  return value;
}
