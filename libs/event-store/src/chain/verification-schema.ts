/**
 * How far the log was verified, and what did not fit. `mark` is signed, since whoever changes the log can change this, too. A misfit stays
 * until the whole log was found to fit again.
 */
export const LOG_VERIFICATION_SQL = `
CREATE TABLE state.log_verification (
  is_only    boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  mark       jsonb,
  owner      text,
  expires_at timestamptz
) WITH (fillfactor = 20);
INSERT INTO state.log_verification DEFAULT VALUES;

CREATE TABLE state.log_misfits (
  detail   text PRIMARY KEY,
  kind     text NOT NULL,
  ordinal  bigint NOT NULL,
  found_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
`;
