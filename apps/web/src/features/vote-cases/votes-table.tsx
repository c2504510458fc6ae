import { Anchor, Badge, Checkbox, Table } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../app/paths';
import { RelativeTime } from '../../components/relative-time';
import type { JudgedVoteRowFragment } from '../../generated/graphql';
import { PersonName } from './person-name';

export const voteKey = ({ postId, voter }: JudgedVoteRowFragment): string => `${postId} ${voter._id}`;

/** A vote that can still be declared invalid. */
export const isOpen = ({ isHeld, caseIds }: JudgedVoteRowFragment): boolean => isHeld && caseIds.length === 0;

interface Choice {
  chosen: ReadonlySet<string>;
  onChoose: (chosen: ReadonlySet<string>) => void;
}

interface VotesTableProps {
  label: string;
  votes: readonly JudgedVoteRowFragment[];
  spaceId?: string;
  /** With checkboxes. */
  choice?: Choice;
}

/** Votes with whose they are, on what and when. */
export function VotesTable({ label, votes, spaceId, choice }: VotesTableProps) {
  const { t } = useTranslation('patterns');
  return (
    <Table.ScrollContainer minWidth={720}>
      <Table aria-label={label} verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            {choice && (
              <Table.Th w={40}>
                <ChooseAll votes={votes} {...choice} />
              </Table.Th>
            )}
            <Table.Th>{t('column.when')}</Table.Th>
            <Table.Th>{t('column.voter')}</Table.Th>
            <Table.Th>{t('column.direction')}</Table.Th>
            <Table.Th>{t('column.author')}</Table.Th>
            <Table.Th>{t('column.post')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {votes.map((vote) => (
            <VoteRow
              key={voteKey(vote)}
              vote={vote}
              {...(spaceId && { spaceId })}
              {...(choice && { choice })}
            />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function ChooseAll({ votes, chosen, onChoose }: Choice & { votes: readonly JudgedVoteRowFragment[] }) {
  const { t } = useTranslation('patterns');
  const keys = votes.filter(isOpen).map(voteKey);
  const count = keys.filter((key) => chosen.has(key)).length;
  return (
    <Checkbox
      aria-label={t('chooseAll')}
      checked={keys.length > 0 && count === keys.length}
      indeterminate={count > 0 && count < keys.length}
      onChange={() => onChoose(count === keys.length ? new Set() : new Set(keys))}
    />
  );
}

function VoteRow({
  vote,
  spaceId,
  choice,
}: {
  vote: JudgedVoteRowFragment;
  spaceId?: string;
  choice?: Choice;
}) {
  const { t } = useTranslation('patterns');
  const key = voteKey(vote);
  const toggle = () => {
    if (!choice) return;
    const next = new Set(choice.chosen);
    if (!next.delete(key)) next.add(key);
    choice.onChoose(next);
  };
  const name = t('chooseVote', { name: vote.voter.userName, title: vote.question.title });
  return (
    <Table.Tr>
      {choice && (
        <Table.Td>
          <Checkbox
            aria-label={name}
            checked={choice.chosen.has(key)}
            disabled={!isOpen(vote)}
            onChange={toggle}
          />
        </Table.Td>
      )}
      <Table.Td style={{ whiteSpace: 'nowrap' }}>
        {vote.castAt ? <RelativeTime at={vote.castAt} /> : '–'}
      </Table.Td>
      <Table.Td>
        <PersonName person={vote.voter} spaceId={spaceId} />
      </Table.Td>
      <Table.Td>
        {t(`direction.${vote.direction}`)} <VoteState vote={vote} />
      </Table.Td>
      <Table.Td>
        <PersonName person={vote.author} spaceId={spaceId} />
      </Table.Td>
      <Table.Td>
        {t(vote.postType === 'ANSWER' ? 'answerTo' : 'question')}{' '}
        <Anchor component={Link} to={paths.publicQuestion(vote.question._id)}>
          <bdi>{vote.question.title || t('untitled')}</bdi>
        </Anchor>
      </Table.Td>
    </Table.Tr>
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
