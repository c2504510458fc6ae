import { skipToken, useQuery } from '@apollo/client/react';
import { Suspense } from 'react';
import { OwnRolesDocument } from '../../generated/graphql';
import { withStaffTexts } from '../../i18n/i18n';
import { useAuthUser } from '../../lib/auth-storage';
import { moderates } from './use-moderated-spaces';
import { lazyPart } from '../../lib/browser/loading';

const AsOfLink = lazyPart(withStaffTexts(() => import('./as-of-link')));

/** Link for moderators of the space. Students do not load it. */
export function ModeratorAsOfLink({ spaceId, to }: { spaceId: string; to: string }) {
  const user = useAuthUser();
  const { data } = useQuery(OwnRolesDocument, user ? { fetchPolicy: 'cache-first' } : skipToken);
  if (!moderates(data?.getStudent?.roles ?? [], spaceId)) return null;
  return (
    <Suspense fallback={null}>
      <AsOfLink to={to} />
    </Suspense>
  );
}
