import { useTranslation } from 'react-i18next';
import type { ReactNode } from 'react';
import { PersonAvatar } from '../../components/person-avatar';
import { RelativeTime } from '../../components/relative-time';
import type { PersonNameFragment } from '../../generated/graphql';
import { ParticipantLink } from '../people/participation';
import { shownName } from '../../lib/api/erased';
import classes from './author-line.module.css';

interface AuthorLineProps {
  author: PersonNameFragment;
  createdAt: string;
  isEdited: boolean;
  children?: ReactNode;
}

/** Author and time of a post. */
export function AuthorLine({ author, createdAt, isEdited, children }: AuthorLineProps) {
  const { t } = useTranslation('ask', { keyPrefix: 'question' });
  return (
    <div className={classes.line}>
      <PersonAvatar person={author} size={32} />
      <div className={classes.words}>
        <ParticipantLink person={author} className={classes.name}>
          {shownName(author)}
        </ParticipantLink>
        <span className={classes.time}>
          <RelativeTime at={createdAt} />
          {isEdited && ` · ${t('edited')}`}
        </span>
        {children}
      </div>
    </div>
  );
}
