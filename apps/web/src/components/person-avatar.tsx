import { useState, type CSSProperties } from 'react';
import { firstCharacter } from '../lib/format';
import classes from './person-avatar.module.css';

interface AvatarPerson {
  _id: string;
  userName: string;
  firstName?: string | null;
  lastName?: string | null;
  realProfilePicUrl?: string | null;
}

interface PersonAvatarProps {
  person: AvatarPerson;
  /** In pixels. */
  size?: number;
}

// FNV-1a with a final mix, so that ids that differ in one digit do not get similar colours.
function hueOf(id: string): number {
  let hash = 0x811c9dc5;
  for (const character of id) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return ((hash ^ (hash >>> 13)) >>> 0) % 360;
}

function initialsOf({ userName, firstName, lastName }: AvatarPerson): string {
  const initials = firstCharacter(firstName ?? '') + firstCharacter(lastName ?? '');
  return (initials === '' ? userName.slice(0, 2) : initials).toUpperCase();
}

/** A person's picture, or initials on the person's own colour. Decorative: the name is next to it. */
export function PersonAvatar({ person, size = 32 }: PersonAvatarProps) {
  const [brokenUrl, setBrokenUrl] = useState<string>();
  const url = person.realProfilePicUrl;
  const style = {
    width: size,
    height: size,
    fontSize: Math.round(size * 0.38),
    '--avatar-hue': hueOf(person._id),
  } as CSSProperties;
  return (
    <span className={classes.avatar} style={style} aria-hidden>
      {url && url !== brokenUrl ? (
        <img className={classes.picture} src={url} alt="" loading="lazy" onError={() => setBrokenUrl(url)} />
      ) : (
        initialsOf(person)
      )}
    </span>
  );
}
