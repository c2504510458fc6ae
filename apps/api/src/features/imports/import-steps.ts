import type { CommandBus } from '@nestjs/cqrs';
import { DomainError, type PostType, type TopicCreated } from '@nimo/domain';
import { PostAnswer } from '../answers/commands/answers.js';
import { SaveQuestion } from '../bookmarks/commands/bookmarks.js';
import { PostComment } from '../comments/commands/comments.js';
import { AcceptAnswer } from '../questions/commands/accept-answer.js';
import { AskQuestion } from '../questions/commands/ask-question.js';
import { CreateTopic } from '../topics/commands/topics.js';
import { ToggleVote } from '../votes/commands/toggle-vote.js';
import { rejectionReason, userContent } from './dump-row.js';
import type { ImportContexts, ImportPeople } from './import-people.js';
import { type ImportIds, withMentions } from './import-ids.js';
import type { ImportTally } from './import-tally.js';
import type { Planned } from './staging.js';

/** A unit of work of an import. */
export interface Step {
  /** Key by which later steps depend on this one. */
  readonly provides: string;
  /** Keys of earlier steps that must finish first. */
  readonly needs: readonly string[];
  /** Whether its events are appended in the order of the steps. */
  readonly isOrdered: boolean;
  run(): Promise<void>;
}

const UNTAGGED = 'untagged';
/** First name of all stand-ins; their user names contain the import and the number. */
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

/** Turns planned items into the commands that users would send. */
export class ImportSteps {
  /** Kept in memory: communities have a few thousand tags at most. */
  private readonly topics = new Map<string, TopicCreated['data']>();

  constructor(private readonly options: StepsOptions) {}

  step(planned: Planned): Step {
    const { work, provides, needs, isOrdered = true } = this.workFor(planned);
    return { provides, needs, isOrdered, run: () => this.runCounted(planned, work) };
  }

  /** Skips a step that breaks a domain rule; any other error ends the import. */
  private async runCounted(planned: Planned, work: () => Promise<unknown>): Promise<void> {
    const { tally } = this.options;
    try {
      await work();
      tally.add(planned.file, planned.kind);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      tally.skipPlanned(planned, rejectionReason(error));
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
    const tag = required(author);
    const topic = { spaceId, subjectId, topicName: tag, topicType: 'PRIMARY' as const };
    const context = contexts.operator(`topic:${tag}`, at);
    return {
      provides: topicOf(tag),
      needs: [],
      work: async () => this.topics.set(tag, await commands.execute(new CreateTopic(context, topic))),
    };
  }

  private person({ author, at, content, id, nth }: Planned): Work {
    const { ids, people, spaceId } = this.options;
    const sourceId = required(author);
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
      provides: personOf(sourceId),
      needs: [],
      isOrdered: false,
      work: () => people.addTo(spaceId, student),
    };
  }

  private standIn({ at, voter }: Planned): Work {
    const { ids, people, spaceId } = this.options;
    const number = required(voter);
    const studentId = ids.standIn(number);
    const userName = `stand_in_${ids.importId.slice(0, 8)}_${number}`;
    const names = { firstName: STAND_IN_NAME, lastName: String(number), userName };
    const student = { ...names, studentId, sourceId: `stand-in ${number}`, standIn: true, at };
    return {
      provides: standInOf(number),
      needs: [],
      isOrdered: false,
      work: () => people.addTo(spaceId, student),
    };
  }

  private question({ id, author, at, content }: Planned): Work {
    const { commands, contexts, ids, spaceId, subjectId } = this.options;
    const tags = content?.tags?.length ? content.tags : [UNTAGGED];
    const [first = UNTAGGED] = tags;
    const context = contexts.student(ids.student(required(author)), `posts:${required(id)}`, at);
    const question = {
      spaceId,
      subjectId,
      title: content?.title ?? '',
      body: content?.body ?? '',
      imageUrls: [],
      tags,
    };
    return {
      provides: postOf(required(id)),
      needs: [personOf(required(author)), topicOf(first)],
      work: () =>
        commands.execute(new AskQuestion(context, { ...question, topic: this.topics.get(first) ?? null })),
    };
  }

  private answer({ id, author, at, content, question }: Planned): Work {
    const { commands, contexts, ids } = this.options;
    const context = contexts.student(ids.student(required(author)), `posts:${required(id)}`, at);
    const answer = { questionId: ids.question(required(question)), body: content?.body ?? '', imageUrls: [] };
    return {
      provides: postOf(required(id)),
      needs: [personOf(required(author)), postOf(required(question))],
      work: () => commands.execute(new PostAnswer(context, answer)),
    };
  }

  private comment(planned: Planned): Work {
    const { commands, contexts, ids } = this.options;
    const { id, author, at, content, participants, post } = planned;
    const context = contexts.student(ids.student(required(author)), `comments:${required(id)}`, at);
    const others = (participants ?? [])
      .filter((other) => other.author !== author)
      .map((other) => ({ studentId: ids.student(other.author), name: other.name }));
    const { parentType, parentId } = this.parentOf(planned);
    const body = withMentions(content?.body ?? '', others);
    // Mentioned people must already be members.
    const people = [required(author), ...(participants ?? []).map((other) => other.author)];
    return {
      provides: `comment:${id}`,
      needs: [...people.map(personOf), postOf(required(post))],
      work: () =>
        commands.execute(new PostComment(context, { parentType, parentId, body, isImported: true })),
    };
  }

  private vote(planned: Planned): Work {
    const { commands, contexts, ids } = this.options;
    const { id, at, kind, post, voter } = planned;
    const context = contexts.student(ids.standIn(required(voter)), `votes:${required(id)}`, at);
    const { parentType, parentId } = this.parentOf(planned);
    const direction = kind === 'up' ? ('UP' as const) : ('DOWN' as const);
    const vote = { postType: parentType, postId: parentId, direction, voterIsStandIn: true };
    return {
      provides: `vote:${id}`,
      needs: [standInOf(required(voter)), postOf(required(post))],
      work: () => commands.execute(new ToggleVote(context, vote)),
    };
  }

  private bookmark({ id, author, at, post }: Planned): Work {
    const { commands, contexts, ids } = this.options;
    const context = contexts.student(ids.student(required(author)), `votes:${required(id)}`, at);
    return {
      provides: `vote:${id}`,
      needs: [personOf(required(author)), postOf(required(post))],
      work: () => commands.execute(new SaveQuestion(context, ids.question(required(post)))),
    };
  }

  private accept({ at, post, question, questionAuthor }: Planned): Work {
    const { commands, contexts, ids } = this.options;
    const [questionId, answerId] = [ids.question(required(question)), ids.answer(required(post))];
    const context = contexts.student(
      ids.student(required(questionAuthor)),
      `accept:${required(question)}`,
      at,
    );
    return {
      provides: `accept:${question}`,
      needs: [postOf(required(question)), postOf(required(post))],
      work: () => commands.execute(new AcceptAnswer(context, questionId, answerId)),
    };
  }

  private parentOf({ post, postKind }: Planned): { parentType: PostType; parentId: string } {
    const { ids } = this.options;
    return postKind === 'question'
      ? { parentType: 'QUESTION', parentId: ids.question(required(post)) }
      : { parentType: 'ANSWER', parentId: ids.answer(required(post)) };
  }
}

interface Work {
  readonly provides: string;
  readonly needs: readonly string[];
  /** Defaults to true. */
  readonly isOrdered?: boolean;
  readonly work: () => Promise<unknown>;
}

const topicOf = (tag: string): string => `topic:${tag}`;
const personOf = (author: string): string => `person:${author}`;
const standInOf = (voter: number): string => `stand-in:${voter}`;
const postOf = (row: number): string => `post:${row}`;

function required<Value>(value: Value | null): Value {
  if (value === null) throw new Error('the planned item lacks a required value');
  return value;
}
