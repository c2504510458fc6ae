import type { Command } from 'commander';
import { findManagedStudent, type ManagedStudentView } from '@nimo/projections';
import { ResetSecondFactor } from '../../features/second-factor/commands/reset-second-factor.js';
import { BlockStudent } from '../../features/students/commands/block-student.js';
import { UnblockStudent } from '../../features/students/commands/unblock-student.js';
import { EXIT_CODES_HELP } from '../exit-codes.js';
import { studentNamed } from '../named-things.js';
import { asOperator, type OperatorSession } from '../operator-session.js';
import { printResult, type JsonFlag } from '../print-result.js';
import { studentLines } from '../student-lines.js';

export function studentCommands(program: Command): void {
  const student = program
    .command('student')
    .description('show a student, block or unblock one, reset a second factor');
  student
    .command('show')
    .argument('<user>', 'user name, phone number or id')
    .option('--json', 'print as JSON')
    .description('say who a student is and which roles the student holds')
    .addHelpText('after', help('student show asha'))
    .action((user: string, flags: JsonFlag) =>
      asOperator(async (session) => {
        const student = await studentNamed(session, user);
        await session.tellOfRead('PEOPLE', { studentIds: [student._id], rows: 1 });
        show(student, flags);
      }),
    );
  student
    .command('block')
    .argument('<user>', 'user name, phone number or id')
    .requiredOption('--reason <text>', 'why; moderators read it in the audit')
    .option('--json', 'print as JSON')
    .description('end the sessions of a student and refuse the log-in until the student is unblocked')
    .addHelpText('after', help('student block ben --reason "Advertises again and again"'))
    .action((user: string, { reason, ...flags }: JsonFlag & { readonly reason: string }) =>
      asOperator(async (session) => {
        const { _id } = await studentNamed(session, user);
        await session.execute(new BlockStudent(session.context(), _id, reason));
        show(await again(session, _id), flags);
      }),
    );
  student
    .command('unblock')
    .argument('<user>', 'user name, phone number or id')
    .option('--reason <text>', 'why; moderators read it in the audit')
    .option('--json', 'print as JSON')
    .description('let a student log in again')
    .addHelpText('after', help('student unblock ben --reason "Taken for somebody else"'))
    .action((user: string, { reason, ...flags }: JsonFlag & { readonly reason?: string }) =>
      asOperator(async (session) => {
        const { _id } = await studentNamed(session, user);
        await session.execute(new UnblockStudent(session.context(), _id, reason));
        show(await again(session, _id), flags);
      }),
    );
  student
    .command('reset-second-factor')
    .argument('<user>', 'user name, phone number or id')
    .requiredOption('--reason <text>', 'why; kept in the audit and told to the student')
    .option('--json', 'print as JSON')
    .description(
      'remove the second factor and the recovery codes of somebody who lost the device, and end the sessions',
    )
    .addHelpText('after', help('student reset-second-factor sam --reason "Lost phone, seen in person"'))
    .action((user: string, { reason, ...flags }: JsonFlag & { readonly reason: string }) =>
      asOperator(async (session) => {
        const { _id } = await studentNamed(session, user);
        await session.execute(new ResetSecondFactor(session.context(), _id, reason));
        show(await again(session, _id), flags);
      }),
    );
}

const again = async ({ pool }: OperatorSession, studentId: string): Promise<ManagedStudentView> => {
  const student = await findManagedStudent(pool, studentId);
  if (!student) throw new Error('a student that was found is gone');
  return student;
};

const show = (student: ManagedStudentView, flags: JsonFlag): void =>
  printResult(student, flags, () => studentLines(student));

const help = (example: string): string => `\n${EXIT_CODES_HELP}\n\nExample:\n  npm run nimo -- ${example}`;
