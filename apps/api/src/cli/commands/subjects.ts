import type { Command } from 'commander';
import { listManagedSubjects, type ManagedSubjectView } from '@nimo/projections';
import { AddSubject, ChangeSubject } from '../../features/spaces/commands/subjects.js';
import { helpText } from '../failure.js';
import { resolveSpace, resolveSubject } from '../lookup.js';
import { asOperator, type OperatorSession } from '../cli-session.js';
import { type JsonFlag, printDone, printResult, textTable } from '../output.js';
import { parseColor } from './spaces.js';

interface SubjectFlags extends JsonFlag {
  readonly name?: string;
  readonly color?: string;
}

export function subjectCommands(program: Command): void {
  const subject = program.command('subject').description('list, add and change the subjects of a space');
  subject
    .command('list')
    .argument('<space>', 'name or ID')
    .option('--json', 'print the result as JSON')
    .description('list the subjects of a space')
    .addHelpText('after', helpText('subject list "Greenfield High"'))
    .action((space: string, flags: JsonFlag) =>
      asOperator(async (session) => {
        const subjects = await listManagedSubjects(session.pool, (await resolveSpace(session, space))._id);
        printResult(subjects, flags, () => tableOf(subjects));
      }),
    );
  subject
    .command('add')
    .argument('<space>', 'name or ID')
    .argument('<name>', 'name of the new subject')
    .requiredOption('--color <hex>', 'colour, as six hexadecimal digits', parseColor)
    .option('--json', 'print the result as JSON')
    .description('add a subject to a space')
    .addHelpText('after', helpText('subject add "Greenfield High" Biology --color 2f8f5b'))
    .action((space: string, name: string, { color, ...flags }: JsonFlag & { readonly color: string }) =>
      asOperator(async (session) => {
        const { _id: spaceId } = await resolveSpace(session, space);
        const id = await session.execute(
          new AddSubject(session.context(), { spaceId, subjectName: name, color }),
        );
        await show(session, spaceId, id, flags);
      }),
    );
  subject
    .command('change')
    .argument('<space>', 'name or ID')
    .argument('<subject>', 'name or ID')
    .option('--name <name>', 'new name')
    .option('--color <hex>', 'colour, as six hexadecimal digits', parseColor)
    .option('--json', 'print the result as JSON')
    .description('rename a subject or change its colour')
    .addHelpText('after', helpText('subject change "Greenfield High" Biology --name "Life sciences"'))
    .action((space: string, subjectName: string, { name, color, ...flags }: SubjectFlags) =>
      asOperator(async (session) => {
        const found = await resolveSpace(session, space);
        const { _id: subjectId } = await resolveSubject(session, found, subjectName);
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
      ['subject', 'ID', 'colour', 'topics'],
      ...subjects.map(({ subjectName, _id, color, topicCount }) => [
        subjectName,
        _id,
        color,
        String(topicCount),
      ]),
    ],
    [0, 1, 2],
  );
