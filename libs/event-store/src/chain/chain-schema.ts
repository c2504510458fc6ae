/**
 * The chain beside the log, whichever engine holds that, and what was signed of it. Both only grow. `state.log_chain_place` is how far
 * the chain is in the engine's own positions, and who may write it.
 */
export const LOG_CHAIN_SQL = `
CREATE TABLE log.chain (
  ordinal  bigint PRIMARY KEY CHECK (ordinal > 0),
  event_id uuid NOT NULL,
  leaf     bytea NOT NULL CHECK (octet_length(leaf) = 32),
  head     bytea NOT NULL CHECK (octet_length(head) = 32)
);
ALTER TABLE log.chain ALTER leaf SET STORAGE PLAIN, ALTER head SET STORAGE PLAIN;

CREATE TABLE log.signed_heads (
  ordinal   bigint NOT NULL,
  key_id    text NOT NULL,
  head      bytea NOT NULL CHECK (octet_length(head) = 32),
  signed_at timestamptz NOT NULL,
  signature text NOT NULL,
  PRIMARY KEY (ordinal, key_id)
);

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON log.chain
  FOR EACH STATEMENT EXECUTE FUNCTION log.refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON log.signed_heads
  FOR EACH STATEMENT EXECUTE FUNCTION log.refuse_change();

CREATE TABLE state.log_chain_place (
  is_only    boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  ordinal    bigint NOT NULL DEFAULT 0,
  position   text COLLATE "C",
  owner      text,
  epoch      bigint NOT NULL DEFAULT 0,
  expires_at timestamptz,
  updated_at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 20);
INSERT INTO state.log_chain_place DEFAULT VALUES;

-- How far the log was verified, and what did not fit. The mark is signed, since whoever changes the log can change this, too. A misfit
-- stays until the whole log was found to fit again.
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
