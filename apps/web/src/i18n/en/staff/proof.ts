/** The proof of the event log. */
export const proof = {
  title: 'Proof',
  lead: 'Every event in the log is a link in a hash chain. Changing, removing or inserting an event breaks the chain from there on.',
  copyHead: 'Copy the head after {{number}} events',
  copied: 'Copied',
  chain: {
    title: 'The chain',
    events: 'Events',
    head: 'Head',
    verified: 'Chained to {{number}} · last verified {{ago}}',
    notVerified: 'Chained to {{number}} · not verified yet',
    misfit: 'Broken',
    whole: 'Whole log verified',
    never: 'never',
    behind_one: '{{count}} event behind',
    behind_other: '{{count}} events behind',
    farBehind: '{{number}} events behind or more',
    behindHint:
      'The worker computes the missing part. If this lasts longer than a minute, tell a maintainer.',
  },
  alarm: {
    title: 'The log does not match its proof',
    text: 'The log, its chain or a signed head was changed. Signing, sealing and switching stop until they match again.',
    todo: 'Leave the database as it is, run the command below on the server, and compare with a back-up. See “When something does not match” in the maintenance guide.',
    found: 'Findings',
  },
  export: {
    title: 'The audit with its proof',
    text: 'Every line names its event and its hash. The last line is a signed seal over all of them, so any change is detected.',
    csv: 'CSV with proof',
    ndjson: 'NDJSON with proof',
    cancel: 'Cancel',
    check: 'To verify a file, a maintainer runs',
  },
  heads: {
    title: 'Signed heads',
    text: 'The worker signs the chain after every 1,000 events, and within a minute of the last one, and writes each head to a file outside the database.',
    none: 'No signed heads yet. The first is signed within a minute of the first event.',
    events: 'Events',
    head: 'Head',
    signed: 'Signed',
  },
  key: {
    title: 'Public key',
    copy: 'Copy the key',
    text: 'Anyone can verify signatures with this key ({{keyId}}), without access to Nimo. Send it separately from the files.',
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
    tail: 'Events after the last signed head: an attacker with full access could remove them.',
    key: 'Anything signed after the private key is stolen. Keep copies of the signed heads elsewhere.',
    truth: 'That posts are true. It proves what was recorded, and when it was signed.',
  },
} as const;
