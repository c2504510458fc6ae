import { Column, Entity, PrimaryColumn } from 'typeorm';
import { ISO_TIME } from '../entity-columns.js';

/** What somebody did that concerns a student, or (`receiverId` empty) every member of a space. */
@Entity({ schema: 'read', name: 'notices', synchronize: false })
export class NoticeEntity {
  @PrimaryColumn({ name: 'receiver_id', type: 'text' })
  readonly receiverId!: string;

  @PrimaryColumn({ name: 'post_id', type: 'text' })
  readonly postId!: string;

  @PrimaryColumn({ name: 'type', type: 'text' })
  readonly type!: string;

  @Column({ name: 'space_id', type: 'text' })
  readonly spaceId!: string;

  @Column({ name: 'question_id', type: 'text' })
  readonly questionId!: string;

  @Column({ name: 'answer_id', type: 'text', nullable: true })
  readonly answerId!: string | null;

  @Column({ name: 'actor_id', type: 'text' })
  readonly actorId!: string;

  @Column({ name: 'reason', type: 'text', nullable: true })
  readonly reason!: string | null;

  @Column({ name: 'created_at', type: 'timestamptz', transformer: ISO_TIME })
  readonly createdAt!: string;
}
