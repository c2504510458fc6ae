import { useQuery } from '@apollo/client/react';
import { Title } from '@mantine/core';
import IconArrowBigUp from '@tabler/icons-react/dist/esm/icons/IconArrowBigUp.mjs';
import IconCircleCheckFilled from '@tabler/icons-react/dist/esm/icons/IconCircleCheckFilled.mjs';
import IconMessageQuestion from '@tabler/icons-react/dist/esm/icons/IconMessageQuestion.mjs';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../app/paths';
import { EmptyState } from '../../components/empty-state';
import { ErrorNotice } from '../../components/error-notice';
import { InlineText } from '../../components/rich-text/inline-text';
import { RelativeTime } from '../../components/relative-time';
import { SkeletonRows } from '../../components/skeletons';
import { StudentPostsDocument, type StudentPostFragment } from '../../generated/graphql';
import { previewForCard } from '../../features/questions/truncate';
import { wholeNumber } from '../../lib/format';
import { withPage } from '../../lib/merge-pages';
import { useLoadMore } from '../../lib/use-load-more';
import { useListPolicy } from '../../lib/use-list-policy';
import { useMore } from '../../lib/use-more';
import { useUnfolded } from '../../lib/use-unfolded';
import classes from './user-detail.module.css';

interface StudentPostsProps {
  student: string;
  space: string;
}

function useStudentPosts({ student, space }: StudentPostsProps) {
  const variables = { student, space, page: 1 };
  const { data, error, refetch } = useQuery(StudentPostsDocument, { variables, ...useListPolicy() });
  const posts = data?.getStudentPosts;
  const hasMore = posts !== undefined && posts.page < posts.totalPages;
  const readMore = useMore(StudentPostsDocument, variables);
  const { rows, nextPage } = useUnfolded({
    list: `${student}:${space}`,
    rows: posts?.docs,
    hasMore,
    fetchNext: () =>
      readMore({ page: (posts?.page ?? 0) + 1 }, (loaded, more) => ({
        getStudentPosts: withPage(loaded.getStudentPosts, more.getStudentPosts),
      })),
  });
  return { posts: rows, error, hasMore, nextPage, refetch };
}

/** Questions and answers of a student in the space, the newest first. */
export function StudentPosts(props: StudentPostsProps) {
  const { t } = useTranslation('userDetail');
  const { posts, error, hasMore, nextPage, refetch } = useStudentPosts(props);
  const end = useLoadMore(hasMore && nextPage.error === undefined, nextPage.load);
  return (
    <section aria-labelledby="student-posts">
      <Title order={2} size="h3" id="student-posts" className={classes.postsHeading}>
        {t('posts')}
      </Title>
      {error && !posts && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!error && !posts && <SkeletonRows count={4} height={96} />}
      {posts?.length === 0 && (
        <EmptyState icon={IconMessageQuestion} titleOrder={3} title={t('noPosts')} text={t('noPostsText')} />
      )}
      {posts && posts.length > 0 && (
        <ul className={classes.posts}>
          {posts.map((post) => (
            <li key={post._id}>
              <PostLink post={post} />
            </li>
          ))}
        </ul>
      )}
      <div ref={end} />
      {nextPage.error !== undefined && <ErrorNotice error={nextPage.error} onRetry={nextPage.load} />}
      {hasMore && nextPage.error === undefined && <SkeletonRows count={1} isMore height={96} />}
    </section>
  );
}

function PostLink({ post }: { post: StudentPostFragment }) {
  const { t, i18n } = useTranslation('userDetail');
  const isQuestion = post.postType === 'QUESTION';
  return (
    <Link className={classes.post} to={paths.singleQuestion(post.question._id, 'home')}>
      <span className={classes.meta}>
        <span className={classes.kind}>{isQuestion ? t('asked') : t('answered')}</span>
        <RelativeTime at={post.createdAt} />
        {post.isAccepted && (
          <span className={classes.accepted}>
            <IconCircleCheckFilled size={16} aria-hidden />
            {isQuestion ? t('solved') : t('accepted')}
          </span>
        )}
        <span className={classes.upvotes} title={t('upvotes', { count: post.upvoteCount })}>
          <IconArrowBigUp size={16} stroke={1.75} aria-hidden />
          {wholeNumber(post.upvoteCount, i18n.language)}
        </span>
      </span>
      <span className={classes.postTitle} dir="auto">
        <InlineText text={post.title} />
      </span>
      {post.excerpt !== '' && (
        <span className={classes.excerpt} dir="auto">
          <InlineText text={previewForCard(post.excerpt)} />
        </span>
      )}
    </Link>
  );
}
