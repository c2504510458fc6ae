import { useMutation } from '@apollo/client/react';
import { ActionIcon, Button, Menu, Title } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import IconBookmark from '@tabler/icons-react/dist/esm/icons/IconBookmark.mjs';
import IconBookmarkFilled from '@tabler/icons-react/dist/esm/icons/IconBookmarkFilled.mjs';
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs';
import IconHeart from '@tabler/icons-react/dist/esm/icons/IconHeart.mjs';
import IconHeartFilled from '@tabler/icons-react/dist/esm/icons/IconHeartFilled.mjs';
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs';
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs';
import { useTranslation } from 'react-i18next';
import { PersonAvatar } from '../../../components/person-avatar';
import { RelativeTime } from '../../../components/relative-time';
import { SafeHtml } from '../../../components/rich-text/safe-html';
import { toast } from '../../../components/toast';
import { LikeNewsDocument, type NewsItemFragment, SaveNewsDocument } from '../../../generated/graphql';
import { errorText } from '../../../lib/api/errors';
import { wholeNumber } from '../../../lib/format';
import classes from './news.module.css';
import { shownName } from '../../../lib/api/erased';

interface NewsCardProps {
  post: NewsItemFragment;
  onEdit: () => void;
  onRemove: () => void;
}

export function NewsCard({ post, onEdit, onRemove }: NewsCardProps) {
  const { t } = useTranslation('news');
  const headingId = `news-${post._id}`;
  return (
    <article className={classes.card} aria-labelledby={headingId}>
      <div className={classes.head}>
        <div className={classes.byline}>
          <PersonAvatar person={post.author} size={32} />
          <span className={classes.author}>{shownName(post.author)}</span>
          <RelativeTime at={post.createdAt} className={classes.time} />
          {post.editedAt !== null && <span>{t('edited')}</span>}
          <span className={classes.place}>{post.space?.name ?? t('allSpaces')}</span>
        </div>
        {post.isEditable && <NewsMenu title={post.title} onEdit={onEdit} onRemove={onRemove} />}
      </div>
      <Title order={2} size="h3" id={headingId} className={classes.title} dir="auto">
        {post.title}
      </Title>
      <SafeHtml html={post.body} />
      <div className={classes.actions}>
        <NewsReactions post={post} />
      </div>
    </article>
  );
}

interface NewsMenuProps {
  title: string;
  onEdit: () => void;
  onRemove: () => void;
}

function NewsMenu({ title, onEdit, onRemove }: NewsMenuProps) {
  const { t } = useTranslation('news');
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" c="dimmed" aria-label={t('menu', { title })}>
          <IconDots size={18} stroke={1.75} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPencil size={16} stroke={1.75} aria-hidden />} onClick={onEdit}>
          {t('edit')}
        </Menu.Item>
        <Menu.Item
          color="var(--nimo-danger)"
          leftSection={<IconTrash size={16} stroke={1.75} aria-hidden />}
          onClick={onRemove}
        >
          {t('remove')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

const onError = (error: Error) => void toast.error(errorText(error));

/** Like and Save. Each shows its new state once the API has confirmed it. */
function NewsReactions({ post }: { post: NewsItemFragment }) {
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
