import { LOG_CHAIN_SQL, LOG_SCHEMA_SQL } from '@nimo/event-store';
import { READ_DDL, REACTORS_DDL } from '@nimo/projection-engine';
import { SCORE_SNAPSHOTS_DDL } from '@nimo/projections';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ACCOUNT_TABLES_SQL } from './account-tables.js';
import { RENAMED_TABLES, renameTableSql } from './renamed-tables.js';
import { FORGET_STUDENT_SQL, STATE_TABLES_SQL } from './state-tables.js';

/** The initial schema, with the current names of tables that a later migration renames. Projections create their own tables. */
class Baseline1700000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create extension if not exists pg_trgm; create extension if not exists unaccent');
    for (const sql of [LOG_SCHEMA_SQL, LOG_CHAIN_SQL]) await runner.query(sql);
    for (const sql of [READ_DDL, REACTORS_DDL, SCORE_SNAPSHOTS_DDL]) await runner.query(sql);
    for (const sql of [ACCOUNT_TABLES_SQL, STATE_TABLES_SQL]) await runner.query(sql);
  }

  down(): Promise<void> {
    throw new Error('No migration drops the event log.');
  }
}

/** The language a student used last, for mails and SMS. */
class StudentLanguage1700000000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'create table state.student_language (student_id text primary key, language text not null)',
    );
    await runner.query(FORGET_STUDENT_SQL);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table state.student_language');
  }
}

/** Gives tables the names of the glossary. A later migration drops the views under the old names. */
class RenameTables1700000000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Statements of running processes queue behind a rename that waits, for example for a backup.
    await runner.query(`set local lock_timeout = '10s'`);
    for (const table of RENAMED_TABLES) await runner.query(renameTableSql(table));
    await runner.query(
      'alter index if exists read.score_snapshot_rows_of rename to score_snapshot_rows_snapshot',
    );
    await runner.query(FORGET_STUDENT_SQL);
  }

  down(): Promise<void> {
    throw new Error('Restore the backup from before the upgrade.');
  }
}

/** Rules against farming points, in drafts and trials. */
class ScoringSafeguards1700000000004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table state.scoring_drafts add column safeguards jsonb not null default '{}'`);
    await runner.query(
      'alter table state.scoring_trial_rows add column refused_downvotes integer not null default 0',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table state.scoring_drafts drop column safeguards');
    await runner.query('alter table state.scoring_trial_rows drop column refused_downvotes');
  }
}

/** Oldest first. Never change a released migration: add a new one. */
export const migrations: readonly (new () => MigrationInterface)[] = [
  Baseline1700000000001,
  StudentLanguage1700000000002,
  RenameTables1700000000003,
  ScoringSafeguards1700000000004,
];
