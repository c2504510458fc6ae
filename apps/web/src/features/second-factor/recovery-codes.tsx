import { Button, Group, Stack, Text } from '@mantine/core';
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs';
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs';
import { useTranslation } from 'react-i18next';
import { toast } from '../../components/toast';
import { saveBlob } from '../../lib/api/files';
import classes from './second-factor.module.css';

/** New recovery codes, which the API returns only once. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const { t } = useTranslation('secondFactor', { keyPrefix: 'recovery' });
  const text = codes.join('\n');
  const copy = () =>
    void navigator.clipboard.writeText(text).then(
      () => toast.success(t('copied')),
      () => toast.error(t('copyFailed')),
    );
  return (
    <Stack gap="md">
      <Text>{t('lead')}</Text>
      <ol className={classes.codes} aria-label={t('title')}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <Group justify="space-between">
        <Group gap="sm">
          <Button variant="default" leftSection={<IconCopy size={16} aria-hidden />} onClick={copy}>
            {t('copy')}
          </Button>
          <Button
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
            onClick={() =>
              saveBlob(new Blob([`${text}\n`], { type: 'text/plain' }), 'nimo-recovery-codes.txt')
            }
          >
            {t('download')}
          </Button>
        </Group>
        <Button onClick={onDone}>{t('done')}</Button>
      </Group>
    </Stack>
  );
}
