import { Badge } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { LogProofQuery } from '../../generated/graphql';
import { RelativeTime } from '../../components/relative-time';
import { relativeTime, wholeNumber } from '../../lib/format';
import { CopyText } from './copy-text';
import classes from './proof.module.css';

const badgeColor = (isWell: boolean, behind: number): string =>
  isWell ? (behind === 0 ? 'green' : 'orange') : 'red';

/** The api counts no further. */
const mostBehind = 1000;

export function ChainCard({ proof }: { proof: LogProofQuery['getLogProof'] }) {
  const { t, i18n } = useTranslation('proof');
  const { ordinal, head, behind, verifiedAt, wholeVerifiedAt, misfits } = proof;
  const isWell = misfits.length === 0;
  const number = wholeNumber(ordinal, i18n.language);
  const ago = verifiedAt === null ? null : relativeTime(new Date(verifiedAt), new Date(), i18n.language);
  const count = wholeNumber(behind, i18n.language);
  return (
    <section className={classes.card} aria-labelledby="proof-chain">
      <div className={classes.row}>
        <h2 id="proof-chain" className={classes.title}>
          {t('chain.title')}
        </h2>
        <Badge color={badgeColor(isWell, behind)} variant="light" role="status" tt="none">
          {!isWell && t('chain.misfit')}
          {isWell && behind === 0 && ago !== null && t('chain.verified', { number, ago })}
          {isWell && behind === 0 && ago === null && t('chain.notVerified', { number })}
          {isWell && behind > 0 && behind < mostBehind && t('chain.behind', { count: behind })}
          {isWell && behind >= mostBehind && t('chain.farBehind', { number: count })}
        </Badge>
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
