import { Column, Entity, PrimaryColumn } from 'typeorm';
import { ISO_TIME } from '../entity-columns.js';

/** A space. */
@Entity({ schema: 'read', name: 'spaces', synchronize: false })
export class SpaceEntity {
  @PrimaryColumn({ name: 'space_id', type: 'text' })
  readonly spaceId!: string;

  @Column({ name: 'name', type: 'text' })
  readonly name!: string;

  @Column({ name: 'description', type: 'text' })
  readonly description!: string;

  @Column({ name: 'scope', type: 'text' })
  readonly scope!: string;

  @Column({ name: 'banner_image_url', type: 'text', nullable: true })
  readonly bannerImageUrl!: string | null;

  @Column({ name: 'color', type: 'text' })
  readonly color!: string;

  @Column({ name: 'is_hidden_from_search_engines', type: 'boolean' })
  readonly isHiddenFromSearchEngines!: boolean;

  @Column({ name: 'created_at', type: 'timestamptz', transformer: ISO_TIME })
  readonly createdAt!: string;
}

/** A subject of a space. */
@Entity({ schema: 'read', name: 'subjects', synchronize: false })
export class SubjectEntity {
  @PrimaryColumn({ name: 'subject_id', type: 'text' })
  readonly subjectId!: string;

  @Column({ name: 'space_id', type: 'text' })
  readonly spaceId!: string;

  @Column({ name: 'subject_name', type: 'text' })
  readonly subjectName!: string;

  @Column({ name: 'color', type: 'text' })
  readonly color!: string;
}

/** A topic of a subject. */
@Entity({ schema: 'read', name: 'topics', synchronize: false })
export class TopicEntity {
  @PrimaryColumn({ name: 'topic_id', type: 'text' })
  readonly topicId!: string;

  @Column({ name: 'space_id', type: 'text' })
  readonly spaceId!: string;

  @Column({ name: 'subject_id', type: 'text' })
  readonly subjectId!: string;

  @Column({ name: 'topic_name', type: 'text' })
  readonly topicName!: string;

  @Column({ name: 'slug', type: 'text' })
  readonly slug!: string;

  @Column({ name: 'topic_type', type: 'text' })
  readonly topicType!: string;

  @Column({ name: 'image_s3_url', type: 'text', nullable: true })
  readonly imageS3Url!: string | null;
}

/** Whether and since when a student is in a space. */
@Entity({ schema: 'read', name: 'memberships', synchronize: false })
export class MembershipEntity {
  @PrimaryColumn({ name: 'space_id', type: 'text' })
  readonly spaceId!: string;

  @PrimaryColumn({ name: 'student_id', type: 'text' })
  readonly studentId!: string;

  @Column({ name: 'joined_at', type: 'timestamptz', transformer: ISO_TIME })
  readonly joinedAt!: string;

  @Column({ name: 'left_at', type: 'timestamptz', transformer: ISO_TIME, nullable: true })
  readonly leftAt!: string | null;

  @Column({ name: 'suspended_by', type: 'text', nullable: true })
  readonly suspendedBy!: string | null;
}
