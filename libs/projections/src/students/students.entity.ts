import { Column, Entity, PrimaryColumn } from 'typeorm';
import { ISO_TIME } from '../entity-columns.js';

/** A student; null names were never given or are erased. */
@Entity({ schema: 'read', name: 'students', synchronize: false })
export class StudentEntity {
  @PrimaryColumn({ name: 'student_id', type: 'text' })
  readonly studentId!: string;

  @Column({ name: 'user_name', type: 'text', nullable: true })
  readonly userName!: string | null;

  @Column({ name: 'first_name', type: 'text', nullable: true })
  readonly firstName!: string | null;

  @Column({ name: 'last_name', type: 'text', nullable: true })
  readonly lastName!: string | null;

  @Column({ name: 'profile_desc', type: 'text', nullable: true })
  readonly profileDesc!: string | null;

  @Column({ name: 'real_profile_pic_url', type: 'text', nullable: true })
  readonly realProfilePicUrl!: string | null;

  @Column({ name: 'phone', type: 'text', nullable: true })
  readonly phone!: string | null;

  @Column({ name: 'email', type: 'text', nullable: true })
  readonly email!: string | null;

  @Column({ name: 'registration_type', type: 'text' })
  readonly registrationType!: string;

  @Column({ name: 'created_at', type: 'timestamptz', transformer: ISO_TIME })
  readonly createdAt!: string;

  @Column({ name: 'is_registered', type: 'boolean' })
  readonly isRegistered!: boolean;

  @Column({ name: 'is_phone_verified', type: 'boolean' })
  readonly isPhoneVerified!: boolean;

  @Column({ name: 'is_email_confirmed', type: 'boolean' })
  readonly isEmailConfirmed!: boolean;

  @Column({ name: 'is_blocked', type: 'boolean' })
  readonly isBlocked!: boolean;

  @Column({ name: 'blocked_by', type: 'text', nullable: true })
  readonly blockedBy!: string | null;

  @Column({ name: 'is_erased', type: 'boolean' })
  readonly isErased!: boolean;

  @Column({ name: 'is_stand_in', type: 'boolean' })
  readonly isStandIn!: boolean;

  @Column({ name: 'has_ever_joined', type: 'boolean' })
  readonly hasEverJoined!: boolean;

  @Column({ name: 'space_ids', type: 'text', array: true })
  readonly spaceIds!: string[];
}

/** A role of a student; an empty space means all. */
@Entity({ schema: 'read', name: 'student_roles', synchronize: false })
export class StudentRoleEntity {
  @PrimaryColumn({ name: 'student_id', type: 'text' })
  readonly studentId!: string;

  @PrimaryColumn({ name: 'role', type: 'text' })
  readonly role!: string;

  @PrimaryColumn({ name: 'space_id', type: 'text' })
  readonly spaceId!: string;
}
