import { ActivityEntity } from './activities/activities.entity.js';
import { AvatarEntity } from './avatars/avatars.entity.js';
import { AuditEntryEntity } from './audit/audit.entity.js';
import { LeaderboardEntity } from './leaderboard/leaderboard.entity.js';
import { NewspostEntity, NewspostReactionEntity } from './news/news.entity.js';
import { NoticeEntity } from './notifications/notifications.entity.js';
import { AnswerEntity, CommentEntity, QuestionEntity } from './questions/questions.entity.js';
import { MembershipEntity, SpaceEntity, SubjectEntity, TopicEntity } from './spaces/spaces.entity.js';
import { ActivityDayEntity } from './statistics/statistics.entity.js';
import { StudentEntity, StudentRoleEntity } from './students/students.entity.js';

/** Every entity of the read side, over the stable views. */
export const readModelEntities = [
  StudentEntity,
  StudentRoleEntity,
  SpaceEntity,
  SubjectEntity,
  TopicEntity,
  AvatarEntity,
  MembershipEntity,
  QuestionEntity,
  AnswerEntity,
  CommentEntity,
  LeaderboardEntity,
  NewspostEntity,
  NewspostReactionEntity,
  NoticeEntity,
  ActivityEntity,
  ActivityDayEntity,
  AuditEntryEntity,
];
