import { Module } from '@nestjs/common';
import { ImageJobs } from './image-jobs.js';
import { OwnUploads } from './own-uploads.js';
import { PictureAccess } from './picture-access.js';
import { PictureSweep } from './picture-sweep.js';
import { UploadSlots } from './upload-slots.js';

const PROVIDERS = [UploadSlots, ImageJobs, OwnUploads, PictureAccess, PictureSweep];

/** Pictures and whose they are, for the api and the worker. */
@Module({ providers: PROVIDERS, exports: PROVIDERS })
export class PicturesModule {}
