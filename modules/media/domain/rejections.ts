/** Why a file is refused after it came in: the check that said so, a stable code, a plain sentence. Pure. */

export interface Rejection {
  readonly check: 'size' | 'type' | 'archive' | 'virus' | 'image' | 'copy'
  readonly code: RejectionCode
  readonly detail: string
}

const TABLE = {
  size_mismatch: ['size', 'The file has another size than was announced.'],
  digest_mismatch: ['size', 'The file has another SHA-256 than was announced.'],
  type_mismatch: ['type', 'The file is not of the type that was announced.'],
  hidden_archive: ['type', 'An archive is hidden behind the content of this file.'],
  active_content: ['type', 'The file holds a script, or something else that could run.'],
  archive_unreadable: ['archive', 'The archive is damaged.'],
  archive_too_many_entries: ['archive', 'The archive has more than 10,000 entries.'],
  archive_too_large: ['archive', 'Unpacked, the archive is larger than 1 GiB.'],
  archive_ratio: ['archive', 'Unpacked, the archive is more than a hundred times as large.'],
  archive_overlap: ['archive', 'Entries of the archive share their bytes.'],
  archive_unsafe_path: ['archive', 'An entry of the archive leads out of its folder.'],
  archive_link: ['archive', 'The archive holds a link.'],
  archive_nested: ['archive', 'The archive holds another archive.'],
  infected: ['virus', 'A virus was found.'],
  image_unreadable: ['image', 'The image is damaged.'],
  image_too_large: ['image', 'The image has more pixels than are taken.'],
  changed: ['copy', 'The file was replaced while it was checked.'],
} as const satisfies Record<string, readonly [Rejection['check'], string]>
export type RejectionCode = keyof typeof TABLE

export function rejection(code: RejectionCode, more?: string): Rejection {
  const [check, detail] = TABLE[code]
  return { check, code, detail: more === undefined ? detail : `${detail} ${more}` }
}
