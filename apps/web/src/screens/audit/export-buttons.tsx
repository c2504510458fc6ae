import { Button, Group } from '@mantine/core';
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../../components/toast';
import { errorText } from '../../lib/errors';
import { saveExport, type ExportFormat } from './export-file';

const formats = ['csv', 'ndjson'] as const satisfies readonly ExportFormat[];

/** The whole list under the filter as a file, however long it is. */
export function ExportButtons({ query, disabled }: { query: string; disabled: boolean }) {
  const { t } = useTranslation('audit');
  const [running, setRunning] = useState<ExportFormat>();
  const abort = useRef<AbortController>(undefined);
  useEffect(() => () => abort.current?.abort(), []);

  const save = async (format: ExportFormat) => {
    const controller = new AbortController();
    abort.current = controller;
    setRunning(format);
    try {
      await saveExport(format, query, controller.signal);
    } catch (error) {
      if (!controller.signal.aborted) toast.error(errorText(error));
    } finally {
      setRunning(undefined);
    }
  };
  return (
    <Group gap="xs" wrap="nowrap">
      {formats.map((format) => (
        <Button
          key={format}
          variant="default"
          size="sm"
          leftSection={<IconDownload size={16} aria-hidden />}
          loading={running === format}
          disabled={disabled || (running !== undefined && running !== format)}
          onClick={() => void save(format)}
        >
          {t(`export.${format}`)}
        </Button>
      ))}
      {running && (
        <Button variant="subtle" size="sm" onClick={() => abort.current?.abort()}>
          {t('export.cancel')}
        </Button>
      )}
    </Group>
  );
}
