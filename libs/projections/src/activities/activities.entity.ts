import { Column, Entity, PrimaryColumn } from 'typeorm';
import { ISO_TIME } from '../entity-columns.js';

/** Something that a student did with a post. */
@Entity({ schema: 'read', name: 'activities', synchronize: false })
export class ActivityEntity {
  @PrimaryColumn({ name: 'student_id', type: 'text' })
  readonly studentId!: string;

  @PrimaryColumn({ name: 'type', type: 'text' })
  readonly type!: string;

  @PrimaryColumn({ name: 'post_id', type: 'text' })
  readonly postId!: string;

  @Column({ name: 'space_id', type: 'text' })
  readonly spaceId!: string;

  @Column({ name: 'question_id', type: 'text' })
  readonly questionId!: string;

  @Column({ name: 'answer_id', type: 'text', nullable: true })
  readonly answerId!: string | null;

  @Column({ name: 'created_at', type: 'timestamptz', transformer: ISO_TIME })
  readonly createdAt!: string;
}
