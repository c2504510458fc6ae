import { Link } from 'react-router-dom';
import { paths } from '../../app/paths';
import { PersonAvatar } from '../../components/person-avatar';
import { useHits } from '../../features/search/use-hits';
import { SearchPeopleDocument, type SearchPeopleQuery } from '../../generated/graphql';
import classes from './hit-list.module.css';
import { HitList } from './hit-list';

const kind = {
  document: SearchPeopleDocument,
  field: 'searchUsers',
  hitsOf: ({ searchUsers }: SearchPeopleQuery) => searchUsers,
} as const;

/** The members of the space that were found. */
export function PeopleHits({ space, text }: { space: string; text: string }) {
  const found = useHits(kind, { search: text, space });
  return (
    <HitList found={found} rowHeight={64}>
      {(person) => (
        <Link to={paths.userDetail(person._id)} className={classes.card} data-list-link>
          <PersonAvatar person={person} size={38} />
          <span className={classes.person}>
            <span className={classes.name}>{person.userName}</span>
            <span className={classes.dimmed}>
              {[person.firstName, person.lastName].filter(Boolean).join(' ')}
            </span>
          </span>
        </Link>
      )}
    </HitList>
  );
}
