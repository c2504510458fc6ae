import { useMutation } from '@apollo/client/react';
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { FormAlert } from '../../components/form-alert';
import { FinishTotpDocument, type StartTotpMutation } from '../../generated/graphql';
import { usePending } from '../../lib/use-pending';
import { QrCode } from './qr-code';
import classes from './second-factor.module.css';

interface AppCodeProps {
  started: StartTotpMutation['startTotp'];
  onAdded: (codes: readonly string[] | null | undefined) => void;
  onCancel: () => void;
}

/** In groups of four, as it is typed. */
const grouped = (secret: string): string => secret.replace(/(.{4})(?=.)/g, '$1 ');

/** Shows the new secret and asks for the first code that the app makes of it. */
export function AppCode({ started, onAdded, onCancel }: AppCodeProps) {
  const { t } = useTranslation('secondFactor', { keyPrefix: 'app' });
  const [code, setCode] = useState('');
  const [isChecked, setChecked] = useState(false);
  const [finish] = useMutation(FinishTotpDocument);
  const { isPending, error, run } = usePending();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (code.trim() === '') return;
    void run(async () => {
      const { data } = await finish({ variables: { code: code.trim() } });
      onAdded(data?.finishTotp.recoveryCodes);
    });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {error !== undefined && <FormAlert kind="error">{error}</FormAlert>}
        <Text>{t('scan')}</Text>
        <QrCode text={started.address} label={t('qr')} />
        <div>
          <Text size="sm" c="dimmed">
            {t('key')}
          </Text>
          <Text className={classes.key} data-testid="totp-key">
            {grouped(started.secret)}
          </Text>
        </div>
        <TextInput
          label={t('code')}
          autoComplete="one-time-code"
          inputMode="numeric"
          maxLength={10}
          error={isChecked && code.trim() === '' && t('codeMissing')}
          value={code}
          onChange={({ currentTarget }) => setCode(currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {t('back')}
          </Button>
          <Button type="submit" loading={isPending}>
            {t('finish')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
