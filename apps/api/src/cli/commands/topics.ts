import { Option, type Command } from 'commander';
import type { TopicType } from '@nimo/domain';
import { findManagedTopic, pageOfTopics, type ManagedTopicView } from '@nimo/projections';
import { AddTopic, ChangeTopic } from '../../features/topics/commands/topics.js';
import { helpText } from '../failure.js';
import { resolveSpace, resolveSubject, resolveTopic } from '../lookup.js';
import { asOperator, type OperatorSession } from '../cli-session.js';
import { type JsonFlag, printDone, printResult, textTable } from '../output.js';

const TYPES = { primary: 'PRIMARY', secondary: 'SECONDARY' } as const satisfies Record<string, TopicType>;
const MAX_LISTED = 1_000;

interface TopicFlags extends JsonFlag {
  readonly name?: string;
  readonly type?: keyof typeof TYPES;
  readonly picture?: false;
}

export function topicCommands(program: Command): void {
  const topic = program.command('topic').description('list, add and change the topics of a subject');
  topic
    .command('list')
    .argument('<space>', 'name or ID')
    .argument('<subject>', 'name or ID')
    .option('--json', 'print the result as JSON')
    .description(`list the topics of a subject, primary ones first, at most ${MAX_LISTED}`)
    .addHelpText('after', helpText('topic list "Greenfield High" Biology'))
    .action((space: string, subject: string, flags: JsonFlag) =>
      asOperator(async (session) => {
        const { _id } = await resolveSubject(session, await resolveSpace(session, space), subject);
        const { docs } = await pageOfTopics(session.pool, { subjectId: _id, limit: MAX_LISTED });
        printResult(docs, flags, () => tableOf(docs));
      }),
    );
  topic
    .command('add')
    .argument('<space>', 'name or ID')
    .argument('<subject>', 'name or ID')
    .argument('<name>', 'name of the new topic')
    .option('--json', 'print the result as JSON')
    .description('add a primary topic (students add secondary ones when they ask)')
    .addHelpText('after', helpText('topic add "Greenfield High" Biology Genetics'))
    .action((space: string, subject: string, topicName: string, flags: JsonFlag) =>
      asOperator(async (session) => {
        const found = await resolveSpace(session, space);
        const { _id: subjectId } = await resolveSubject(session, found, subject);
        const id = await session.execute(
          new AddTopic(session.context(), { spaceId: found._id, subjectId, topicName, imageS3Url: null }),
        );
        await show(session, id, flags);
      }),
    );
  topic
    .command('change')
    .argument('<space>', 'name or ID')
    .argument('<subject>', 'name or ID')
    .argument('<topic>', 'name or ID')
    .option('--name <name>', 'new name; searches still find the old one')
    .addOption(new Option('--type <type>', 'topic type').choices(Object.keys(TYPES)))
    .option('--no-picture', 'remove the picture')
    .option('--json', 'print the result as JSON')
    .description('change the given settings of a topic')
    .addHelpText('after', helpText('topic change "Greenfield High" Biology Genetics --type primary'))
    .action((space: string, subject: string, name: string, flags: TopicFlags) =>
      asOperator(async (session) => {
        const parent = await resolveSubject(session, await resolveSpace(session, space), subject);
        const { _id, slug } = await resolveTopic(session, parent, name);
        const change = { change: changeOf(flags) };
        await session.execute(new ChangeTopic(session.context(), { subjectId: parent._id, slug }, change));
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
      ['topic', 'ID', 'type', 'questions'],
      ...topics.map(({ topicName, _id, topicType, questionCount }) => [
        topicName,
        _id,
        topicType,
        String(questionCount),
      ]),
    ],
    [0, 1, 2],
  );
