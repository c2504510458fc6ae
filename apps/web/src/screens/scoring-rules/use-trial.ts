import { useMutation } from '@apollo/client/react';
import { useState } from 'react';
import {
  StopScoringTrialDocument,
  TryScoringDraftDocument,
  type ScoringTrialFieldsFragment,
} from '../../generated/graphql';
import { errorText } from '../../lib/errors';

interface Result {
  revision: string;
  trial: ScoringTrialFieldsFragment;
}

/** A draft against the whole history, and what came of it last. */
export function useTrial() {
  const [tryDraft, { loading }] = useMutation(TryScoringDraftDocument);
  const [stopTrial] = useMutation(StopScoringTrialDocument);
  const [result, setResult] = useState<Result>();
  const [error, setError] = useState<string>();
  const run = async (revision: string) => {
    setError(undefined);
    try {
      const { data } = await tryDraft({ variables: { revision } });
      if (data) setResult({ revision, trial: data.tryScoringDraft });
    } catch (cause) {
      setError(errorText(cause));
    }
  };
  const stop = async () => {
    await stopTrial().catch((cause: unknown) => setError(errorText(cause)));
  };
  return {
    isRunning: loading,
    error,
    run,
    stop,
    /** Undefined where exactly these rules were not tried. */
    resultOf: (revision: string) => (result?.revision === revision ? result.trial : undefined),
  };
}
