import { Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../components/error-notice';
import { PageHeading } from '../../components/page-heading';
import { SkeletonRows } from '../../components/skeletons';
import { SpaceChoice } from '../../features/areas/space-choice';
import { useChosenSpace } from '../../features/areas/use-chosen-space';
import type { ModeratedSpace } from '../../features/areas/use-moderated-spaces';
import { Invitations } from '../../features/entry/invitations';
import { StudentInvitations } from '../../features/entry/student-invitations';
import { EntryRequests } from './entry-requests';
import { YoungerStudents } from './younger-students';

const isClosedSpace = ({ entry }: ModeratedSpace) => entry !== 'OPEN';
const asksAges = ({ consent }: ModeratedSpace) => Boolean(consent);
const isDecidedOn = (space: ModeratedSpace) => isClosedSpace(space) || asksAges(space);

/** Who gets into a space that the caller moderates. */
export default function EntryScreen() {
  const { t } = useTranslation('entry');
  const { spaces, chosen, choose, error, refetch } = useChosenSpace(isDecidedOn);
  const space = spaces?.find(({ _id }) => _id === chosen);
  return (
    <Stack gap="lg">
      <PageHeading>{t('title')}</PageHeading>
      <Text>{t('lead')}</Text>
      {error && !spaces && <ErrorNotice error={error} onRetry={refetch} />}
      {!spaces && !error && <SkeletonRows count={4} height={64} />}
      {spaces && (
        <Group align="flex-end">
          <SpaceChoice {...{ spaces, chosen, choose }} />
        </Group>
      )}
      {chosen !== undefined && <EntryRequests key={chosen} spaceId={chosen} />}
      {space && asksAges(space) && <YoungerStudents key={`${space._id}-ages`} spaceId={space._id} />}
      {space && isClosedSpace(space) && (
        <>
          <Invitations key={`${space._id}-ways`} spaceId={space._id} />
          <StudentInvitations key={`${space._id}-invited`} spaceId={space._id} />
        </>
      )}
    </Stack>
  );
}
