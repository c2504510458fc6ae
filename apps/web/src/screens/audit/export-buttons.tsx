import { Checkbox, Group } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SaveButtons } from '../../components/save-buttons';

const formats = ['csv', 'ndjson'] as const;

/** The whole list under the filter as a file, however long it is; on request as one that proves itself. */
export function ExportButtons({ query, disabled }: { query: string; disabled: boolean }) {
  const { t } = useTranslation('audit');
  const [isProven, setProven] = useState(false);
  const files = formats.map((format) => ({
    label: t(`export.${format}`),
    address: `/audit/${isProven ? 'proof/' : ''}export.${format}?${query}`,
    otherwiseNamed: `nimo-audit${isProven ? '-proven' : ''}.${format}`,
  }));
  return (
    <Group gap="sm">
      <Checkbox
        label={t('export.withProof')}
        checked={isProven}
        disabled={disabled}
        onChange={({ currentTarget }) => setProven(currentTarget.checked)}
      />
      <SaveButtons files={files} cancelLabel={t('export.cancel')} disabled={disabled} />
    </Group>
  );
}
