import { Anchor, Group, Pagination, Stack, Text } from '@mantine/core';
import { useQuery } from '@apollo/client/react';
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router-dom';
import { paths } from '../../app/paths';
import { EmptyState } from '../../components/empty-state';
import { ErrorNotice } from '../../components/error-notice';
import { PageHeading } from '../../components/page-heading';
import { SkeletonRows } from '../../components/skeletons';
import { SpaceChoice } from '../../features/areas/space-choice';
import { useChosenSpace } from '../../features/areas/use-chosen-space';
import { CaseForm } from '../../features/vote-cases/case-form';
import { VotesTable } from '../../features/vote-cases/votes-table';
import { VotesToJudgeDocument } from '../../generated/graphql';

/** Votes of a space to choose from by hand; `?voter=`, `?author=` and `?post=` narrow them. */
export default function VotesScreen() {
  const { t } = useTranslation('patterns');
  const { spaces, chosen, choose, error, refetch } = useChosenSpace();
  const back = `${paths.votePatterns}?${new URLSearchParams(chosen === undefined ? {} : { space: chosen })}`;
  return (
    <Stack gap="lg">
      <Anchor component={Link} to={back}>
        {t('back')}
      </Anchor>
      <PageHeading>{t('byHand')}</PageHeading>
      <Text>{t('byHandIntro')}</Text>
      {error && !spaces && <ErrorNotice error={error} onRetry={refetch} />}
      <Group>
        <SpaceChoice {...{ spaces, chosen, choose }} />
      </Group>
      {chosen !== undefined && <VotesOfSpace key={chosen} space={chosen} />}
    </Stack>
  );
}

function VotesOfSpace({ space }: { space: string }) {
  const { t } = useTranslation('patterns');
  const [search, setSearch] = useSearchParams();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const page = Math.max(1, Number(search.get('page')) || 1);
  const variables = {
    space,
    voter: search.get('voter'),
    author: search.get('author'),
    post: search.get('post'),
    page,
  };
  const { data, error, refetch } = useQuery(VotesToJudgeDocument, {
    variables,
    fetchPolicy: 'cache-and-network',
  });
  const votes = data?.getVotesToJudge;
  const turnTo = (next: number) => {
    const params = new URLSearchParams(search);
    params.set('page', String(next));
    setSearch(params);
  };
  return (
    <>
      {error && !votes && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!error && !votes && <SkeletonRows count={8} height={40} />}
      {votes && votes.docs.length === 0 && (
        <EmptyState icon={IconSearch} title={t('noVotesTitle')} text={t('noVotesText')} />
      )}
      {votes && votes.docs.length > 0 && (
        <>
          <VotesTable
            label={t('votes')}
            votes={votes.docs}
            spaceId={space}
            choice={{ chosen, onChoose: setChosen }}
          />
          {votes.totalPages > 1 && (
            <Pagination
              total={votes.totalPages}
              value={page}
              onChange={turnTo}
              getControlProps={(control) => ({ 'aria-label': t(`pages.${control}`) })}
            />
          )}
          {chosen.size > 0 && <CaseForm chosen={chosen} suggested="OTHER" />}
        </>
      )}
    </>
  );
}
