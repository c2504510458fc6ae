import { INVITATION_GROUP_MAX_LENGTH } from '@nimo/domain';

/** Directories that have more send a link instead of the claim. */
const GROUPS_MAX = 500;

/** What of a provider's claim can be the name of a group: strings, as long as a rule's may be. Of more than 500 the first are looked at. */
export function groupsIn(claim: unknown): readonly string[] {
  const listed: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  const names = listed
    .slice(0, GROUPS_MAX)
    .filter((name): name is string => typeof name === 'string')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name.length <= INVITATION_GROUP_MAX_LENGTH);
  return [...new Set(names)];
}
