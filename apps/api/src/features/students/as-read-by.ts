import type { AuthorView } from '@nimo/projections';
import type { Viewer } from '../../platform/auth/viewer.js';

interface Written {
  readonly author: AuthorView;
}

const withoutFullName = (author: AuthorView): AuthorView => ({
  ...author,
  firstName: '',
  lastName: '',
  profileDesc: '',
});

/** A post as that reader sees it: full names are for people who are signed in, anybody else reads the user name. */
export const asReadBy = <Post extends Written>(viewer: Viewer | null, post: Post): Post =>
  viewer ? post : { ...post, author: withoutFullName(post.author) };

export const allAsReadBy = <Page extends { readonly docs: readonly Written[] }>(
  viewer: Viewer | null,
  page: Page,
): Page => (viewer ? page : { ...page, docs: page.docs.map((post) => asReadBy(viewer, post)) });
