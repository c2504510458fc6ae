import { useQuery } from '@apollo/client/react';
import { useLocation } from 'react-router-dom';
import { paths } from '../../lib/paths';
import { OwnErasureDocument } from '../../generated/graphql';
import { useCurrentSpace } from '../../lib/auth-storage';
import { useSpaceStart } from '../../lib/api/use-space-start';
import classes from './erasure-banner.module.css';
import { PendingErasure } from './pending-erasure';

/** Banner on every screen while the account is scheduled for deletion, except on the settings tab that shows it. */
export function ErasureBanner() {
  const { pathname, search } = useLocation();
  const fetchPolicy = useSpaceStart(useCurrentSpace()?._id);
  const { data, refetch } = useQuery(OwnErasureDocument, { fetchPolicy });
  const erasure = data?.getOwnErasure;
  const isOwnTab = pathname === paths.settings && new URLSearchParams(search).get('tab') === 'deletion';
  if (!erasure || isOwnTab) return null;
  return (
    <div className={classes.banner}>
      <PendingErasure erasure={erasure} onKept={() => void refetch()} />
    </div>
  );
}
