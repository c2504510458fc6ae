import type { ReactNode } from 'react';
import { Outlet } from 'react-router-dom';
import { StaffGate } from '../second-factor/staff-gate';
import { ShellSkeleton } from '../../components/skeletons';
import { useOwnAreas, type Area } from './own-areas';

interface RequireAreaProps {
  area: Area;
  otherwise: ReactNode;
}

/** Whoever has no role for an area finds nothing at its address. */
export default function RequireArea({ area, otherwise }: RequireAreaProps) {
  const areas = useOwnAreas();
  if (!areas) return <ShellSkeleton />;
  if (!areas.includes(area)) return otherwise;
  return (
    <StaffGate>
      <Outlet />
    </StaffGate>
  );
}
