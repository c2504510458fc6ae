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
  /** Label while the vote is set. */
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
  // No `aria-pressed`: the label already says what a press does.
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

/** Vote buttons of a post, with the reader's own vote highlighted. They change once the API has confirmed. */
export function VoteButtons({ kind, post }: VoteButtonsProps) {
  const { t } = useTranslation('ask');
  const { kind: participant, onlyReads, studentId, act } = useParticipation();
  const isMine = (voters: ReadonlyArray<{ _id: string }>) => voters.some(({ _id }) => _id === studentId);
  const mine = { up: isMine(post.upvotedBy), down: isMine(post.downvotedBy) };
  const { vote, pending } = useVote(kind, post._id, mine);
  const readOnly = onlyReads ? t(participant === 'guest' ? 'vote.guest' : 'vote.silent') : undefined;
  const blocked = studentId === post.author._id ? t('vote.own') : readOnly;
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
  /** Votes or withdraws the vote. A press during a request is queued. */
  vote: (direction: Direction) => void;
  pending: Direction | undefined;
}

/**
 * Votes on a post. The response updates the post in the cache.
 * @param mine the reader's current votes
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
  // Only a vote on a question gets a toast; all else is announced to screen readers.
  const toastHandlers = (isWithdrawal: boolean, removed: string, onQuestion: string, onAnswer: string) => ({
    variables: { id },
    onCompleted: () => {
      if (isWithdrawal) announce(removed);
      else if (kind === 'question') toast.success(onQuestion);
      else announce(onAnswer);
    },
  });
  const send = async (direction: Direction) => {
    setPending(direction);
    try {
      if (direction === 'up')
        await up(toastHandlers(mine.up, t('vote.upvoteRemoved'), t('vote.upvoted'), t('vote.answerUpvoted')));
      else
        await down(
          toastHandlers(mine.down, t('vote.downvoteRemoved'), t('vote.downvoted'), t('vote.answerDownvoted')),
        );
    } catch {
      // `onError` has shown it; the queued vote would fail as well.
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
