import IconArrowsExchange from '@tabler/icons-react/dist/esm/icons/IconArrowsExchange.mjs';
import IconBooks from '@tabler/icons-react/dist/esm/icons/IconBooks.mjs';
import IconCalendarClock from '@tabler/icons-react/dist/esm/icons/IconCalendarClock.mjs';
import IconDoorEnter from '@tabler/icons-react/dist/esm/icons/IconDoorEnter.mjs';
import IconEraser from '@tabler/icons-react/dist/esm/icons/IconEraser.mjs';
import IconFlag from '@tabler/icons-react/dist/esm/icons/IconFlag.mjs';
import IconGavel from '@tabler/icons-react/dist/esm/icons/IconGavel.mjs';
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs';
import IconLink from '@tabler/icons-react/dist/esm/icons/IconLink.mjs';
import IconListDetails from '@tabler/icons-react/dist/esm/icons/IconListDetails.mjs';
import IconMoodSmile from '@tabler/icons-react/dist/esm/icons/IconMoodSmile.mjs';
import IconNews from '@tabler/icons-react/dist/esm/icons/IconNews.mjs';
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs';
import IconScale from '@tabler/icons-react/dist/esm/icons/IconScale.mjs';
import IconUserShield from '@tabler/icons-react/dist/esm/icons/IconUserShield.mjs';
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs';
import { Fragment } from 'react';
import { Navigate, Route, Routes, useParams } from 'react-router-dom';
import { AreaLayout, type AreaSection } from '../features/shell/area-layout';
import { LogAlarm } from '../features/areas/log-alarm';
import type { Area } from '../features/areas/own-areas';
import { lazyPart } from '../lib/browser/loading';
import NotFoundScreen from '../screens/student/not-found/not-found-screen';
import { paths } from '../lib/paths';

const AuditScreen = lazyPart(() => import('../screens/moderation/audit/audit-screen'));
const EventScreen = lazyPart(() => import('../screens/moderation/audit/event-screen'));
const ScoringRulesScreen = lazyPart(
  () => import('../screens/maintenance/scoring-rules/scoring-rules-screen'),
);
const ScoringVersionScreen = lazyPart(
  () => import('../screens/maintenance/scoring-rules/scoring-version-screen'),
);
const AsOfStart = lazyPart(() => import('../screens/moderation/as-of/as-of-start-screen'));
const LeaderboardAsOf = lazyPart(() => import('../screens/moderation/as-of/leaderboard-as-of-screen'));
const QuestionAsOf = lazyPart(() => import('../screens/moderation/as-of/question-as-of-screen'));
const ProofScreen = lazyPart(() => import('../screens/maintenance/proof/proof-screen'));
const ManagedSpacesScreen = lazyPart(
  () => import('../screens/maintenance/managed-spaces/managed-spaces-screen'),
);
const ManagedSpaceScreen = lazyPart(
  () => import('../screens/maintenance/managed-space/managed-space-screen'),
);
const ManagedAvatarsScreen = lazyPart(
  () => import('../screens/maintenance/managed-avatars/managed-avatars-screen'),
);
const ManagedRolesScreen = lazyPart(
  () => import('../screens/maintenance/managed-roles/managed-roles-screen'),
);
const ManagedStudentsScreen = lazyPart(
  () => import('../screens/maintenance/managed-students/managed-students-screen'),
);
const ManagedNewsScreen = lazyPart(() => import('../screens/maintenance/managed-news/managed-news-screen'));

const ProjectionsScreen = lazyPart(() => import('../screens/maintenance/projections/projections-screen'));
const ProjectionScreen = lazyPart(() => import('../screens/maintenance/projections/projection-screen'));
const LogScreen = lazyPart(() => import('../screens/maintenance/event-log/log-screen'));
const LogEventScreen = lazyPart(() => import('../screens/maintenance/event-log/log-event-screen'));
const LogStreamScreen = lazyPart(() => import('../screens/maintenance/event-log/log-stream-screen'));
const ModerationScreen = lazyPart(() => import('../screens/moderation/reported-posts/moderation-screen'));
const EntryScreen = lazyPart(() => import('../screens/moderation/entry/entry-screen'));
const ClassCodeScreen = lazyPart(() => import('../screens/moderation/class-code/class-code-screen'));
const PatternsScreen = lazyPart(() => import('../screens/moderation/vote-patterns/patterns-screen'));
const PatternScreen = lazyPart(() => import('../screens/moderation/vote-patterns/pattern-screen'));
const VoteGiversScreen = lazyPart(() => import('../screens/moderation/vote-patterns/vote-givers-screen'));
const VotesScreen = lazyPart(() => import('../screens/moderation/vote-patterns/votes-screen'));
const CasesScreen = lazyPart(() => import('../screens/moderation/vote-cases/cases-screen'));
const RemovalsScreen = lazyPart(() => import('../screens/moderation/removals/removals-screen'));
const RemovalScreen = lazyPart(() => import('../screens/moderation/removals/removal-screen'));
const CaseScreen = lazyPart(() => import('../screens/moderation/vote-cases/case-screen'));

/** Remounts the screen when the ID in the URL changes, so that no state is left over. */
function ById({ children }: { children: React.ReactNode }) {
  return <Fragment key={Object.values(useParams()).join('/')}>{children}</Fragment>;
}
const byId = (screen: React.ReactNode) => <ById>{screen}</ById>;

/** Redirects a URL without its last segment to the screen where it is chosen. */
const to = (address: string) => <Navigate replace to={address} />;

/** Screens of each area by path. */
const screens: Readonly<Record<Area, React.ReactNode>> = {
  moderation: (
    <>
      <Route path=":postId?" element={<ModerationScreen />} />
      <Route path="entry" element={<EntryScreen />} />
      <Route path="patterns" element={<PatternsScreen />} />
      <Route path="patterns/:spaceId" element={to(paths.votePatterns)} />
      <Route path="patterns/:spaceId/:patternId" element={byId(<PatternScreen />)} />
      <Route path="votes" element={<VotesScreen />} />
      <Route path="votes/givers" element={<VoteGiversScreen />} />
      <Route path="cases" element={<CasesScreen />} />
      <Route path="removals" element={<RemovalsScreen />} />
      <Route path="removals/:removalId" element={byId(<RemovalScreen />)} />
      <Route path="cases/:caseId" element={byId(<CaseScreen />)} />
    </>
  ),
  audit: (
    <>
      <Route index element={<AuditScreen />} />
      <Route path="proof" element={<ProofScreen />} />
      <Route path="as-of" element={<AsOfStart />} />
      <Route path="as-of/leaderboard" element={<LeaderboardAsOf />} />
      <Route path="as-of/question" element={to(paths.asOf)} />
      <Route path="as-of/question/:questionId" element={byId(<QuestionAsOf />)} />
      <Route path=":ordinal" element={byId(<EventScreen />)} />
    </>
  ),
  maintenance: (
    <>
      <Route index element={<ProjectionsScreen />} />
      <Route path="projections" element={to(paths.maintenance)} />
      <Route path="projections/:name" element={byId(<ProjectionScreen />)} />
      <Route path="log" element={<LogScreen />} />
      <Route path="log/stream" element={<LogStreamScreen />} />
      <Route path="log/:ordinal" element={byId(<LogEventScreen />)} />
      <Route path="scoring" element={<ScoringRulesScreen />} />
      <Route path="scoring/versions" element={to(paths.scoring)} />
      <Route path="scoring/versions/:version" element={byId(<ScoringVersionScreen />)} />
      <Route path="content" element={to(paths.managedSpaces)} />
      <Route path="content/spaces" element={<ManagedSpacesScreen />} />
      <Route path="content/spaces/:spaceId" element={byId(<ManagedSpaceScreen />)} />
      <Route path="content/avatars" element={<ManagedAvatarsScreen />} />
      <Route path="content/roles" element={<ManagedRolesScreen />} />
      <Route path="content/students" element={<ManagedStudentsScreen />} />
      <Route path="content/news" element={<ManagedNewsScreen />} />
    </>
  ),
};

/** Screens without menu and header. */
const bareScreens: Readonly<Partial<Record<Area, React.ReactNode>>> = {
  moderation: <Route path="entry/code/:spaceId/:invitationId" element={byId(<ClassCodeScreen />)} />,
};

export default function AreaRoutes({ area }: { area: Area }) {
  return (
    <Routes>
      {bareScreens[area]}
      <Route element={<AreaLayout sections={areaSections} notice={area === 'maintenance' && <LogAlarm />} />}>
        {screens[area]}
      </Route>
      <Route path="*" element={<NotFoundScreen />} />
    </Routes>
  );
}

/** Sidebar of the areas, in order. */
const areaSections: readonly AreaSection[] = [
  { area: 'moderation', to: paths.moderation, label: 'sections.queue', icon: IconFlag },
  { area: 'moderation', to: paths.entry, label: 'sections.entry', icon: IconDoorEnter },
  {
    area: 'moderation',
    to: paths.votePatterns,
    label: 'sections.patterns',
    icon: IconArrowsExchange,
    below: [paths.voteReview],
  },
  { area: 'moderation', to: paths.removals, label: 'sections.removals', icon: IconEraser },
  { area: 'moderation', to: paths.voteCases, label: 'sections.cases', icon: IconGavel },
  { area: 'audit', to: paths.audit, label: 'sections.history', icon: IconHistory },
  { area: 'audit', to: paths.asOf, label: 'sections.asOf', icon: IconCalendarClock },
  { area: 'audit', to: paths.proof, label: 'sections.proof', icon: IconLink },
  { area: 'maintenance', to: paths.maintenance, label: 'sections.projections', icon: IconRefresh },
  { area: 'maintenance', to: paths.log, label: 'sections.log', icon: IconListDetails },
  { area: 'maintenance', to: paths.scoring, label: 'sections.scoring', icon: IconScale },
  { area: 'maintenance', to: paths.managedSpaces, label: 'sections.spaces', icon: IconBooks },
  { area: 'maintenance', to: paths.managedAvatars, label: 'sections.avatars', icon: IconMoodSmile },
  { area: 'maintenance', to: paths.managedRoles, label: 'sections.roles', icon: IconUserShield },
  { area: 'maintenance', to: paths.managedStudents, label: 'sections.students', icon: IconUsers },
  { area: 'maintenance', to: paths.managedNews, label: 'sections.news', icon: IconNews },
];
