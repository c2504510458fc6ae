import type { ReactNode } from 'react';
import { Outlet } from 'react-router-dom';
import { StaffGate } from '../second-factor/staff-gate';
import { ShellSkeleton } from '../../components/skeletons';
import { useOwnAreas, type Area } from './own-areas';

interface RequireAreaProps {
  area: Area;
  otherwise: ReactNode;
}

/** Renders `otherwise` for callers without a role in the area. */
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
