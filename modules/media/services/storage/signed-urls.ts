/** URLs of the local storage, signed and verified by this server. */
import type { Deps } from '@larder-dev/larder/kernel'
import { problems } from '../../problems.ts'
import type { SignedFile, SignedUpload } from './storage.ts'

export const UPLOAD_PATH = '/v1/media/uploads'
export const DOWNLOAD_PATH = '/v1/media/files'
const PUT_PURPOSE = 'media.put'
const GET_PURPOSE = 'media.get'

/** Query parameters that the signature covers, in its order. */
const PUT_PARAMETERS = ['tenant', 'size', 'type', 'sha256', 'expires'] as const
const GET_PARAMETERS = ['tenant', 'variant', 'expires'] as const
type Query<Names extends readonly string[]> = { readonly [K in Names[number]]: string }

type PutQuery = Query<typeof PUT_PARAMETERS>
type GetQuery = Query<typeof GET_PARAMETERS>

export interface SignedUrls {
  put(upload: SignedUpload): string
  get(file: SignedFile): string
  /** Throws `bad_signed_url` or `signed_url_expired`. */
  readPut(id: string, query: URLSearchParams): PutQuery
  /** Throws `bad_signed_url` or `signed_url_expired`. */
  readGet(id: string, query: URLSearchParams): GetQuery
}

export function createSignedUrls({ secrets, product, clock }: Deps<'secrets' | 'product' | 'clock'>): SignedUrls {
  const url = (path: string, id: string, parameters: Readonly<Record<string, string>>, signature: string): string =>
    `${product.publicUrl}${path}/${id}?${new URLSearchParams({ ...parameters, signature })}`

  function read<const Names extends readonly string[]>(
    purpose: string,
    names: Names,
    id: string,
    query: URLSearchParams,
  ): Query<Names> {
    const values = names.map(name => query.get(name) ?? '')
    if (!secrets.verify(query.get('signature') ?? '', purpose, id, ...values)) throw problems.bad_signed_url()
    const parameters = Object.fromEntries(names.map((name, at) => [name, values[at]])) as Query<Names>
    if (clock.now() >= Number(query.get('expires')) * 1000) throw problems.signed_url_expired()
    return parameters
  }
  /** Seconds since 1970. */
  const seconds = (time: Date): string => String(Math.ceil(time.getTime() / 1000))

  return {
    put({ id, tenantId, size, mimeType, sha256, expiresAt }) {
      const values = [tenantId, String(size), mimeType, sha256 ?? '', seconds(expiresAt)]
      const parameters = Object.fromEntries(PUT_PARAMETERS.map((name, at) => [name, values[at] as string]))
      return url(UPLOAD_PATH, id, parameters, secrets.sign(PUT_PURPOSE, id, ...values))
    },
    get({ id, tenantId, variant = '', expiresAt }) {
      const values = [tenantId, variant, seconds(expiresAt)]
      const parameters = Object.fromEntries(GET_PARAMETERS.map((name, at) => [name, values[at] as string]))
      return url(DOWNLOAD_PATH, id, parameters, secrets.sign(GET_PURPOSE, id, ...values))
    },
    readPut: (id, query) => read(PUT_PURPOSE, PUT_PARAMETERS, id, query),
    readGet: (id, query) => read(GET_PURPOSE, GET_PARAMETERS, id, query),
  }
}
