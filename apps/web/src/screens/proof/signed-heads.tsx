import { ScrollArea } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { DataTable } from '../../components/data-table';
import { RelativeTime } from '../../components/relative-time';
import type { LogProofQuery } from '../../generated/graphql';
import { wholeNumber } from '../../lib/format';
import { CopyText } from './copy-text';
import classes from './proof.module.css';

type Heads = LogProofQuery['getLogProof']['signedHeads'];

/** What was signed last, and lies in a file outside of the database. */
export function SignedHeads({ heads }: { heads: Heads }) {
  const { t } = useTranslation('proof');
  return (
    <section className={classes.card} aria-labelledby="proof-heads">
      <h2 id="proof-heads" className={classes.title}>
        {t('heads.title')}
      </h2>
      <p className={classes.text}>{t('heads.text')}</p>
      {heads.length === 0 ? <p className={classes.note}>{t('heads.none')}</p> : <HeadsTable heads={heads} />}
    </section>
  );
}

function HeadsTable({ heads }: { heads: Heads }) {
  const { t, i18n } = useTranslation('proof');
  const number = (value: number) => wholeNumber(value, i18n.language);
  return (
    <ScrollArea>
      <DataTable
        aria-labelledby="proof-heads"
        miw={640}
        rows={heads}
        keyOf={({ ordinal, keyId }) => `${ordinal} ${keyId}`}
        columns={[
          {
            label: t('heads.events'),
            look: { className: classes.right },
            cell: ({ ordinal }) => number(ordinal),
          },
          {
            label: t('heads.head'),
            cell: ({ head, ordinal }) => (
              <CopyText text={head} label={t('copyHead', { number: number(ordinal) })} />
            ),
          },
          {
            label: t('heads.signed'),
            cell: ({ at }) => (
              <span className={classes.when}>
                <RelativeTime at={at} />
              </span>
            ),
          },
        ]}
      />
    </ScrollArea>
  );
}
