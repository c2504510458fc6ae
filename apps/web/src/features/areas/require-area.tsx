import { Outlet } from 'react-router-dom';
import { ScreenSkeleton } from '../../components/skeletons';
import NotFoundScreen from '../../screens/not-found/not-found-screen';
import { useOwnAreas, type Area } from './own-areas';

/** Whoever has no role for an area finds nothing at its address. */
export default function RequireArea({ area }: { area: Area }) {
  const areas = useOwnAreas();
  if (!areas) return <ScreenSkeleton />;
  return areas.includes(area) ? <Outlet /> : <NotFoundScreen />;
}
