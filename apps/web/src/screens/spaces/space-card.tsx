import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs';
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs';
import type { CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import type { SpaceCardFragment } from '../../generated/graphql';
import { cssHex } from '../../lib/colour';
import { firstCharacter } from '../../lib/format';
import classes from './space-card.module.css';

interface SpaceCardProps {
  space: SpaceCardFragment;
  onOpen: (space: SpaceCardFragment) => void;
}

/** A space to enter, or to join first. */
export function SpaceCard({ space, onOpen }: SpaceCardProps) {
  const { t } = useTranslation('spaces');
  const { name, description, bannerImageUrl, joined, memberCount } = space;
  const style = { '--space-colour': cssHex(space.color) } as CSSProperties;
  return (
    <button type="button" className={classes.card} style={style} onClick={() => onOpen(space)}>
      <span className={classes.banner} aria-hidden>
        {bannerImageUrl ? (
          <img className={classes.picture} src={bannerImageUrl} alt="" loading="lazy" />
        ) : (
          <span className={classes.initial}>{firstCharacter(name).toUpperCase()}</span>
        )}
      </span>
      <span className={classes.body}>
        <span className={classes.name}>{name}</span>
        <span className={classes.description}>{description}</span>
        <span className={classes.foot}>
          <span className={classes.members}>
            <IconUsers size={16} stroke={1.75} aria-hidden />
            {t('members', { count: memberCount })}
          </span>
          <span className={classes.badge} data-joined={joined}>
            {joined && <IconCheck size={14} stroke={2.5} aria-hidden />}
            {t(joined ? 'joined' : 'joinSpace')}
          </span>
        </span>
      </span>
    </button>
  );
}
