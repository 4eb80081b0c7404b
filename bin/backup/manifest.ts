/** The first and the last entry of an archive, and the names of all others. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { subkey } from '../../kernel/internal.ts'
import type { DumpedTable, DumpHead } from './installation.ts'

export const HEAD_NAME = 'larder-backup.json'
export const END_NAME = 'end.json'
/** The version of the format. A reader refuses later ones. */
export const FORMAT = 1

export interface ArchiveHead {
  readonly format: number
  /** The version of Larder. */
  readonly version: string
  readonly recipe: { readonly key: string; readonly name: string }
  readonly database: DumpHead
  /** False if the archive has no files by choice. */
  readonly hasFiles: boolean
}

export interface ArchiveEnd {
  /** SHA-256 of everything before this entry, in hexadecimal. */
  readonly sha256: string
  readonly rows: number
  readonly files: number
  /** The size of all files together. */
  readonly bytes: number
  /** The others, signed with each secret of the installation. */
  readonly signatures: readonly string[]
}

type Summary = Omit<ArchiveEnd, 'signatures'>

const sign = (secret: string, { sha256, rows, files, bytes }: Summary): string =>
  createHmac('sha256', subkey(secret, 'backup')).update(`${sha256} ${rows} ${files} ${bytes}`).digest('base64url')

export const signedBy = (secrets: readonly string[], summary: Summary): ArchiveEnd => ({
  ...summary,
  signatures: secrets.map(secret => sign(secret, summary)),
})

/** Whether somebody with one of these secrets wrote the archive. */
export const isSigned = ({ signatures, ...summary }: ArchiveEnd, secrets: readonly string[]): boolean =>
  signedBy(secrets, summary).signatures.some(own =>
    signatures.some(given => given.length === own.length && timingSafeEqual(Buffer.from(given), Buffer.from(own))),
  )

const number = (value: number) => String(value).padStart(6, '0')

/** `rows/000012-data_courses/000001`. The first number is the place of the table in the schema. */
export const rowsName = (index: number, { name }: DumpedTable, chunk: number): string =>
  `rows/${number(index)}-${name.replaceAll(/[^a-z0-9_]/gi, '_').slice(0, 63)}/${number(chunk)}`

/** `files/media/image%2Fpng/files/ten_1/med_1`. */
export const fileName = (module: string, type: string, key: string): string =>
  ['files', module, encodeURIComponent(type), encodeURI(key)].join('/')

export type EntryName =
  | { readonly kind: 'rows'; readonly table: number }
  | { readonly kind: 'file'; readonly module: string; readonly type: string; readonly key: string }

/** Undefined for a name that no version wrote. */
export function readName(name: string): EntryName | undefined {
  const rows = /^rows\/(\d+)-\w+\/\d+$/.exec(name)
  if (rows) return { kind: 'rows', table: Number(rows[1]) }
  const file = /^files\/([^/]+)\/([^/]+)\/(.+)$/.exec(name)
  if (!file) return undefined
  const [, module = '', type = '', key = ''] = file
  if (key.split('/').some(part => part === '' || part === '.' || part === '..')) return undefined
  return { kind: 'file', module, type: decodeURIComponent(type), key: decodeURI(key) }
}
