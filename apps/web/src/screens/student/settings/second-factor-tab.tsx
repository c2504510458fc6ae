import { useMutation, useQuery } from '@apollo/client/react';
import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../components/notices';
import { SkeletonRows } from '../../../components/skeletons';
import { toast } from '../../../components/toast';
import { ConfirmFactor, type OwnSecondFactor } from '../../../features/second-factor/confirm-factor';
import { FactorList } from '../../../features/second-factor/factor-list';
import { RecoveryCodes } from '../../../features/second-factor/recovery-codes';
import { SetUpFactor } from '../../../features/second-factor/set-up-factor';
import {
  DismissSecondFactorResetDocument,
  OwnSecondFactorDocument,
  RenewRecoveryCodesDocument,
} from '../../../generated/graphql';
import { errorText } from '../../../lib/api/errors';
import classes from './settings.module.css';

/** The student's second factors, and managing them. */
export function SecondFactorTab() {
  const { t } = useTranslation('secondFactor');
  const { data, error, refetch } = useQuery(OwnSecondFactorDocument, { fetchPolicy: 'network-only' });
  const factor = data?.getSecondFactor;
  if (!factor) {
    if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
    return <SkeletonRows count={2} height={72} />;
  }
  return (
    <section className={classes.card} aria-labelledby="settings-second-factor">
      <Stack gap="md">
        <Title order={2} size="h3" id="settings-second-factor">
          {t('title')}
        </Title>
        <Text c="dimmed">{t(factor.isRequired ? 'leadStaff' : 'lead')}</Text>
        {factor.reset && <ResetNotice reset={factor.reset} onRead={refetch} />}
        <Changes factor={factor} refetch={refetch} />
      </Stack>
    </section>
  );
}

function ResetNotice({
  reset,
  onRead,
}: {
  reset: NonNullable<OwnSecondFactor['reset']>;
  onRead: () => unknown;
}) {
  const { t, i18n } = useTranslation('secondFactor', { keyPrefix: 'reset' });
  const [dismiss, { loading }] = useMutation(DismissSecondFactorResetDocument, {
    onCompleted: () => void onRead(),
    onError: (cause) => toast.error(errorText(cause)),
  });
  const when = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'long' }).format(new Date(reset.at));
  return (
    <Alert color="yellow" role="status" title={t('title', { when })}>
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{t('reason', { reason: reset.reason })}</Text>
        <Button variant="default" size="xs" loading={loading} onClick={() => void dismiss()}>
          {t('dismiss')}
        </Button>
      </Stack>
    </Alert>
  );
}

type Open = 'nothing' | 'adding' | { codes: readonly string[] };

function Changes({ factor, refetch }: { factor: OwnSecondFactor; refetch: () => Promise<unknown> }) {
  const { t } = useTranslation('secondFactor');
  const [open, setOpen] = useState<Open>('nothing');
  const [renew, { loading }] = useMutation(RenewRecoveryCodesDocument, {
    onCompleted: ({ renewRecoveryCodes }) => setOpen({ codes: renewRecoveryCodes }),
    onError: (cause) => toast.error(errorText(cause)),
  });
  const isSetUp = factor.hasTotp || factor.passkeys.length > 0;
  const close = () => {
    setOpen('nothing');
    void refetch();
  };
  if (typeof open === 'object') return <RecoveryCodes codes={open.codes} onDone={close} />;
  if (!isSetUp) return <SetUpFactor passkeyHost={factor.passkeyHost} onDone={close} />;
  if (open === 'adding')
    return <SetUpFactor passkeyHost={factor.passkeyHost} onDone={close} onCancel={close} />;
  return (
    <>
      <FactorList factor={factor} onChanged={refetch} />
      <Text>{t('codesLeft', { count: factor.recoveryCodesLeft })}</Text>
      {factor.isRecent ? (
        <Group gap="sm">
          <Button onClick={() => setOpen('adding')}>{t('add')}</Button>
          <Button variant="default" loading={loading} onClick={() => void renew()}>
            {t('renewCodes')}
          </Button>
        </Group>
      ) : (
        <>
          <Text>{t('confirmLead')}</Text>
          <ConfirmFactor factor={factor} submitLabel={t('confirm')} onConfirmed={refetch} />
        </>
      )}
    </>
  );
}
