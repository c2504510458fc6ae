import { useMutation } from '@apollo/client/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { Badge, Button, SegmentedControl, TextInput } from '@mantine/core';
import IconNews from '@tabler/icons-react/dist/esm/icons/IconNews.mjs';
import { useState } from 'react';
import { Controller, useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import * as z from 'zod/mini';
import { paths } from '../../../lib/paths';
import { ConfirmDialog, FormDialog, saving } from '../../../components/dialogs';
import { DataTable } from '../../../components/data-table';
import { EmptyState } from '../../../components/empty-state';
import { PageHeading } from '../../../components/page-heading';
import { LoadedRows } from '../../../components/paged-rows';
import { ExactTime } from '../../../components/exact-time';
import { toast } from '../../../components/toast';
import { RichTextField } from '../../../features/editor/rich-text-field';
import { ChangeNote, MoreRows, useLatestChange } from '../../../features/managed-content/managed-screen';
import classes from '../../../features/managed-content/managed.module.css';
import { plainText } from '../../../components/rich-text/truncate';
import {
  ManagedNewsDocument,
  type ManagedNewsQuery,
  RemoveNewsDocument,
  RestoreNewsDocument,
  UpdateNewsDocument,
} from '../../../generated/graphql';
import { errorText } from '../../../lib/api/errors';
import { refetchOnMount, idOf, type PagedList, usePagedList } from '../../../lib/api/paged-list';
import { shownName } from '../../../lib/api/erased';

const shown = ['all', 'shown', 'removed'] as const;
type Shown = (typeof shown)[number];
const removedOf = { all: null, shown: false, removed: true } as const satisfies Record<Shown, boolean | null>;

/** News of all spaces, including removed items. */
export default function ManagedNewsScreen() {
  const { t } = useTranslation('content');
  const [which, setWhich] = useState<Shown>('all');
  const list = usePagedList(
    ManagedNewsDocument,
    { isRemoved: removedOf[which], page: 1 },
    'getManagedNews',
    refetchOnMount,
  );
  const [editing, setEditing] = useState<ManagedPost>();
  const [removing, setRemoving] = useState<ManagedPost>();
  const { change, showChange, clear } = useLatestChange();
  const acted = (ordinal: number | null) => {
    setEditing(undefined);
    setRemoving(undefined);
    showChange(ordinal);
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
      <ChangeNote change={change} onClose={clear} />
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

interface NewsTableProps {
  list: PagedList<ManagedPost>;
  onEdit: (post: ManagedPost) => void;
  onRemove: (post: ManagedPost) => void;
  onRestored: (act: number | null) => void;
}

function NewsTable({ list, onEdit, onRemove, onRestored }: NewsTableProps) {
  const { t } = useTranslation('content');
  const empty = <EmptyState icon={IconNews} title={t('news.emptyTitle')} text={t('news.emptyText')} />;
  return (
    <LoadedRows list={list} count={5} height={48} empty={empty}>
      {(posts) => (
        <section className={classes.panel} aria-label={t('news.title')}>
          <DataTable
            minWidth={720}
            verticalSpacing="sm"
            rows={posts}
            keyOf={idOf}
            columns={[
              { label: t('news.titleField'), cell: (post) => <NewsTitle post={post} /> },
              { label: t('news.space'), cell: ({ space }) => space?.name ?? t('news.allSpaces') },
              { label: t('news.author'), cell: ({ author }) => shownName(author) },
              { label: t('news.when'), cell: ({ createdAt }) => <ExactTime at={createdAt} /> },
              {
                label: t('actions'),
                isLabelHidden: true,
                cell: (post) => (
                  <NewsActions
                    post={post}
                    onEdit={() => onEdit(post)}
                    onRemove={() => onRemove(post)}
                    onRestored={onRestored}
                  />
                ),
              },
            ]}
          />
          <MoreRows list={list} />
        </section>
      )}
    </LoadedRows>
  );
}

function NewsTitle({ post }: { post: ManagedPost }) {
  const { t } = useTranslation('content');
  return (
    <span className={classes.named}>
      <bdi>{post.title}</bdi>
      {post.isRemoved && (
        <Badge variant="default" tt="none">
          {t('news.isRemoved')}
        </Badge>
      )}
    </span>
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

type ManagedPost = ManagedNewsQuery['getManagedNews']['docs'][number];

function useNewsSchema() {
  const { t } = useTranslation('content');
  return z.object({
    title: z.string().check(z.trim(), z.minLength(1, t('missing.title'))),
    body: z.string().check(z.refine((html) => plainText(html) !== '', t('missing.text'))),
  });
}
type NewsValues = z.infer<ReturnType<typeof useNewsSchema>>;

interface EditNewsDialogProps {
  post: ManagedPost;
  onSaved: (act: number | null) => void;
  onClose: () => void;
}

function EditNewsDialog({ post, onSaved, onClose }: EditNewsDialogProps) {
  const { t } = useTranslation('content');
  const [update] = useMutation(UpdateNewsDocument);
  const { register, control, handleSubmit, setError, formState } = useForm<NewsValues>({
    resolver: zodResolver(useNewsSchema()),
    defaultValues: { title: post.title, body: post.body },
  });
  const { errors } = formState;
  const send = async (values: NewsValues) => {
    const { data } = await update({ variables: { id: post._id, ...values } });
    onSaved(data?.updateNewspost?.act ?? null);
  };
  return (
    <FormDialog
      title={t('news.edit', { title: post.title })}
      size="56rem"
      onClose={onClose}
      onSubmit={handleSubmit((values) => saving(() => send(values), setError, ['title', 'body']))}
    >
      <TextInput
        label={t('news.titleField')}
        withAsterisk
        data-autofocus
        error={errors.title?.message}
        {...register('title')}
      />
      <Controller
        control={control}
        name="body"
        render={({ field }) => (
          <RichTextField
            label={t('news.text')}
            placeholder={t('news.text')}
            initialHtml={post.body}
            error={errors.body?.message}
            onChange={field.onChange}
          />
        )}
      />
    </FormDialog>
  );
}
