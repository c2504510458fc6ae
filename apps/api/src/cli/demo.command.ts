import { BlockStudent } from '../features/students/commands/block-student.js';
import { RevokeRole } from '../features/students/commands/roles.js';
import { type DemoAccount, openDemoAccounts } from '../features/demo/demo-accounts.js';
import { SeedDemo } from '../features/demo/seed-demo.js';
import { asOperator, inSession, type OperatorSession } from './cli-session.js';
import { type JsonFlag, printResult } from './output.js';

const REASON = 'Demo account: its password is public.';

export async function seedDemo(): Promise<void> {
  const text = await inSession(({ container }) => container.get(SeedDemo, { strict: false }).run());
  printResult(text, {}, () => text);
}

/** Takes the log-ins of the demonstration away; what it wrote stays. Repeating it does nothing. */
export async function closeDemo(flags: JsonFlag): Promise<void> {
  const closed = await asOperator(closeDemoAccounts);
  printResult({ closed: closed.map(({ userName }) => userName) }, flags, () => textOf(closed));
}

function textOf(closed: readonly DemoAccount[]): string {
  if (closed.length === 0) return 'No demo account can sign in with the demo password; nothing was changed.';
  const names = closed.map(({ userName }) => userName).join(', ');
  return `Closed ${closed.length} demo accounts: ${names}.\nThey have no password, no session and no role any more, and are blocked. Name a maintainer of your own: npm run nimo -- grant --help`;
}

/** The password last: until then the next run finds what is left to do. */
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
