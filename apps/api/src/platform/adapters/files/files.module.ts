import { Global, Module } from '@nestjs/common';
import { SETTINGS } from '../../config/tokens.js';
import { FILES } from '../tokens.js';
import { join } from 'node:path';
import type { Settings } from '../../config/load-settings.js';
import type { FileStore } from './file-store.js';
import { FolderFiles } from './folder-files.js';
import { S3Files, s3BucketOf } from './s3-files.js';

/** The configured S3-compatible store, otherwise the data folder. */
function fileStore(settings: Settings): FileStore {
  const bucket = s3BucketOf(settings);
  return bucket ? new S3Files(bucket) : new FolderFiles(join(settings.dataDir, 'media'));
}

/** Provides the file store on its own. */
@Global()
@Module({
  providers: [{ provide: FILES, useFactory: fileStore, inject: [SETTINGS] }],
  exports: [FILES],
})
export class FilesModule {}
