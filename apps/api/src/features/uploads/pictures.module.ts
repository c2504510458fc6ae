import { Module } from '@nestjs/common';
import { ImageJobs } from './image-jobs.js';
import { OwnUploads } from './own-uploads.js';
import { UploadSlots } from './upload-slots.js';

/** Pictures and whose they are, for the api and the worker. */
@Module({ providers: [UploadSlots, ImageJobs, OwnUploads], exports: [UploadSlots, ImageJobs, OwnUploads] })
export class PicturesModule {}
