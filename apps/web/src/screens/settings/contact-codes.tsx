import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { FormAlert } from '../../components/form-alert';
import { usePending } from '../../lib/use-pending';
import type { ContactKindName } from './contact-change';

const contactCodeDigits = 6;

export interface GivenCodes {
  newCode: string;
  ownCode: string;
}

interface ContactCodesProps {
  kind: ContactKindName;
  sentTo: string;
  /** Null where the account had nothing to be asked by. */
  ownSentTo: string | null;
  onGiven: (codes: GivenCodes) => Promise<void>;
  onAgain: () => void;
}

export function ContactCodes({ kind, sentTo, ownSentTo, onGiven, onAgain }: ContactCodesProps) {
  const { t } = useTranslation('settings', { keyPrefix: 'contacts' });
  const [codes, setCodes] = useState<GivenCodes>({ newCode: '', ownCode: '' });
  const { isPending, error, setError, run } = usePending();
  const isWhole =
    codes.newCode.length === contactCodeDigits &&
    (ownSentTo === null || codes.ownCode.length === contactCodeDigits);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isWhole) void run(() => onGiven(codes));
    else setError(t('codesIncomplete'));
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {error !== undefined && <FormAlert kind="error">{error}</FormAlert>}
        <Text>{t('codesLead')}</Text>
        {ownSentTo !== null && (
          <CodeField
            label={t('codeSentTo', { contact: ownSentTo })}
            value={codes.ownCode}
            onChange={(ownCode) => setCodes((given) => ({ ...given, ownCode }))}
          />
        )}
        <CodeField
          label={t('codeSentTo', { contact: sentTo })}
          value={codes.newCode}
          onChange={(newCode) => setCodes((given) => ({ ...given, newCode }))}
        />
        <Group justify="space-between">
          <Button variant="subtle" onClick={onAgain} disabled={isPending}>
            {t('again')}
          </Button>
          <Button type="submit" loading={isPending}>
            {t(`submit.${kind}`)}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface CodeFieldProps {
  label: string;
  value: string;
  onChange: (digits: string) => void;
}

function CodeField({ label, value, onChange }: CodeFieldProps) {
  return (
    <TextInput
      label={label}
      inputMode="numeric"
      autoComplete="one-time-code"
      value={value}
      onChange={({ currentTarget }) =>
        onChange(currentTarget.value.replace(/\D/g, '').slice(0, contactCodeDigits))
      }
    />
  );
}
