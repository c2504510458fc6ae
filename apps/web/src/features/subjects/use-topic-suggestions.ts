import { skipToken, useQuery } from '@apollo/client/react';
import { SearchTopicsDocument, SubjectTopicsDocument } from '../../generated/graphql';

const SUGGESTIONS = 10;

const folded = (text: string): string => text.trim().toLocaleLowerCase();

const isRead = ({ data, error }: { data?: unknown; error?: unknown }): boolean =>
  data !== undefined || error !== undefined;

/** Of names that hold the text: itself, then those that begin with it. */
const rank = (name: string, wanted: string): number => {
  if (name === wanted) return 0;
  return name.startsWith(wanted) ? 1 : 2;
};

function holdingOf<Topic extends { name: string }>(
  topics: readonly Topic[],
  wanted: string,
): readonly Topic[] {
  if (wanted === '') return topics;
  return topics
    .filter(({ name }) => name.includes(wanted))
    .sort((one, other) => rank(one.name, wanted) - rank(other.name, wanted))
    .slice(0, SUGGESTIONS);
}

/**
 * Topics of a subject to choose from: all of them at first. Once one types: at once those that hold the text, and those that are like it when
 * the api has found them. What is shown stays where it is when they come.
 */
export function useTopicSuggestions(
  { space, subject }: { space: string; subject: string },
  text: string,
  /** The text, once typing has paused. */
  paused: string,
) {
  const wanted = folded(text);
  const all = useQuery(SubjectTopicsDocument, { variables: { subject } });
  const found = useQuery(
    SearchTopicsDocument,
    paused === ''
      ? skipToken
      : { variables: { search: paused, space, subject, skip: 0, limit: SUGGESTIONS } },
  );
  const topics = (all.data?.getSubjectTopics ?? []).map((topic) => ({
    ...topic,
    name: folded(topic.topicName),
  }));
  const holding = holdingOf(topics, wanted);
  const shown = new Set(holding.map(({ _id }) => _id));
  const hits = wanted !== '' && folded(paused) === wanted ? (found.data?.searchTopics.hits ?? []) : [];
  const current = paused === '' ? all : found;
  return {
    holding,
    like: hits.filter(({ _id }) => !shown.has(_id)).slice(0, SUGGESTIONS - holding.length),
    /** Nobody can say where in the list it will stand before all are read. */
    mayAdd: wanted !== '' && isRead(all) && !topics.some(({ name }) => name === wanted),
    isLoading: current.loading,
    error: current.data ? undefined : current.error,
    refetch: () => void current.refetch(),
  };
}
