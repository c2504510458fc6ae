import IconArrowsExchange from '@tabler/icons-react/dist/esm/icons/IconArrowsExchange.mjs';
import IconBooks from '@tabler/icons-react/dist/esm/icons/IconBooks.mjs';
import IconCalendarClock from '@tabler/icons-react/dist/esm/icons/IconCalendarClock.mjs';
import IconDoorEnter from '@tabler/icons-react/dist/esm/icons/IconDoorEnter.mjs';
import IconFlag from '@tabler/icons-react/dist/esm/icons/IconFlag.mjs';
import IconGavel from '@tabler/icons-react/dist/esm/icons/IconGavel.mjs';
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs';
import IconLink from '@tabler/icons-react/dist/esm/icons/IconLink.mjs';
import IconMoodSmile from '@tabler/icons-react/dist/esm/icons/IconMoodSmile.mjs';
import IconNews from '@tabler/icons-react/dist/esm/icons/IconNews.mjs';
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs';
import IconScale from '@tabler/icons-react/dist/esm/icons/IconScale.mjs';
import IconUserShield from '@tabler/icons-react/dist/esm/icons/IconUserShield.mjs';
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs';
import type { AreaSection } from '../features/areas/area-sidebar';
import { paths } from './paths';

/** What the sidebar of the areas leads to, in its order. */
export const areaSections: readonly AreaSection[] = [
  { area: 'moderation', to: paths.moderation, label: 'sections.queue', icon: IconFlag },
  { area: 'moderation', to: paths.entry, label: 'sections.entry', icon: IconDoorEnter },
  {
    area: 'moderation',
    to: paths.votePatterns,
    label: 'sections.patterns',
    icon: IconArrowsExchange,
    below: [paths.votesByHand],
  },
  { area: 'moderation', to: paths.voteCases, label: 'sections.cases', icon: IconGavel },
  { area: 'audit', to: paths.audit, label: 'sections.history', icon: IconHistory },
  { area: 'audit', to: paths.asOf, label: 'sections.asOf', icon: IconCalendarClock },
  { area: 'audit', to: paths.proof, label: 'sections.proof', icon: IconLink },
  { area: 'maintenance', to: paths.maintenance, label: 'sections.projections', icon: IconRefresh },
  { area: 'maintenance', to: paths.scoring, label: 'sections.scoring', icon: IconScale },
  { area: 'maintenance', to: paths.managedSpaces, label: 'sections.spaces', icon: IconBooks },
  { area: 'maintenance', to: paths.managedAvatars, label: 'sections.avatars', icon: IconMoodSmile },
  { area: 'maintenance', to: paths.managedRoles, label: 'sections.roles', icon: IconUserShield },
  { area: 'maintenance', to: paths.managedStudents, label: 'sections.students', icon: IconUsers },
  { area: 'maintenance', to: paths.managedNews, label: 'sections.news', icon: IconNews },
];
