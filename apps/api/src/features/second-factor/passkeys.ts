import { Injectable } from '@nestjs/common';
import { DomainError } from '@nimo/domain';
import type { VerifiedAuthenticationResponse, VerifiedRegistrationResponse } from '@simplewebauthn/server';
import { PublicAddress } from '../../platform/web/public-address.js';
import { FactorCeremonies, type FactorHolder } from './factor-ceremonies.js';
import { requireFactorName } from './factor-name.js';
import { readPasskeyAnswer, readPasskeySetUp } from './passkey-answers.js';
import { type NewPasskey, PasskeyStore } from './passkey-store.js';
import { SecondFactors } from './second-factors.js';

const MAX_PASSKEYS = 10;
/** Loaded with the first passkey: it brings all of X.509. */
const webAuthn = () => import('@simplewebauthn/server');
/** The password was given as well: a touch is enough, a device that can ask for more does. */
const VERIFICATION = { userVerification: 'preferred', requireUserVerification: false } as const;

/** Passkeys (WebAuthn) of the site that `PUBLIC_URL` names. A challenge is good once, for the session or sign-in that asked for it. */
@Injectable()
export class Passkeys {
  constructor(
    private readonly store: PasskeyStore,
    private readonly ceremonies: FactorCeremonies,
    private readonly factors: SecondFactors,
    private readonly own: PublicAddress,
  ) {}

  /** Where passkeys of this installation work. */
  host(): string {
    return this.site().hostname;
  }

  /** @returns the options for the browser, as JSON */
  async start(holder: FactorHolder, userName: string): Promise<string> {
    const known = await this.store.listOf(holder.studentId);
    requireRoom(known.length);
    const { generateRegistrationOptions } = await webAuthn();
    const options = await generateRegistrationOptions({
      rpName: 'Nimo',
      rpID: this.host(),
      userName,
      userID: new TextEncoder().encode(holder.studentId),
      attestationType: 'none',
      excludeCredentials: known.map(({ credentialId, transports }) => ({
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
    const named = requireFactorName(name);
    const expectedChallenge = await this.challengeOf('set-up-passkey', holder);
    const { verifyRegistrationResponse } = await webAuthn();
    const { registrationInfo } = await accepted<VerifiedRegistrationResponse>(() =>
      verifyRegistrationResponse({
        response: readPasskeySetUp(answer),
        expectedChallenge,
        expectedOrigin: this.site().origin,
        expectedRPID: this.host(),
        requireUserVerification: VERIFICATION.requireUserVerification,
      }),
    );
    if (!registrationInfo) throw new DomainError('PASSKEY_REFUSED');
    const { id, publicKey, counter, transports } = registrationInfo.credential;
    const passkey = { credentialId: id, name: named, publicKey, counter, transports: transports ?? [] };
    await this.keep(holder.studentId, passkey);
  }

  /** One that was accepted. Others may have come since it was started. */
  async keep(studentId: string, passkey: NewPasskey): Promise<void> {
    const isNew = await this.factors.changing(studentId, async (db) => {
      requireRoom((await this.store.listOf(studentId, db)).length);
      return this.store.add(studentId, passkey, db);
    });
    if (!isNew) throw new DomainError('PASSKEY_REFUSED');
  }

  /** @returns the options for the browser, as JSON */
  async startUse(holder: FactorHolder): Promise<string> {
    const known = await this.store.listOf(holder.studentId);
    const { generateAuthenticationOptions } = await webAuthn();
    const options = await generateAuthenticationOptions({
      rpID: this.host(),
      userVerification: VERIFICATION.userVerification,
      allowCredentials: known.map(({ credentialId, transports }) => ({
        id: credentialId,
        transports: [...transports],
      })),
    });
    await this.ceremonies.begin('use-passkey', holder, options.challenge);
    return JSON.stringify(options);
  }

  /** @throws DomainError PASSKEY_REFUSED, also where the counter did not rise: then there are two of the device */
  async use(holder: FactorHolder, answer: string): Promise<void> {
    const response = readPasskeyAnswer(answer);
    const expectedChallenge = await this.challengeOf('use-passkey', holder);
    const passkey = await this.store.find(holder.studentId, response.id);
    if (!passkey) throw new DomainError('PASSKEY_REFUSED');
    const { credentialId, publicKey, counter } = passkey;
    const { verifyAuthenticationResponse } = await webAuthn();
    const { verified, authenticationInfo } = await accepted<VerifiedAuthenticationResponse>(() =>
      verifyAuthenticationResponse({
        response,
        expectedChallenge,
        expectedOrigin: this.site().origin,
        expectedRPID: this.host(),
        credential: { id: credentialId, publicKey, counter },
        requireUserVerification: VERIFICATION.requireUserVerification,
      }),
    );
    if (!verified || !(await this.store.noteUse(credentialId, authenticationInfo.newCounter)))
      throw new DomainError('PASSKEY_REFUSED');
  }

  private async challengeOf(kind: 'set-up-passkey' | 'use-passkey', holder: FactorHolder): Promise<string> {
    const challenge = await this.ceremonies.take(kind, holder);
    if (challenge === undefined) throw new DomainError('SECOND_FACTOR_EXPIRED');
    return challenge;
  }

  private site(): URL {
    return new URL(this.own.origin());
  }
}

function requireRoom(known: number): void {
  if (known >= MAX_PASSKEYS) throw new DomainError('TOO_MANY_PASSKEYS', { max: MAX_PASSKEYS });
}

/** The library says by errors of its own what is wrong with an answer; whoever made it up learns nothing from that. */
async function accepted<Verified>(verify: () => Promise<Verified>): Promise<Verified> {
  try {
    return await verify();
  } catch (error) {
    throw error instanceof DomainError ? error : new DomainError('PASSKEY_REFUSED');
  }
}
