import { Column, Entity, PrimaryColumn } from 'typeorm';
import { NUMBER } from '../entity-columns.js';

/** Questions and answers of a day in a subject of a space. */
@Entity({ schema: 'read', name: 'activity_days', synchronize: false })
export class ActivityDayEntity {
  @PrimaryColumn({ name: 'space_id', type: 'text' })
  readonly spaceId!: string;

  /** YYYY-MM-DD in UTC. */
  @PrimaryColumn({ name: 'day', type: 'text' })
  readonly day!: string;

  @PrimaryColumn({ name: 'subject_id', type: 'text' })
  readonly subjectId!: string;

  @Column({ name: 'questions', type: 'bigint', transformer: NUMBER })
  readonly questions!: number;

  @Column({ name: 'answers', type: 'bigint', transformer: NUMBER })
  readonly answers!: number;

  /** Of the questions asked on that day, as are the waits. */
  @Column({ name: 'solved', type: 'bigint', transformer: NUMBER })
  readonly solved!: number;

  @Column({ name: 'within_hour', type: 'bigint', transformer: NUMBER })
  readonly withinHour!: number;

  @Column({ name: 'within_day', type: 'bigint', transformer: NUMBER })
  readonly withinDay!: number;

  @Column({ name: 'within_week', type: 'bigint', transformer: NUMBER })
  readonly withinWeek!: number;

  @Column({ name: 'later', type: 'bigint', transformer: NUMBER })
  readonly later!: number;
}
