import { useQuery } from '@apollo/client/react';
import { Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../components/error-notice';
import { SkeletonRows } from '../../components/skeletons';
import { ConfirmFactor } from '../../features/second-factor/confirm-factor';
import { OwnSecondFactorDocument } from '../../generated/graphql';

/** Of an account that has a second factor: a password alone changes no contact. */
export function ContactFactor({ onConfirmed }: { onConfirmed: () => void }) {
  const { t } = useTranslation('settings', { keyPrefix: 'contacts' });
  const { data, error, refetch } = useQuery(OwnSecondFactorDocument, { fetchPolicy: 'network-only' });
  if (error && !data) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (!data) return <SkeletonRows count={1} height={72} />;
  return (
    <Stack gap="md">
      <Text>{t('factorLead')}</Text>
      <ConfirmFactor
        factor={data.getSecondFactor}
        submitLabel={t('next')}
        onConfirmed={() => {
          onConfirmed();
          return Promise.resolve();
        }}
      />
    </Stack>
  );
}
