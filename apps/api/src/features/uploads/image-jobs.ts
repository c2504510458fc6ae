import { Inject, Injectable } from '@nestjs/common';
import type { FileStore } from '../../adapters/files/file-store.js';
import type { JobQueues } from '../../adapters/jobs/job-queues.js';
import { FILES, JOBS } from '../../adapters/tokens.js';
import { ExpensiveWork } from '../../platform/runtime/expensive-work.js';
import { ImageRefused, inspectImage, reencode } from './image-rules.js';
import { STORED_AT } from './media-paths.js';
import { UploadSlots } from './upload-slots.js';

/** Pictures are drawn anew by a job, away from the requests that others are waiting for. */
@Injectable()
export class ImageJobs {
  constructor(
    @Inject(JOBS) private readonly queues: JobQueues,
    @Inject(FILES) private readonly files: FileStore,
    private readonly slots: UploadSlots,
    private readonly expensive: ExpensiveWork,
  ) {}

  async enqueue(key: string, bytes: Buffer): Promise<void> {
    await this.files.put(STORED_AT.incoming(key), bytes, 'application/octet-stream');
    await this.enqueueStored(key);
  }

  /** What the browser has put into quarantine itself. */
  async enqueueStored(key: string): Promise<void> {
    await this.queues.add('image', { key }, key);
  }

  /** In the worker. */
  async work(): Promise<void> {
    await this.queues.work('image', ({ key }) => this.perform(key));
  }

  /** May run again after a crash: a picture that is there already was the end of an earlier run. */
  async perform(key: string): Promise<void> {
    const bytes = await this.files.get(STORED_AT.incoming(key));
    if (!bytes) return;
    try {
      const { picture, thumbnail } = await this.expensive.run('picture', async () => {
        // Again: a store takes another PUT for as long as its address is good.
        await inspectImage(bytes);
        return reencode(bytes);
      });
      await this.files.put(STORED_AT.thumbnail(key), thumbnail, 'image/webp');
      await this.files.put(STORED_AT.picture(key), picture, 'image/webp');
      await this.slots.finish(key, { status: 'ready', rule: null });
    } catch (error) {
      if (!(error instanceof ImageRefused)) throw error;
      await this.slots.finish(key, { status: 'refused', rule: error.rule });
    }
    await this.files.remove(STORED_AT.incoming(key));
  }
}
