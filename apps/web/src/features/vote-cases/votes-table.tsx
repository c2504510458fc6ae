import { Anchor, Badge, Checkbox } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../lib/paths';
import { DataTable } from '../../components/data-table';
import { ExactTime } from '../../components/exact-time';
import type { JudgedVoteRowFragment } from '../../generated/graphql';
import { PersonName } from './person-name';
import { shownName } from '../../lib/api/erased';

export const voteKey = ({ postId, voter }: JudgedVoteRowFragment): string => `${postId} ${voter._id}`;

/** Whether the vote can still be invalidated. */
export const isOpen = ({ isHeld, caseIds }: JudgedVoteRowFragment): boolean => isHeld && caseIds.length === 0;

interface Choice {
  chosen: ReadonlySet<string>;
  onChoose: (chosen: ReadonlySet<string>) => void;
}

interface VotesTableProps {
  label: string;
  votes: readonly JudgedVoteRowFragment[];
  spaceId?: string;
  /** Adds checkboxes. */
  choice?: Choice;
}

/** Votes with voter, author, post and time. */
export function VotesTable({ label, votes, spaceId, choice }: VotesTableProps) {
  const { t } = useTranslation('patterns');
  const person = (of: JudgedVoteRowFragment['voter']) => <PersonName person={of} spaceId={spaceId} />;
  return (
    <DataTable
      minWidth={720}
      aria-label={label}
      verticalSpacing="xs"
      rows={votes}
      keyOf={voteKey}
      columns={[
        choice !== undefined && {
          label: <ChooseAll votes={votes} {...choice} />,
          cellProps: { w: 40 },
          cell: (vote) => <ChooseVote vote={vote} {...choice} />,
        },
        {
          label: t('column.when'),
          cellProps: { style: { whiteSpace: 'nowrap' } },
          cell: ({ castAt }) => (castAt ? <ExactTime at={castAt} /> : '–'),
        },
        { label: t('column.voter'), cell: ({ voter }) => person(voter) },
        {
          label: t('column.direction'),
          cell: (vote) => (
            <>
              {t(`direction.${vote.direction}`)} <VoteState vote={vote} />
            </>
          ),
        },
        { label: t('column.author'), cell: ({ author }) => person(author) },
        {
          label: t('column.post'),
          cell: ({ postType, question }) => (
            <>
              {t(postType === 'ANSWER' ? 'answerTo' : 'question')}{' '}
              <Anchor component={Link} to={paths.publicQuestion(question._id)}>
                <bdi>{question.title || t('untitled')}</bdi>
              </Anchor>
            </>
          ),
        },
      ]}
    />
  );
}

function ChooseAll({ votes, chosen, onChoose }: Choice & { votes: readonly JudgedVoteRowFragment[] }) {
  const { t } = useTranslation('patterns');
  const keys = votes.filter(isOpen).map(voteKey);
  const count = keys.filter((key) => chosen.has(key)).length;
  return (
    <Checkbox
      aria-label={t('selectAll')}
      checked={keys.length > 0 && count === keys.length}
      indeterminate={count > 0 && count < keys.length}
      onChange={() => onChoose(count === keys.length ? new Set() : new Set(keys))}
    />
  );
}

function ChooseVote({ vote, chosen, onChoose }: Choice & { vote: JudgedVoteRowFragment }) {
  const { t } = useTranslation('patterns');
  const key = voteKey(vote);
  const toggle = () => {
    const next = new Set(chosen);
    if (!next.delete(key)) next.add(key);
    onChoose(next);
  };
  return (
    <Checkbox
      aria-label={t('selectVote', { name: shownName(vote.voter), title: vote.question.title })}
      checked={chosen.has(key)}
      disabled={!isOpen(vote)}
      onChange={toggle}
    />
  );
}

function VoteState({ vote: { isHeld, caseIds } }: { vote: JudgedVoteRowFragment }) {
  const { t } = useTranslation('patterns');
  if (caseIds[0] !== undefined) {
    return (
      <Anchor component={Link} to={paths.voteCase(caseIds[0])} size="sm">
        {t('invalid')}
      </Anchor>
    );
  }
  return isHeld ? null : (
    <Badge variant="default" size="sm">
      {t('withdrawn')}
    </Badge>
  );
}
