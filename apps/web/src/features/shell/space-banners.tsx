import { Alert, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ExactTime } from '../../components/exact-time';
import { Objection } from '../../components/objection';
import type { SpaceStandingQuery } from '../../generated/graphql';
import { useCurrentSpaceStanding } from '../../lib/api/space-standing';

/** Says on every screen of a space why the student can only read there: it is archived, or the student is suspended. */
export function SpaceBanners() {
  const { t } = useTranslation('spaces');
  const { isArchived, suspension } = useCurrentSpaceStanding();
  return (
    <>
      {isArchived && (
        <Alert role="status" color="gray" variant="light" radius={0}>
          {t('archivedText')}
        </Alert>
      )}
      {suspension && <SuspensionBanner suspension={suspension} />}
    </>
  );
}

type Suspension = NonNullable<SpaceStandingQuery['getOwnSuspension']>;

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
