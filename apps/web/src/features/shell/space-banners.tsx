import { skipToken, useQuery } from '@apollo/client/react';
import { Alert, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ExactTime } from '../../components/exact-time';
import { Objection } from '../../components/objection';
import { SpaceBannersDocument, type SpaceBannersQuery } from '../../generated/graphql';
import { useSpaceStart } from '../../lib/api/use-space-start';
import { useCurrentSpace } from '../../lib/auth-storage';

/** Says on every screen of a space why the student can only read there: it is archived, or the student is suspended. */
export function SpaceBanners() {
  const { t } = useTranslation('spaces');
  const current = useCurrentSpace()?._id;
  const fetchPolicy = useSpaceStart(current);
  const { data } = useQuery(
    SpaceBannersDocument,
    current === undefined ? skipToken : { variables: { space: current }, fetchPolicy },
  );
  const space = data?.getStudentSpaces.find(({ _id }) => _id === current);
  return (
    <>
      {space?.isArchived === true && (
        <Alert role="status" color="gray" variant="light" radius={0}>
          {t('archivedText')}
        </Alert>
      )}
      {data?.getOwnSuspension && <SuspensionBanner suspension={data.getOwnSuspension} />}
    </>
  );
}

type Suspension = NonNullable<SpaceBannersQuery['getOwnSuspension']>;

function SuspensionBanner({ suspension: { since, until, reason, objectTo } }: { suspension: Suspension }) {
  const { t } = useTranslation('spaces');
  return (
    <Alert role="status" color="red" variant="light" radius={0} title={t('suspension.title')}>
      <Text size="sm">
        {t('suspension.since')} <ExactTime at={since} />.{' '}
        {until === null ? (
          t('suspension.untilLifted')
        ) : (
          <>
            {t('suspension.until')} <ExactTime at={until} />.
          </>
        )}
      </Text>
      {reason !== '' && (
        <Text size="sm" fw={600} dir="auto">
          {t('suspension.reason', { reason })}
        </Text>
      )}
      <Text size="sm">
        <Objection contact={objectTo} />
      </Text>
    </Alert>
  );
}
