import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { mention, OPERATOR, type Authority, type PostType, type TopicCreated } from '@nimo/domain';
import { v5 as uuidv5 } from 'uuid';
import type { CommandContext } from '../../platform/commands/command-context.js';
import type { Settings } from '../../platform/config/load-settings.js';
import { SettingsError } from '../../platform/config/settings-error.js';
import { CLOCK, SETTINGS, type Clock } from '../../platform/config/tokens.js';
import { PostAnswer } from '../answers/commands/answers.js';
import { SaveQuestion } from '../bookmarks/commands/bookmarks.js';
import { PostComment } from '../comments/commands/comments.js';
import { CreateInvitation } from '../invitations/commands/manage-invitations.js';
import { Invitations } from '../invitations/invitations.js';
import { PublishNewspost } from '../news/commands/newsposts.js';
import { ReactToNewspost } from '../news/commands/react-to-newspost.js';
import { AcceptAnswer } from '../questions/commands/accept-answer.js';
import { AskQuestion } from '../questions/commands/ask-question.js';
import { AddSubject } from '../spaces/commands/subjects.js';
import { CreateSpace } from '../spaces/commands/manage-space.js';
import { RequestEntry } from '../spaces/commands/request-entry.js';
import { JoinSpace } from '../spaces/commands/join-space.js';
import { CreateStudent, RegisterStudent } from '../students/commands/register-student.js';
import { GrantRole } from '../students/commands/roles.js';
import { VerifyPhone } from '../otp/commands/verify-phone.js';
import { CreateTopic } from '../topics/commands/topics.js';
import { ToggleVote } from '../votes/commands/toggle-vote.js';
import { codeClub, debateTeam, scienceFair } from './content/clubs.js';
import { greenfieldHigh } from './content/greenfield-high.js';
import {
  DEMO_MAINTAINER,
  DEMO_MODERATOR,
  DEMO_NAMESPACE as NAMESPACE,
  DEMO_PASSWORD,
  DEMO_PEOPLE,
  demoLogins,
  type DemoPerson,
  demoStudentId,
  demoInvitations,
} from './demo-accounts.js';
import type { DemoAnswer, DemoNews, DemoPost, DemoSpace, DemoThread, DemoUserName } from './demo-thread.js';

const HOUR_MS = 3_600_000;
const FIRST_PHONE = 919000000001;
const SPACES: readonly DemoSpace[] = [greenfieldHigh, codeClub, debateTeam, scienceFair];

interface SpaceContent {
  readonly spaceId: string;
  readonly subjects: ReadonlyMap<string, string>;
  readonly topics: ReadonlyMap<string, TopicCreated['data']>;
}

/**
 * Seeds the demo community with regular commands, dated over the past weeks. Command ids are deterministic, so an interrupted seeding
 * can be repeated.
 */
@Injectable()
export class SeedDemo {
  private readonly people = new Map<DemoUserName, string>();

  constructor(
    private readonly commands: CommandBus,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly invitations: Invitations,
  ) {}

  /** @returns login details and invitations, for printing */
  async run(): Promise<string> {
    if (this.settings.nodeEnv === 'production')
      throw new SettingsError('seed-demo cannot run in production: the demo password is public.');
    await Promise.all([
      ...DEMO_PEOPLE.map((person, index) => this.register(person, String(FIRST_PHONE + index))),
      ...SPACES.map((space) => this.createSpace(space)),
    ]);
    await this.grantRoles();
    for (const space of SPACES) await this.fill(space);
    return [demoLogins(), ...(await this.listInvitations())].join('\n');
  }

  private async register(person: DemoPerson, phone: string): Promise<void> {
    const { userName, ...names } = person;
    const start = this.hoursAgo(24 * 60);
    const newcomer = demoStudentId(userName);
    const signUp = this.as(newcomer, `sign-up:${userName}`, start);
    const studentId = await this.commands.execute(new CreateStudent(signUp, phone));
    await this.commands.execute(new VerifyPhone(this.as(studentId, `verify:${userName}`, start)));
    const registering = this.as(studentId, `register:${userName}`, start);
    await this.commands.execute(new RegisterStudent(registering, { userName, ...names }, DEMO_PASSWORD));
    this.people.set(userName, studentId);
  }

  private async grantRoles(): Promise<void> {
    const grant = (
      who: DemoUserName,
      role: 'MODERATOR' | 'MAINTAINER',
      spaceId: string | null,
    ): Promise<void> =>
      this.commands.execute(
        new GrantRole(this.asOperator(`role:${role}:${who}:${spaceId ?? ''}`), {
          studentId: this.idOf(who),
          role,
          spaceId,
        }),
      );
    for (const space of [greenfieldHigh, debateTeam, scienceFair])
      await grant(DEMO_MODERATOR, 'MODERATOR', spaceIdOf(space));
    // Both roles, because maintainers do not moderate.
    await grant(DEMO_MAINTAINER, 'MAINTAINER', null);
    await grant(DEMO_MAINTAINER, 'MODERATOR', null);
  }

  private async createSpace(space: DemoSpace): Promise<void> {
    const { name, description, color, entry = 'OPEN' as const, subjects } = space;
    const open = { bannerImageUrl: null, hiddenFromSearchEngines: true, publicPages: entry === 'OPEN' };
    const details = { name, description, color, entry, ...open };
    await this.commands.execute(new CreateSpace(this.asOperator(`space:${name}`), details));
    // Sequential: they share the space's stream.
    for (const { subjectName, color: of } of subjects) {
      const context = this.asOperator(`subject:${name}:${subjectName}`);
      const subject = { spaceId: spaceIdOf(space), subjectName, color: of };
      await this.commands.execute(new AddSubject(context, subject));
    }
  }

  private async fill(space: DemoSpace): Promise<void> {
    const spaceId = spaceIdOf(space);
    const joined = this.hoursAgo(24 * 50);
    await Promise.all(
      space.members.map((who) =>
        this.commands.execute(
          new JoinSpace(this.as(this.idOf(who), `join:${space.name}:${who}`, joined), spaceId, true),
        ),
      ),
    );
    const place = await this.createTopics(space);
    const byAge = space.threads.toSorted((one, other) => other.daysAgo - one.daysAgo);
    await Promise.all(byAge.map((thread) => this.ask(thread, place)));
    for (const news of space.news) await this.publish(news, spaceId);
    if (isByInvitation(space)) await this.invite(space);
    for (const { by, daysAgo, text } of space.requests ?? []) {
      const asking = this.as(this.idOf(by), `request:${space.name}:${by}`, this.hoursAgo(24 * daysAgo));
      await this.commands.execute(new RequestEntry(asking, spaceId, text));
    }
  }

  /** Creates invitations as the moderator, who finds them under Joining. Their secrets are random. */
  private async invite(space: DemoSpace): Promise<void> {
    const spaceId = spaceIdOf(space);
    for (const kind of ['LINK', 'CODE'] as const) {
      const context = this.as(this.idOf(DEMO_MODERATOR), `invite:${space.name}:${kind}`, this.hoursAgo(1));
      const by = { ...context.by, roles: [{ role: 'MODERATOR' as const, spaceId }] };
      const details = {
        kind,
        uses: 100,
        days: 90,
        contacts: null,
        domain: null,
        provider: null,
        group: null,
      };
      await this.commands.execute(new CreateInvitation({ ...context, by }, spaceId, details));
    }
  }

  private async listInvitations(): Promise<readonly string[]> {
    const listed = await Promise.all(
      SPACES.filter(isByInvitation).map(async (space) => ({
        space,
        invitations: await this.invitations.list(spaceIdOf(space)),
      })),
    );
    return listed.flatMap(({ space: { name }, invitations }) => demoInvitations(name, invitations));
  }

  private async publish(
    { by, title, body, daysAgo, likedBy = [] }: DemoNews,
    spaceId: string,
  ): Promise<void> {
    const context = this.as(this.idOf(by), `news:${title}`, this.hoursAgo(24 * daysAgo));
    const writer = { ...context.by, roles: [{ role: 'MODERATOR' as const, spaceId }] };
    const newspostId = await this.commands.execute(
      new PublishNewspost({ ...context, by: writer }, { spaceId, title, body }),
    );
    await Promise.all(
      likedBy.map((who) => {
        const liking = this.as(this.idOf(who), `like:${title}:${who}`, this.hoursAgo(12 * daysAgo));
        return this.commands.execute(new ReactToNewspost(liking, newspostId, 'LIKE'));
      }),
    );
  }

  private async createTopics(space: DemoSpace): Promise<SpaceContent> {
    const spaceId = spaceIdOf(space);
    const subjects = new Map(
      space.subjects.map(({ subjectName }) => [
        subjectName,
        createdBy(`subject:${space.name}:${subjectName}`, 'subject'),
      ]),
    );
    const topicsToCreate = space.subjects.flatMap(({ subjectName, topics }) =>
      topics.map((topicName) => ({ subjectName, topicName })),
    );
    const created = topicsToCreate.map(async ({ subjectName, topicName }) => {
      const context = this.asOperator(`topic:${space.name}:${subjectName}:${topicName}`);
      const topic = {
        spaceId,
        subjectId: requireEntry(subjects, subjectName),
        topicName,
        topicType: 'PRIMARY' as const,
      };
      return [
        `${subjectName}/${topicName}`,
        await this.commands.execute(new CreateTopic(context, topic)),
      ] as const;
    });
    return { spaceId, subjects, topics: new Map(await Promise.all(created)) };
  }

  private async ask(thread: DemoThread, { spaceId, subjects, topics }: SpaceContent): Promise<void> {
    const { by, subject, topic, title, body, daysAgo } = thread;
    const context = this.as(this.idOf(by), `ask:${title}`, this.hoursAgo(24 * daysAgo));
    const questionId = await this.commands.execute(
      new AskQuestion(context, {
        spaceId,
        subjectId: requireEntry(subjects, subject),
        topic: requireEntry(topics, `${subject}/${topic}`),
        title,
        body,
        imageUrls: [],
      }),
    );
    const hours = 24 * daysAgo;
    await Promise.all([
      this.react({ post: thread, postType: 'QUESTION', postId: questionId, hours }),
      ...(thread.savedBy ?? []).map((who) =>
        this.commands.execute(
          new SaveQuestion(
            this.as(this.idOf(who), `save:${title}:${who}`, this.hoursAgo(hours / 2)),
            questionId,
          ),
        ),
      ),
      ...thread.answers.map((answer) => this.answer(questionId, answer, thread)),
    ]);
  }

  private async answer(
    questionId: string,
    answer: DemoAnswer,
    { by, title, daysAgo }: DemoThread,
  ): Promise<void> {
    const hours = 24 * daysAgo - answer.hoursLater;
    const name = `${title}:${answer.by}`;
    const context = this.as(this.idOf(answer.by), `answer:${name}`, this.hoursAgo(hours));
    const answerId = await this.commands.execute(
      new PostAnswer(context, { questionId, body: answer.body, imageUrls: [] }),
    );
    await this.react({ post: answer, postType: 'ANSWER', postId: answerId, hours });
    if (answer.isAccepted) {
      const accepting = this.as(this.idOf(by), `accept:${name}`, this.hoursAgo(hours * 0.9));
      await this.commands.execute(new AcceptAnswer(accepting, questionId, answerId));
    }
  }

  /** Adds votes and comments, spread over the time since the post. */
  private async react({ post, postType, postId, hours }: Reaction): Promise<void> {
    const votes = [
      ...(post.up ?? []).map((who) => ({ who, direction: 'UP' as const })),
      ...(post.down ?? []).map((who) => ({ who, direction: 'DOWN' as const })),
    ];
    await Promise.all([
      ...votes.map(({ who, direction }, index) => {
        const at = this.hoursAgo(hours / (1.2 + index));
        const context = this.as(this.idOf(who), `vote:${postId}:${who}`, at);
        return this.commands.execute(new ToggleVote(context, { postType, postId, direction }));
      }),
      ...(post.comments ?? []).map(({ by, text }, index) => {
        const at = this.hoursAgo(hours / (1.1 + index / 4));
        const context = this.as(this.idOf(by), `comment:${postId}:${index}`, at);
        const body = text.replace(/@(\w+)/g, (_, who: string) => mention(this.idOf(who)));
        return this.commands.execute(
          new PostComment(context, { parentType: postType, parentId: postId, body }),
        );
      }),
    ]);
  }

  private idOf(who: DemoUserName): string {
    return requireEntry(this.people, who);
  }

  private as(studentId: string, name: string, occurredAt: string): CommandContext {
    return {
      ...this.ids(name),
      by: { kind: 'student', studentId, registered: true, blocked: false, roles: [] },
      actor: { kind: 'student', id: studentId },
      occurredAt,
    };
  }

  private asOperator(name: string): CommandContext<Authority> {
    return { ...this.ids(name), by: OPERATOR, actor: { kind: 'system' }, occurredAt: this.hoursAgo(24 * 60) };
  }

  private ids(name: string): Pick<CommandContext, 'commandId' | 'correlationId' | 'causationId'> {
    const commandId = uuidv5(name, NAMESPACE);
    return { commandId, correlationId: commandId, causationId: commandId };
  }

  private hoursAgo(hours: number): string {
    return new Date(this.clock().getTime() - hours * HOUR_MS).toISOString();
  }
}

interface Reaction {
  readonly post: DemoPost;
  readonly postType: PostType;
  readonly postId: string;
  /** Age of the post. */
  readonly hours: number;
}

const isByInvitation = ({ entry }: DemoSpace): boolean => entry === 'INVITATION';
const createdBy = (command: string, what: string): string => uuidv5(what, uuidv5(command, NAMESPACE));
const spaceIdOf = ({ name }: DemoSpace): string => createdBy(`space:${name}`, 'space');

function requireEntry<Value>(map: ReadonlyMap<string, Value>, name: string): Value {
  const value = map.get(name);
  if (value === undefined) throw new Error(`the demo refers to "${name}" but does not define it`);
  return value;
}
