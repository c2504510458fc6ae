import { Button, Group } from '@mantine/core';
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../../components/toast';
import { errorText } from '../../lib/errors';
import { saveFile } from '../../lib/save-file';
import classes from './proof.module.css';

const formats = ['csv', 'ndjson'] as const;

/** The audit of all one's spaces as a file that proves itself. */
export function ProvenExport() {
  const { t } = useTranslation('proof');
  const [running, setRunning] = useState<(typeof formats)[number]>();
  const abort = useRef<AbortController>(undefined);
  useEffect(() => () => abort.current?.abort(), []);

  const save = async (format: (typeof formats)[number]) => {
    const controller = new AbortController();
    abort.current = controller;
    setRunning(format);
    try {
      await saveFile(`/audit/proof/export.${format}`, `nimo-audit-proven.${format}`, controller.signal);
    } catch (error) {
      if (!controller.signal.aborted) toast.error(errorText(error));
    } finally {
      setRunning(undefined);
    }
  };
  return (
    <section className={classes.card} aria-labelledby="proof-export">
      <h2 id="proof-export" className={classes.title}>
        {t('export.title')}
      </h2>
      <p className={classes.text}>{t('export.text')}</p>
      <Group gap="xs">
        {formats.map((format) => (
          <Button
            key={format}
            variant="default"
            size="sm"
            leftSection={<IconDownload size={16} aria-hidden />}
            loading={running === format}
            disabled={running !== undefined && running !== format}
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
      <p className={classes.note}>
        {t('export.check')} <code className={classes.hash}>npm run nimo -- log prove &lt;file&gt;</code>
      </p>
    </section>
  );
}
