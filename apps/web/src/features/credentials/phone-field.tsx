import { Group, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';

export const phoneDigits = 10;
const countryCode = '91';

/** The number in the API's format. */
export function withCountryCode(phone: string): string {
  return `${countryCode}${phone}`;
}

interface PhoneFieldProps {
  value: string;
  error?: string | undefined;
  onChange: (digits: string) => void;
}

/** A ten-digit mobile number after the fixed country code. */
export function PhoneField({ value, error, onChange }: PhoneFieldProps) {
  const { t } = useTranslation('auth');
  return (
    <Group align="flex-start" gap="xs" wrap="nowrap">
      <TextInput label={t('phone.countryCode')} value={`+${countryCode}`} disabled readOnly w={104} />
      <TextInput
        label={t('phone.label')}
        placeholder={t('phone.placeholder')}
        value={value}
        error={error}
        onChange={({ currentTarget }) =>
          onChange(currentTarget.value.replace(/\D/g, '').slice(0, phoneDigits))
        }
        type="tel"
        inputMode="numeric"
        autoComplete="tel-national"
        data-autofocus
        flex={1}
      />
    </Group>
  );
}
