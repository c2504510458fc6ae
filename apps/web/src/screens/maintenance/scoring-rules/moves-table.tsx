import { useQuery } from '@apollo/client/react';
import { NativeSelect, Pagination, Text, TextInput, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { shownName } from '../../../lib/api/erased';
import { DataTable } from '../../../components/data-table';
import { ErrorNotice } from '../../../components/notices';
import { PersonAvatar } from '../../../components/person-avatar';
import { SkeletonRows } from '../../../components/skeletons';
import { PersonLink } from '../../../features/people/person-link';
import {
  type ScoreMoveRowFragment,
  type ScoreMoves,
  type ScoreMoveSort,
  ScoringMovesDocument,
} from '../../../generated/graphql';
import { signedNumber, wholeNumber } from '../../../lib/format';
import { idOf } from '../../../lib/api/paged-list';
import { timings } from '../../../lib/timings';
import classes from './scoring-rules.module.css';

const kinds = ['MOVERS', 'MEDALS', 'FIRST_PAGE', 'ABOVE_FLOOR'] as const satisfies readonly ScoreMoves[];
const sorts = ['GAIN', 'LOSS', 'RANK'] as const satisfies readonly ScoreMoveSort[];

/** Affected students with changes of rank and points. */
export function MovesTable({ trial, space }: { trial: string; space: string | null }) {
  const { t } = useTranslation('scoringRules');
  const [only, setOnly] = useState<ScoreMoves>('MOVERS');
  const [sort, setSort] = useState<ScoreMoveSort>('GAIN');
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed, timings.suggestionDebounce);
  return (
    <section aria-labelledby="moves">
      <div className={classes.filters}>
        <Title order={3} id="moves" mr="auto">
          {t('affectedStudents')}
        </Title>
        <NativeSelect
          label={t('show')}
          value={only}
          data={kinds.map((value) => ({ value, label: t(`filter.${value}`) }))}
          onChange={({ currentTarget }) =>
            setOnly(kinds.find((kind) => kind === currentTarget.value) ?? 'MOVERS')
          }
        />
        <NativeSelect
          label={t('order')}
          value={sort}
          data={sorts.map((value) => ({ value, label: t(`sort.${value}`) }))}
          onChange={({ currentTarget }) =>
            setSort(sorts.find((kind) => kind === currentTarget.value) ?? 'GAIN')
          }
        />
        <TextInput
          label={t('student')}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      </div>
      <Pages key={[only, sort, search, space].join(' ')} filter={{ trial, space, only, sort, search }} />
    </section>
  );
}

interface MovesFilter {
  trial: string;
  space: string | null;
  only: ScoreMoves;
  sort: ScoreMoveSort;
  search: string;
}

function Pages({ filter }: { filter: MovesFilter }) {
  const { t } = useTranslation('scoringRules');
  const [page, setPage] = useState(1);
  const { data, previousData, error, refetch } = useQuery(ScoringMovesDocument, {
    variables: { ...filter, page },
    fetchPolicy: 'no-cache',
  });
  const shown = (data ?? previousData)?.getScoringMoves;
  if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (!shown) return <SkeletonRows count={8} height={40} />;
  if (shown.docs.length === 0) return <Text c="dimmed">{t('noStudents')}</Text>;
  return (
    <>
      <MoveRows moves={shown.docs} showsSpace={filter.space === null} />
      {shown.totalPages > 1 && (
        <Pagination
          mt="md"
          total={shown.totalPages}
          value={page}
          onChange={setPage}
          getControlProps={(control) => ({ 'aria-label': t(`pages.${control}`) })}
          getItemProps={(item) => ({ 'aria-label': t('page', { page: item }) })}
        />
      )}
    </>
  );
}

const right = { ta: 'end' } as const;

interface MoveRowsProps {
  moves: readonly ScoreMoveRowFragment[];
  showsSpace: boolean;
}

/** Students with rank and points before and after. */
export function MoveRows({ moves, showsSpace }: MoveRowsProps) {
  const { t, i18n } = useTranslation('scoringRules');
  const both = (
    { before, after }: ScoreMoveRowFragment,
    figure: 'rank' | 'reputations' | 'commitments' | 'score',
  ) => [before, after].map((side) => (side ? wholeNumber(side[figure], i18n.language) : '–')).join(' → ');
  return (
    <div className={classes.scroll}>
      <DataTable
        verticalSpacing={6}
        className="nimo-tabular"
        rows={moves}
        keyOf={idOf}
        columns={[
          {
            label: t('student'),
            isRowHeader: true,
            cell: ({ student, spaceId }) => (
              <PersonLink person={student} space={spaceId} className={classes.person}>
                <PersonAvatar person={student} size={24} />
                {shownName(student)}
              </PersonLink>
            ),
          },
          showsSpace && { label: t('space'), cell: ({ spaceName }) => spaceName },
          { label: t('rank'), cellProps: right, cell: (move) => both(move, 'rank') },
          { label: t('merit'), cellProps: right, cell: (move) => both(move, 'reputations') },
          { label: t('impact'), cellProps: right, cell: (move) => both(move, 'commitments') },
          { label: t('score'), cellProps: right, cell: (move) => both(move, 'score') },
          {
            label: t('change'),
            cellProps: right,
            cell: ({ change }) => (
              <Text span inherit fw={600} c={colourOf(change)}>
                {signedNumber(change, i18n.language)}
              </Text>
            ),
          },
        ]}
      />
    </div>
  );
}

const colourOf = (change: number): string | undefined => {
  if (change === 0) return undefined;
  return change < 0 ? 'var(--nimo-danger)' : 'var(--nimo-success)';
};
