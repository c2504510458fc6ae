import { ActionIcon, Menu, Title } from '@mantine/core';
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs';
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs';
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs';
import { useTranslation } from 'react-i18next';
import { PersonAvatar } from '../../components/person-avatar';
import { RelativeTime } from '../../components/relative-time';
import { SafeHtml } from '../../components/safe-html';
import type { NewsItemFragment } from '../../generated/graphql';
import { NewsReactions } from './news-reactions';
import classes from './news.module.css';

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
          <span className={classes.author}>{post.author.userName}</span>
          <RelativeTime at={post.createdAt} className={classes.time} />
          {post.editedAt !== null && <span>{t('edited')}</span>}
          <span className={classes.place}>{post.space?.name ?? t('everywhere')}</span>
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
