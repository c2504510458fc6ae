import { Button, Group, Radio, Stack, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { FormAlert } from '../../components/form-alert';
import { isEmailShaped } from '../../features/credentials/email';
import { PasswordField } from '../../features/credentials/password-field';
import { phoneDigits, PhoneField, withCountryCode } from '../../features/credentials/phone-field';
import { usePending } from '../../lib/use-pending';
import type { ContactKindName } from './contact-change';
import type { OwnAccount } from './settings-screen';

export interface AskedContact {
  value: string;
  password: string;
  via: ContactKindName | null;
}

interface ContactFormProps {
  kind: ContactKindName;
  account: OwnAccount;
  onAsked: (asked: AskedContact) => Promise<void>;
}

/** What it shall be, and who it is: the password, and which of the own contacts gets a code. */
export function ContactForm({ kind, account, onAsked }: ContactFormProps) {
  const { t } = useTranslation('settings', { keyPrefix: 'contacts' });
  const [value, setValue] = useState('');
  const [password, setPassword] = useState('');
  const [via, setVia] = useState<ContactKindName>(kind);
  const [problem, setProblem] = useState<string>();
  const { isPending, error, run } = usePending();
  const hasBoth = account.email != null && account.phone != null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const isShaped = kind === 'EMAIL' ? isEmailShaped(value.trim()) : value.length === phoneDigits;
    setProblem(isShaped ? undefined : t(`invalid.${kind}`));
    if (!isShaped) return;
    const asked = kind === 'EMAIL' ? value.trim() : withCountryCode(value);
    void run(() => onAsked({ value: asked, password, via: hasBoth ? via : null }));
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {error !== undefined && <FormAlert kind="error">{error}</FormAlert>}
        {kind === 'EMAIL' ? (
          <TextInput
            type="email"
            label={t('newEmail')}
            autoComplete="email"
            value={value}
            error={problem}
            onChange={({ currentTarget }) => setValue(currentTarget.value)}
            data-autofocus
          />
        ) : (
          <PhoneField value={value} error={problem} onChange={setValue} />
        )}
        {hasBoth && <ViaChoice via={via} account={account} onChange={setVia} />}
        <PasswordField
          label={t('password')}
          description={t('passwordHint')}
          autoComplete="current-password"
          value={password}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={isPending}>
            {t('send')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface ViaChoiceProps {
  via: ContactKindName;
  account: OwnAccount;
  onChange: (via: ContactKindName) => void;
}

/** Who lost the former phone asks the address, and the other way round. */
function ViaChoice({ via, account, onChange }: ViaChoiceProps) {
  const { t } = useTranslation('settings', { keyPrefix: 'contacts' });
  return (
    <Radio.Group
      label={t('via')}
      description={t('viaHint')}
      value={via}
      onChange={(chosen) => onChange(chosen === 'EMAIL' ? 'EMAIL' : 'PHONE')}
    >
      <Stack gap="xs" mt="xs">
        <Radio value="PHONE" label={`+${account.phone ?? ''}`} />
        <Radio value="EMAIL" label={account.email ?? ''} />
      </Stack>
    </Radio.Group>
  );
}
