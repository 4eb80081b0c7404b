/** The part of AWS's SDK that storage uses. The build bundles it, so that an installation doesn't have its 27 packages. */
import { S3Client } from '@aws-sdk/client-s3'
import { SECOND } from '@larder-dev/larder/kernel'
import type { MediaOptions } from '../../options.ts'

export {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3'
export { getSignedUrl } from '@aws-sdk/s3-request-presigner'

export const createS3Client = (options: MediaOptions['s3']): S3Client =>
  new S3Client({
    region: options.region || 'us-east-1',
    forcePathStyle: options.pathStyle,
    // Otherwise every signed PUT contains the checksum of an empty body.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: 5 * SECOND, requestTimeout: 60 * SECOND },
    ...(options.endpoint && { endpoint: options.endpoint }),
    ...(options.accessKeyId && {
      credentials: { accessKeyId: options.accessKeyId, secretAccessKey: options.secretAccessKey },
    }),
  })
