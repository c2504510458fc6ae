import { Title } from '@mantine/core';
import IconArrowBigUp from '@tabler/icons-react/dist/esm/icons/IconArrowBigUp.mjs';
import IconCircleCheckFilled from '@tabler/icons-react/dist/esm/icons/IconCircleCheckFilled.mjs';
import IconMessageQuestion from '@tabler/icons-react/dist/esm/icons/IconMessageQuestion.mjs';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../../lib/paths';
import { EmptyState } from '../../../components/empty-state';
import { PagedRows } from '../../../components/paged-rows';
import { InlineText } from '../../../components/rich-text/inline-text';
import { RelativeTime } from '../../../components/relative-time';
import { StudentPostsDocument, type StudentPostFragment } from '../../../generated/graphql';
import { previewForCard } from '../../../components/rich-text/truncate';
import { wholeNumber } from '../../../lib/format';
import { useListPolicy, usePagedList } from '../../../lib/api/paged-list';
import classes from './user-detail.module.css';

interface StudentPostsProps {
  student: string;
  space: string;
}

/** The student's questions and answers in the space, newest first. */
export function StudentPosts({ student, space }: StudentPostsProps) {
  const { t } = useTranslation('userDetail');
  const policy = useListPolicy();
  const list = usePagedList(StudentPostsDocument, { student, space, page: 1 }, 'getStudentPosts', policy);
  const empty = (
    <EmptyState icon={IconMessageQuestion} titleOrder={3} title={t('noPosts')} text={t('noPostsText')} />
  );
  return (
    <section aria-labelledby="student-posts">
      <Title order={2} size="h3" id="student-posts" className={classes.postsHeading}>
        {t('posts')}
      </Title>
      <PagedRows list={list} count={4} height={96} empty={empty}>
        {(posts) => (
          <ul className={classes.posts}>
            {posts.map((post) => (
              <li key={post._id}>
                <PostLink post={post} />
              </li>
            ))}
          </ul>
        )}
      </PagedRows>
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
