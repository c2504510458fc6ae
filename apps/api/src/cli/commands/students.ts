import type { Command } from 'commander';
import { findManagedStudent, type ManagedStudentView } from '@nimo/projections';
import { ResetSecondFactor } from '../../features/second-factor/commands/reset-second-factor.js';
import { RequestErasure, WithdrawErasure } from '../../features/erasure/commands/request-erasure.js';
import { BlockStudent, UnblockStudent } from '../../features/students/commands/block-student.js';
import { helpText } from '../failure.js';
import { studentText, resolveStudent } from '../lookup.js';
import { asOperator, type OperatorSession } from '../cli-session.js';
import { printResult, type JsonFlag } from '../output.js';

export function studentCommands(program: Command): void {
  const student = program
    .command('student')
    .description('show, block, unblock or erase a student, or reset a second factor');
  student
    .command('show')
    .argument('<user>', 'username, phone number or ID')
    .option('--json', 'print the result as JSON')
    .description('show a student and their roles')
    .addHelpText('after', helpText('student show asha'))
    .action((user: string, flags: JsonFlag) =>
      asOperator(async (session) => {
        const student = await resolveStudent(session, user);
        await session.recordRead('PEOPLE', { studentIds: [student._id], rows: 1 });
        show(student, flags);
      }),
    );
  student
    .command('block')
    .argument('<user>', 'username, phone number or ID')
    .requiredOption('--reason <text>', 'reason, shown to moderators in the audit')
    .option('--json', 'print the result as JSON')
    .description('sign a student out and prevent further logins')
    .addHelpText('after', helpText('student block ben --reason "Repeated advertising"'))
    .action((user: string, { reason, ...flags }: JsonFlag & { readonly reason: string }) =>
      asOperator(async (session) => {
        const { _id } = await resolveStudent(session, user);
        await session.execute(new BlockStudent(session.context(), _id, reason));
        show(await reload(session, _id), flags);
      }),
    );
  student
    .command('unblock')
    .argument('<user>', 'username, phone number or ID')
    .option('--reason <text>', 'reason, shown to moderators in the audit')
    .option('--json', 'print the result as JSON')
    .description('let a blocked student log in again')
    .addHelpText('after', helpText('student unblock ben --reason "Blocked by mistake"'))
    .action((user: string, { reason, ...flags }: JsonFlag & { readonly reason?: string }) =>
      asOperator(async (session) => {
        const { _id } = await resolveStudent(session, user);
        await session.execute(new UnblockStudent(session.context(), _id, reason));
        show(await reload(session, _id), flags);
      }),
    );
  student
    .command('reset-second-factor')
    .argument('<user>', 'username, phone number or ID')
    .requiredOption('--reason <text>', 'reason, recorded in the audit and sent to the student')
    .option('--json', 'print the result as JSON')
    .description(
      'remove the second factor and recovery codes of a student who lost their device, and end all sessions',
    )
    .addHelpText('after', helpText('student reset-second-factor sam --reason "Lost phone, seen in person"'))
    .action((user: string, { reason, ...flags }: JsonFlag & { readonly reason: string }) =>
      asOperator(async (session) => {
        const { _id } = await resolveStudent(session, user);
        await session.execute(new ResetSecondFactor(session.context(), _id, reason));
        show(await reload(session, _id), flags);
      }),
    );
  erasureCommands(student);
}

interface EraseFlags extends JsonFlag {
  readonly reason: string;
  readonly withPosts?: true;
  readonly now?: true;
}

function erasureCommands(student: Command): void {
  student
    .command('erase')
    .argument('<user>', 'username, phone number or ID')
    .requiredOption('--reason <text>', 'reason, kept in the log until the account is erased')
    .option('--with-posts', "also delete the student's posts; other students' votes and points stay")
    .option('--now', 'skip the grace period of 7 days')
    .option('--json', 'print the result as JSON')
    .description('erase an account and all personal data, carried out by a worker after the grace period')
    .addHelpText('after', helpText('student erase ben --reason "Requested by letter" --with-posts'))
    .action((user: string, { reason, withPosts, now, ...flags }: EraseFlags) =>
      asOperator(async (session) => {
        const { _id } = await resolveStudent(session, user);
        const request = { reason, withWords: withPosts === true, atOnce: now === true };
        await session.execute(new RequestErasure(session.context(), _id, request));
        show(await reload(session, _id), flags);
      }),
    );
  student
    .command('cancel-erasure')
    .argument('<user>', 'username, phone number or ID')
    .option('--json', 'print the result as JSON')
    .description('cancel the erasure of an account')
    .addHelpText('after', helpText('student cancel-erasure ben'))
    .action((user: string, flags: JsonFlag) =>
      asOperator(async (session) => {
        const { _id } = await resolveStudent(session, user);
        await session.execute(new WithdrawErasure(session.context(), _id));
        show(await reload(session, _id), flags);
      }),
    );
}

const reload = async ({ pool }: OperatorSession, studentId: string): Promise<ManagedStudentView> => {
  const student = await findManagedStudent(pool, studentId);
  if (!student) throw new Error('student no longer found');
  return student;
};

const show = (student: ManagedStudentView, flags: JsonFlag): void =>
  printResult(student, flags, () => studentText(student));
