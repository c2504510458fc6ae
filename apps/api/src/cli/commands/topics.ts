import { Option, type Command } from 'commander';
import type { TopicType } from '@nimo/domain';
import { findManagedTopic, pageOfTopics, type ManagedTopicView } from '@nimo/projections';
import { AddTopic, ChangeTopic } from '../../features/topics/commands/topics.js';
import { helpText } from '../failure.js';
import { spaceNamed, subjectNamed, topicNamed } from '../lookup.js';
import { asOperator, type OperatorSession } from '../cli-session.js';
import { type JsonFlag, printDone, printResult, textTable } from '../output.js';

const TYPES = { primary: 'PRIMARY', secondary: 'SECONDARY' } as const satisfies Record<string, TopicType>;
const LISTED = 1_000;

interface TopicFlags extends JsonFlag {
  readonly name?: string;
  readonly type?: keyof typeof TYPES;
  readonly picture?: false;
}

export function topicCommands(program: Command): void {
  const topic = program.command('topic').description('list the topics of a subject, add and change them');
  topic
    .command('list')
    .argument('<space>', 'name or id')
    .argument('<subject>', 'name or id')
    .option('--json', 'print as JSON')
    .description(`the topics of a subject, PRIMARY ones first, ${LISTED} at most`)
    .addHelpText('after', helpText('topic list "Greenfield High" Biology'))
    .action((space: string, subject: string, flags: JsonFlag) =>
      asOperator(async (session) => {
        const { _id } = await subjectNamed(session, await spaceNamed(session, space), subject);
        const { docs } = await pageOfTopics(session.pool, { subjectId: _id, limit: LISTED });
        printResult(docs, flags, () => tableOf(docs));
      }),
    );
  topic
    .command('add')
    .argument('<space>', 'name or id')
    .argument('<subject>', 'name or id')
    .argument('<name>', 'of the new topic')
    .option('--json', 'print as JSON')
    .description('add a PRIMARY topic; students add SECONDARY ones as they ask')
    .addHelpText('after', helpText('topic add "Greenfield High" Biology Genetics'))
    .action((space: string, subject: string, topicName: string, flags: JsonFlag) =>
      asOperator(async (session) => {
        const found = await spaceNamed(session, space);
        const { _id: subjectId } = await subjectNamed(session, found, subject);
        const id = await session.execute(
          new AddTopic(session.context(), { spaceId: found._id, subjectId, topicName, imageS3Url: null }),
        );
        await show(session, id, flags);
      }),
    );
  topic
    .command('change')
    .argument('<space>', 'name or id')
    .argument('<subject>', 'name or id')
    .argument('<topic>', 'name or id')
    .option('--name <name>', 'the new name; the former one goes on finding the topic')
    .addOption(new Option('--type <type>', 'what it is').choices(Object.keys(TYPES)))
    .option('--no-picture', 'take the picture off')
    .option('--json', 'print as JSON')
    .description('change a topic; what is left out stays')
    .addHelpText('after', helpText('topic change "Greenfield High" Biology Genetics --type primary'))
    .action((space: string, subject: string, name: string, flags: TopicFlags) =>
      asOperator(async (session) => {
        const of = await subjectNamed(session, await spaceNamed(session, space), subject);
        const { _id, slug } = await topicNamed(session, of, name);
        const change = { change: changeOf(flags) };
        await session.execute(new ChangeTopic(session.context(), { subjectId: of._id, slug }, change));
        await show(session, _id, flags);
      }),
    );
}

const changeOf = ({ name, type, picture }: TopicFlags) => ({
  ...(name !== undefined && { topicName: name }),
  ...(type !== undefined && { topicType: TYPES[type] }),
  ...(picture === false && { imageS3Url: null }),
});

async function show({ pool }: OperatorSession, topicId: string, flags: JsonFlag): Promise<void> {
  printDone(topicId, await findManagedTopic(pool, topicId), flags, (topic) => tableOf([topic]));
}

const tableOf = (topics: readonly ManagedTopicView[]): string =>
  textTable(
    [
      ['topic', 'id', 'type', 'questions'],
      ...topics.map(({ topicName, _id, topicType, questionCount }) => [
        topicName,
        _id,
        topicType,
        String(questionCount),
      ]),
    ],
    [0, 1, 2],
  );
