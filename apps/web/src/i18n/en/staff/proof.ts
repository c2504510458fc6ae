/** What the history is proven by. */
export const proof = {
  title: 'Proof',
  lead: 'Every event of the log is a link in a chain of hashes. Whoever changes, removes or inserts one breaks the chain from there on.',
  copyHead: 'Copy the head after {{number}} events',
  copied: 'Copied',
  chain: {
    title: 'The chain',
    events: 'Events',
    head: 'Head',
    verified: 'Chained to {{number}} · last verified {{ago}}',
    notVerified: 'Chained to {{number}} · not verified yet',
    misfit: 'Does not fit',
    whole: 'Whole log verified',
    never: 'not yet',
    behind_one: '{{count}} event behind',
    behind_other: '{{count}} events behind',
    farBehind: '{{number}} events behind or more',
    behindHint:
      'The worker computes the missing part. If this lasts longer than a minute, tell a maintainer.',
  },
  alarm: {
    title: 'The log does not fit its proof',
    text: 'Somebody changed the log, its chain or what was signed of it. Nothing is signed, sealed or switched until it fits again.',
    todo: 'Keep the database as it is, run the command below on the server, and compare with a back-up. The maintenance guide says how, under “When something does not fit”.',
    found: 'What was found',
  },
  export: {
    title: 'The audit with its proof',
    text: 'Every line names its event and its hash in the chain. The last line is a signed seal over all of them, so that nobody can change a word unnoticed.',
    csv: 'CSV with proof',
    ndjson: 'NDJSON with proof',
    cancel: 'Cancel',
    check: 'A maintainer checks such a file with',
  },
  heads: {
    title: 'Signed heads',
    text: 'The worker signs the chain after every 1,000 events, and within a minute of the last one, and writes it to a file outside of the database.',
    none: 'Nothing has been signed yet. It happens within a minute of the first event.',
    events: 'Events',
    head: 'Head',
    signed: 'Signed',
  },
  key: {
    title: 'Public key',
    copy: 'Copy the key',
    text: 'With this key ({{keyId}}) anybody can check signatures without access to Nimo. Hand it over by another way than the files.',
  },
  proves: {
    title: 'What this proves',
    content:
      'No event before a signed head was changed, removed or inserted since it was signed. Not even by somebody who can write to the database.',
    order: 'The events are in the order in which they were recorded.',
    line: 'A line of an exported audit reads as it was exported, and its event is in the log.',
  },
  provesNot: {
    title: 'What it does not prove',
    tail: 'Events after the last signed head: somebody with all rights could cut them off.',
    key: 'Anything, once the private key is stolen: the thief signs what he likes. Keep copies of the signed heads elsewhere.',
    truth: 'That what people wrote is true. It proves what was recorded, and when it was signed.',
  },
} as const;
