import { Module } from '@nestjs/common';
import { ImageJobs } from './image-rules.js';
import { OwnUploads, UploadUrls, UploadsResolver } from './own-uploads.js';
import { MediaController, PictureAccess, SignedPictures } from './picture-access.js';
import { PictureSweep } from './picture-sweep.js';
import { UploadCompletions, UploadSlots } from './upload-slots.js';
import { OtpModule } from '../otp/otp.module.js';
import { UploadAdmission, UploadController } from './upload.controller.js';

const PROVIDERS = [UploadSlots, ImageJobs, OwnUploads, PictureAccess, PictureSweep];

/** Pictures and their ownership, shared by the API and the worker. */
@Module({ providers: PROVIDERS, exports: PROVIDERS })
export class PicturesModule {}

@Module({
  imports: [OtpModule, PicturesModule],
  controllers: [UploadController, MediaController],
  providers: [SignedPictures, UploadsResolver, UploadUrls, UploadAdmission, UploadCompletions],
})
export class UploadsModule {}
