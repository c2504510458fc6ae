import { Badge } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { LogProofQuery } from '../../generated/graphql';
import { RelativeTime } from '../../components/relative-time';
import { relativeTime, wholeNumber } from '../../lib/format';
import { CopyText } from './copy-text';
import classes from './proof.module.css';

/** The api counts no further. */
const mostBehind = 1000;

function ChainBadge({ proof }: { proof: LogProofQuery['getLogProof'] }) {
  const { t, i18n } = useTranslation('proof');
  const { ordinal, behind, verifiedAt, misfits } = proof;
  const number = wholeNumber(ordinal, i18n.language);
  const state = (): readonly [color: string, text: string] => {
    if (misfits.length > 0) return ['red', t('chain.misfit')];
    if (behind >= mostBehind)
      return ['orange', t('chain.farBehind', { number: wholeNumber(behind, i18n.language) })];
    if (behind > 0) return ['orange', t('chain.behind', { count: behind })];
    if (verifiedAt === null) return ['orange', t('chain.notVerified', { number })];
    const ago = relativeTime(new Date(verifiedAt), new Date(), i18n.language);
    return ['green', t('chain.verified', { number, ago })];
  };
  const [color, text] = state();
  return (
    <Badge color={color} variant="light" role="status" tt="none">
      {text}
    </Badge>
  );
}

export function ChainCard({ proof }: { proof: LogProofQuery['getLogProof'] }) {
  const { t, i18n } = useTranslation('proof');
  const { ordinal, head, behind, wholeVerifiedAt } = proof;
  return (
    <section className={classes.card} aria-labelledby="proof-chain">
      <div className={classes.row}>
        <h2 id="proof-chain" className={classes.title}>
          {t('chain.title')}
        </h2>
        <ChainBadge proof={proof} />
      </div>
      <dl className={classes.facts}>
        <dt>{t('chain.events')}</dt>
        <dd className={classes.number}>{wholeNumber(ordinal, i18n.language)}</dd>
        <dt>{t('chain.head')}</dt>
        <dd>
          <CopyText text={head} label={t('copyHead', { number: wholeNumber(ordinal, i18n.language) })} />
        </dd>
        <dt>{t('chain.whole')}</dt>
        <dd>{wholeVerifiedAt === null ? t('chain.never') : <RelativeTime at={wholeVerifiedAt} />}</dd>
      </dl>
      {behind > 0 && <p className={classes.note}>{t('chain.behindHint')}</p>}
    </section>
  );
}
