import { useQuery } from '@apollo/client/react';
import { ActionIcon, Anchor, Button, Group, Tabs, Text, Title, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import IconBookmark from '@tabler/icons-react/dist/esm/icons/IconBookmark.mjs';
import IconCircleCheckFilled from '@tabler/icons-react/dist/esm/icons/IconCircleCheckFilled.mjs';
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs';
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router-dom';
import { paths } from '../../../lib/paths';
import { EmptyState } from '../../../components/empty-state';
import { ErrorNotice } from '../../../components/notices';
import { Medal } from '../../../components/medal';
import { PagedRows } from '../../../components/paged-rows';
import { PersonAvatar } from '../../../components/person-avatar';
import { RelativeTime } from '../../../components/relative-time';
import { InlineText } from '../../../components/rich-text/inline-text';
import { Placeholder } from '../../../components/skeletons';
import { SubjectChip, TopicChip } from '../../../components/chips';
import { EditProfileModal } from '../../../features/edit-profile/edit-profile-modal';
import {
  type EditableProfileFragment,
  ProfileDocument,
  type SavedQuestionFragment,
  SavedQuestionsDocument,
} from '../../../generated/graphql';
import { useAuthUser, useCurrentSpace } from '../../../lib/auth-storage';
import { shownName } from '../../../lib/api/erased';
import { wholeNumber } from '../../../lib/format';
import { useListPolicy, usePagedList } from '../../../lib/api/paged-list';
import { useScreenTitle } from '../../../lib/browser/announce';
import { Activities } from './activities';
import classes from './profile-screen.module.css';

export default function ProfileScreen() {
  const { t } = useTranslation(['profile', 'activities']);
  const space = useCurrentSpace()?._id ?? '';
  // In the URL, so that Back returns to the same tab.
  const [search, setSearch] = useSearchParams();
  const tab = search.get('tab') === 'activities' ? 'activities' : 'saved';
  const choose = (chosen: string | null) =>
    setSearch(chosen === 'activities' ? { tab: chosen } : {}, { replace: true });
  useScreenTitle(t('title'));
  return (
    <div className={classes.screen}>
      <OwnCard space={space} />
      <Tabs value={tab} onChange={choose} keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="saved" leftSection={<IconBookmark size={18} stroke={1.75} />}>
            {t('tabs.saved')}
          </Tabs.Tab>
          <Tabs.Tab value="activities" leftSection={<IconHistory size={18} stroke={1.75} />}>
            {t('activities:tab')}
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="saved">
          <SavedQuestions space={space} />
        </Tabs.Panel>
        <Tabs.Panel value="activities">
          <Activities space={space} />
        </Tabs.Panel>
      </Tabs>
    </div>
  );
}

function OwnCard({ space }: { space: string }) {
  const own = useAuthUser();
  const { data, error, refetch } = useQuery(ProfileDocument, {
    variables: { space },
    fetchPolicy: 'cache-and-network',
  });
  if (error && !data) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  // As high as the content, however it wraps; only the counters are not in the session.
  if (!data?.getStudent)
    return (
      <Placeholder radius="lg">
        <Card profile={{ ...EMPTY_PROFILE, ...own }} />
      </Placeholder>
    );
  return <Card profile={data.getStudent} scores={data.getLeaderboardScores.scores} />;
}

const EMPTY_PROFILE: EditableProfileFragment = {
  _id: '',
  userName: '\u00a0',
  firstName: '\u00a0',
  lastName: null,
  profileDesc: null,
  realProfilePicUrl: null,
};

interface CardProps {
  profile: EditableProfileFragment;
  scores?: { reputations: number; commitments: number } | null;
}

function Card({ profile, scores }: CardProps) {
  const { t } = useTranslation(['profile', 'leaderboard']);
  const { reputations = 0, commitments = 0 } = scores ?? {};
  return (
    <section className={classes.card} aria-label={t('title')}>
      <Person profile={profile} />
      <div className={classes.score}>
        <dl className={classes.counters}>
          <Counter metal="gold" label={t('reputations')} count={reputations} />
          <Counter metal="silver" label={t('commitments')} count={commitments} />
        </dl>
        <Anchor component={Link} to={paths.scoreExplanation} size="sm">
          {t('howCalculated', { ns: 'leaderboard' })}
        </Anchor>
      </div>
    </section>
  );
}

function Person({ profile }: { profile: EditableProfileFragment }) {
  const { t } = useTranslation('profile');
  const [isEditing, edit] = useDisclosure();
  const userName = profile.userName ?? '';
  const fullName = [profile.firstName, profile.lastName].filter(Boolean).join(' ');
  return (
    <>
      <PersonAvatar person={{ ...profile, userName }} size={96} />
      <div className={classes.person}>
        <Group gap="xs" wrap="nowrap">
          <Title order={1} className={classes.name}>
            {userName}
          </Title>
          <Tooltip label={t('edit.open')}>
            <ActionIcon variant="subtle" size="lg" aria-label={t('edit.open')} onClick={edit.open}>
              <IconPencil size={20} stroke={1.75} />
            </ActionIcon>
          </Tooltip>
        </Group>
        {fullName !== '' && <Text c="dimmed">{fullName}</Text>}
        <p className={classes.about} dir="auto">
          {profile.profileDesc || t('noAbout')}
        </p>
      </div>
      <EditProfileModal profile={profile} opened={isEditing} onClose={edit.close} />
    </>
  );
}

function Counter({ metal, label, count }: { metal: 'gold' | 'silver'; label: string; count: number }) {
  const { i18n } = useTranslation();
  return (
    <div className={classes.counter}>
      <dt>{label}</dt>
      <dd>
        <Medal metal={metal} />
        {wholeNumber(count, i18n.language)}
      </dd>
    </div>
  );
}

/** Questions bookmarked in this space, newest first. */
function SavedQuestions({ space }: { space: string }) {
  const policy = useListPolicy();
  const list = usePagedList(SavedQuestionsDocument, { space, page: 1 }, 'getPaginatedSavedQuestions', policy);
  return (
    <PagedRows list={list} count={4} height={112} empty={<NothingSaved />}>
      {(questions) => (
        <ul className={classes.list}>
          {questions.map((question) => (
            <li key={question._id}>
              <SavedQuestionLink question={question} />
            </li>
          ))}
        </ul>
      )}
    </PagedRows>
  );
}

function NothingSaved() {
  const { t } = useTranslation('profile');
  const action = (
    <Button component={Link} to={paths.dashboard} variant="default">
      {t('saved.toQuestions')}
    </Button>
  );
  return (
    <EmptyState
      icon={IconBookmark}
      title={t('saved.emptyTitle')}
      text={t('saved.emptyText')}
      action={action}
    />
  );
}

function SavedQuestionLink({ question }: { question: SavedQuestionFragment }) {
  const { t } = useTranslation('profile');
  return (
    <Link className={classes.item} to={paths.singleQuestion(question._id, 'profile')}>
      <span className={classes.chips}>
        <SubjectChip subject={question.subject} />
        <TopicChip topic={question.topic} />
        {question.acceptedAnswer && (
          <span className={classes.solved}>
            <IconCircleCheckFilled size={16} aria-hidden />
            {t('saved.solved')}
          </span>
        )}
      </span>
      <span className={classes.title} dir="auto">
        <InlineText text={question.title} />
      </span>
      <span className={classes.foot}>
        <PersonAvatar person={question.author} size={22} />
        {shownName(question.author)}
        <span aria-hidden>·</span>
        <RelativeTime at={question.createdAt} />
        <span className={classes.answers}>{t('saved.answers', { count: question.answerCount })}</span>
      </span>
    </Link>
  );
}
