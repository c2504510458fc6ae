import { userInfo } from 'node:os';
import process from 'node:process';
import { isPersonName } from '../platform/config/setting.js';
import type { Settings } from '../platform/config/load-settings.js';
import { UsageError } from './usage-error.js';

interface Surroundings {
  /** @throws where the operating system has no name for the user, as in a container with a number alone */
  readonly userName: () => string;
  readonly sudoUser: string | undefined;
}

const HERE: Surroundings = {
  userName: () => userInfo().username,
  get sudoUser() {
    return process.env['SUDO_USER'];
  },
};

/**
 * Who works at the command line: as said, or the user of the operating system; behind `sudo` whoever called it. It is what they say, not
 * what they prove: who has the keys and the database can say any name.
 * @throws UsageError where nobody says it, as an act without a name would be nobody's
 */
export function operatorName({ operator }: Pick<Settings, 'operator'>, here: Surroundings = HERE): string {
  const found = [operator, here.sudoUser, userNameOf(here)].find(
    (name) => name !== undefined && isPersonName(name),
  );
  if (found === undefined)
    throw new UsageError(
      'Who are you? The log names whoever acts. Say it with --operator NAME, or set NIMO_OPERATOR.',
    );
  return found.trim();
}

function userNameOf({ userName }: Surroundings): string | undefined {
  try {
    return userName();
  } catch {
    return undefined;
  }
}
