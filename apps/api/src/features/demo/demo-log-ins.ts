import type { ListedInvitation } from '../invitations/invitations.js';
import { DEMO_MAINTAINER, DEMO_MODERATOR, DEMO_PASSWORD, DEMO_PEOPLE } from './demo-people.js';

/** What the first start prints. */
export function demoLogIns(): string {
  const students = DEMO_PEOPLE.map(({ userName }) => userName).filter(
    (userName) => userName !== DEMO_MODERATOR && userName !== DEMO_MAINTAINER,
  );
  return [
    'Demonstration log-ins:',
    `  students    ${students.join(', ')}`,
    `  moderator   ${DEMO_MODERATOR}`,
    `  maintainer  ${DEMO_MAINTAINER} (and moderator of all spaces)`,
    `  password    ${DEMO_PASSWORD} (of all of them)`,
  ].join('\n');
}

/** What opens a space that is joined by invitation; a link stands behind the address that the start prints. */
export function demoWaysIn(space: string, invitations: readonly ListedInvitation[]): readonly string[] {
  const shown = { LINK: 'link       ', CODE: 'class code ' } as const;
  const ways = invitations.flatMap(({ kind, secret }) =>
    secret !== null && (kind === 'LINK' || kind === 'CODE')
      ? [`  ${shown[kind]} ${kind === 'LINK' ? `/join#${secret}` : secret}`]
      : [],
  );
  return ways.length === 0 ? [] : [`Ways into ${space}, which is joined by invitation:`, ...ways];
}
