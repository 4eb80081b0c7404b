/** Why the checks rejected an uploaded file. */
export interface Rejection {
  readonly check: 'size' | 'type' | 'archive' | 'virus' | 'image' | 'copy'
  readonly code: RejectionCode
  readonly detail: string
}

const TABLE = {
  size_mismatch: ['size', "The file size doesn't match."],
  digest_mismatch: ['size', "The SHA-256 checksum doesn't match."],
  type_mismatch: ['type', "The file content doesn't match its type."],
  encoding_unsupported: [
    'type',
    'The text is neither UTF-8 nor UTF-16 with a byte order mark. Save it as UTF-8 and upload it again.',
  ],
  hidden_archive: ['type', 'The file contains a hidden archive.'],
  active_content: ['type', 'The file contains a script or other active content.'],
  archive_unreadable: ['archive', 'The archive is damaged.'],
  archive_too_many_entries: ['archive', 'The archive has more than 10,000 entries.'],
  archive_too_large: ['archive', 'The archive unpacks to more than 1 GiB.'],
  archive_ratio: ['archive', 'The archive unpacks to more than 100 times its size.'],
  archive_overlap: ['archive', 'The archive contains overlapping entries.'],
  archive_unsafe_path: ['archive', 'The archive contains an unsafe path.'],
  archive_special_file: ['archive', 'The archive contains a device, a pipe or another special file.'],
  archive_duplicate: ['archive', 'The archive contains two entries with the same path.'],
  archive_mismatch: ['archive', "The archive's content doesn't match its directory."],
  archive_unsupported: ['archive', 'The archive is encrypted or uses a compression method that is not supported.'],
  archive_link: ['archive', 'The archive contains a link.'],
  archive_nested: ['archive', 'The archive contains another archive.'],
  infected: ['virus', 'The file contains a virus.'],
  image_unreadable: ['image', 'The image is damaged.'],
  image_too_large: ['image', 'The image has too many pixels.'],
  changed: ['copy', 'The file changed during the check.'],
} as const satisfies Record<string, readonly [Rejection['check'], string]>
export type RejectionCode = keyof typeof TABLE
export const REJECTION_CODES = Object.keys(TABLE) as RejectionCode[]

export function rejection(code: RejectionCode, addition?: string): Rejection {
  const [check, detail] = TABLE[code]
  return { check, code, detail: addition === undefined ? detail : `${detail} ${addition}` }
}
