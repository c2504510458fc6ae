import { DomainError } from '@nimo/domain';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { z } from 'zod';

const MAX_LENGTH = 16_384;

const common = {
  id: z.string().min(1).max(1_400),
  rawId: z.string(),
  type: z.literal('public-key'),
  clientExtensionResults: z.object({}),
};
const setUp = z.object({
  ...common,
  response: z.object({
    clientDataJSON: z.string(),
    attestationObject: z.string(),
    transports: z.array(z.string().max(40)).max(10).default([]),
  }),
});
const answer = z.object({
  ...common,
  response: z.object({
    clientDataJSON: z.string(),
    authenticatorData: z.string(),
    signature: z.string(),
  }),
});

/** What a browser made of the options for a new passkey. @throws DomainError PASSKEY_REFUSED */
export const readPasskeySetUp = (json: string): RegistrationResponseJSON => read(setUp, json);

/** What a browser signed with a passkey. @throws DomainError PASSKEY_REFUSED */
export const readPasskeyAnswer = (json: string): AuthenticationResponseJSON => read(answer, json);

function read<Answer>(schema: z.ZodType<Answer>, json: string): Answer {
  const parsed = json.length <= MAX_LENGTH ? schema.safeParse(parsedJson(json)) : undefined;
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
