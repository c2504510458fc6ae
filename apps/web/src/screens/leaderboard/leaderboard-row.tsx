import { Accordion } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Medal } from '../../components/medal';
import { PersonAvatar } from '../../components/person-avatar';
import { PersonLink } from '../../features/people/person-link';
import type { LeaderboardRowFragment } from '../../generated/graphql';
import { useCurrentSpace } from '../../lib/auth-storage';
import { wholeNumber } from '../../lib/format';
import classes from './leaderboard-row.module.css';

interface LeaderboardRowProps {
  row: LeaderboardRowFragment;
  isOwn: boolean;
}

export function LeaderboardRow({ row, isOwn }: LeaderboardRowProps) {
  const { t, i18n } = useTranslation('leaderboard');
  const { t: person } = useTranslation('userDetail');
  const space = useCurrentSpace();
  const { rank, student } = row;
  return (
    <Accordion.Item value={row._id} className={classes.item} data-own={isOwn}>
      <Accordion.Control className={classes.control}>
        <span className={classes.row}>
          <span
            className={classes.position}
            data-place={rank}
            aria-label={t('position', { rank })}
            role="img"
          >
            {wholeNumber(rank, i18n.language)}
          </span>
          <span className={classes.person}>
            <PersonAvatar person={student} size={36} />
            <span className={classes.name} title={student.userName}>
              {student.userName}
            </span>
            {isOwn && <span className={classes.you}>{t('you')}</span>}
          </span>
          <Medals metal="gold" count={row.reputations} />
          <Medals metal="silver" count={row.commitments} />
          <span className={classes.points}>
            {t('points', { score: wholeNumber(row.score, i18n.language) })}
          </span>
        </span>
      </Accordion.Control>
      <Accordion.Panel>
        <dl className={classes.counts}>
          <Count label={t('questionsAsked')} count={row.questionsAsked} />
          <Count label={t('questionsAnswered')} count={row.questionsAnswered} />
          <Count label={t('answersAccepted')} count={row.answersAccepted} />
        </dl>
        <PersonLink person={student} space={space?._id ?? ''} className={classes.profile}>
          {person('page', { name: student.userName })}
        </PersonLink>
      </Accordion.Panel>
    </Accordion.Item>
  );
}

function Medals({ metal, count }: { metal: 'gold' | 'silver'; count: number }) {
  const { t, i18n } = useTranslation('leaderboard');
  const shown = wholeNumber(count, i18n.language);
  return (
    <span
      className={classes.medal}

      role="img"
      aria-label={t(metal, { count })}
      title={t(metal, { count })}
    >
      <Medal metal={metal} />
      {shown}
    </span>
  );
}

function Count({ label, count }: { label: string; count: number }) {
  const { i18n } = useTranslation();
  return (
    <div className={classes.count}>
      <dt>{label}</dt>
      <dd>{wholeNumber(count, i18n.language)}</dd>
    </div>
  );
}
