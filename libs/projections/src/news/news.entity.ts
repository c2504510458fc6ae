import { Column, Entity, PrimaryColumn } from 'typeorm';
import { ISO_TIME } from '../entity-columns.js';

/** A newspost; an empty space means for everybody. */
@Entity({ schema: 'read', name: 'newsposts', synchronize: false })
export class NewspostEntity {
  @PrimaryColumn({ name: 'newspost_id', type: 'text' })
  readonly newspostId!: string;

  @Column({ name: 'space_id', type: 'text' })
  readonly spaceId!: string;

  @Column({ name: 'author_id', type: 'text' })
  readonly authorId!: string;

  @Column({ name: 'title', type: 'text' })
  readonly title!: string;

  @Column({ name: 'body', type: 'text' })
  readonly body!: string;

  @Column({ name: 'created_at', type: 'timestamptz', transformer: ISO_TIME })
  readonly createdAt!: string;

  @Column({ name: 'edited_at', type: 'timestamptz', transformer: ISO_TIME, nullable: true })
  readonly editedAt!: string | null;

  @Column({ name: 'is_removed', type: 'boolean' })
  readonly isRemoved!: boolean;
}

/** What a student has done with a newspost. */
@Entity({ schema: 'read', name: 'newspost_reactions', synchronize: false })
export class NewspostReactionEntity {
  @PrimaryColumn({ name: 'newspost_id', type: 'text' })
  readonly newspostId!: string;

  @PrimaryColumn({ name: 'student_id', type: 'text' })
  readonly studentId!: string;

  @Column({ name: 'is_liked', type: 'boolean' })
  readonly isLiked!: boolean;

  @Column({ name: 'is_saved', type: 'boolean' })
  readonly isSaved!: boolean;
}
