import { v5 as uuidv5 } from 'uuid';
import type { ListedInvitation } from '../invitations/invitations.js';
import { Credentials } from '../../platform/auth/credentials.js';
import { SettingsError } from '../../platform/config/settings-error.js';
import { ExpensiveWork } from '../../platform/callers/expensive-work.js';
import type { Runtime } from '../../platform/runtime/runtime.js';

/** UUID namespace of the fixed demo ids. */
export const DEMO_NAMESPACE = '3d7c2f0e-8a64-5b1d-9f2e-7b0c41d5e6a8';

/** Demo users. Their phone numbers are from an unassigned range. */
export const DEMO_PEOPLE = [
  person('asha', 'Asha', 'Verma', 'people/coral', 'Physics and old bicycles. Class 11.'),
  person('ben', 'Ben', 'Okafor', 'people/indigo', 'I ask before I look it up. Sorry in advance.'),
  person('chloe', 'Chloé', 'Martin', 'people/pink', 'Exchange student from Lyon, biology club.'),
  person('daniel', 'Daniel', 'Kim', 'space/saturn', 'Writes Python when the homework is done, and before.'),
  person('elif', 'Elif', 'Yilmaz', 'animals/fox', 'History, debate team, too many books.'),
  person('farid', 'Farid', 'Rahimi', 'people/teal', 'Maths olympiad, round two. Ask me about parity.'),
  person('grace', 'Grace', 'Mensah', 'animals/panda', 'Chemistry lab volunteer on Thursdays.'),
  person('hugo', 'Hugo', 'Silva', 'animals/koala', 'Football first, geography second.'),
  person('ines', 'Inés', 'Romero', 'people/green', 'Poems, essays, and the school paper.'),
  person('jonas', 'Jonas', 'Weber', 'space/comet', 'Robotics team. Solders with care.'),
  person(
    'ms_rao',
    'Meera',
    'Rao',
    'people/violet',
    'Teaches mathematics and looks after Greenfield High here.',
  ),
  person('sam_admin', 'Sam', 'Patel', 'space/earth', 'Keeps Nimo running.'),
] as const;

export interface DemoPerson {
  readonly userName: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly profileDesc: string;
  readonly realProfilePicUrl: string;
}

/** Fixed, so that it can be printed again. Never used in production. */
export const DEMO_PASSWORD = 'learn-together';
export const DEMO_MODERATOR = 'ms_rao';
export const DEMO_MAINTAINER = 'sam_admin';

/** Deterministic, so that demo accounts are recognised wherever the data is copied. */
export const demoStudentId = (userName: string): string => uuidv5(`student:${userName}`, DEMO_NAMESPACE);

function person(
  userName: string,
  firstName: string,
  lastName: string,
  avatar: string,
  profileDesc: string,
): DemoPerson {
  return { userName, firstName, lastName, profileDesc, realProfilePicUrl: `/avatars/${avatar}.svg` };
}

/** Login details printed at the first start. */
export function demoLogins(): string {
  const students = DEMO_PEOPLE.map(({ userName }) => userName).filter(
    (userName) => userName !== DEMO_MODERATOR && userName !== DEMO_MAINTAINER,
  );
  return [
    'Demo accounts:',
    `  students    ${students.join(', ')}`,
    `  moderator   ${DEMO_MODERATOR}`,
    `  maintainer  ${DEMO_MAINTAINER} (and moderator of all spaces)`,
    `  password    ${DEMO_PASSWORD} (same for all)`,
  ].join('\n');
}

/** Invitations to a demo space. Links are paths, relative to the URL printed at the start. */
export function demoInvitations(space: string, invitations: readonly ListedInvitation[]): readonly string[] {
  const shown = { LINK: 'link       ', CODE: 'class code ' } as const;
  const ways = invitations.flatMap(({ kind, secret }) =>
    secret !== null && (kind === 'LINK' || kind === 'CODE')
      ? [`  ${shown[kind]} ${kind === 'LINK' ? '/join#' : '/join/'}${secret}`]
      : [],
  );
  return ways.length === 0 ? [] : [`Invitations to ${space}:`, ...ways];
}

export interface DemoAccount {
  readonly studentId: string;
  readonly userName: string;
}

/** Demo accounts that still have the demo password, even if blocked: anyone can unblock them. */
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
 * Keeps demo data that was copied to production from opening accounts: its password is public.
 * @throws SettingsError in production if a demo account still has the demo password
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
    `Demo accounts can sign in with the public demo password (${names}). Run "npm run nimo -- close-demo" first; it keeps their posts.`,
  );
}
