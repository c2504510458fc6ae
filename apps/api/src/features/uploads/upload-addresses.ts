import { Inject, Injectable } from '@nestjs/common';
import { DomainError } from '@nimo/domain';
import type { Announced, FileStore } from '../../adapters/files/file-store.js';
import { FILES } from '../../adapters/tokens.js';
import { IMAGE_TYPES, LARGEST_UPLOAD_BYTES, refusedFor } from './image-rules.js';
import { STORED_AT } from './media-paths.js';
import { SLOT_SECONDS, UploadSlots } from './upload-slots.js';
import type { UploadSlot } from './upload-slot.type.js';

type SaidOfFile = { readonly [Part in keyof Announced]?: Announced[Part] | null | undefined };

/** Where a browser sends a file: into the quarantine of the store where there is one, otherwise to the api. */
@Injectable()
export class UploadAddresses {
  constructor(
    private readonly slots: UploadSlots,
    @Inject(FILES) private readonly files: FileStore,
  ) {}

  async open(studentId: string, { contentType, contentLength }: SaidOfFile): Promise<UploadSlot> {
    await this.tidy();
    const { addresses } = this.files;
    if (!addresses || typeof contentType !== 'string' || typeof contentLength !== 'number') {
      const { key, url } = await this.slots.open(studentId);
      return { key, url, doneUrl: null };
    }
    const announced = admitted({ contentType, contentLength });
    const { key, doneUrl } = await this.slots.open(studentId);
    const url = await addresses.toPut(STORED_AT.incoming(key), announced, SLOT_SECONDS);
    return { key, url, doneUrl };
  }

  /** What came into quarantine and was never told of would stay there. */
  private async tidy(): Promise<void> {
    const unused = await this.slots.dropUnused();
    await Promise.all(unused.map((key) => this.files.remove(STORED_AT.incoming(key))));
  }
}

/** What is said of the file is bound into the address; what it is, is found out when it is there. */
function admitted(announced: Announced): Announced {
  const { contentType, contentLength } = announced;
  if (!IMAGE_TYPES.has(contentType)) throw refusedFor('IMAGE_TYPE');
  if (contentLength < 1) throw refusedFor('IMAGE_EMPTY');
  if (contentLength > LARGEST_UPLOAD_BYTES) throw new DomainError('IMAGE_TOO_LARGE');
  return announced;
}
