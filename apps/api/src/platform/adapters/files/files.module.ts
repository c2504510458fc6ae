import { Global, Module } from '@nestjs/common';
import { SETTINGS } from '../../runtime/tokens.js';
import { FILES } from '../tokens.js';
import { fileStore } from './file-store.js';

/** Pictures, for whoever needs nothing else of the outside. */
@Global()
@Module({
  providers: [{ provide: FILES, useFactory: fileStore, inject: [SETTINGS] }],
  exports: [FILES],
})
export class FilesModule {}
