import { Anchor, Button, Group, Pagination, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@apollo/client/react';
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
import { type JudgedVoteRowFragment, VotesForReviewDocument } from '../../../generated/graphql';
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
      <Narrowing space={space} narrowed={narrowed} votes={votes?.docs ?? []} onChange={show} />
      <Listed narrowed={narrowed} votes={votes?.docs ?? []} />
      {narrowed.author !== null && <GiversLink space={space} author={narrowed.author} />}
      {error && !votes && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!error && !votes && <SkeletonRows count={8} height={40} />}
      {votes && (
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
  votes: readonly JudgedVoteRowFragment[];
  onChange: (changes: Partial<Narrowed>) => void;
}

/** Filters by voter, author, post and time. */
function Narrowing({ space, narrowed, votes, onChange }: NarrowingProps) {
  const { t } = useTranslation('areas');
  const nameOf = namesIn(votes, narrowed);
  return (
    <Group role="group" aria-label={t('filters.label')} align="flex-end" gap="sm">
      {subjects.map((subject) => (
        <SubjectInput
          key={subject}
          label={t(`filters.${subject}`)}
          kind={subject === 'post' ? 'post' : 'person'}
          chosen={narrowed[subject]}
          name={nameOf[subject]}
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

/** Names of the people and the post that the votes are filtered by, if a listed vote has them. */
function namesIn(votes: readonly JudgedVoteRowFragment[], { voter, author, post }: Narrowed) {
  const by = votes.find((vote) => vote.voter._id === voter)?.voter;
  const received = votes.find((vote) => vote.author._id === author)?.author;
  return {
    voter: by && shownName(by),
    author: received && shownName(received),
    post: votes.find(({ postId }) => postId === post)?.question.title,
  };
}

/** Heading that says whose votes are listed, and under which filters. */
function Listed({ narrowed, votes }: { narrowed: Narrowed; votes: readonly JudgedVoteRowFragment[] }) {
  const { t, i18n } = useTranslation('patterns');
  const names = namesIn(votes, narrowed);
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
  if (votes.length === 0)
    return <EmptyState icon={IconSearch} title={t('noVotesTitle')} text={t('noVotesText')} />;
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
