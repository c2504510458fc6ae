import { useQuery } from '@apollo/client/react';
import { Anchor, Pagination, Stack, Text } from '@mantine/core';
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../../lib/paths';
import { DataTable } from '../../../components/data-table';
import { EmptyState } from '../../../components/empty-state';
import { ErrorNotice } from '../../../components/notices';
import { ExactTime } from '../../../components/exact-time';
import { PageHeading } from '../../../components/page-heading';
import { SkeletonRows } from '../../../components/skeletons';
import { useModeratedSpaces } from '../../../features/areas/use-moderated-spaces';
import { useAddressParams } from '../../../features/filters/address-params';
import { PersonName } from '../../../features/vote-cases/person-name';
import { VoteGiversDocument, type VoteGiversQuery } from '../../../generated/graphql';
import { shownName } from '../../../lib/api/erased';
import { wholeNumber } from '../../../lib/format';

type Givers = VoteGiversQuery['getVoteGivers'];
type Giver = Givers['docs'][number];
type Counts = Givers['received'];

const sum = ({ upvotes, downvotes }: Counts): number => upvotes + downvotes;

/** The voters of a person in a space, both named by the URL. */
export default function VoteGiversScreen() {
  const { t } = useTranslation('patterns');
  const [search, change] = useAddressParams();
  const [space, author] = [search.get('space') ?? '', search.get('author') ?? ''];
  const page = Math.max(1, Math.trunc(Number(search.get('page'))) || 1);
  const { data, error, refetch } = useQuery(VoteGiversDocument, {
    variables: { space, author, page },
    fetchPolicy: 'cache-and-network',
  });
  const givers = data?.getVoteGivers;
  const turn = (next: number) =>
    change(() => new URLSearchParams({ space, author, ...(next > 1 && { page: String(next) }) }));
  return (
    <Stack gap="lg">
      <Anchor component={Link} to={paths.votesToReview({ space, author })}>
        {t('manual')}
      </Anchor>
      <PageHeading>
        {givers ? t('givers.title', { name: shownName(givers.author) }) : t('givers.link')}
      </PageHeading>
      {error && !givers && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!error && !givers && <SkeletonRows count={8} height={40} />}
      {givers && <Found givers={givers} space={space} />}
      {givers && givers.totalPages > 1 && (
        <Pagination
          total={givers.totalPages}
          value={page}
          onChange={turn}
          getControlProps={(control) => ({ 'aria-label': t(`pages.${control}`) })}
        />
      )}
    </Stack>
  );
}

function Found({ givers, space }: { givers: Givers; space: string }) {
  const { t, i18n } = useTranslation('patterns');
  const { spaces } = useModeratedSpaces();
  const { author, received, unknown } = givers;
  const name = shownName(author);
  const counts = (of: Counts) => ({
    upvotes: wholeNumber(of.upvotes, i18n.language),
    downvotes: wholeNumber(of.downvotes, i18n.language),
  });
  return (
    <>
      <Text>{t('givers.lead', { name, space: spaces?.find(({ _id }) => _id === space)?.name ?? '…' })}</Text>
      <Text>
        {t('givers.received', counts(received))}
        {sum(unknown) > 0 && ` ${t('givers.unknown', counts(unknown))}`}
      </Text>
      {givers.docs.length === 0 ? (
        <EmptyState icon={IconSearch} title={t('givers.emptyTitle')} text={t('givers.emptyText')} />
      ) : (
        <GiversTable givers={givers} space={space} label={t('givers.title', { name })} />
      )}
    </>
  );
}

function GiversTable({ givers, space, label }: { givers: Givers; space: string; label: string }) {
  const { t, i18n } = useTranslation('patterns');
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent' });
  const ofAll = (votes: number, all: number) =>
    t('givers.ofAll', {
      votes: wholeNumber(votes, i18n.language),
      all: wholeNumber(all, i18n.language),
      share: percent.format(votes / Math.max(1, all)),
    });
  const time = (at: string | null) => (at === null ? '–' : <ExactTime at={at} />);
  return (
    <DataTable
      minWidth={1_080}
      aria-label={label}
      verticalSpacing="xs"
      rows={givers.docs}
      keyOf={({ voter }) => voter._id}
      columns={[
        {
          label: t('column.voter'),
          isRowHeader: true,
          cell: ({ voter }) => <PersonName person={voter} spaceId={space} />,
        },
        { label: t('givers.column.votes'), cell: (giver) => <Votes of={giver} /> },
        { label: t('givers.column.received'), cell: (giver) => ofAll(sum(giver), sum(givers.received)) },
        { label: t('givers.column.given'), cell: (giver) => ofAll(sum(giver), sum(giver.given)) },
        { label: t('givers.column.posts'), cell: ({ posts }) => wholeNumber(posts, i18n.language) },
        { label: t('givers.column.memberSince'), cell: ({ memberSince }) => time(memberSince) },
        { label: t('givers.column.first'), cell: ({ firstVoteAt }) => time(firstVoteAt) },
        { label: t('givers.column.last'), cell: ({ lastVoteAt }) => time(lastVoteAt) },
        {
          label: t('givers.column.actions'),
          isLabelHidden: true,
          cell: ({ voter }) => <GiverLinks voter={voter} author={givers.author} space={space} />,
        },
      ]}
    />
  );
}

function Votes({ of: { upvotes, downvotes } }: { of: Counts }) {
  const { t } = useTranslation('patterns');
  const parts = [
    ...(upvotes > 0 ? [t('givers.up', { count: upvotes })] : []),
    ...(downvotes > 0 ? [t('givers.down', { count: downvotes })] : []),
  ];
  return <>{parts.join(', ')}</>;
}

type Person = Giver['voter'];

function GiverLinks({ voter, author, space }: { voter: Person; author: Person; space: string }) {
  const { t } = useTranslation('patterns');
  const audit = new URLSearchParams({ view: 'voter', of: voter._id, space });
  return (
    <Stack gap={2}>
      <Anchor
        component={Link}
        size="sm"
        to={paths.votesToReview({ space, voter: voter._id, author: author._id })}
      >
        {t('givers.review', { name: shownName(voter) })}
      </Anchor>
      <Anchor component={Link} size="sm" to={`${paths.audit}?${audit}`}>
        {t('auditOf', { name: shownName(voter) })}
      </Anchor>
    </Stack>
  );
}
