import { Anchor, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../lib/paths';
import { PersonAvatar } from '../../components/person-avatar';
import type { CasePersonFragment } from '../../generated/graphql';

/** A person, linked to their profile in the space. */
export function PersonName({
  person,
  spaceId,
}: {
  person: CasePersonFragment;
  spaceId?: string | undefined;
}) {
  const { t } = useTranslation('patterns');
  return (
    <Group gap="xs" wrap="nowrap">
      <PersonAvatar person={person} size={24} />
      <Anchor component={Link} to={paths.userDetail(person._id, spaceId)}>
        {person.userName || t('erased')}
      </Anchor>
    </Group>
  );
}
