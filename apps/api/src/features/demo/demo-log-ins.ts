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
