const ABOUT_SPACES = 'By maintainers, about a space; names of spaces, subjects and topics belong to them.';
const ABOUT_AVATARS = 'By maintainers, about pictures that anyone can choose.';
const ABOUT_PROJECTIONS = 'By maintainers, about a read model.';
const ABOUT_RULES = 'By maintainers, about scoring rules and the scores of everyone.';

/** Mutations that the full history leaves out, because they store nothing personal, or for the reason given. */
export const MUTATIONS_WITHOUT_PERSON: Readonly<Record<string, string>> = {
  addAvatar: ABOUT_AVATARS,
  changeAvatar: ABOUT_AVATARS,
  retireAvatar: ABOUT_AVATARS,
  restoreAvatar: ABOUT_AVATARS,
  createSpace: ABOUT_SPACES,
  changeSpace: ABOUT_SPACES,
  archiveSpace: ABOUT_SPACES,
  unarchiveSpace: ABOUT_SPACES,
  deleteSpace: ABOUT_SPACES,
  addSubject: ABOUT_SPACES,
  changeSubject: ABOUT_SPACES,
  addTopic: ABOUT_SPACES,
  changeTopic: ABOUT_SPACES,
  cancelRebuild: ABOUT_PROJECTIONS,
  switchProjection: ABOUT_PROJECTIONS,
  verifyProjection: ABOUT_PROJECTIONS,
  cancelVerification: ABOUT_PROJECTIONS,
  retryProjection: ABOUT_PROJECTIONS,
  skipEventInAllProjections: ABOUT_PROJECTIONS,
  skipProjectionEvent: ABOUT_PROJECTIONS,
  saveScoringDraft: ABOUT_RULES,
  discardScoringDraft: ABOUT_RULES,
  publishScoringDraft: ABOUT_RULES,
  withdrawScoringVersion: ABOUT_RULES,
  tryScoringDraft: ABOUT_RULES,
  stopScoringTrial: ABOUT_RULES,
  triageVotePattern: 'Stores IDs, a number of votes and a verdict.',
  confirmInvalidation: 'Stores what invalidateVotes stores, but only for more than 100 votes.',
  declineInvalidation:
    'Stores IDs of the case, its spaces and a moderator, and the reason of a decision on votes.',
  createSendChallenge: 'Stores nothing: the challenge is signed.',
  finishPasskey: 'Needs an authenticator: the history stores the passkey directly.',
};

const FORMER_NAME = /^Old name of `(\w+)`/;

/** The mutation that another one is a former name of. */
export const currentName = (name: string, description: string | null | undefined): string =>
  FORMER_NAME.exec(description ?? '')?.[1] ?? name;
