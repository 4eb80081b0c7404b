import { defineProblems, type Problem, Type, withHeaders } from '@larder-dev/larder/kernel'

export const problems = defineProblems({
  form_incomplete: [400, "The request isn't a complete multipart form."],
  upload_incomplete: [400, 'The upload was incomplete. Upload the file again.'],
  no_file: [400, 'The file is missing or empty. Send it in the field `file`.'],
  bad_signed_url: [403, 'The signed URL is invalid for this request.'],
  signed_url_expired: [403, 'This URL has expired. Request a new one.'],
  unknown_variant: [404, 'This file has no variant with this name.'],
  too_slow: [408, 'The upload was too slow. Try again.'],
  not_uploaded: [409, "The file hasn't been uploaded. PUT it to the `url` of its upload intent first."],
  already_processed: [409, 'This upload has already been processed. Create a new upload intent.'],
  not_ready: [409, 'This file is {status}. Only ready files can be downloaded.'],
  not_publishable: [409, 'Only images can be published.'],
  upload_expired: [410, 'This upload has expired. Create a new upload intent.'],
  file_too_large: [413, 'The file is larger than {limit}.'],
  too_many_parts: [413, 'The form contains more than one file or too many fields.'],
  type_not_allowed: [
    415,
    'Unsupported file type. Use {allowed}.',
    { allowed: Type.Unsafe<readonly string[]>(Type.Array(Type.String())) },
  ],
  wrong_extension: [415, 'The file name must end in {expected} for {type}.'],
  bad_range: [416, 'The requested byte range is outside the file.'],
  wrong_digest: [422, "The SHA-256 checksum of the upload doesn't match."],
  unknown_media: [422, "Some of these files don't exist or aren't ready.", { mediaIds: Type.Array(Type.String()) }],
  storage_full: [503, 'Storage is full. Try again later.'],
  storage_unavailable: [503, 'Storage is temporarily unavailable. Try again in {seconds} s.'],
})

const RETRY_SECONDS = 5

export const storageUnavailable = (): Problem =>
  withHeaders(problems.storage_unavailable({ seconds: RETRY_SECONDS }), { 'retry-after': String(RETRY_SECONDS) })
