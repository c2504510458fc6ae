import { DomainError } from '@nimo/domain';
import type {
  AuthenticationResponseJSON,
  RegistrationResponseJSON,
  VerifiedAuthenticationResponse,
  VerifiedRegistrationResponse,
} from '@simplewebauthn/server';
import { z } from 'zod';
import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { securityLogCte, securityLogParams } from '../../platform/security-log/security-log.js';
import {
  FactorCeremonies,
  type FactorHolder,
  requireFactorName,
  SecondFactors,
  type Statements,
} from './second-factors.js';
import { PublicAddress } from '../../platform/web/public-address.js';

const MAX_JSON_LENGTH = 16_384;

const commonFields = {
  id: z.string().min(1).max(1_400),
  rawId: z.string(),
  type: z.literal('public-key'),
  clientExtensionResults: z.object({}),
};
const registrationSchema = z.object({
  ...commonFields,
  response: z.object({
    clientDataJSON: z.string(),
    attestationObject: z.string(),
    transports: z.array(z.string().max(40)).max(10).default([]),
  }),
});
const authenticationSchema = z.object({
  ...commonFields,
  response: z.object({
    clientDataJSON: z.string(),
    authenticatorData: z.string(),
    signature: z.string(),
  }),
});

/** Parses the browser's registration response. @throws DomainError PASSKEY_REFUSED */
const parseRegistration = (json: string): RegistrationResponseJSON => read(registrationSchema, json);

/** Parses the browser's authentication response. @throws DomainError PASSKEY_REFUSED */
const parseAuthentication = (json: string): AuthenticationResponseJSON => read(authenticationSchema, json);

function read<Response>(schema: z.ZodType<Response>, json: string): Response {
  const parsed = json.length <= MAX_JSON_LENGTH ? schema.safeParse(parsedJson(json)) : undefined;
  if (!parsed?.success) throw new DomainError('PASSKEY_REFUSED');
  return parsed.data;
}

function parsedJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

interface NewPasskey {
  readonly credentialId: string;
  readonly name: string;
  readonly publicKey: Uint8Array<ArrayBuffer>;
  readonly counter: number;
  readonly transports: readonly string[];
}

interface StoredPasskey extends NewPasskey {
  /** Public id. The credential id is only used in WebAuthn ceremonies. */
  readonly id: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

interface PasskeyRow {
  readonly id: string;
  readonly credential_id: string;
  readonly name: string;
  readonly public_key: Buffer;
  readonly counter: string;
  readonly transports: readonly string[];
  readonly created_at: Date | string;
  readonly last_used_at: Date | string | null;
}

const COLUMNS = 'id, credential_id, name, public_key, counter, transports, created_at, last_used_at';

/** Public keys of passkeys, in `state.passkey`. */
@Injectable()
export class PasskeyStore {
  constructor(private readonly pool: Pool) {}

  /** Oldest first. */
  async listOf(studentId: string, db: Statements = this.pool): Promise<readonly StoredPasskey[]> {
    const { rows } = await db.query<PasskeyRow>(
      `select ${COLUMNS} from state.passkey where student_id = $1 order by created_at, id`,
      [studentId],
    );
    return rows.map(passkeyOf);
  }

  async find(studentId: string, credentialId: string): Promise<StoredPasskey | undefined> {
    const { rows } = await this.pool.query<PasskeyRow>(
      `select ${COLUMNS} from state.passkey where student_id = $1 and credential_id = $2`,
      [studentId, credentialId],
    );
    return rows[0] && passkeyOf(rows[0]);
  }

  /** @returns false if the passkey is already registered, for any account */
  async add(studentId: string, passkey: NewPasskey, db: Statements = this.pool): Promise<boolean> {
    const { credentialId, name, publicKey, counter, transports } = passkey;
    const { rowCount } = await db.query(
      `with added as (
         insert into state.passkey (credential_id, student_id, name, public_key, counter, transports)
         values ($1, $2, $3, $4, $5, $6) on conflict (credential_id) do nothing returning student_id),
       ${securityLogCte('added', 7)}
       select from added`,
      [
        credentialId,
        studentId,
        name,
        Buffer.from(publicKey),
        counter,
        transports,
        ...securityLogParams('FACTOR_ADDED'),
      ],
    );
    return rowCount === 1;
  }

  /** @returns false if the stored counter is not lower. Devices without a counter always send zero. */
  async recordUse(credentialId: string, counter: number): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `with used as (
         update state.passkey set counter = $2, last_used_at = now()
         where credential_id = $1 and (counter < $2 or (counter = 0 and $2 = 0)) returning student_id),
       ${securityLogCte('used', 3)}
       select from used`,
      [credentialId, counter, ...securityLogParams('FACTOR_USED')],
    );
    return rowCount === 1;
  }

  /** @returns whether the student has this passkey */
  async rename(studentId: string, id: string, name: string): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `with renamed as (
         update state.passkey set name = $3 where student_id = $1 and id::text = $2 returning student_id),
       ${securityLogCte('renamed', 4)}
       select from renamed`,
      [studentId, id, name, ...securityLogParams('FACTOR_RENAMED')],
    );
    return rowCount === 1;
  }

  /** @returns whether the student had this passkey */
  async remove(studentId: string, id: string, db: Statements = this.pool): Promise<boolean> {
    const { rowCount } = await db.query(
      `with removed as (
         delete from state.passkey where student_id = $1 and id::text = $2 returning student_id),
       ${securityLogCte('removed', 3)}
       select from removed`,
      [studentId, id, ...securityLogParams('FACTOR_REMOVED')],
    );
    return rowCount === 1;
  }
}

const passkeyOf = (row: PasskeyRow): StoredPasskey => ({
  id: row.id,
  credentialId: row.credential_id,
  name: row.name,
  publicKey: new Uint8Array(row.public_key),
  counter: Number(row.counter),
  transports: row.transports,
  createdAt: new Date(row.created_at).toISOString(),
  lastUsedAt: row.last_used_at === null ? null : new Date(row.last_used_at).toISOString(),
});

const MAX_PASSKEYS = 10;
/** Loaded on first use, because it pulls in a full X.509 stack. */
const webAuthn = () => import('@simplewebauthn/server');
/** A touch is enough, because the password was checked too. */
const VERIFICATION = { userVerification: 'preferred', requireUserVerification: false } as const;

/** Passkeys (WebAuthn) for the site at `PUBLIC_URL`. A challenge is valid once, for the session or sign-in that requested it. */
@Injectable()
export class Passkeys {
  constructor(
    private readonly store: PasskeyStore,
    private readonly ceremonies: FactorCeremonies,
    private readonly factors: SecondFactors,
    private readonly publicAddress: PublicAddress,
  ) {}

  /** The relying party id. */
  host(): string {
    return this.site().hostname;
  }

  /** @returns WebAuthn options, as JSON */
  async start(holder: FactorHolder, userName: string): Promise<string> {
    const registered = await this.store.listOf(holder.studentId);
    requireBelowLimit(registered.length);
    const { generateRegistrationOptions } = await webAuthn();
    const options = await generateRegistrationOptions({
      rpName: 'Nimo',
      rpID: this.host(),
      userName,
      userID: new TextEncoder().encode(holder.studentId),
      attestationType: 'none',
      excludeCredentials: registered.map(({ credentialId, transports }) => ({
        id: credentialId,
        transports: [...transports],
      })),
      authenticatorSelection: {
        residentKey: 'discouraged',
        userVerification: VERIFICATION.userVerification,
      },
    });
    await this.ceremonies.begin('set-up-passkey', holder, options.challenge);
    return JSON.stringify(options);
  }

  async finish(holder: FactorHolder, name: string, answer: string): Promise<void> {
    const factorName = requireFactorName(name);
    const expectedChallenge = await this.challengeOf('set-up-passkey', holder);
    const { verifyRegistrationResponse } = await webAuthn();
    const { registrationInfo } = await verifiedOrRefused<VerifiedRegistrationResponse>(() =>
      verifyRegistrationResponse({
        response: parseRegistration(answer),
        expectedChallenge,
        expectedOrigin: this.site().origin,
        expectedRPID: this.host(),
        requireUserVerification: VERIFICATION.requireUserVerification,
      }),
    );
    if (!registrationInfo) throw new DomainError('PASSKEY_REFUSED');
    const { id, publicKey, counter, transports } = registrationInfo.credential;
    const passkey = { credentialId: id, name: factorName, publicKey, counter, transports: transports ?? [] };
    await this.save(holder.studentId, passkey);
  }

  /** Stores a verified passkey. Rechecks the limit, because others may have been added since the ceremony started. */
  async save(studentId: string, passkey: NewPasskey): Promise<void> {
    const isNew = await this.factors.withLock(studentId, async (db) => {
      requireBelowLimit((await this.store.listOf(studentId, db)).length);
      return this.store.add(studentId, passkey, db);
    });
    if (!isNew) throw new DomainError('PASSKEY_REFUSED');
  }

  /** @returns WebAuthn options, as JSON */
  async startAuthentication(holder: FactorHolder): Promise<string> {
    const registered = await this.store.listOf(holder.studentId);
    const { generateAuthenticationOptions } = await webAuthn();
    const options = await generateAuthenticationOptions({
      rpID: this.host(),
      userVerification: VERIFICATION.userVerification,
      allowCredentials: registered.map(({ credentialId, transports }) => ({
        id: credentialId,
        transports: [...transports],
      })),
    });
    await this.ceremonies.begin('use-passkey', holder, options.challenge);
    return JSON.stringify(options);
  }

  /** @throws DomainError PASSKEY_REFUSED, also if the counter did not increase, which suggests a cloned device */
  async authenticate(holder: FactorHolder, answer: string): Promise<void> {
    const response = parseAuthentication(answer);
    const expectedChallenge = await this.challengeOf('use-passkey', holder);
    const passkey = await this.store.find(holder.studentId, response.id);
    if (!passkey) throw new DomainError('PASSKEY_REFUSED');
    const { credentialId, publicKey, counter } = passkey;
    const { verifyAuthenticationResponse } = await webAuthn();
    const { verified, authenticationInfo } = await verifiedOrRefused<VerifiedAuthenticationResponse>(() =>
      verifyAuthenticationResponse({
        response,
        expectedChallenge,
        expectedOrigin: this.site().origin,
        expectedRPID: this.host(),
        credential: { id: credentialId, publicKey, counter },
        requireUserVerification: VERIFICATION.requireUserVerification,
      }),
    );
    if (!verified || !(await this.store.recordUse(credentialId, authenticationInfo.newCounter)))
      throw new DomainError('PASSKEY_REFUSED');
  }

  private async challengeOf(kind: 'set-up-passkey' | 'use-passkey', holder: FactorHolder): Promise<string> {
    const challenge = await this.ceremonies.consume(kind, holder);
    if (challenge === undefined) throw new DomainError('SECOND_FACTOR_EXPIRED');
    return challenge;
  }

  private site(): URL {
    return new URL(this.publicAddress.origin());
  }
}

function requireBelowLimit(known: number): void {
  if (known >= MAX_PASSKEYS) throw new DomainError('TOO_MANY_PASSKEYS', { max: MAX_PASSKEYS });
}

/** Hides the library's error messages, which would help an attacker craft a response. */
async function verifiedOrRefused<Verified>(verify: () => Promise<Verified>): Promise<Verified> {
  try {
    return await verify();
  } catch (error) {
    throw error instanceof DomainError ? error : new DomainError('PASSKEY_REFUSED');
  }
}
