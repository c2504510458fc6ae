import type { Command } from 'commander';
import { findManagedStudent, type ManagedStudentView } from '@nimo/projections';
import { ResetSecondFactor } from '../../features/second-factor/commands/reset-second-factor.js';
import { AskErasure, WithdrawErasure } from '../../features/erasure/commands/ask-erasure.js';
import { BlockStudent, UnblockStudent } from '../../features/students/commands/block-student.js';
import { helpText } from '../failure.js';
import { studentLines, studentNamed } from '../lookup.js';
import { asOperator, type OperatorSession } from '../cli-session.js';
import { printResult, type JsonFlag } from '../output.js';

export function studentCommands(program: Command): void {
  const student = program
    .command('student')
    .description('show a student, block or unblock one, reset a second factor, delete an account');
  student
    .command('show')
    .argument('<user>', 'user name, phone number or id')
    .option('--json', 'print as JSON')
    .description('say who a student is and which roles the student holds')
    .addHelpText('after', helpText('student show asha'))
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
    .addHelpText('after', helpText('student block ben --reason "Advertises again and again"'))
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
    .addHelpText('after', helpText('student unblock ben --reason "Taken for somebody else"'))
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
    .addHelpText('after', helpText('student reset-second-factor sam --reason "Lost phone, seen in person"'))
    .action((user: string, { reason, ...flags }: JsonFlag & { readonly reason: string }) =>
      asOperator(async (session) => {
        const { _id } = await studentNamed(session, user);
        await session.execute(new ResetSecondFactor(session.context(), _id, reason));
        show(await again(session, _id), flags);
      }),
    );
  erasureCommands(student);
}

interface EraseFlags extends JsonFlag {
  readonly reason: string;
  readonly withWords?: true;
  readonly now?: true;
}

function erasureCommands(student: Command): void {
  student
    .command('erase')
    .argument('<user>', 'user name, phone number or id')
    .requiredOption('--reason <text>', 'why; kept in the log until it is done')
    .option('--with-words', 'delete what the student wrote as well; votes and points of others stay')
    .option('--now', 'without the 7 days in which the account can be kept')
    .option('--json', 'print as JSON')
    .description('delete an account and everything that says who it was; a worker does it when it is due')
    .addHelpText('after', helpText('student erase ben --reason "Asked by letter" --with-words'))
    .action((user: string, { reason, withWords, now, ...flags }: EraseFlags) =>
      asOperator(async (session) => {
        const { _id } = await studentNamed(session, user);
        const wish = { reason, withWords: withWords === true, atOnce: now === true };
        await session.execute(new AskErasure(session.context(), _id, wish));
        show(await again(session, _id), flags);
      }),
    );
  student
    .command('keep')
    .argument('<user>', 'user name, phone number or id')
    .option('--json', 'print as JSON')
    .description('take back that an account is going to be deleted')
    .addHelpText('after', helpText('student keep ben'))
    .action((user: string, flags: JsonFlag) =>
      asOperator(async (session) => {
        const { _id } = await studentNamed(session, user);
        await session.execute(new WithdrawErasure(session.context(), _id));
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
