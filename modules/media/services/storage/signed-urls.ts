/** Addresses of the local storage: signed by this server, checked by it. */
import type { Deps } from 'larder/kernel'
import { problems } from '../../problems.ts'
import type { SignedFile, SignedUpload } from './storage.ts'

export const UPLOADS = '/v1/media/uploads'
export const FILES = '/v1/media/files'
const PUT = 'media.put'
const GET = 'media.get'

/** What stands in the query of an address, each value a string of the signature. */
const PUT_PARTS = ['tenant', 'size', 'type', 'sha256', 'expires'] as const
const GET_PARTS = ['tenant', 'variant', 'expires'] as const
type Parts<Names extends readonly string[]> = { readonly [K in Names[number]]: string }

export function createAddresses({ secrets, product, clock }: Deps<'secrets' | 'product' | 'clock'>) {
  const address = (path: string, id: string, parts: Readonly<Record<string, string>>, signature: string): string =>
    `${product.publicUrl}${path}/${id}?${new URLSearchParams({ ...parts, signature })}`

  /** Throws `bad_signed_url`, `signature_over`. */
  function read<const Names extends readonly string[]>(
    purpose: string,
    names: Names,
    id: string,
    query: URLSearchParams,
  ): Parts<Names> {
    const values = names.map(name => query.get(name) ?? '')
    if (!secrets.verify(query.get('signature') ?? '', purpose, id, ...values)) throw problems.bad_signed_url()
    const parts = Object.fromEntries(names.map((name, at) => [name, values[at]])) as Parts<Names>
    if (clock.now() >= Number(query.get('expires')) * 1000) throw problems.signature_over()
    return parts
  }
  /** Whole seconds since 1970. */
  const seconds = (time: Date): string => String(Math.ceil(time.getTime() / 1000))

  return {
    put({ id, tenantId, size, mimeType, sha256, expiresAt }: SignedUpload): string {
      const values = [tenantId, String(size), mimeType, sha256 ?? '', seconds(expiresAt)]
      const parts = Object.fromEntries(PUT_PARTS.map((name, at) => [name, values[at] as string]))
      return address(UPLOADS, id, parts, secrets.sign(PUT, id, ...values))
    },
    get({ id, tenantId, variant = '', expiresAt }: SignedFile): string {
      const values = [tenantId, variant, seconds(expiresAt)]
      const parts = Object.fromEntries(GET_PARTS.map((name, at) => [name, values[at] as string]))
      return address(FILES, id, parts, secrets.sign(GET, id, ...values))
    },
    readPut: (id: string, query: URLSearchParams) => read(PUT, PUT_PARTS, id, query),
    readGet: (id: string, query: URLSearchParams) => read(GET, GET_PARTS, id, query),
  }
}
export type Addresses = ReturnType<typeof createAddresses>
