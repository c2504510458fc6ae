import { Button, CopyButton } from '@mantine/core';
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs';
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs';
import { useTranslation } from 'react-i18next';
import { timings } from '../../lib/timings';
import classes from './proof.module.css';

/** What others check signatures with. */
export function PublicKeyCard({ keyId, pem }: { keyId: string; pem: string }) {
  const { t } = useTranslation('proof');
  return (
    <section className={classes.card} aria-labelledby="proof-key">
      <div className={classes.row}>
        <h2 id="proof-key" className={classes.title}>
          {t('key.title')}
        </h2>
        <CopyButton value={pem} timeout={timings.copied}>
          {({ copied, copy }) => (
            <Button
              size="xs"
              variant="default"
              leftSection={copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
              onClick={copy}
            >
              {copied ? t('copied') : t('key.copy')}
            </Button>
          )}
        </CopyButton>
      </div>
      <p className={classes.text}>{t('key.text', { keyId })}</p>
      <pre className={classes.pem}>{pem.trim()}</pre>
    </section>
  );
}
