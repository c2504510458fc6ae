import { BlockStudent } from '../features/students/commands/block-student.js';
import { RevokeRole } from '../features/students/commands/roles.js';
import { type DemoAccount, openDemoAccounts } from '../features/demo/demo-accounts.js';
import { SeedDemo } from '../features/demo/seed-demo.js';
import { asOperator, withSession, type OperatorSession } from './cli-session.js';
import { type JsonFlag, printResult } from './output.js';

const REASON = 'Demo account: its password is public.';

export async function seedDemo(): Promise<void> {
  const text = await withSession(({ container }) => container.get(SeedDemo, { strict: false }).run());
  printResult(text, {}, () => text);
}

/** Disables the demo accounts and keeps their content. Repeating it changes nothing. */
export async function closeDemo(flags: JsonFlag): Promise<void> {
  const closed = await asOperator(closeDemoAccounts);
  printResult({ closed: closed.map(({ userName }) => userName) }, flags, () => textOf(closed));
}

function textOf(closed: readonly DemoAccount[]): string {
  if (closed.length === 0) return 'No changes: no demo account accepts the demo password.';
  const names = closed.map(({ userName }) => userName).join(', ');
  return `Closed ${closed.length} demo accounts: ${names}.\nTheir passwords, sessions and roles are removed, and the accounts are blocked. Appoint your own maintainer: npm run nimo -- grant --help`;
}

/** Removes the password last, so that an interrupted run can be repeated. */
async function closeDemoAccounts(session: OperatorSession): Promise<readonly DemoAccount[]> {
  const { accounts, credentials } = session;
  const open = await openDemoAccounts(credentials);
  for (const { studentId } of open) {
    const student = await accounts.findById(studentId);
    for (const { role, spaceId } of student?.roles ?? [])
      await session.execute(new RevokeRole(session.context(), { studentId, role, spaceId }));
    if (student) await session.execute(new BlockStudent(session.context(), studentId, REASON));
    await credentials.remove(studentId);
  }
  return open;
}
