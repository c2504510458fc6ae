import type { Command } from 'commander';
import { listManagedSubjects, type ManagedSubjectView } from '@nimo/projections';
import { AddSubject, ChangeSubject } from '../../features/spaces/commands/subjects.js';
import { helpText } from '../failure.js';
import { spaceNamed, subjectNamed } from '../lookup.js';
import { asOperator, type OperatorSession } from '../cli-session.js';
import { type JsonFlag, printDone, printResult, textTable } from '../output.js';
import { colorOf } from './spaces.js';

interface SubjectFlags extends JsonFlag {
  readonly name?: string;
  readonly color?: string;
}

export function subjectCommands(program: Command): void {
  const subject = program.command('subject').description('list the subjects of a space, add and change them');
  subject
    .command('list')
    .argument('<space>', 'name or id')
    .option('--json', 'print as JSON')
    .description('what is asked about in a space')
    .addHelpText('after', helpText('subject list "Greenfield High"'))
    .action((space: string, flags: JsonFlag) =>
      asOperator(async (session) => {
        const subjects = await listManagedSubjects(session.pool, (await spaceNamed(session, space))._id);
        printResult(subjects, flags, () => tableOf(subjects));
      }),
    );
  subject
    .command('add')
    .argument('<space>', 'name or id')
    .argument('<name>', 'of the new subject')
    .requiredOption('--color <hex>', 'six hexadecimal digits', colorOf)
    .option('--json', 'print as JSON')
    .description('add a subject to a space')
    .addHelpText('after', helpText('subject add "Greenfield High" Biology --color 2f8f5b'))
    .action((space: string, name: string, { color, ...flags }: JsonFlag & { readonly color: string }) =>
      asOperator(async (session) => {
        const { _id: spaceId } = await spaceNamed(session, space);
        const id = await session.execute(
          new AddSubject(session.context(), { spaceId, subjectName: name, color }),
        );
        await show(session, spaceId, id, flags);
      }),
    );
  subject
    .command('change')
    .argument('<space>', 'name or id')
    .argument('<subject>', 'name or id')
    .option('--name <name>', 'the new name')
    .option('--color <hex>', 'six hexadecimal digits', colorOf)
    .option('--json', 'print as JSON')
    .description('change a subject; what is left out stays')
    .addHelpText('after', helpText('subject change "Greenfield High" Biology --name "Life sciences"'))
    .action((space: string, of: string, { name, color, ...flags }: SubjectFlags) =>
      asOperator(async (session) => {
        const found = await spaceNamed(session, space);
        const { _id: subjectId } = await subjectNamed(session, found, of);
        const change = {
          ...(name !== undefined && { subjectName: name }),
          ...(color !== undefined && { color }),
        };
        await session.execute(new ChangeSubject(session.context(), found._id, { subjectId, change }));
        await show(session, found._id, subjectId, flags);
      }),
    );
}

async function show(
  { pool }: OperatorSession,
  spaceId: string,
  subjectId: string,
  flags: JsonFlag,
): Promise<void> {
  const shown = (await listManagedSubjects(pool, spaceId)).find(({ _id }) => _id === subjectId);
  printDone(subjectId, shown, flags, (subject) => tableOf([subject]));
}

const tableOf = (subjects: readonly ManagedSubjectView[]): string =>
  textTable(
    [
      ['subject', 'id', 'colour', 'topics'],
      ...subjects.map(({ subjectName, _id, color, topicCount }) => [
        subjectName,
        _id,
        color,
        String(topicCount),
      ]),
    ],
    [0, 1, 2],
  );
