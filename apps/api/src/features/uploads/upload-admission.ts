import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DomainError, messageOf } from '@nimo/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ApiError } from '../../platform/errors/api-error.js';
import type { ClientKey } from '../../platform/rate-limit/client-key.js';
import { BodyBudget } from '../../platform/web/body-budget.js';
import { ClientAddresses } from '../../platform/web/client-address.js';
import { HTTP_LIMITS } from '../../platform/web/http-limits.js';
import { LARGEST_UPLOAD_BYTES, refusedFor } from './image-rules.js';
import { isMediaKey } from './media-paths.js';
import { slotInvalid, UploadSlots } from './upload-slots.js';

export const UPLOAD_ROUTE = '/upload/:key';
export const UPLOAD_TYPES = /^(image\/|application\/octet-stream)/;

const LOOK_MS = 50;

const Asked = z.object({ key: z.string() });
const Right = z.object({ expires: z.string(), signature: z.string() });

/** Looks at an upload before any of its body is read: ten megabytes are for whoever was given an address, and only for so many at once. */
@Injectable()
export class UploadAdmission {
  private readonly room = new BodyBudget({
    bytes: HTTP_LIMITS.picturesBytes,
    clientBytes: HTTP_LIMITS.clientPicturesBytes,
    patienceMs: HTTP_LIMITS.requestMs,
  });
  private readonly reading = new Set<string>();

  constructor(
    private readonly slots: UploadSlots,
    private readonly clients: ClientAddresses,
  ) {}

  /** @throws ApiError for what is not going to be read */
  async admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const key = this.keyOf(request);
    const bytes = sizeOf(request);
    const client = this.clients.of(request.raw).key;
    this.reading.add(key);
    reply.raw.once('close', () => this.reading.delete(key));
    await this.makeRoom(bytes, client);
    if (reply.raw.destroyed) this.room.giveBack(bytes, client);
    else reply.raw.once('close', () => this.room.giveBack(bytes, client));
  }

  /** One address is for one picture: only one body is read for it. */
  private keyOf({ params, query }: FastifyRequest): string {
    const asked = Asked.safeParse(params);
    const right = Right.safeParse(query);
    if (!asked.success || !right.success) throw slotInvalid();
    const { key } = asked.data;
    const { expires, signature } = right.data;
    const isGiven = isMediaKey(key) && this.slots.isAddress(key, Number(expires), signature);
    if (!isGiven || this.reading.has(key)) throw slotInvalid();
    return key;
  }

  private async makeRoom(bytes: number, client: ClientKey): Promise<void> {
    const deadline = performance.now() + HTTP_LIMITS.pictureWaitMs;
    while (!this.room.reserve(bytes, client)) {
      if (performance.now() > deadline) {
        throw new ApiError('UNAVAILABLE', messageOf('UPLOADS_BUSY'), { rule: 'UPLOADS_BUSY' });
      }
      await delay(LOOK_MS);
    }
  }
}

function sizeOf({ headers }: FastifyRequest): number {
  if (!UPLOAD_TYPES.test(headers['content-type'] ?? '')) throw refusedFor('IMAGE_TYPE');
  const bytes = Number(headers['content-length'] ?? Number.NaN);
  if (!Number.isSafeInteger(bytes)) {
    throw new ApiError('VALIDATION_FAILED', 'Send the length of the picture (Content-Length).', {
      rule: 'LENGTH_REQUIRED',
    });
  }
  if (bytes > LARGEST_UPLOAD_BYTES) throw new DomainError('IMAGE_TOO_LARGE');
  return bytes;
}
