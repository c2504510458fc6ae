import { useApolloClient } from '@apollo/client/react';
import { Button, SegmentedControl } from '@mantine/core';
import IconBookmark from '@tabler/icons-react/dist/esm/icons/IconBookmark.mjs';
import IconNews from '@tabler/icons-react/dist/esm/icons/IconNews.mjs';
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { ConfirmDialog } from '../../../components/dialogs';
import { EmptyState } from '../../../components/empty-state';
import { PageHeading } from '../../../components/page-heading';
import { PagedRows } from '../../../components/paged-rows';
import { showUndo, toast } from '../../../components/toast';
import {
  NewsDocument,
  type NewsItemFragment,
  RemoveNewsDocument,
  RestoreNewsDocument,
} from '../../../generated/graphql';
import { useCurrentSpace } from '../../../lib/auth-storage';
import { errorText } from '../../../lib/api/errors';
import { type PagedList, useListPolicy, usePagedList } from '../../../lib/api/paged-list';
import { NewsCard } from './news-card';
import { NewsDialog } from './news-dialog';
import { useNewsPlaces } from './news-places';
import classes from './news.module.css';

type Writing = { post?: NewsItemFragment };

/** News by moderators and maintainers. The filter is kept in the URL. */
export default function NewsScreen() {
  const { t } = useTranslation('news');
  const space = useCurrentSpace();
  const [search, setSearch] = useSearchParams();
  const isSaved = search.get('saved') === '1';
  // Without a space: news of all joined spaces.
  const variables = { space: space?._id ?? null, saved: isSaved, page: 1 };
  const news = usePagedList(NewsDocument, variables, 'getPaginatedNewsposts', useListPolicy());
  const places = useNewsPlaces(space);
  const [writing, setWriting] = useState<Writing>();
  const [removing, setRemoving] = useState<NewsItemFragment>();
  const write = () => setWriting({});
  return (
    <div className={classes.screen}>
      <PageHeading
        actions={
          places.length > 0 && (
            <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={write}>
              {t('write')}
            </Button>
          )
        }
      >
        {t('title')}
      </PageHeading>
      <SegmentedControl
        className={classes.filter}
        aria-label={t('filter')}
        value={isSaved ? 'saved' : 'all'}
        data={[
          { value: 'all', label: t('all') },
          { value: 'saved', label: t('saved') },
        ]}
        onChange={(shown) => setSearch(shown === 'saved' ? { saved: '1' } : {}, { replace: true })}
      />
      <NewsList
        news={news}
        isSaved={isSaved}
        onWrite={places.length > 0 ? write : undefined}
        onEdit={(post) => setWriting({ post })}
        onRemove={setRemoving}
      />
      {writing && (
        <NewsDialog
          post={writing.post}
          places={places}
          onSaved={() => {
            setWriting(undefined);
            news.refetch();
          }}
          onClose={() => setWriting(undefined)}
        />
      )}
      <RemoveDialog post={removing} onChanged={news.refetch} onClose={() => setRemoving(undefined)} />
    </div>
  );
}

interface RemoveDialogProps {
  post: NewsItemFragment | undefined;
  onChanged: () => void;
  onClose: () => void;
}

function RemoveDialog({ post, onChanged, onClose }: RemoveDialogProps) {
  const { t } = useTranslation('news');
  const { remove, isRemoving } = useRemoveNews(onChanged);
  return (
    <ConfirmDialog
      opened={post !== undefined}
      title={t('removeTitle')}
      text={t('removeText')}
      confirmLabel={t('remove')}
      danger
      pending={isRemoving}
      onClose={onClose}
      onConfirm={() => post && void remove(post._id).then(onClose)}
    />
  );
}

interface NewsListProps {
  news: PagedList<NewsItemFragment>;
  isSaved: boolean;
  /** Only for those who may write news. */
  onWrite: (() => void) | undefined;
  onEdit: (post: NewsItemFragment) => void;
  onRemove: (post: NewsItemFragment) => void;
}

function NewsList({ news, isSaved, onWrite, onEdit, onRemove }: NewsListProps) {
  const empty = <NoNews isSaved={isSaved} onWrite={onWrite} />;
  return (
    <PagedRows list={news} count={3} height={200} empty={empty}>
      {(posts) =>
        posts.map((post) => (
          <NewsCard key={post._id} post={post} onEdit={() => onEdit(post)} onRemove={() => onRemove(post)} />
        ))
      }
    </PagedRows>
  );
}

function NoNews({ isSaved, onWrite }: Pick<NewsListProps, 'isSaved' | 'onWrite'>) {
  const { t } = useTranslation('news');
  const [, setSearch] = useSearchParams();
  if (isSaved) {
    const action = (
      <Button variant="default" onClick={() => setSearch({}, { replace: true })}>
        {t('showAll')}
      </Button>
    );
    return (
      <EmptyState icon={IconBookmark} title={t('noneSavedTitle')} text={t('noneSavedText')} action={action} />
    );
  }
  const action = onWrite && <Button onClick={onWrite}>{t('write')}</Button>;
  return <EmptyState icon={IconNews} title={t('emptyTitle')} text={t('emptyText')} action={action} />;
}

/** Removes a post, with undo for a few seconds. */
function useRemoveNews(onChanged: () => void) {
  const { t } = useTranslation('news');
  const client = useApolloClient();
  const [isRemoving, setIsRemoving] = useState(false);
  const restore = async (id: string) => {
    try {
      await client.mutate({ mutation: RestoreNewsDocument, variables: { id } });
      onChanged();
      toast.success(t('restored'));
    } catch (error) {
      toast.error(errorText(error));
    }
  };
  const remove = async (id: string): Promise<void> => {
    setIsRemoving(true);
    try {
      await client.mutate({ mutation: RemoveNewsDocument, variables: { id } });
      onChanged();
      showUndo({ message: t('removed'), label: t('undo'), onUndo: () => void restore(id) });
    } catch (error) {
      toast.error(errorText(error));
    } finally {
      setIsRemoving(false);
    }
  };
  return { remove, isRemoving };
}
