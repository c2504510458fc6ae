import { Module } from '@nestjs/common';
import { ImageJobs } from './image-rules.js';
import { OwnUploads, UploadAddresses, UploadsResolver } from './own-uploads.js';
import { MediaController, PictureAccess, SignedPictures } from './picture-access.js';
import { PictureSweep } from './picture-sweep.js';
import { UploadEnds, UploadSlots } from './upload-slots.js';
import { OtpModule } from '../otp/otp.module.js';
import { UploadAdmission, UploadController } from './upload.controller.js';

const PROVIDERS = [UploadSlots, ImageJobs, OwnUploads, PictureAccess, PictureSweep];

/** Pictures and whose they are, for the api and the worker. */
@Module({ providers: PROVIDERS, exports: PROVIDERS })
export class PicturesModule {}

@Module({
  imports: [OtpModule, PicturesModule],
  controllers: [UploadController, MediaController],
  providers: [SignedPictures, UploadsResolver, UploadAddresses, UploadAdmission, UploadEnds],
})
export class UploadsModule {}
