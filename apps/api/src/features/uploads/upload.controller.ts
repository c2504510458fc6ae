import { Controller, HttpCode, Inject, Injectable, Param, Post, Put, Query, Req } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '@nimo/domain';
import { z } from 'zod';
import type { FileStore } from '../../platform/adapters/files/file-store.js';
import { FILES } from '../../platform/adapters/tokens.js';
import { Public } from '../../platform/auth/access.js';
import { ApiError } from '../../platform/errors/api-error.js';
import { ExpensiveWork } from '../../platform/callers/expensive-work.js';
import { ImageJobs, ImageRefused, inspectImage, MAX_UPLOAD_BYTES, imageError } from './image-rules.js';
import { isMediaKey, locationOf, STORAGE_PATHS } from './picture-access.js';
import { slotInvalid, UploadCompletions, UploadSlots, type UploadState } from './upload-slots.js';
import { ClientAddresses } from '../../platform/callers/client-address.js';
import { responseClosed } from '../../platform/web/request-limits.js';

export const UPLOAD_ROUTE = '/upload/:key';
export const UPLOAD_TYPES = /^(image\/|application\/octet-stream)/;

const Params = z.object({ key: z.string() });
const SignedQuery = z.object({ expires: z.string(), signature: z.string() });

/** Admits uploads before their body is read: only with a signed URL, and only a few at a time. */
@Injectable()
export class UploadAdmission {
  private readonly reading = new Set<string>();

  constructor(
    private readonly slots: UploadSlots,
    private readonly clients: ClientAddresses,
    private readonly work: ExpensiveWork,
  ) {}

  /** @throws ApiError or DomainError if the upload is rejected */
  async admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const key = this.keyOf(request);
    requireSize(request);
    this.reading.add(key);
    const response = responseClosed(reply).then(() => this.reading.delete(key));
    await this.work.enter('upload', response, this.clients.callerOf(request, reply));
  }

  /** Reads only one body at a time per URL. */
  private keyOf({ params, query }: FastifyRequest): string {
    const path = Params.safeParse(params);
    const signed = SignedQuery.safeParse(query);
    if (!path.success || !signed.success) throw slotInvalid();
    const { key } = path.data;
    const { expires, signature } = signed.data;
    const isValid = isMediaKey(key) && this.slots.isSignedUrl(key, Number(expires), signature);
    if (!isValid || this.reading.has(key)) throw slotInvalid();
    return key;
  }
}

function requireSize({ headers }: FastifyRequest): void {
  if (!UPLOAD_TYPES.test(headers['content-type'] ?? '')) throw imageError('IMAGE_TYPE');
  const bytes = Number(headers['content-length'] ?? Number.NaN);
  if (!Number.isSafeInteger(bytes)) {
    throw new ApiError('VALIDATION_FAILED', 'The Content-Length header is required.', {
      rule: 'LENGTH_REQUIRED',
    });
  }
  if (bytes > MAX_UPLOAD_BYTES) throw new DomainError('IMAGE_TOO_LARGE');
}

const RESULT_TIMEOUT_MS = 8_000;

@Controller('upload')
export class UploadController {
  constructor(
    private readonly slots: UploadSlots,
    private readonly images: ImageJobs,
    private readonly completions: UploadCompletions,
    @Inject(FILES) private readonly files: FileStore,
    private readonly work: ExpensiveWork,
  ) {}

  /** Responds when the picture is ready, or after a timeout; it is then served as soon as it is ready. */
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
    if (!isMediaKey(key) || !this.slots.isSignedUrl(key, Number(expires), signature)) throw slotInvalid();
    if (!Buffer.isBuffer(bytes)) throw imageError('IMAGE_TYPE');
    return this.receive(key, bytes, () => this.images.enqueue(key, bytes));
  }

  /** Completes a direct upload to the store's quarantine; from here it is processed like one through the API. */
  @Public()
  @Post(':key/done')
  @HttpCode(200)
  async done(
    @Param('key') key: string,
    @Query('expires') expires: string,
    @Query('signature') signature = '',
  ): Promise<{ readonly location: string }> {
    if (!isMediaKey(key) || !this.slots.isSignedUrl(key, Number(expires), signature)) throw slotInvalid();
    const stored = STORAGE_PATHS.incoming(key);
    const size = await this.files.sizeOf(stored);
    if (size === null) return resultOf(key, await this.finalState(key));
    // The URL limits the length, but the store may not enforce it.
    const bytes = size > MAX_UPLOAD_BYTES ? null : await this.files.get(stored);
    try {
      return await this.receive(key, bytes, () => this.images.enqueueStored(key));
    } finally {
      const state = await this.slots.stateOf(key);
      if (state && isFinal(state)) await this.files.remove(stored);
    }
  }

  /** Takes the slot and releases it if processing fails. Repeats the response of a finished upload. */
  private async receive(
    key: string,
    bytes: Buffer | null,
    enqueue: () => Promise<void>,
  ): Promise<{ readonly location: string }> {
    const state = await this.slots.claim(key, bytes);
    if (!state) throw slotInvalid();
    if (isFinal(state)) return resultOf(key, state);
    try {
      if (!bytes) throw new ImageRefused('IMAGE_BROKEN');
      await this.work.run('picture', () => inspectImage(bytes));
      const done = this.completions.waitFor(key, RESULT_TIMEOUT_MS);
      await enqueue();
      await done;
    } catch (error) {
      if (!(error instanceof ImageRefused)) {
        await this.slots.release(key);
        throw error;
      }
      await this.slots.finish(key, { status: 'refused', rule: error.rule });
    }
    return resultOf(key, await this.slots.stateOf(key));
  }

  /** Result of a file that is not in quarantine. If it has no result yet, the PUT may still be in flight. */
  private async finalState(key: string): Promise<UploadState> {
    const state = await this.slots.stateOf(key);
    if (state && isFinal(state)) return state;
    throw new ApiError('NOT_FOUND', 'Not found.', { rule: 'UPLOAD_MISSING' });
  }
}

const isFinal = ({ status }: UploadState): boolean => status === 'ready' || status === 'refused';

/** @throws DomainError for a rejected picture */
function resultOf(key: string, state: UploadState | undefined): { readonly location: string } {
  if (state?.status === 'refused') throw imageError(state.rule ?? 'IMAGE_BROKEN');
  return { location: locationOf(key) };
}
