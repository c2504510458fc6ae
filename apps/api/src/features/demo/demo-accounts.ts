import { Credentials } from '../../platform/auth/credentials.js';
import { SettingsError } from '../../platform/config/settings-error.js';
import { ExpensiveWork } from '../../platform/runtime/expensive-work.js';
import type { Runtime } from '../../platform/runtime/runtime.js';
import { DEMO_PASSWORD, DEMO_PEOPLE, demoStudentId } from './demo-people.js';

export interface DemoAccount {
  readonly studentId: string;
  readonly userName: string;
}

/** The demo accounts that the printed password opens, blocked or not: a block is lifted with a click. */
export async function openDemoAccounts(credentials: Credentials): Promise<readonly DemoAccount[]> {
  const open: DemoAccount[] = [];
  for (const { userName } of DEMO_PEOPLE) {
    const studentId = demoStudentId(userName);
    if ((await credentials.has(studentId)) && (await credentials.matches(studentId, DEMO_PASSWORD)))
      open.push({ studentId, userName });
  }
  return open;
}

/**
 * Data made in development may come to production, and its passwords are printed in the README of everybody.
 * @throws SettingsError in production while one of them opens an account
 */
export async function assertDemoIsClosed({
  settings,
  pool,
}: Pick<Runtime, 'settings' | 'pool'>): Promise<void> {
  if (settings.nodeEnv !== 'production') return;
  const open = await openDemoAccounts(new Credentials(pool, new ExpensiveWork()));
  if (open.length === 0) return;
  const names = open.map(({ userName }) => userName).join(', ');
  throw new SettingsError(
    `Demo accounts can sign in with the password that everybody knows (${names}). Run "npm run nimo -- close-demo" first; it keeps what they wrote.`,
  );
}
