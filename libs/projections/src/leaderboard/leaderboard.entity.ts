import { Column, Entity, PrimaryColumn } from 'typeorm';
import { NUMBER } from '../entity-columns.js';

/** A student's score in a space. */
@Entity({ schema: 'read', name: 'leaderboard', synchronize: false })
export class LeaderboardEntity {
  @PrimaryColumn({ name: 'space_id', type: 'text' })
  readonly spaceId!: string;

  @PrimaryColumn({ name: 'student_id', type: 'text' })
  readonly studentId!: string;

  @Column({ name: 'merit', type: 'bigint', transformer: NUMBER })
  readonly merit!: number;

  @Column({ name: 'impact', type: 'bigint', transformer: NUMBER })
  readonly impact!: number;

  @Column({ name: 'score', type: 'bigint', transformer: NUMBER })
  readonly score!: number;

  @Column({ name: 'last_ordinal', type: 'bigint', transformer: NUMBER })
  readonly lastOrdinal!: number;

  @Column({ name: 'questions_asked', type: 'integer' })
  readonly questionsAsked!: number;

  @Column({ name: 'questions_answered', type: 'integer' })
  readonly questionsAnswered!: number;

  @Column({ name: 'answers_accepted', type: 'integer' })
  readonly answersAccepted!: number;

  @Column({ name: 'rules_version', type: 'integer' })
  readonly rulesVersion!: number;
}
