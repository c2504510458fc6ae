import { Anchor, Button, Group, Pagination, Stack, Text, Title } from '@mantine/core';
import { skipToken, useQuery } from '@apollo/client/react';
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { exactTime } from '../../../lib/format';
import { paths } from '../../../lib/paths';
import { EmptyState } from '../../../components/empty-state';
import { ErrorNotice } from '../../../components/notices';
import { PageHeading } from '../../../components/page-heading';
import { SkeletonRows } from '../../../components/skeletons';
import { SpaceChoice, useChosenSpace } from '../../../features/areas/space-choice';
import { MinuteInput, SubjectInput } from '../../../features/filters/subject-input';
import { idIn, minuteIn, spanOf, useAddressParams } from '../../../features/filters/address-params';
import { CaseForm } from '../../../features/vote-cases/case-form';
import { GiversLink } from '../../../features/vote-cases/givers-link';
import { ReachableDecision } from '../../../features/vote-cases/reachable-decision';
import { VotesTable } from '../../../features/vote-cases/votes-table';
import {
  type JudgedVoteRowFragment,
  ReviewedPersonDocument,
  VoteGiversDocument,
  VotesForReviewDocument,
} from '../../../generated/graphql';
import { shownName } from '../../../lib/api/erased';

/** Manual selection of votes in a space. The filters are in the URL. */
export default function VotesScreen() {
  const { t } = useTranslation('patterns');
  const { spaces, chosen, choose, error, refetch } = useChosenSpace();
  const back = `${paths.votePatterns}?${new URLSearchParams(chosen === undefined ? {} : { space: chosen })}`;
  return (
    <Stack gap="lg">
      <Anchor component={Link} to={back}>
        {t('back')}
      </Anchor>
      <PageHeading>{t('manual')}</PageHeading>
      <Text>{t('manualIntro')}</Text>
      {error && !spaces && <ErrorNotice error={error} onRetry={refetch} />}
      <Group>
        <SpaceChoice {...{ spaces, chosen, choose }} />
      </Group>
      {chosen !== undefined && <VotesOfSpace key={chosen} space={chosen} />}
    </Stack>
  );
}

const subjects = ['voter', 'author', 'post'] as const;
const ends = ['from', 'until'] as const;

type Narrowed = Readonly<Record<(typeof subjects)[number] | (typeof ends)[number], string | null>>;

function narrowedBy(params: URLSearchParams): Narrowed {
  const id = (name: string) => idIn(params.get(name) ?? '');
  return {
    voter: id('voter'),
    author: id('author'),
    post: id('post'),
    from: minuteIn(params.get('from'), 'first'),
    until: minuteIn(params.get('until'), 'last'),
  };
}

function VotesOfSpace({ space }: { space: string }) {
  const [search, change] = useAddressParams();
  const narrowed = narrowedBy(search);
  const page = Math.max(1, Math.trunc(Number(search.get('page'))) || 1);
  const { from, until, ...people } = narrowed;
  const { data, error, refetch } = useQuery(VotesForReviewDocument, {
    variables: { space, ...people, ...spanOf(from, until), page },
    fetchPolicy: 'cache-and-network',
  });
  const votes = data?.getVotesForReview;
  const names = useNames(space, narrowed, votes?.docs);
  const show = (changes: Partial<Narrowed>, turnedTo = 1) =>
    change((latest) => {
      const params = new URLSearchParams({ space });
      for (const [name, value] of Object.entries({ ...narrowedBy(latest), ...changes }))
        if (value !== null) params.set(name, value);
      if (turnedTo > 1) params.set('page', String(turnedTo));
      return params;
    });
  return (
    <>
      <Narrowing space={space} narrowed={narrowed} names={names} onChange={show} />
      <Listed narrowed={narrowed} names={names} />
      {narrowed.author !== null && <GiversLink space={space} author={narrowed.author} />}
      {error && !votes && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!error && !votes && <SkeletonRows count={8} height={40} />}
      {votes?.docs.length === 0 && <NoVotes space={space} narrowed={narrowed} names={names} />}
      {votes && votes.docs.length > 0 && (
        <Choice
          // Changed filters clear the selection, so that no unseen vote is invalidated.
          key={JSON.stringify(narrowed)}
          space={space}
          votes={votes.docs}
          page={page}
          totalPages={votes.totalPages}
          onTurn={(next) => show({}, next)}
        />
      )}
    </>
  );
}

interface NarrowingProps {
  space: string;
  narrowed: Narrowed;
  names: Names;
  onChange: (changes: Partial<Narrowed>) => void;
}

/** Filters by voter, author, post and time. */
function Narrowing({ space, narrowed, names, onChange }: NarrowingProps) {
  const { t } = useTranslation('areas');
  return (
    <Group role="group" aria-label={t('filters.label')} align="flex-end" gap="sm">
      {subjects.map((subject) => (
        <SubjectInput
          key={subject}
          label={t(`filters.${subject}`)}
          kind={subject === 'post' ? 'post' : 'person'}
          chosen={narrowed[subject]}
          name={names[subject]}
          space={space}
          onChange={(id) => onChange({ [subject]: id })}
        />
      ))}
      {ends.map((end) => (
        <MinuteInput
          key={end}
          label={t(`filters.${end}`)}
          minute={narrowed[end]}
          onChange={(minute) => onChange({ [end]: minute })}
        />
      ))}
      {Object.values(narrowed).some((value) => value !== null) && (
        <Button
          variant="subtle"
          onClick={() => onChange({ voter: null, author: null, post: null, from: null, until: null })}
        >
          {t('filters.clear')}
        </Button>
      )}
    </Group>
  );
}

type Names = Readonly<Partial<Record<(typeof subjects)[number], string | undefined>>>;

/** Names of the people and the post that the votes are filtered by. A post is only named by a listed vote. */
function useNames(
  space: string,
  { voter, author, post }: Narrowed,
  votes: readonly JudgedVoteRowFragment[] | undefined,
): Names {
  const by = votes?.find((vote) => vote.voter._id === voter)?.voter;
  const received = votes?.find((vote) => vote.author._id === author)?.author;
  const isLoaded = votes !== undefined;
  return {
    voter: useUserName(space, isLoaded && !by ? voter : null) ?? (by && shownName(by)),
    author: useUserName(space, isLoaded && !received ? author : null) ?? (received && shownName(received)),
    post: votes?.find(({ postId }) => postId === post)?.question.title,
  };
}

function useUserName(space: string, studentId: string | null): string | undefined {
  const { data } = useQuery(
    ReviewedPersonDocument,
    studentId === null ? skipToken : { variables: { studentId, space } },
  );
  return studentId === null ? undefined : data?.getStudentDetail?.userName;
}

interface NoVotesProps {
  space: string;
  narrowed: Narrowed;
  names: Names;
}

/** Says why there is nothing to review: the votes of an import have no known voters. */
function NoVotes({ space, narrowed: { author, ...others }, names }: NoVotesProps) {
  const { t } = useTranslation('patterns');
  const isOfAuthor = author !== null && Object.values(others).every((value) => value === null);
  const { data } = useQuery(
    VoteGiversDocument,
    isOfAuthor ? { variables: { space, author, page: 1 } } : skipToken,
  );
  const { upvotes = 0, downvotes = 0 } = data?.getVoteGivers.unknown ?? {};
  const count = upvotes + downvotes;
  return (
    <EmptyState
      icon={IconSearch}
      title={t('noVotesTitle')}
      text={count > 0 ? t('unknownVotes', { count, name: names.author ?? '' }) : t('noVotesText')}
    />
  );
}

/** Heading that says whose votes are listed, and under which filters. */
function Listed({ narrowed, names }: { narrowed: Narrowed; names: Names }) {
  const { t, i18n } = useTranslation('patterns');
  const parts = [
    ...subjects.flatMap((subject) =>
      narrowed[subject] === null
        ? []
        : [t(`listed.${subject}`, { name: names[subject] ?? t(`listed.unknown.${subject}`) })],
    ),
    ...ends.flatMap((end) => {
      const minute = narrowed[end];
      return minute === null
        ? []
        : [t(`listed.${end}`, { time: exactTime(new Date(minute), i18n.language) })];
    }),
  ];
  return (
    <Title order={2} aria-live="polite">
      {parts.length === 0 ? t('listed.all') : t('listed.some', { filters: parts.join(', ') })}
    </Title>
  );
}

interface ChoiceProps {
  space: string;
  votes: readonly JudgedVoteRowFragment[];
  page: number;
  totalPages: number;
  onTurn: (page: number) => void;
}

function Choice({ space, votes, page, totalPages, onTurn }: ChoiceProps) {
  const { t } = useTranslation('patterns');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  return (
    <ReachableDecision
      isBelow
      decision={<CaseForm chosen={chosen} suggested="OTHER" />}
      summary={t('form.selected', { count: chosen.size })}
    >
      <Stack gap="md">
        <VotesTable
          label={t('votes')}
          votes={votes}
          spaceId={space}
          choice={{ chosen, onChoose: setChosen }}
        />
        {totalPages > 1 && (
          <Pagination
            total={totalPages}
            value={page}
            onChange={onTurn}
            getControlProps={(control) => ({ 'aria-label': t(`pages.${control}`) })}
          />
        )}
      </Stack>
    </ReachableDecision>
  );
}
