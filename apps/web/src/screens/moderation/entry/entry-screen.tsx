import { useQuery } from '@apollo/client/react';
import { Card, Group, Stack, Text, Title } from '@mantine/core';
import IconDoorEnter from '@tabler/icons-react/dist/esm/icons/IconDoorEnter.mjs';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../components/empty-state';
import { ErrorNotice } from '../../../components/notices';
import { PageHeading } from '../../../components/page-heading';
import { ExactTime } from '../../../components/exact-time';
import { SkeletonRows } from '../../../components/skeletons';
import { SpaceChoice, useChosenSpace } from '../../../features/areas/space-choice';
import type { ModeratedSpace } from '../../../features/areas/use-moderated-spaces';
import EntryAnswer from '../../../features/entry/entry-answer';
import { Invitations } from '../../../features/entry/invitations';
import RefuseDialog from '../../../features/entry/refuse-dialog';
import { StudentInvitations } from '../../../features/entry/student-invitations';
import { type EntryRequestRowFragment, EntryRequestsDocument } from '../../../generated/graphql';
import { QueueSection } from './queue-section';
import { YoungerStudents } from './younger-students';

const isClosedSpace = ({ entry }: ModeratedSpace) => entry !== 'OPEN';
const asksAges = ({ consent }: ModeratedSpace) => Boolean(consent);
const isDecidedOn = (space: ModeratedSpace) => isClosedSpace(space) || asksAges(space);

/** Join requests, invitations and consent of a space the caller moderates. */
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

/** Open join requests, oldest first. */
function EntryRequests({ spaceId }: { spaceId: string }) {
  const { t } = useTranslation('entry');
  const [page, setPage] = useState(1);
  const { data, error, refetch } = useQuery(EntryRequestsDocument, {
    variables: { space: spaceId, page },
    fetchPolicy: 'cache-and-network',
  });
  return (
    <QueueSection
      id="entry-requests"
      title={t('requests')}
      list={data?.getEntryRequests}
      {...{ error, refetch, page }}
      onPage={setPage}
      empty={<EmptyState icon={IconDoorEnter} titleOrder={3} title={t('empty')} text={t('emptyText')} />}
      row={(request, onGone) => (
        <Request key={request._id} request={request} spaceId={spaceId} onAnswered={onGone} />
      )}
    />
  );
}

interface RequestProps {
  request: EntryRequestRowFragment;
  spaceId: string;
  onAnswered: () => void;
}

function Request({ request, spaceId, onAnswered }: RequestProps) {
  const [isRefusing, setRefusing] = useState(false);
  const { _id: studentId, student, text, requestedAt } = request;
  const name = student.userName;
  const answered = { spaceId, studentId, name };
  return (
    <Card withBorder component="li">
      <Group justify="space-between" align="flex-start">
        <Stack gap={4} flex="1 1 14rem">
          <Title order={3} size="h4">
            {name}{' '}
            <Text span c="dimmed" fw={400}>
              {student.firstName} {student.lastName}
            </Text>
          </Title>
          {text && <Text>{text}</Text>}
          <Text size="sm" c="dimmed">
            <ExactTime at={requestedAt} />
          </Text>
        </Stack>
        <EntryAnswer request={answered} onAnswered={onAnswered} onRefuse={() => setRefusing(true)} />
      </Group>
      {isRefusing && (
        <RefuseDialog
          request={answered}
          onClose={() => setRefusing(false)}
          onAnswered={() => {
            setRefusing(false);
            onAnswered();
          }}
        />
      )}
    </Card>
  );
}
