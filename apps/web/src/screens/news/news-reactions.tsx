import { useMutation } from '@apollo/client/react';
import { Button } from '@mantine/core';
import IconBookmark from '@tabler/icons-react/dist/esm/icons/IconBookmark.mjs';
import IconBookmarkFilled from '@tabler/icons-react/dist/esm/icons/IconBookmarkFilled.mjs';
import IconHeart from '@tabler/icons-react/dist/esm/icons/IconHeart.mjs';
import IconHeartFilled from '@tabler/icons-react/dist/esm/icons/IconHeartFilled.mjs';
import type { Icon } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { toast } from '../../components/toast';
import { LikeNewsDocument, SaveNewsDocument, type NewsItemFragment } from '../../generated/graphql';
import { errorText } from '../../lib/errors';
import { wholeNumber } from '../../lib/format';

const onError = (error: Error) => void toast.error(errorText(error));

/** Like and Save. Each shows its new state when the api has confirmed it: the answer carries the post as it is then. */
export function NewsReactions({ post }: { post: NewsItemFragment }) {
  const { t, i18n } = useTranslation('news');
  const variables = { id: post._id };
  const [like, { loading: isLiking }] = useMutation(LikeNewsDocument, { variables, onError });
  const [save, { loading: isSaving }] = useMutation(SaveNewsDocument, { variables, onError });
  return (
    <>
      <Toggle
        icon={post.liked ? IconHeartFilled : IconHeart}
        isOn={post.liked}
        isPending={isLiking}
        label={t('likeLabel', { count: post.likeCount })}
        onToggle={() => void like()}
      >
        {`${post.liked ? t('liked') : t('like')} · ${wholeNumber(post.likeCount, i18n.language)}`}
      </Toggle>
      <Toggle
        icon={post.saved ? IconBookmarkFilled : IconBookmark}
        isOn={post.saved}
        isPending={isSaving}
        onToggle={() => void save()}
      >
        {post.saved ? t('saved') : t('save')}
      </Toggle>
    </>
  );
}

interface ToggleProps {
  icon: Icon;
  isOn: boolean;
  isPending: boolean;
  label?: string;
  onToggle: () => void;
  children: string;
}

function Toggle({ icon: ToggleIcon, isOn, isPending, label, onToggle, children }: ToggleProps) {
  return (
    <Button
      variant="subtle"
      color="gray"
      c={isOn ? 'var(--nimo-accent)' : 'dimmed'}
      size="compact-md"
      fz="sm"
      className="nimo-tabular"
      leftSection={<ToggleIcon size={18} stroke={1.75} aria-hidden />}
      aria-label={label}
      aria-pressed={isOn}
      aria-busy={isPending}
      onClick={() => !isPending && onToggle()}
    >
      {children}
    </Button>
  );
}
