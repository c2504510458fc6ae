import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An avatar that was added, or a built-in one that was changed or retired. */
@Entity({ schema: 'read', name: 'avatars', synchronize: false })
export class AvatarEntity {
  @PrimaryColumn({ name: 'avatar_id', type: 'text' })
  readonly avatarId!: string;

  @Column({ name: 'group_name', type: 'text' })
  readonly groupName!: string;

  @Column({ name: 'label', type: 'text' })
  readonly label!: string;

  @Column({ name: 'image_url', type: 'text' })
  readonly imageUrl!: string;

  @Column({ name: 'is_retired', type: 'boolean' })
  readonly isRetired!: boolean;

  @Column({ name: 'since', type: 'bigint' })
  readonly since!: string;
}
