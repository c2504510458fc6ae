import { Accordion, Button } from '@mantine/core';
import IconTrophy from '@tabler/icons-react/dist/esm/icons/IconTrophy.mjs';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../../lib/paths';
import { EmptyState } from '../../../components/empty-state';
import { Medal } from '../../../components/medal';
import { MoreButton, PagedRows } from '../../../components/paged-rows';
import { PersonAvatar } from '../../../components/person-avatar';
import { PersonLink } from '../../../features/people/person-link';
import { LeaderboardDocument, type LeaderboardRowFragment } from '../../../generated/graphql';
import { useAuthUser, useCurrentSpace } from '../../../lib/auth-storage';
import { wholeNumber } from '../../../lib/format';
import {
  idOf,
  mergeRows,
  useListPolicy,
  useMore,
  useNextPage,
  usePagedList,
} from '../../../lib/api/paged-list';
import classes from './leaderboard-row.module.css';
import { shownName } from '../../../lib/api/erased';

/** First page of the list; a jump shows the reader's own row. */
export interface Start {
  page: number;
  /** Number of jumps; 0 before the first. */
  jump: number;
}

export function LeaderboardRows({ space, start }: { space: string; start: Start }) {
  const { t } = useTranslation('leaderboard');
  const user = useAuthUser();
  const board = useLeaderboard(space, start.page);
  const { hasPrevious, previousPage } = board;
  const list = useOwnRowInView(start.jump, board.rows);
  return (
    <PagedRows list={board} count={10} height={60} empty={<EmptyLeaderboard />}>
      {(rows) => (
        <>
          {hasPrevious && (
            <MoreButton variant="subtle" fullWidth mb="xs" isAbove nextPage={previousPage}>
              {t('showHigher')}
            </MoreButton>
          )}
          <div ref={list}>
            <Accordion multiple chevronPosition="right" variant="unstyled">
              {rows.map((row) => (
                <LeaderboardRow key={row._id} row={row} isOwn={row.student._id === user?._id} />
              ))}
            </Accordion>
          </div>
        </>
      )}
    </PagedRows>
  );
}

/** After each jump, once the rows have loaded: centres the reader's row and focuses it. */
function useOwnRowInView(jump: number, rows: readonly unknown[] | undefined) {
  const list = useRef<HTMLDivElement>(null);
  const shown = useRef(0);
  useEffect(() => {
    if (jump === shown.current) return;
    const control = list.current?.querySelector<HTMLElement>('[data-own="true"] button');
    if (!control) return;
    shown.current = jump;
    control.focus({ preventScroll: true });
    control.scrollIntoView({ block: 'center' });
  }, [jump, rows]);
  return list;
}

function EmptyLeaderboard() {
  const { t } = useTranslation('leaderboard');
  const action = (
    <Button component={Link} to={paths.dashboard}>
      {t('toQuestions')}
    </Button>
  );
  return <EmptyState icon={IconTrophy} title={t('emptyTitle')} text={t('emptyText')} action={action} />;
}

interface LeaderboardRowProps {
  row: LeaderboardRowFragment;
  isOwn: boolean;
}

function LeaderboardRow({ row, isOwn }: LeaderboardRowProps) {
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
            <span className={classes.name} title={shownName(student)}>
              {shownName(student)}
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
        {student.userName !== '' && (
          <PersonLink person={student} space={space?._id} className={classes.profile}>
            {person('page', { name: student.userName })}
          </PersonLink>
        )}
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

export const rowsOfPage = 20;

/**
 * The rows loaded so far, with the next and the previous page.
 * @param firstPage where the list begins: one's own rank may be thousands of rows down
 */
function useLeaderboard(space: string, firstPage: number) {
  const variables = { space, page: firstPage };
  const { data, ...list } = usePagedList(
    LeaderboardDocument,
    variables,
    'getPaginatedLeaderboardScores',
    useListPolicy(),
  );
  const readMore = useMore(LeaderboardDocument, variables);
  const pageAbove = pageBefore(data?.getPaginatedLeaderboardScores.docs);
  const previousPage = useNextPage(JSON.stringify(variables), () =>
    readMore({ page: pageAbove }, (known, { getPaginatedLeaderboardScores: above }) => {
      const { getPaginatedLeaderboardScores: loaded } = known;
      // A refetched list may begin further down.
      if (pageBefore(loaded.docs) !== pageAbove) return known;
      return { getPaginatedLeaderboardScores: { ...loaded, docs: mergeRows(above.docs, loaded.docs, idOf) } };
    }),
  );
  return { ...list, hasPrevious: pageAbove > 0, previousPage };
}

/** The page above these rows; 0 at the top. */
function pageBefore(rows: readonly LeaderboardRowFragment[] | undefined): number {
  return rows?.[0] ? Math.ceil((rows[0].rank - 1) / rowsOfPage) : 0;
}
