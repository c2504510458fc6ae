import { Column, Entity, PrimaryColumn } from 'typeorm';
import { ISO_TIME, NUMBER } from '../entity-columns.js';

/** One line of the history of votes, reports and acts. */
@Entity({ schema: 'read', name: 'audit_entries', synchronize: false })
export class AuditEntryEntity {
  @PrimaryColumn({ name: 'ordinal', type: 'bigint', transformer: NUMBER })
  readonly ordinal!: number;

  @PrimaryColumn({ name: 'line', type: 'integer' })
  readonly line!: number;

  @Column({ name: 'event_id', type: 'text' })
  readonly eventId!: string;

  @Column({ name: 'stream_id', type: 'text' })
  readonly streamId!: string;

  @Column({ name: 'kind', type: 'text' })
  readonly kind!: string;

  @Column({ name: 'class', type: 'text' })
  readonly class!: string;

  @Column({ name: 'is_head', type: 'boolean' })
  readonly isHead!: boolean;

  @Column({ name: 'lines', type: 'integer' })
  readonly lines!: number;

  @Column({ name: 'space_id', type: 'text', nullable: true })
  readonly spaceId!: string | null;

  @Column({ name: 'post_type', type: 'text', nullable: true })
  readonly postType!: string | null;

  @Column({ name: 'post_id', type: 'text', nullable: true })
  readonly postId!: string | null;

  @Column({ name: 'question_id', type: 'text', nullable: true })
  readonly questionId!: string | null;

  @Column({ name: 'receiver_id', type: 'text', nullable: true })
  readonly receiverId!: string | null;

  @Column({ name: 'voter_id', type: 'text', nullable: true })
  readonly voterId!: string | null;

  @Column({ name: 'voter_is_stand_in', type: 'boolean' })
  readonly voterIsStandIn!: boolean;

  @Column({ name: 'direction', type: 'text', nullable: true })
  readonly direction!: string | null;

  @Column({ name: 'reason', type: 'text', nullable: true })
  readonly reason!: string | null;

  @Column({ name: 'round', type: 'integer', nullable: true })
  readonly round!: number | null;

  @Column({ name: 'case_id', type: 'text', nullable: true })
  readonly caseId!: string | null;

  @Column({ name: 'about', type: 'text', nullable: true })
  readonly about!: string | null;

  @Column({ name: 'actor_kind', type: 'text' })
  readonly actorKind!: string;

  @Column({ name: 'actor_id', type: 'text', nullable: true })
  readonly actorId!: string | null;

  @Column({ name: 'operator', type: 'text', nullable: true })
  readonly operator!: string | null;

  @Column({ name: 'command_id', type: 'text' })
  readonly commandId!: string;

  @Column({ name: 'occurred_at', type: 'timestamptz', transformer: ISO_TIME })
  readonly occurredAt!: string;

  @Column({ name: 'recorded_at', type: 'timestamptz', transformer: ISO_TIME })
  readonly recordedAt!: string;
}
