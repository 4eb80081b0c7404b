/** Sends files and waits for imports. */
import type { Client, TestResponse } from '../../../../testing/index.ts'
import type { Import, ImportRowError } from '../../../fixtures/api-types.ts'
import type { Listed } from '../../../fixtures/people.ts'

export type { Import, ImportRowError }

export interface Sender {
  readonly url: string
  readonly token: string
  readonly tenantId?: string
}

/** Posts the bytes or the text of a file. */
export async function send<Body = Import>(
  { url, token, tenantId }: Sender,
  path: string,
  file: string | Uint8Array | ReadableStream,
  headers: Readonly<Record<string, string>> = {},
): Promise<TestResponse<Body>> {
  const response = await fetch(new URL(`/v1/data/${path}`, url), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'text/csv',
      ...(tenantId !== undefined && { 'x-tenant-id': tenantId }),
      ...headers,
    },
    body: file as never,
    duplex: 'half',
  } as RequestInit)
  return { status: response.status, headers: response.headers, body: (await response.json()) as Body }
}

const ENDED = ['succeeded', 'failed', 'canceled']

/** Resolves when the import has ended. */
export async function ended(client: Client, collection: string, id: string): Promise<Import> {
  for (const end = performance.now() + 120_000; performance.now() < end; ) {
    const { body } = await client.get<Import>(`/v1/data/${collection}/imports/${id}`)
    if (ENDED.includes(body.state)) return body
    await new Promise(resolve => setTimeout(resolve, 30))
  }
  throw new Error(`import ${id} has not ended`)
}

export const errorsOf = async (client: Client, collection: string, id: string): Promise<ImportRowError[]> =>
  (await client.get<Listed<ImportRowError>>(`/v1/data/${collection}/imports/${id}/errors?limit=200`)).body.data
