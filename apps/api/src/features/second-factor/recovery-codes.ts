import { randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { ClaimHasher } from '../../platform/personal-data/key-uses.js';
import { securityLogCte, securityLogParams } from '../../platform/security-log/security-log.js';

const COUNT = 10;
const GROUPS = 2;
const GROUP_LENGTH = 5;
/** Without characters that look alike. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

const newGroup = (): string =>
  Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
const newCode = (): string => Array.from({ length: GROUPS }, newGroup).join('-');

/** Accepts what people type: no dash, capitals, the letter o for zero, i or l for one. */
const normalised = (code: string): string =>
  code.toLowerCase().replace(/[\s-]/g, '').replace(/o/g, '0').replace(/[il]/g, '1');

/** Single-use codes for a lost device. Stored as keyed hashes, so that a leaked table is useless. */
@Injectable()
export class RecoveryCodes {
  constructor(
    private readonly pool: Pool,
    private readonly hasher: ClaimHasher,
  ) {}

  /** Replaces all codes. @returns the new ones, which are shown only once */
  async renew(studentId: string): Promise<readonly string[]> {
    const codes = Array.from({ length: COUNT }, newCode);
    await this.pool.query(
      `with former as (delete from state.recovery_code where student_id = $1 and not code_hash = any($2::bytea[])),
       made as (
         insert into state.recovery_code (student_id, code_hash, key_print) select $1, unnest($2::bytea[]), $3
         returning student_id),
       ${securityLogCte('made', 4)}
       select from made`,
      [
        studentId,
        codes.map((code) => this.hasher.hashSecret('recovery-code', studentId, normalised(code))),
        this.hasher.fingerprint,
        ...securityLogParams('RECOVERY_CODES_MADE'),
      ],
    );
    return codes;
  }

  async countLeft(studentId: string): Promise<number> {
    const { rows } = await this.pool.query<{ count: number }>(
      'select count(*)::int as count from state.recovery_code where student_id = $1',
      [studentId],
    );
    return rows[0]?.count ?? 0;
  }

  /** Consumes the code. @returns whether it was valid */
  async redeem(studentId: string, code: string): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `with used as (
         delete from state.recovery_code where student_id = $1 and code_hash = any($2::bytea[]) returning student_id),
       ${securityLogCte('used', 3)}
       select from used`,
      [
        studentId,
        this.hasher.secretHashes('recovery-code', studentId, normalised(code)),
        ...securityLogParams('RECOVERY_CODE_USED'),
      ],
    );
    return rowCount === 1;
  }
}
