import { skipToken, useQuery } from '@apollo/client/react';
import { SimilarQuestionsDocument } from '../../generated/graphql';

const SIMILAR = 5;
/** Shorter titles are like everything. */
const MIN_LENGTH = 8;

interface SimilarTo {
  title: string;
  space: string;
  /** The question itself, which is not like itself. */
  except?: string;
}

/** Questions of the space with a title like this one; those before until the new ones are there. Help, so failures stay silent. */
export function useSimilarQuestions({ title, space, except }: SimilarTo) {
  const wanted = title.trim();
  const isAsked = Array.from(wanted).length >= MIN_LENGTH;
  const { data, previousData } = useQuery(
    SimilarQuestionsDocument,
    isAsked
      ? { variables: { title: wanted, space, limit: except === undefined ? SIMILAR : SIMILAR + 1 } }
      : skipToken,
  );
  if (!isAsked) return [];
  const hits = (data ?? previousData)?.getSimilarQuestions.hits ?? [];
  return hits.filter(({ question }) => question._id !== except).slice(0, SIMILAR);
}
