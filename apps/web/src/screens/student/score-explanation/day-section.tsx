import { Anchor } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../../lib/paths';
import { PointCount } from '../../../components/point-count';
import { RelativeTime } from '../../../components/relative-time';
import cut from '../../../components/rich-text/cut-line.module.css';
import { InlineText } from '../../../components/rich-text/inline-text';
import type {
  ScoreDaySumFragment,
  ScoreNoticesQuery,
  ScorePointLineFragment,
} from '../../../generated/graphql';
import { longDay, wholeNumber } from '../../../lib/format';
import classes from './score-explanation.module.css';

export type ScoreNotice = ScoreNoticesQuery['getScoreNotices'][number];

interface DaySectionProps {
  day: ScoreDaySumFragment;
  points: readonly ScorePointLineFragment[];
  notices: readonly ScoreNotice[];
  /** Undefined for the reader's own score. */
  name: string | undefined;
  /** Hidden when filtered: it belongs to the whole day. */
  showsFloor: boolean;
}

/** A day's points, with the score before and after. */
export function DaySection({ day, points, notices, name, showsFloor }: DaySectionProps) {
  const { t, i18n } = useTranslation('score');
  const before = day.scoreAfter - day.reputations - day.commitments - day.heldByFloor;
  const number = (value: number) => wholeNumber(value, i18n.language);
  const date = longDay(day.day, i18n.language);
  return (
    <section className={classes.day} aria-label={date}>
      <header className={classes.dayHead}>
        <h2>
          <time dateTime={day.day}>{date}</time>
        </h2>
        <span>{t('daySum', { before: number(before), after: number(day.scoreAfter) })}</span>
      </header>
      <ul className={classes.lines}>
        {notices.map((notice) => (
          <NoticeLine key={notice._id} notice={notice} name={name} />
        ))}
        {points.map((point) => (
          <Line key={point._id} point={point} />
        ))}
        {showsFloor && day.heldByFloor > 0 && (
          <li className={classes.line}>
            <span className={classes.what}>{t('floor')}</span>
            <Points reputations={day.heldByFloor} commitments={0} />
          </li>
        )}
      </ul>
    </section>
  );
}

/** A day without points on which votes were reviewed. */
export function NoticeDay({
  day,
  notices,
  name,
}: Pick<DaySectionProps, 'notices' | 'name'> & { day: string }) {
  const { i18n } = useTranslation('score');
  const date = longDay(day, i18n.language);
  return (
    <section className={classes.day} aria-label={date}>
      <header className={classes.dayHead}>
        <h2>
          <time dateTime={day}>{date}</time>
        </h2>
      </header>
      <ul className={classes.lines}>
        {notices.map((notice) => (
          <NoticeLine key={notice._id} notice={notice} name={name} />
        ))}
      </ul>
    </section>
  );
}

interface NoticeLineProps {
  notice: ScoreNotice;
  name: string | undefined;
}

/** Has no points itself: the votes' points are removed or restored on the days they were cast. */
function NoticeLine({ notice: { kind, side, category, count, post }, name }: NoticeLineProps) {
  const { t } = useTranslation('score');
  return (
    <li className={classes.line}>
      <span className={classes.what}>
        <span className={classes.reason}>
          {name === undefined
            ? t(`notice.${kind}_${side}`, { count })
            : t(`noticeOf.${kind}_${side}`, { count, name })}
          <span className={classes.when}>{t(`noticeReason.${category}`)}</span>
        </span>
        <PostLink post={{ ...post, isRemoved: false }} />
      </span>
    </li>
  );
}

function Line({ point }: { point: ScorePointLineFragment }) {
  const { t } = useTranslation('score');
  return (
    <li className={classes.line}>
      <span className={classes.what}>
        <span className={classes.reason}>
          {t(`activity.${point.kind}`, { count: point.count })}
          {point.occurredAt !== null && <RelativeTime at={point.occurredAt} className={classes.when} />}
        </span>
        <PostLink post={point.post} />
      </span>
      <Points {...point} />
    </li>
  );
}

function PostLink({
  post: { question, isRemoved },
}: {
  post: Pick<ScorePointLineFragment['post'], 'question' | 'isRemoved'>;
}) {
  const { t } = useTranslation('score');
  if (!question) return <span className={classes.removed}>{t('removedQuestion')}</span>;
  return (
    <span className={classes.post}>
      <Anchor
        component={Link}
        to={paths.singleQuestion(question._id, 'home')}
        className={`${cut.line} ${classes.title}`}
      >
        <bdi>
          <InlineText text={question.title} />
        </bdi>
      </Anchor>
      {isRemoved && <span className={classes.removed}>{t('removedPost')}</span>}
    </span>
  );
}

interface Moved {
  reputations: number;
  commitments: number;
}

/** An activity with its points, +50 or −5, each next to its medal. */
export function Points({ reputations, commitments }: Moved) {
  const { t } = useTranslation('score');
  const countOf = (metal: 'gold' | 'silver', count: number) =>
    count !== 0 && (
      <PointCount metal={metal} size={18} points={count} nameOf={(shown) => t(metal, { points: shown })} />
    );
  return (
    <span className={classes.points}>
      {countOf('gold', reputations)}
      {countOf('silver', commitments)}
    </span>
  );
}
