import { Controller, HttpCode, Inject, Injectable, Param, Post, Put, Query, Req } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '@nimo/domain';
import { z } from 'zod';
import type { FileStore } from '../../platform/adapters/files/file-store.js';
import { FILES } from '../../platform/adapters/tokens.js';
import { Public } from '../../platform/auth/access.js';
import { ApiError } from '../../platform/errors/api-error.js';
import { ExpensiveWork } from '../../platform/callers/expensive-work.js';
import { ImageJobs, ImageRefused, inspectImage, MAX_UPLOAD_BYTES, refusedFor } from './image-rules.js';
import { isMediaKey, locationOf, STORED_AT } from './picture-access.js';
import { slotInvalid, UploadEnds, UploadSlots, type UploadState } from './upload-slots.js';
import { ClientAddresses } from '../../platform/callers/client-address.js';
import { answered } from '../../platform/web/request-limits.js';

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

const PATIENCE_MS = 8_000;

@Controller('upload')
export class UploadController {
  constructor(
    private readonly slots: UploadSlots,
    private readonly images: ImageJobs,
    private readonly ends: UploadEnds,
    @Inject(FILES) private readonly files: FileStore,
    private readonly work: ExpensiveWork,
  ) {}

  /** Answers when the picture is there. One that takes longer is served as soon as it is ready. */
  @Public()
  @Put(':key')
  @HttpCode(200)
  async put(
    @Param('key') key: string,
    @Query('expires') expires: string,
    @Query('signature') signature = '',
    @Req() request: FastifyRequest,
  ): Promise<{ readonly location: string }> {
    const bytes = request.body;
    if (!isMediaKey(key) || !this.slots.isAddress(key, Number(expires), signature)) throw slotInvalid();
    if (!Buffer.isBuffer(bytes)) throw refusedFor('IMAGE_TYPE');
    return this.receive(key, bytes, () => this.images.enqueue(key, bytes));
  }

  /** The file went straight to the store, into quarantine: from here on all is as with one that came through the api. */
  @Public()
  @Post(':key/done')
  @HttpCode(200)
  async done(
    @Param('key') key: string,
    @Query('expires') expires: string,
    @Query('signature') signature = '',
  ): Promise<{ readonly location: string }> {
    if (!isMediaKey(key) || !this.slots.isAddress(key, Number(expires), signature)) throw slotInvalid();
    const stored = STORED_AT.incoming(key);
    const size = await this.files.sizeOf(stored);
    if (size === null) return answerOf(key, await this.endOf(key));
    // The address bound the length; what a store makes of that is not known here.
    const bytes = size > MAX_UPLOAD_BYTES ? null : await this.files.get(stored);
    try {
      return await this.receive(key, bytes, () => this.images.enqueueStored(key));
    } finally {
      const state = await this.slots.stateOf(key);
      if (state && isEnd(state)) await this.files.remove(stored);
    }
  }

  /** Takes the slot last of all that may fail by itself, and gives it back where the rest fails. What was done already is answered again. */
  private async receive(
    key: string,
    bytes: Buffer | null,
    enqueue: () => Promise<void>,
  ): Promise<{ readonly location: string }> {
    const state = await this.slots.take(key, bytes);
    if (!state) throw slotInvalid();
    if (isEnd(state)) return answerOf(key, state);
    try {
      if (!bytes) throw new ImageRefused('IMAGE_BROKEN');
      await this.work.run('picture', () => inspectImage(bytes));
      const done = this.ends.of(key, PATIENCE_MS);
      await enqueue();
      await done;
    } catch (error) {
      if (!(error instanceof ImageRefused)) {
        await this.slots.release(key);
        throw error;
      }
      await this.slots.finish(key, { status: 'refused', rule: error.rule });
    }
    return answerOf(key, await this.slots.stateOf(key));
  }

  /** Of a picture that is not in quarantine (any more). Where nothing was told of it yet, the PUT may be on its way. */
  private async endOf(key: string): Promise<UploadState> {
    const state = await this.slots.stateOf(key);
    if (state && isEnd(state)) return state;
    throw new ApiError('NOT_FOUND', 'Not found.', { rule: 'UPLOAD_MISSING' });
  }
}

const isEnd = ({ status }: UploadState): boolean => status === 'ready' || status === 'refused';

/** @throws ApiError for a picture that was refused */
function answerOf(key: string, state: UploadState | undefined): { readonly location: string } {
  if (state?.status === 'refused') throw refusedFor(state.rule ?? 'IMAGE_BROKEN');
  return { location: locationOf(key) };
}
