import { Anchor, Table } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../app/paths';
import { PersonAvatar } from '../../components/person-avatar';
import type { ScoreMoveRowFragment } from '../../generated/graphql';
import { signedNumber, wholeNumber } from '../../lib/format';
import classes from './scoring-rules.module.css';

type Side = ScoreMoveRowFragment['before'];

interface MoveRowsProps {
  moves: readonly ScoreMoveRowFragment[];
  showsSpace: boolean;
}

/** Students with rank and points before and after. */
export function MoveRows({ moves, showsSpace }: MoveRowsProps) {
  const { t, i18n } = useTranslation('scoringRules');
  const both = (before: number | undefined, after: number | undefined) =>
    [before, after]
      .map((value) => (value === undefined ? '–' : wholeNumber(value, i18n.language)))
      .join(' → ');
  const cell = (
    move: ScoreMoveRowFragment,
    column: keyof Pick<NonNullable<Side>, 'rank' | 'reputations' | 'commitments' | 'score'>,
  ) => both(move.before?.[column], move.after?.[column]);
  return (
    <div className={classes.scroll}>
      <Table verticalSpacing={6} className="nimo-tabular">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('student')}</Table.Th>
            {showsSpace && <Table.Th>{t('space')}</Table.Th>}
            <Table.Th ta="end">{t('rank')}</Table.Th>
            <Table.Th ta="end">{t('merit')}</Table.Th>
            <Table.Th ta="end">{t('impact')}</Table.Th>
            <Table.Th ta="end">{t('score')}</Table.Th>
            <Table.Th ta="end">{t('change')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {moves.map((move) => (
            <Table.Tr key={move._id}>
              <Table.Th scope="row" fw={400}>
                <Anchor
                  component={Link}
                  to={paths.userDetail(move.student._id, move.spaceId)}
                  className={classes.person}
                >
                  <PersonAvatar person={move.student} size={24} />
                  {move.student.userName}
                </Anchor>
              </Table.Th>
              {showsSpace && <Table.Td>{move.spaceName}</Table.Td>}
              <Table.Td ta="end">{cell(move, 'rank')}</Table.Td>
              <Table.Td ta="end">{cell(move, 'reputations')}</Table.Td>
              <Table.Td ta="end">{cell(move, 'commitments')}</Table.Td>
              <Table.Td ta="end">{cell(move, 'score')}</Table.Td>
              <Table.Td ta="end" fw={600} c={colourOf(move.change)}>
                {signedNumber(move.change, i18n.language)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

const colourOf = (change: number): string | undefined => {
  if (change === 0) return undefined;
  return change < 0 ? 'var(--nimo-danger)' : 'var(--nimo-success)';
};
