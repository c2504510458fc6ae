import { Link } from 'react-router-dom';
import { paths } from '../../app/paths';
import { SubjectChip } from '../../components/subject-chip';
import { noFilters, searchParamsOf } from '../../features/questions/question-filters';
import { useHits } from '../../features/search/use-hits';
import { SearchTopicsDocument, type SearchTopicsQuery } from '../../generated/graphql';
import classes from './hit-list.module.css';
import { HitList } from './hit-list';

const kind = {
  document: SearchTopicsDocument,
  field: 'searchTopics',
  hitsOf: ({ searchTopics }: SearchTopicsQuery) => searchTopics,
} as const;

/** The topics that were found; each leads to its questions. */
export function TopicHits({ space, text }: { space: string; text: string }) {
  const found = useHits(kind, { search: text, space });
  return (
    <HitList found={found} rowHeight={52}>
      {({ _id, topicName, subject }) => (
        <Link
          to={{
            pathname: paths.dashboard,
            search: searchParamsOf({ ...noFilters, subject: subject._id, topic: _id }).toString(),
          }}
          className={classes.card}
          data-list-link
        >
          <span className={classes.name}>{topicName}</span>
          <span className={classes.end}>
            <SubjectChip subject={subject} />
          </span>
        </Link>
      )}
    </HitList>
  );
}
