import IconArrowBigDown from '@tabler/icons-react/dist/esm/icons/IconArrowBigDown.mjs';
import IconArrowBigDownFilled from '@tabler/icons-react/dist/esm/icons/IconArrowBigDownFilled.mjs';
import IconArrowBigUp from '@tabler/icons-react/dist/esm/icons/IconArrowBigUp.mjs';
import IconArrowBigUpFilled from '@tabler/icons-react/dist/esm/icons/IconArrowBigUpFilled.mjs';
import { Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { wholeNumber } from '../../lib/format';
import { useParticipation } from '../questions/participation';
import type { Direction, VotableKind } from './use-vote';
import { useVote } from './use-vote';
import classes from './vote-buttons.module.css';

interface VoteButtonsProps {
  kind: VotableKind;
  post: {
    _id: string;
    upvoteCount: number;
    downvoteCount: number;
    upvotedBy: ReadonlyArray<{ _id: string }>;
    downvotedBy: ReadonlyArray<{ _id: string }>;
    author: { _id: string };
  };
}

const icons = {
  up: { mine: IconArrowBigUpFilled, other: IconArrowBigUp },
  down: { mine: IconArrowBigDownFilled, other: IconArrowBigDown },
};

interface VoteButtonProps {
  direction: Direction;
  label: string;
  /** What a press does once the vote is there. */
  removeLabel: string;
  count: number;
  mine: boolean;
  blocked: string | undefined;
  pending: boolean;
  onVote: () => void;
}

function VoteButton(props: VoteButtonProps) {
  const { direction, label, removeLabel, count, mine, blocked, pending, onVote } = props;
  const { i18n } = useTranslation();
  const VoteIcon = icons[direction][mine ? 'mine' : 'other'];
  // The name says what a press does, so the button is no toggle that is pressed or not.
  const name = mine ? removeLabel : label;
  return (
    <Tooltip label={blocked ?? name}>
      <button
        type="button"
        className={classes.button}
        data-direction={direction}
        data-mine={mine || undefined}
        aria-label={`${name}, ${wholeNumber(count, i18n.language)}`}
        aria-disabled={blocked !== undefined || pending || undefined}
        onClick={() => blocked === undefined && onVote()}
      >
        <VoteIcon size={20} stroke={1.75} aria-hidden />
        <span className="nimo-tabular">{wholeNumber(count, i18n.language)}</span>
      </button>
    </Tooltip>
  );
}

/** Both votes of a post, with the reader's own told apart. They change when the api has confirmed, not before. */
export function VoteButtons({ kind, post }: VoteButtonsProps) {
  const { t } = useTranslation('ask');
  const { kind: participant, studentId, act } = useParticipation();
  const isMine = (voters: ReadonlyArray<{ _id: string }>) => voters.some(({ _id }) => _id === studentId);
  const mine = { up: isMine(post.upvotedBy), down: isMine(post.downvotedBy) };
  const { vote, pending } = useVote(kind, post._id, mine);
  const blocked =
    studentId === post.author._id ? t('vote.own') : participant === 'reader' ? t('vote.readOnly') : undefined;
  return (
    <div className={classes.votes}>
      <VoteButton
        direction="up"
        label={t('vote.upvote')}
        removeLabel={t('vote.removeUpvote')}
        count={post.upvoteCount}
        mine={mine.up}
        blocked={blocked}
        pending={pending === 'up'}
        onVote={() => act(() => vote('up'))}
      />
      <VoteButton
        direction="down"
        label={t('vote.downvote')}
        removeLabel={t('vote.removeDownvote')}
        count={post.downvoteCount}
        mine={mine.down}
        blocked={blocked}
        pending={pending === 'down'}
        onVote={() => act(() => vote('down'))}
      />
    </div>
  );
}
