import { Injectable } from '@nestjs/common';
import { DomainError } from '@nimo/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ApiError } from '../../platform/errors/api-error.js';
import { ExpensiveWork } from '../../platform/callers/expensive-work.js';
import { ClientAddresses } from '../../platform/callers/client-address.js';
import { answered } from '../../platform/web/request-limits.js';
import { MAX_UPLOAD_BYTES, refusedFor } from './image-rules.js';
import { isMediaKey } from './picture-access.js';
import { slotInvalid, UploadSlots } from './upload-slots.js';

export const UPLOAD_ROUTE = '/upload/:key';
export const UPLOAD_TYPES = /^(image\/|application\/octet-stream)/;

const Asked = z.object({ key: z.string() });
const Right = z.object({ expires: z.string(), signature: z.string() });

/** Looks at an upload before any of its body is read: only the holder of an address may send ten megabytes, and only a few at once. */
@Injectable()
export class UploadAdmission {
  private readonly reading = new Set<string>();

  constructor(
    private readonly slots: UploadSlots,
    private readonly clients: ClientAddresses,
    private readonly work: ExpensiveWork,
  ) {}

  /** @throws ApiError or DomainError for an upload that is not read */
  async admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const key = this.keyOf(request);
    requireSize(request);
    this.reading.add(key);
    const over = answered(reply).then(() => this.reading.delete(key));
    await this.work.enter('upload', over, this.clients.callerOf(request, reply));
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
}

function requireSize({ headers }: FastifyRequest): void {
  if (!UPLOAD_TYPES.test(headers['content-type'] ?? '')) throw refusedFor('IMAGE_TYPE');
  const bytes = Number(headers['content-length'] ?? Number.NaN);
  if (!Number.isSafeInteger(bytes)) {
    throw new ApiError('VALIDATION_FAILED', 'Send the length of the picture (Content-Length).', {
      rule: 'LENGTH_REQUIRED',
    });
  }
  if (bytes > MAX_UPLOAD_BYTES) throw new DomainError('IMAGE_TOO_LARGE');
}
