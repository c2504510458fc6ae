import { useMutation } from '@apollo/client/react';
import { Tooltip } from '@mantine/core';
import IconArrowBigDown from '@tabler/icons-react/dist/esm/icons/IconArrowBigDown.mjs';
import IconArrowBigDownFilled from '@tabler/icons-react/dist/esm/icons/IconArrowBigDownFilled.mjs';
import IconArrowBigUp from '@tabler/icons-react/dist/esm/icons/IconArrowBigUp.mjs';
import IconArrowBigUpFilled from '@tabler/icons-react/dist/esm/icons/IconArrowBigUpFilled.mjs';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../../components/toast';
import {
  DownvoteAnswerDocument,
  DownvoteQuestionDocument,
  UpvoteAnswerDocument,
  UpvoteQuestionDocument,
} from '../../generated/graphql';
import { announce } from '../../lib/browser/announce';
import { errorText } from '../../lib/api/errors';
import { wholeNumber } from '../../lib/format';
import { useParticipation } from '../people/participation';
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

type VotableKind = 'question' | 'answer';

type Direction = 'up' | 'down';

interface Vote {
  /** Votes, or takes one's own vote back; what is pressed while the other is under way is done after it. */
  vote: (direction: Direction) => void;
  pending: Direction | undefined;
}

/**
 * Votes on a post. The answer of the api carries the post as it is then, which the cache takes over.
 * @param mine one's own votes that are there
 */
function useVote(kind: VotableKind, id: string, mine: Readonly<Record<Direction, boolean>>): Vote {
  const { t } = useTranslation('ask');
  const onError = (error: Error) => void toast.error(errorText(error));
  const [up] = useMutation(kind === 'question' ? UpvoteQuestionDocument : UpvoteAnswerDocument, { onError });
  const [down] = useMutation(kind === 'question' ? DownvoteQuestionDocument : DownvoteAnswerDocument, {
    onError,
  });
  const [pending, setPending] = useState<Direction>();
  const next = useRef<Direction>();
  // Only a question's vote gets a toast; what else happens is seen, and announced to who does not see it.
  const told = (takesBack: boolean, removed: string, onQuestion: string, onAnswer: string) => ({
    variables: { id },
    onCompleted: () => {
      if (takesBack) announce(removed);
      else if (kind === 'question') toast.success(onQuestion);
      else announce(onAnswer);
    },
  });
  const send = async (direction: Direction) => {
    setPending(direction);
    try {
      if (direction === 'up')
        await up(told(mine.up, t('vote.upvoteRemoved'), t('vote.upvoted'), t('vote.answerUpvoted')));
      else
        await down(
          told(mine.down, t('vote.downvoteRemoved'), t('vote.downvoted'), t('vote.answerDownvoted')),
        );
    } catch {
      // `onError` has said so, and what was to follow would fail as well.
      next.current = undefined;
    } finally {
      setPending(undefined);
    }
  };
  const sendNow = useRef(send);
  useEffect(() => {
    sendNow.current = send;
  });
  useEffect(() => {
    if (pending !== undefined || next.current === undefined) return;
    const direction = next.current;
    next.current = undefined;
    void sendNow.current(direction);
  }, [pending]);
  const vote = (direction: Direction) => {
    if (pending === undefined) void send(direction);
    else next.current = pending === direction ? undefined : direction;
  };
  return { vote, pending };
}
