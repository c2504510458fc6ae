import { Anchor, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../app/paths';
import { DataTable } from '../../components/data-table';
import { PersonAvatar } from '../../components/person-avatar';
import type { ScoreMoveRowFragment } from '../../generated/graphql';
import { signedNumber, wholeNumber } from '../../lib/format';
import { idOf } from '../../lib/paged-list';
import classes from './scoring-rules.module.css';

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
              <Anchor component={Link} to={paths.userDetail(student._id, spaceId)} className={classes.person}>
                <PersonAvatar person={student} size={24} />
                {student.userName}
              </Anchor>
            ),
          },
          showsSpace && { label: t('space'), cell: ({ spaceName }) => spaceName },
          { label: t('rank'), look: right, cell: (move) => both(move, 'rank') },
          { label: t('merit'), look: right, cell: (move) => both(move, 'reputations') },
          { label: t('impact'), look: right, cell: (move) => both(move, 'commitments') },
          { label: t('score'), look: right, cell: (move) => both(move, 'score') },
          {
            label: t('change'),
            look: right,
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
