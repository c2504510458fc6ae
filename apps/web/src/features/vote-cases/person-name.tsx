import { Group } from '@mantine/core';
import { shownName } from '../../lib/api/erased';
import { PersonAvatar } from '../../components/person-avatar';
import { PersonLink } from '../people/person-link';
import type { CasePersonFragment } from '../../generated/graphql';

/** A person, linked to their profile in the space unless erased. */
export function PersonName({
  person,
  spaceId,
}: {
  person: CasePersonFragment;
  spaceId?: string | undefined;
}) {
  return (
    <Group gap="xs" wrap="nowrap">
      <PersonAvatar person={person} size={24} />
      <PersonLink person={person} space={spaceId}>
        {shownName(person)}
      </PersonLink>
    </Group>
  );
}
