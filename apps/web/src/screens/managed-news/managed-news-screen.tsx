import { useMutation } from '@apollo/client/react';
import { Badge, Button, SegmentedControl, Table, VisuallyHidden } from '@mantine/core';
import IconNews from '@tabler/icons-react/dist/esm/icons/IconNews.mjs';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../app/paths';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { EmptyState } from '../../components/empty-state';
import { ErrorNotice } from '../../components/error-notice';
import { PageHeading } from '../../components/page-heading';
import { RelativeTime } from '../../components/relative-time';
import { MoreButton } from '../../components/more-button';
import { SkeletonRows } from '../../components/skeletons';
import { toast } from '../../components/toast';
import { ActNote, useLatestAct } from '../../features/managed-content/act-note';
import classes from '../../features/managed-content/managed.module.css';
import { ManagedNewsDocument, RemoveNewsDocument, RestoreNewsDocument } from '../../generated/graphql';
import { errorText } from '../../lib/errors';
import { usePages } from '../../lib/use-pages';
import { EditNewsDialog, type ManagedPost } from './edit-news-dialog';

const shown = ['all', 'shown', 'removed'] as const;
type Shown = (typeof shown)[number];
const removedOf = { all: null, shown: false, removed: true } as const satisfies Record<Shown, boolean | null>;

/** The news of all spaces, with those that were removed. */
export default function ManagedNewsScreen() {
  const { t } = useTranslation('content');
  const [which, setWhich] = useState<Shown>('all');
  const list = useManagedNews(which);
  const [editing, setEditing] = useState<ManagedPost>();
  const [removing, setRemoving] = useState<ManagedPost>();
  const { act, tell, clear } = useLatestAct();
  const acted = (ordinal: number | null) => {
    setEditing(undefined);
    setRemoving(undefined);
    tell(ordinal);
    list.refetch();
  };
  return (
    <div className={classes.screen}>
      <PageHeading
        actions={
          <Button component={Link} to={paths.news} variant="default">
            {t('news.write')}
          </Button>
        }
      >
        {t('news.title')}
      </PageHeading>
      <p className={classes.lead}>{t('news.lead')}</p>
      <ActNote act={act} onClose={clear} />
      <SegmentedControl
        mb="md"
        aria-label={t('news.filter')}
        value={which}
        data={shown.map((value) => ({ value, label: t(`news.${value}`) }))}
        onChange={(next) => setWhich(shown.find((value) => value === next) ?? 'all')}
      />
      <NewsTable list={list} onEdit={setEditing} onRemove={setRemoving} onRestored={acted} />
      {editing && <EditNewsDialog post={editing} onClose={() => setEditing(undefined)} onSaved={acted} />}
      <RemoveDialog post={removing} onRemoved={acted} onClose={() => setRemoving(undefined)} />
    </div>
  );
}

function useManagedNews(which: Shown) {
  const { rows, ...list } = usePages(
    ManagedNewsDocument,
    { isRemoved: removedOf[which], page: 1 },
    ({ getManagedNews }) => getManagedNews,
    (getManagedNews) => ({ getManagedNews }),
  );
  return { posts: rows, ...list };
}

interface NewsTableProps {
  list: ReturnType<typeof useManagedNews>;
  onEdit: (post: ManagedPost) => void;
  onRemove: (post: ManagedPost) => void;
  onRestored: (act: number | null) => void;
}

function NewsTable({ list, onEdit, onRemove, onRestored }: NewsTableProps) {
  const { t } = useTranslation('content');
  const { posts, error, hasNext, nextPage, refetch } = list;
  if (error && !posts) return <ErrorNotice error={error} onRetry={refetch} />;
  if (!posts) return <SkeletonRows count={5} height={48} />;
  if (posts.length === 0)
    return <EmptyState icon={IconNews} title={t('news.emptyTitle')} text={t('news.emptyText')} />;
  return (
    <section className={classes.panel} aria-label={t('news.title')}>
      <Table.ScrollContainer minWidth={720}>
        <Table verticalSpacing="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('news.titleField')}</Table.Th>
              <Table.Th>{t('news.where')}</Table.Th>
              <Table.Th>{t('news.author')}</Table.Th>
              <Table.Th>{t('news.when')}</Table.Th>
              <Table.Th>
                <VisuallyHidden>{t('actions')}</VisuallyHidden>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {posts.map((post) => (
              <Table.Tr key={post._id}>
                <NewsCells post={post} />
                <Table.Td>
                  <NewsActions
                    post={post}
                    onEdit={() => onEdit(post)}
                    onRemove={() => onRemove(post)}
                    onRestored={onRestored}
                  />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {hasNext && (
        <MoreButton
          display="block"
          mx="auto"
          mt="md"
          isLoading={nextPage.isLoading}
          error={nextPage.error}
          onMore={nextPage.load}
        >
          {t('more')}
        </MoreButton>
      )}
    </section>
  );
}

function NewsCells({ post }: { post: ManagedPost }) {
  const { t } = useTranslation('content');
  return (
    <>
      <Table.Td>
        <span className={classes.named}>
          <bdi>{post.title}</bdi>
          {post.isRemoved && (
            <Badge variant="default" tt="none">
              {t('news.isRemoved')}
            </Badge>
          )}
        </span>
      </Table.Td>
      <Table.Td>{post.space?.name ?? t('news.everywhere')}</Table.Td>
      <Table.Td>{post.author.userName}</Table.Td>
      <Table.Td>
        <RelativeTime at={post.createdAt} />
      </Table.Td>
    </>
  );
}

interface NewsActionsProps {
  post: ManagedPost;
  onEdit: () => void;
  onRemove: () => void;
  onRestored: (act: number | null) => void;
}

function NewsActions({
  post: { _id: id, title, isRemoved },
  onEdit,
  onRemove,
  onRestored,
}: NewsActionsProps) {
  const { t } = useTranslation('content');
  const [restore, { loading }] = useMutation(RestoreNewsDocument, {
    variables: { id },
    onError: (failure) => void toast.error(errorText(failure)),
    onCompleted: ({ restoreNewspost }) => onRestored(restoreNewspost?.act ?? null),
  });
  const button = { variant: 'default', size: 'compact-sm' } as const;
  if (isRemoved)
    return (
      <div className={classes.actions}>
        <Button
          {...button}
          loading={loading}
          aria-label={t('news.restoreOne', { title })}
          onClick={() => void restore()}
        >
          {t('news.restore')}
        </Button>
      </div>
    );
  return (
    <div className={classes.actions}>
      <Button {...button} aria-label={t('news.edit', { title })} onClick={onEdit}>
        {t('edit')}
      </Button>
      <Button
        {...button}
        c="var(--nimo-danger)"
        aria-label={t('news.removeOne', { title })}
        onClick={onRemove}
      >
        {t('news.remove')}
      </Button>
    </div>
  );
}

interface RemoveDialogProps {
  post: ManagedPost | undefined;
  onRemoved: (act: number | null) => void;
  onClose: () => void;
}

function RemoveDialog({ post, onRemoved, onClose }: RemoveDialogProps) {
  const { t } = useTranslation('content');
  const [remove, { loading }] = useMutation(RemoveNewsDocument, {
    onError: (failure) => void toast.error(errorText(failure)),
    onCompleted: ({ removeNewspost }) => onRemoved(removeNewspost.act ?? null),
  });
  return (
    <ConfirmDialog
      opened={post !== undefined}
      danger
      pending={loading}
      title={t('news.removeTitle')}
      text={t('news.removeText')}
      confirmLabel={t('news.remove')}
      onConfirm={() => post && void remove({ variables: { id: post._id } })}
      onClose={onClose}
    />
  );
}
