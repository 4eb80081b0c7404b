import { defineProblems, type Problem, withHeaders } from 'larder/kernel'

export const problems = defineProblems({
  form_incomplete: [400, 'The form ended before its file did, or is no multipart form.'],
  upload_incomplete: [400, 'The upload ended too early. Send the whole file again.'],
  no_file: [400, 'The form has no file, or an empty one. Send it in the field `file`.'],
  bad_signed_url: [403, 'This address was not made by this server, or not for this method, size and type.'],
  signature_over: [403, 'The time of this address is over. Ask for a new one.'],
  unknown_variant: [404, 'This item has no variant of this name.'],
  too_slow: [408, 'The upload came too slowly. Send it again.'],
  not_uploaded: [409, 'The file has not been uploaded yet. PUT it to the url of its upload-intent first.'],
  already_processed: [409, 'This upload was processed already. Ask for a new upload-intent.'],
  not_ready: [409, 'This item is {status}: only what is ready can be downloaded.'],
  upload_expired: [410, 'The time of this upload is over. Ask for a new upload-intent.'],
  file_too_large: [413, 'The file is larger than {limit} bytes.'],
  too_many_parts: [413, 'The form has more than one file, or more fields than are taken.'],
  type_not_allowed: [415, 'Files of this type are not taken here: {allowed} are.'],
  wrong_extension: [415, 'A file of the type {type} must have a name that ends with {expected}.'],
  bad_range: [416, 'The file has no such range of bytes.'],
  wrong_digest: [422, 'The SHA-256 of these bytes is not the one that was announced.'],
  unknown_media: [422, 'Some of these files are not there, or not ready.'],
  storage_full: [503, 'There is no room for this file just now.'],
  storage_unavailable: [503, 'The storage does not answer just now. Try again in {seconds} s.'],
})

const RETRY_SECONDS = 5

export const storageUnavailable = (): Problem =>
  withHeaders(problems.storage_unavailable({ seconds: RETRY_SECONDS }), { 'retry-after': String(RETRY_SECONDS) })
