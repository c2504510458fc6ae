import { Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { SaveButtons } from '../../components/save-buttons';
import classes from './proof.module.css';

const formats = ['csv', 'ndjson'] as const;

/** The audit of all one's spaces as a file that proves itself. */
export function ProvenExport() {
  const { t } = useTranslation('proof');
  const files = formats.map((format) => ({
    label: t(`export.${format}`),
    address: `/audit/proof/export.${format}`,
    otherwiseNamed: `nimo-audit-proven.${format}`,
  }));
  return (
    <section className={classes.card} aria-labelledby="proof-export">
      <h2 id="proof-export" className={classes.title}>
        {t('export.title')}
      </h2>
      <p className={classes.text}>{t('export.text')}</p>
      <Group gap="xs">
        <SaveButtons files={files} cancelLabel={t('export.cancel')} />
      </Group>
      <p className={classes.note}>
        {t('export.check')} <code className={classes.hash}>npm run nimo -- log prove &lt;file&gt;</code>
      </p>
    </section>
  );
}
