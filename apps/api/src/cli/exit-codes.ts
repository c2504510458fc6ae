/** What a script can tell from the end of a command. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  /** Something was checked and is not as it should be. */
  different: 3,
  /** It was asked whether it should be done, and nobody said yes. */
  notConfirmed: 4,
  interrupted: 130,
} as const;

export const EXIT_CODES_HELP =
  'Exit codes: 0 done, 1 failed, 2 wrong usage, 3 checked and found different, 4 not confirmed, 130 interrupted.';
