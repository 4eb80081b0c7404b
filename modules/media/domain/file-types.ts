/** File types that a recipe can allow, with their extensions (those of mime-db) and the kind of check. */

/** Selects the checks beyond the file signature. */
export type Kind = 'image' | 'zip' | 'text' | 'svg' | 'binary'
export interface FileType {
  /** Lower case, the most common one first. */
  readonly extensions: readonly string[]
  readonly kind: Kind
}

const type = (kind: Kind, ...extensions: string[]): FileType => ({ kind, extensions })
const OFFICE = 'application/vnd.openxmlformats-officedocument'
const OPEN = 'application/vnd.oasis.opendocument'

/** ZIP is the only archive format: its directory and its content are checked without unpacking it to disk. */
export const TYPES: Readonly<Record<string, FileType>> = {
  'image/png': type('image', 'png'),
  'image/jpeg': type('image', 'jpg', 'jpeg', 'jpe', 'jfif', 'pjpeg', 'pjp'),
  'image/webp': type('image', 'webp'),
  'image/gif': type('image', 'gif'),
  'image/avif': type('image', 'avif'),
  'image/tiff': type('image', 'tif', 'tiff'),
  'image/svg+xml': type('svg', 'svg'),
  'application/pdf': type('binary', 'pdf'),
  'application/zip': type('zip', 'zip'),
  'application/epub+zip': type('zip', 'epub'),
  [`${OFFICE}.wordprocessingml.document`]: type('zip', 'docx'),
  [`${OFFICE}.spreadsheetml.sheet`]: type('zip', 'xlsx'),
  [`${OFFICE}.presentationml.presentation`]: type('zip', 'pptx'),
  [`${OPEN}.text`]: type('zip', 'odt'),
  [`${OPEN}.spreadsheet`]: type('zip', 'ods'),
  [`${OPEN}.presentation`]: type('zip', 'odp'),
  'text/plain': type('text', 'txt', 'text', 'log'),
  'text/csv': type('text', 'csv'),
  'text/markdown': type('text', 'md', 'markdown', 'mkd'),
  'text/html': type('text', 'html', 'htm'),
  'application/json': type('text', 'json'),
  'audio/mpeg': type('binary', 'mp3', 'mpga'),
  'audio/mp4': type('binary', 'm4a', 'mp4a'),
  'audio/ogg': type('binary', 'ogg', 'oga', 'opus', 'spx'),
  'audio/wav': type('binary', 'wav', 'wave'),
  'audio/flac': type('binary', 'flac'),
  'video/mp4': type('binary', 'mp4', 'm4v', 'mp4v', 'mpg4'),
  'video/webm': type('binary', 'webm'),
  'video/quicktime': type('binary', 'mov', 'qt'),
}
export const KNOWN_TYPES = Object.keys(TYPES)

/** `image/jpeg` → `JPEG`. */
export const formatName = (type: string): string =>
  type === 'image/jpeg' ? 'JPEG' : (TYPES[type]?.extensions[0] ?? type).toUpperCase()

/** Names that browsers and file-type use for the same types. */
const ALIASES = new Map(
  Object.entries({
    'image/jpg': 'image/jpeg',
    'image/pjpeg': 'image/jpeg',
    'image/apng': 'image/png',
    'application/x-zip': 'application/zip',
    'application/x-zip-compressed': 'application/zip',
    'application/csv': 'text/csv',
    'application/x-csv': 'text/csv',
    'text/x-csv': 'text/csv',
    'text/comma-separated-values': 'text/csv',
    'text/x-comma-separated-values': 'text/csv',
    'text/x-markdown': 'text/markdown',
    'audio/mp3': 'audio/mpeg',
    'audio/x-wav': 'audio/wav',
    'audio/x-m4a': 'audio/mp4',
    'audio/x-flac': 'audio/flac',
    'video/x-m4v': 'video/mp4',
  }),
)

/** `Image/JPG; q=1` → `image/jpeg`. */
export function canonicalType(text: string): string {
  const bare = (text.split(';', 1)[0] as string).trim().toLowerCase()
  return ALIASES.get(bare) ?? bare
}

/** The part after the last dot in lower case. Empty without a dot. */
export function extensionOf(fileName: string): string {
  const dot = fileName.lastIndexOf('.')
  return dot < 0 ? '' : fileName.slice(dot + 1).toLowerCase()
}

/** Known types that also stand for others: of a container, and of any text. */
const GENERIC: readonly string[] = ['application/zip', 'text/plain']

/**
 * The canonical type; that of the name's extension if the given one is generic or unknown, as the outdated and invented
 * names that operating systems and programs send. The content is checked in any case.
 */
export function typeOfUpload(declaredType: string, fileName: string): string {
  const declared = canonicalType(declaredType)
  const isKnown = KNOWN_TYPES.includes(declared) && !GENERIC.includes(declared)
  if (isKnown || fitsExtension(declared, fileName)) return declared
  const extension = extensionOf(fileName)
  return KNOWN_TYPES.find(type => TYPES[type]?.extensions.includes(extension)) ?? declared
}

export const fitsExtension = (mimeType: string, fileName: string): boolean =>
  TYPES[mimeType]?.extensions.includes(extensionOf(fileName)) ?? false

/** `.jpg or .jpeg`. */
export const listExtensions = (mimeType: string): string =>
  (TYPES[mimeType]?.extensions ?? []).map(extension => `.${extension}`).join(' or ')
