import { Column, Entity, PrimaryColumn } from 'typeorm';
import { ISO_TIME } from '../entity-columns.js';

/** A question, removed or not. */
@Entity({ schema: 'read', name: 'questions', synchronize: false })
export class QuestionEntity {
  @PrimaryColumn({ name: 'question_id', type: 'text' })
  readonly questionId!: string;

  @Column({ name: 'space_id', type: 'text' })
  readonly spaceId!: string;

  @Column({ name: 'subject_id', type: 'text' })
  readonly subjectId!: string;

  @Column({ name: 'topic_id', type: 'text' })
  readonly topicId!: string;

  @Column({ name: 'author_id', type: 'text' })
  readonly authorId!: string;

  @Column({ name: 'title', type: 'text' })
  readonly title!: string;

  @Column({ name: 'body', type: 'text' })
  readonly body!: string;

  @Column({ name: 'excerpt', type: 'text' })
  readonly excerpt!: string;

  @Column({ name: 'image_urls', type: 'text', array: true })
  readonly imageUrls!: string[];

  @Column({ name: 'tags', type: 'text', array: true })
  readonly tags!: string[];

  @Column({ name: 'created_at', type: 'timestamptz', transformer: ISO_TIME })
  readonly createdAt!: string;

  @Column({ name: 'edited_at', type: 'timestamptz', transformer: ISO_TIME, nullable: true })
  readonly editedAt!: string | null;

  @Column({ name: 'answer_count', type: 'integer' })
  readonly answerCount!: number;

  @Column({ name: 'comments_count', type: 'integer' })
  readonly commentsCount!: number;

  @Column({ name: 'accepted_answer_id', type: 'text', nullable: true })
  readonly acceptedAnswerId!: string | null;

  @Column({ name: 'chosen_answer_id', type: 'text', nullable: true })
  readonly chosenAnswerId!: string | null;

  @Column({ name: 'is_deleted', type: 'boolean' })
  readonly isDeleted!: boolean;

  @Column({ name: 'is_upheld', type: 'boolean' })
  readonly isUpheld!: boolean;

  @Column({ name: 'is_removed', type: 'boolean' })
  readonly isRemoved!: boolean;

  @Column({ name: 'deleted_children', type: 'text', array: true })
  readonly deletedChildren!: string[];

  @Column({ name: 'upheld_children', type: 'text', array: true })
  readonly upheldChildren!: string[];
}

/** An answer, removed or not. */
@Entity({ schema: 'read', name: 'answers', synchronize: false })
export class AnswerEntity {
  @PrimaryColumn({ name: 'answer_id', type: 'text' })
  readonly answerId!: string;

  @Column({ name: 'question_id', type: 'text' })
  readonly questionId!: string;

  @Column({ name: 'space_id', type: 'text' })
  readonly spaceId!: string;

  @Column({ name: 'author_id', type: 'text' })
  readonly authorId!: string;

  @Column({ name: 'body', type: 'text' })
  readonly body!: string;

  @Column({ name: 'image_urls', type: 'text', array: true })
  readonly imageUrls!: string[];

  @Column({ name: 'created_at', type: 'timestamptz', transformer: ISO_TIME })
  readonly createdAt!: string;

  @Column({ name: 'edited_at', type: 'timestamptz', transformer: ISO_TIME, nullable: true })
  readonly editedAt!: string | null;

  @Column({ name: 'comments_count', type: 'integer' })
  readonly commentsCount!: number;

  @Column({ name: 'is_deleted', type: 'boolean' })
  readonly isDeleted!: boolean;

  @Column({ name: 'is_upheld', type: 'boolean' })
  readonly isUpheld!: boolean;

  @Column({ name: 'is_removed', type: 'boolean' })
  readonly isRemoved!: boolean;

  @Column({ name: 'removed_children', type: 'text', array: true })
  readonly removedChildren!: string[];
}

/** A comment, removed or not. */
@Entity({ schema: 'read', name: 'comments', synchronize: false })
export class CommentEntity {
  @PrimaryColumn({ name: 'comment_id', type: 'text' })
  readonly commentId!: string;

  @Column({ name: 'parent_type', type: 'text' })
  readonly parentType!: string;

  @Column({ name: 'parent_id', type: 'text' })
  readonly parentId!: string;

  @Column({ name: 'question_id', type: 'text' })
  readonly questionId!: string;

  @Column({ name: 'space_id', type: 'text' })
  readonly spaceId!: string;

  @Column({ name: 'author_id', type: 'text' })
  readonly authorId!: string;

  @Column({ name: 'body', type: 'text' })
  readonly body!: string;

  @Column({ name: 'mentioned_student_ids', type: 'text', array: true })
  readonly mentionedStudentIds!: string[];

  @Column({ name: 'created_at', type: 'timestamptz', transformer: ISO_TIME })
  readonly createdAt!: string;

  @Column({ name: 'is_deleted', type: 'boolean' })
  readonly isDeleted!: boolean;

  @Column({ name: 'is_upheld', type: 'boolean' })
  readonly isUpheld!: boolean;

  @Column({ name: 'is_removed', type: 'boolean' })
  readonly isRemoved!: boolean;
}
