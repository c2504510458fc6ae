import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs';
import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs';
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

function badgeOf({ joined, entry, request, isInvited, consent }: SpaceCardFragment) {
  if (joined) return 'joined';
  if (consent?.guardian === 'ASKED') return 'consent:waiting';
  if (isInvited) return 'invited';
  if (request === 'OPEN') return 'requested';
  if (request === 'REFUSED') return 'refused';
  if (entry === 'OPEN') return 'joinSpace';
  return entry === 'REQUEST' ? 'askToJoin' : 'byInvitation';
}

/** A space to enter, or to join first. */
export function SpaceCard({ space, onOpen }: SpaceCardProps) {
  const { t } = useTranslation(['spaces', 'consent']);
  const { name, description, bannerImageUrl, joined, memberCount } = space;
  const isSeen = typeof memberCount === 'number';
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
        <span className={classes.description} dir="auto">
          {description}
        </span>
        <span className={classes.foot}>
          <span className={classes.members}>
            {isSeen ? (
              <>
                <IconUsers size={16} stroke={1.75} aria-hidden />
                {t('members', { count: memberCount })}
              </>
            ) : (
              <>
                <IconLock size={16} stroke={1.75} aria-hidden />
                {t('membersOnly')}
              </>
            )}
          </span>
          <span className={classes.badge} data-joined={joined}>
            {joined && <IconCheck size={14} stroke={2.5} aria-hidden />}
            {t(badgeOf(space))}
          </span>
        </span>
      </span>
    </button>
  );
}
