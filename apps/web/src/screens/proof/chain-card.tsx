import { Badge } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { LogProofQuery } from '../../generated/graphql';
import { wholeNumber } from '../../lib/format';
import { CopyText } from './copy-text';
import classes from './proof.module.css';

/** The api counts no further. */
const mostBehind = 1000;

export function ChainCard({ proof: { ordinal, head, behind } }: { proof: LogProofQuery['getLogProof'] }) {
  const { t, i18n } = useTranslation('proof');
  const count = wholeNumber(behind, i18n.language);
  return (
    <section className={classes.card} aria-labelledby="proof-chain">
      <div className={classes.row}>
        <h2 id="proof-chain" className={classes.title}>
          {t('chain.title')}
        </h2>
        <Badge color={behind === 0 ? 'green' : 'orange'} variant="light" role="status">
          {behind === 0 && t('chain.upToDate')}
          {behind > 0 && behind < mostBehind && t('chain.behind', { count: behind })}
          {behind >= mostBehind && t('chain.farBehind', { number: count })}
        </Badge>
      </div>
      <dl className={classes.facts}>
        <dt>{t('chain.events')}</dt>
        <dd className={classes.number}>{wholeNumber(ordinal, i18n.language)}</dd>
        <dt>{t('chain.head')}</dt>
        <dd>
          <CopyText text={head} label={t('copyHead', { number: wholeNumber(ordinal, i18n.language) })} />
        </dd>
      </dl>
      {behind > 0 && <p className={classes.note}>{t('chain.behindHint')}</p>}
    </section>
  );
}
