import type { MigrationInterface } from 'typeorm';
import { DawnOfSnapshots1700000000040 } from './migrations/0040-dawn-of-snapshots.migration.js';
import { CaseEffects1700000000014 } from './migrations/0014-case-effects.migration.js';
import { LastLooks1700000000005 } from './migrations/0005-last-looks.migration.js';
import { LogSchema1700000000001 } from './migrations/0001-log-schema.migration.js';
import { AccountsState1700000000004 } from './migrations/0004-accounts-state.migration.js';
import { LogHome1700000000016 } from './migrations/0016-log-home.migration.js';
import { IdempotencyKeys1700000000048 } from './migrations/0048-idempotency-keys.migration.js';
import { LogVerification1700000000036 } from './migrations/0036-log-verification.migration.js';
import { LogChain1700000000007 } from './migrations/0007-log-chain.migration.js';
import { IdentityState1700000000003 } from './migrations/0003-identity-state.migration.js';
import { ProjectionActs1700000000009 } from './migrations/0009-projection-acts.migration.js';
import { CodesOfWhoeverAsked1700000000029 } from './migrations/0029-codes-of-whoever-asked.migration.js';
import { AnsweredOnce1700000000028 } from './migrations/0028-answered-once.migration.js';
import { StateExpiry1700000000027 } from './migrations/0027-state-expiry.migration.js';
import { ReadBookkeeping1700000000002 } from './migrations/0002-read-bookkeeping.migration.js';
import { RebuildAsked1700000000015 } from './migrations/0015-rebuild-asked.migration.js';
import { ScoreSnapshots1700000000011 } from './migrations/0011-score-snapshots.migration.js';
import { ScoringDrafts1700000000008 } from './migrations/0008-scoring-drafts.migration.js';
import { SecurityLog1700000000043 } from './migrations/0043-security-log.migration.js';
import { SecondFactor1700000000030 } from './migrations/0030-second-factor.migration.js';
import { StreamSnapshots1700000000022 } from './migrations/0022-stream-snapshots.migration.js';
import { UnusedPictures1700000000033 } from './migrations/0033-unused-pictures.migration.js';
import { TwoAtOnce1700000000050 } from './migrations/0050-two-at-once.migration.js';
import { NamedApps1700000000051 } from './migrations/0051-named-apps.migration.js';
import { LogDoorbell1700000000052 } from './migrations/0052-log-doorbell.migration.js';
import { ProjectionWorkers1700000000053 } from './migrations/0053-projection-workers.migration.js';
import { UploadsAgain1700000000049 } from './migrations/0049-uploads-again.migration.js';
import { Erasures1700000000063 } from './migrations/0063-erasures.migration.js';
import { KeysOfWords1700000000062 } from './migrations/0062-keys-of-words.migration.js';
import { SearchShipping1700000000006 } from './migrations/0006-search-shipping.migration.js';
import { ContactChanges1700000000066 } from './migrations/0066-contact-changes.migration.js';
import { KeyUses1700000000078 } from './migrations/0078-key-uses.migration.js';
import { Invitations1700000000068 } from './migrations/0068-invitations.migration.js';
import { WebDocuments1700000000083 } from './migrations/0083-web-documents.migration.js';
import { PendingRegistrations1700000000087 } from './migrations/0087-pending-registrations.migration.js';
import { CarriedGroups1700000000081 } from './migrations/0081-carried-groups.migration.js';
import { GuardianLinks1700000000082 } from './migrations/0082-guardian-links.migration.js';
import { BackUps1700000000231 } from './migrations/0231-back-ups.migration.js';
import { DatedScoringDrafts1700000000242 } from './migrations/0242-dated-scoring-drafts.migration.js';
import { OwnExports1700000000067 } from './migrations/0067-own-exports.migration.js';
import { OneScore1700000000241 } from './migrations/0241-one-score.migration.js';

/** The one chain, oldest first. What has been released is never edited: a change is a new migration. */
export const migrations: readonly (new () => MigrationInterface)[] = [
  LogSchema1700000000001,
  ReadBookkeeping1700000000002,
  IdentityState1700000000003,
  AccountsState1700000000004,
  LastLooks1700000000005,
  SearchShipping1700000000006,
  LogChain1700000000007,
  ScoringDrafts1700000000008,
  ScoreSnapshots1700000000011,
  ProjectionActs1700000000009,
  CaseEffects1700000000014,
  RebuildAsked1700000000015,
  LogHome1700000000016,
  StateExpiry1700000000027,
  AnsweredOnce1700000000028,
  CodesOfWhoeverAsked1700000000029,
  SecondFactor1700000000030,
  StreamSnapshots1700000000022,
  LogVerification1700000000036,
  UnusedPictures1700000000033,
  IdempotencyKeys1700000000048,
  UploadsAgain1700000000049,
  DawnOfSnapshots1700000000040,
  SecurityLog1700000000043,
  TwoAtOnce1700000000050,
  NamedApps1700000000051,
  LogDoorbell1700000000052,
  ProjectionWorkers1700000000053,
  KeysOfWords1700000000062,
  ContactChanges1700000000066,
  Erasures1700000000063,
  OwnExports1700000000067,
  KeyUses1700000000078,
  Invitations1700000000068,
  CarriedGroups1700000000081,
  GuardianLinks1700000000082,
  WebDocuments1700000000083,
  PendingRegistrations1700000000087,
  BackUps1700000000231,
  OneScore1700000000241,
  DatedScoringDrafts1700000000242,
];
