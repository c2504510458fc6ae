import { Anchor, Button, Chip, Group, Skeleton, VisuallyHidden } from '@mantine/core';
import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs';
import IconListDetails from '@tabler/icons-react/dist/esm/icons/IconListDetails.mjs';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router-dom';
import { paths } from '../../../lib/paths';
import { EmptyState } from '../../../components/empty-state';
import { ErrorNotice, QuietNotice } from '../../../components/notices';
import { PageHeading } from '../../../components/page-heading';
import { ListEnd } from '../../../components/paged-rows';
import { SkeletonRows } from '../../../components/skeletons';
import { RuleChanges } from '../../../features/scoring/rule-changes';
import type { ScoreExplanationQuery, ScoreReasonKind } from '../../../generated/graphql';
import { useAuthUser, useCurrentSpace } from '../../../lib/auth-storage';
import { signedNumber, wholeNumber } from '../../../lib/format';
import { DaySection, NoticeDay, Points, type ScoreNotice } from './day-section';
import classes from './score-explanation.module.css';
import { useScoreExplanation } from './use-score-explanation';
import { shownName } from '../../../lib/api/erased';

type Explanation = ScoreExplanationQuery['getScoreExplanation'];

/**
 * Every point of a score with its time and post. `?reason=` filters. `?student=` and, from another space, `?space=`
 * are for moderators.
 */
export default function ScoreExplanationScreen() {
  const { t } = useTranslation('score');
  const current = useCurrentSpace()?._id ?? '';
  const { studentId, kind, space = current, choose } = useAddress();
  const result = useScoreExplanation({ space, kind, ...(studentId !== null && { studentId }) });
  const { overview } = result;
  return (
    <div className={classes.screen}>
      <Anchor component={Link} to={paths.leaderboard} className={classes.back}>
        <IconArrowLeft size={18} stroke={1.75} aria-hidden />
        {t('back')}
      </Anchor>
      <Heading student={overview?.student ?? null} />
      <Head result={result} />
      {overview && overview.reasons.length > 0 && (
        <>
          <ReasonFilter reasons={overview.reasons} chosen={kind} onChoose={choose} />
          <HeldByFloor points={overview.heldByFloor} />
        </>
      )}
      <List result={result} isFiltered={kind !== undefined} onShowAll={() => choose(undefined)} />
    </div>
  );
}

type Result = ReturnType<typeof useScoreExplanation>;

function Head({ result: { overview, changes, error, refetch } }: { result: Result }) {
  if (!overview)
    return error ? (
      <ErrorNotice error={error} onRetry={refetch} />
    ) : (
      <Skeleton height={88} radius="lg" className={classes.overview} />
    );
  return (
    <>
      {error && <QuietNotice error={error} isStale onRetry={refetch} />}
      <Overview explanation={overview} changes={changes} />
    </>
  );
}

function useAddress() {
  const [search, setSearch] = useSearchParams();
  const choose = (chosen: ScoreReasonKind | undefined) => {
    const next = new URLSearchParams(search);
    if (chosen) next.set('reason', chosen);
    else next.delete('reason');
    setSearch(next, { replace: true });
  };
  return {
    studentId: search.get('student'),
    kind: reasonKindOf(search.get('reason')),
    space: search.get('space') ?? undefined,
    choose,
  };
}

interface ListProps {
  result: Result;
  isFiltered: boolean;
  onShowAll: () => void;
}

function List({ result, isFiltered, onShowAll }: ListProps) {
  const { explanation, notices, error, hasMore } = result;
  if (!explanation) return error ? null : <SkeletonRows count={8} height={56} />;
  return (
    <>
      <Days
        explanation={explanation}
        notices={isFiltered ? [] : noticesAmong(explanation, notices, hasMore)}
        isFiltered={isFiltered}
        onShowAll={onShowAll}
      />
      <ListEnd list={result} loading={<SkeletonRows count={2} height={56} />} />
      {!hasMore && explanation.docs.length > 0 && (
        <StartingScore explanation={explanation} isFiltered={isFiltered} />
      )}
    </>
  );
}

/** Undefined for the reader's own score. */
function useOthersName(student: Explanation['student']): string | undefined {
  const user = useAuthUser();
  if (student === null || student._id === user?._id) return undefined;
  return shownName(student);
}

function Heading({ student }: { student: Explanation['student'] }) {
  const { t } = useTranslation('score');
  const name = useOthersName(student);
  return <PageHeading>{name === undefined ? t('title') : t('titleOf', { name })}</PageHeading>;
}

function Overview({ explanation, changes }: { explanation: Explanation; changes: Result['changes'] }) {
  const { t, i18n } = useTranslation('score');
  const number = (value: number) => wholeNumber(value, i18n.language);
  const { score, reputations, commitments, rulesVersion } = explanation;
  return (
    <div className={classes.overview}>
      <p className={classes.sum}>
        {t('sum', {
          score: number(score),
          reputations: number(reputations),
          commitments: number(commitments),
        })}
      </p>
      <p className={classes.note}>{t('note', { version: rulesVersion })}</p>
      <RuleChanges changes={changes} isBrief />
    </div>
  );
}

/** Covers the days loaded so far. */
function noticesAmong(
  { days }: Explanation,
  notices: readonly ScoreNotice[],
  hasMore: boolean,
): readonly ScoreNotice[] {
  const earliest = days.at(-1)?.day;
  return hasMore && earliest !== undefined ? notices.filter(({ day }) => day >= earliest) : notices;
}

interface DaysProps {
  explanation: Explanation;
  notices: readonly ScoreNotice[];
  isFiltered: boolean;
  onShowAll: () => void;
}

function Days({ explanation: { days, docs, student }, notices, isFiltered, onShowAll }: DaysProps) {
  const name = useOthersName(student);
  if (docs.length === 0 && notices.length === 0) {
    return <NoPoints isFiltered={isFiltered} name={name} onShowAll={onShowAll} />;
  }
  const sums = new Map(days.map((day) => [day.day, day]));
  const dates = [...new Set([...sums.keys(), ...notices.map(({ day }) => day)])].sort().reverse();
  return dates.map((date) => {
    const day = sums.get(date);
    const dayNotices = notices.filter((notice) => notice.day === date);
    if (!day) return <NoticeDay key={date} day={date} notices={dayNotices} name={name} />;
    const points = docs.filter((point) => point.day === date);
    return (
      <DaySection
        key={date}
        day={day}
        points={points}
        notices={dayNotices}
        name={name}
        showsFloor={!isFiltered}
      />
    );
  });
}

interface NoPointsProps {
  isFiltered: boolean;
  /** Name of the student, if not the reader. */
  name: string | undefined;
  onShowAll: () => void;
}

/** Suggests what to do next; only readers can earn points for themselves. */
function NoPoints({ isFiltered, name, onShowAll }: NoPointsProps) {
  const { t } = useTranslation('score');
  if (isFiltered) {
    const action = (
      <Button variant="default" onClick={onShowAll}>
        {t('showAll')}
      </Button>
    );
    const [title, text] = [t('emptyFilterTitle'), t('emptyFilterText')];
    return <EmptyState icon={IconListDetails} title={title} text={text} action={action} />;
  }
  if (name !== undefined)
    return <EmptyState icon={IconListDetails} title={t('emptyTitle')} text={t('emptyTextOf', { name })} />;
  const action = (
    <Button component={Link} to={paths.dashboard}>
      {t('toQuestions')}
    </Button>
  );
  return <EmptyState icon={IconListDetails} title={t('emptyTitle')} text={t('emptyText')} action={action} />;
}

/** The starting score, so that the sums add up from the first line. */
function StartingScore({ explanation, isFiltered }: { explanation: Explanation; isFiltered: boolean }) {
  const { t } = useTranslation('score');
  if (isFiltered) return <VisuallyHidden role="status">{t('end')}</VisuallyHidden>;
  return (
    <Group className={classes.beginning} justify="space-between">
      <span>{t('start')}</span>
      <Points reputations={explanation.startingReputations} commitments={0} />
    </Group>
  );
}

interface ReasonFilterProps {
  reasons: ScoreExplanationQuery['getScoreExplanation']['reasons'];
  chosen: ScoreReasonKind | undefined;
  onChoose: (kind: ScoreReasonKind | undefined) => void;
}

const ALL = '';

/** One reason or all of them, each with its total. */
function ReasonFilter({ reasons, chosen, onChoose }: ReasonFilterProps) {
  const { t, i18n } = useTranslation('score');
  // Single selection, though the kit's type allows several.
  const choose = (value: string | string[]) => onChoose(reasons.find(({ kind }) => kind === value)?.kind);
  return (
    <Chip.Group value={chosen ?? ALL} onChange={choose}>
      <Group className={classes.reasons} gap="xs" role="radiogroup" aria-label={t('filter')}>
        <Chip value={ALL} size="sm">
          {t('all')}
        </Chip>
        {reasons.map(({ kind, reputations, commitments }) => (
          <Chip key={kind} value={kind} size="sm">
            {t('reasonSum', {
              reason: t(`reason.${kind}`),
              points: signedNumber(reputations + commitments, i18n.language),
            })}
          </Chip>
        ))}
      </Group>
    </Chip.Group>
  );
}

/** The totals by reason are nominal: with this line they add up to the score. */
function HeldByFloor({ points }: { points: number }) {
  const { t, i18n } = useTranslation('score');
  if (points === 0) return null;
  return (
    <p className={classes.note}>
      {t('reasonSum', { reason: t('floor'), points: signedNumber(points, i18n.language) })}
    </p>
  );
}

const kinds: { readonly [Kind in ScoreReasonKind]: Kind } = {
  QUESTION_POSTED: 'QUESTION_POSTED',
  ANSWER_POSTED: 'ANSWER_POSTED',
  COMMENT_POSTED: 'COMMENT_POSTED',
  UPVOTE_CAST: 'UPVOTE_CAST',
  DOWNVOTE_CAST: 'DOWNVOTE_CAST',
  QUESTION_UPVOTED: 'QUESTION_UPVOTED',
  QUESTION_DOWNVOTED: 'QUESTION_DOWNVOTED',
  ANSWER_UPVOTED: 'ANSWER_UPVOTED',
  ANSWER_DOWNVOTED: 'ANSWER_DOWNVOTED',
  ANSWER_ACCEPTED: 'ANSWER_ACCEPTED',
  ACCEPTED_AN_ANSWER: 'ACCEPTED_AN_ANSWER',
  POST_REPORTED: 'POST_REPORTED',
};

/** Parses a reason from the URL; undefined if unknown. */
const reasonKindOf = (name: string | null): ScoreReasonKind | undefined =>
  Object.values(kinds).find((kind) => kind === name);
