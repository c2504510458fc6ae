import { Button, Divider, Group, Stack, TextInput } from '@mantine/core';
import IconKey from '@tabler/icons-react/dist/esm/icons/IconKey.mjs';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { FormAlert } from '../../components/notices';
import { usePending } from '../../lib/api/errors';
import { signWithPasskey } from './passkeys';

export type FactorProof = { code: string } | { passkey: string };

interface FactorStepProps {
  hasTotp: boolean;
  hasPasskey: boolean;
  submitLabel: string;
  /** @throws Error from the API if the proof is wrong */
  submitProof: (proof: FactorProof) => Promise<void>;
  passkeyOptions: () => Promise<string>;
  onCancel?: () => void;
}

/** Asks for the second factor: a code from the app, a passkey, or a recovery code. */
export default function FactorStep(props: FactorStepProps) {
  const { hasTotp, hasPasskey, submitLabel, submitProof, passkeyOptions, onCancel } = props;
  const { t } = useTranslation('secondFactor', { keyPrefix: 'step' });
  const [code, setCode] = useState('');
  const [isChecked, setChecked] = useState(false);
  const { isPending, error, setError, run } = usePending();
  const isMissing = code.trim() === '';

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (!isMissing) void run(() => submitProof({ code: code.trim() }));
  };
  const usePasskey = () =>
    void run(async () => {
      const passkey = await signWithPasskey(await passkeyOptions());
      if (passkey === undefined) setError(t('passkeyFailed'));
      else await submitProof({ passkey });
    });

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {error !== undefined && <FormAlert kind="error">{error}</FormAlert>}
        {hasPasskey && (
          <>
            <Button
              variant={hasTotp ? 'default' : 'filled'}
              size="md"
              leftSection={<IconKey size={18} stroke={1.75} aria-hidden />}
              disabled={isPending}
              onClick={usePasskey}
            >
              {t('usePasskey')}
            </Button>
            <Divider label={t('or')} />
          </>
        )}
        <TextInput
          label={t(hasTotp ? 'code' : 'recoveryCode')}
          description={t(hasTotp ? 'codeHint' : 'recoveryCodeHint')}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          size="md"
          data-autofocus
          error={isChecked && isMissing && t('missing')}
          value={code}
          onChange={({ currentTarget }) => setCode(currentTarget.value)}
        />
        <Group justify="flex-end">
          {onCancel && (
            <Button variant="default" onClick={onCancel}>
              {t('cancel')}
            </Button>
          )}
          <Button type="submit" loading={isPending}>
            {submitLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
