import { useMutation, useQuery } from '@apollo/client/react';
import { Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ExactTime } from '../../../components/exact-time';
import { toast } from '../../../components/toast';
import {
  ForgetAgeDocument,
  YoungerStudentsDocument,
  type YoungerStudentRowFragment,
} from '../../../generated/graphql';
import { errorText } from '../../../lib/api/errors';
import { QueueSection } from './queue-section';

/** Students under the space's consent age, with the state of the guardian's consent. */
export function YoungerStudents({ spaceId }: { spaceId: string }) {
  const { t } = useTranslation('entry');
  const [page, setPage] = useState(1);
  const { data, error, refetch } = useQuery(YoungerStudentsDocument, {
    variables: { space: spaceId, page },
    fetchPolicy: 'cache-and-network',
  });
  return (
    <QueueSection
      id="younger-students"
      title={t('ages')}
      lead={t('agesLead')}
      list={data?.getYoungerStudents}
      {...{ error, refetch, page }}
      onPage={setPage}
      empty={<Text>{t('noAges')}</Text>}
      row={(younger, onGone) => (
        <Younger key={younger._id} younger={younger} spaceId={spaceId} onForgotten={onGone} />
      )}
    />
  );
}

interface YoungerProps {
  younger: YoungerStudentRowFragment;
  spaceId: string;
  onForgotten: () => void;
}

function Younger({ younger, spaceId, onForgotten }: YoungerProps) {
  const { t } = useTranslation('entry');
  const { _id: studentId, student, age, consent, consentAt, termsVersion, isMember } = younger;
  const name = student.userName;
  const [forget, { loading }] = useMutation(ForgetAgeDocument, {
    variables: { space: spaceId, studentId },
    onCompleted: () => {
      toast.success(t('ageReset', { name }));
      onForgotten();
    },
    onError: (error) => toast.error(errorText(error)),
  });
  const details = [
    t('under', { age }),
    t(`consentOf.${consent ?? 'NONE'}`),
    ...(termsVersion ? [t('termsOf', { version: termsVersion })] : []),
    ...(isMember ? [t('isMember')] : []),
  ];
  return (
    <Card withBorder component="li">
      <Group justify="space-between">
        <Stack gap={4}>
          <Title order={3} size="h4">
            {name}{' '}
            <Text span c="dimmed" fw={400}>
              {student.firstName} {student.lastName}
            </Text>
          </Title>
          <Text size="sm">
            {details.join(' · ')}
            {consentAt && (
              <>
                {' · '}
                <ExactTime at={consentAt} />
              </>
            )}
          </Text>
        </Stack>
        <Button
          variant="default"
          aria-label={t('resetAgeName', { name })}
          loading={loading}
          onClick={() => void forget()}
        >
          {t('resetAge')}
        </Button>
      </Group>
    </Card>
  );
}
