/** Sends invalid requests to every operation in German, and reads the answers. */
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { packageRoot } from '../../kernel/base/package-root.ts'
import { startTestKernel, TEST_PASSWORD } from '../../testing/index.ts'
import { createRandom } from './fixtures.ts'
import type { Document } from './fuzz.ts'
import { createRequestGenerator } from './request-generator.ts'
import { createValuePool } from './value-pool.ts'

interface Answer {
  readonly title: string
  readonly detail: string
  readonly errors?: readonly { readonly detail: string }[]
}

/** Words that German doesn't have. */
const ENGLISH =
  /\b(?:must|the|is|are|isn't|not|has|have|your|this|that|with|of|to|can't|doesn't|only|from|already|needs|requires|and|for|by|you|it|unknown|invalid|like|such|at least|at most)\b/i
/** Names of the API that a sentence quotes. */
const QUOTED = /`[^`]*`|„[^“]*“|"[^"]*"|\bfilter\[\S*|\bor\[\S*|https?:\S+/g

test('an error of any operation in German has no English words, and no keys of permissions', async t => {
  const kernel = await startTestKernel({ recipe: fileURLToPath(new URL('recipes/full.yaml', packageRoot)) })
  t.teardown(() => kernel.stop())
  const document = kernel.kernel.ports.http.openapi() as unknown as Document
  const random = createRandom(7)
  const pool = createValuePool()
  pool.add('password', TEST_PASSWORD)
  const generator = createRequestGenerator(document, random, pool)
  const keys = kernel.kernel.ports.access.permissions().map(({ key }) => key)
  t.true(keys.length > 50)
  const english = new Map<string, string>()
  let read = 0
  for (let round = 0; round < 4; round++) {
    const { token, tenantId } = await kernel.register(`german-${round}@example.test`)
    const headers = { authorization: `Bearer ${token}`, 'x-tenant-id': tenantId }
    const callers = [
      { name: 'owner', weight: 6, headers },
      { name: 'anonymous', weight: 1, headers: {} },
    ]
    for (let sent = 0; sent < generator.operations; sent++) {
      const { method, target, body, headers: own, operation } = generator.next(callers)
      if (/logout|DELETE \/v1\/(identity\/tenants|auth)/.test(operation)) continue
      const response = await fetch(kernel.url + target, {
        method,
        headers: { ...own, 'accept-language': 'de' },
        ...(body !== undefined && { body }),
        redirect: 'manual',
      })
      const text = await response.text()
      if (!response.headers.get('content-type')?.startsWith('application/problem+json')) continue
      read++
      const { title, detail, errors = [] } = JSON.parse(text) as Answer
      for (const said of [title, detail, ...errors.map(error => error.detail)])
        if (ENGLISH.test(said.replace(QUOTED, '')) || keys.some(key => said.includes(key))) english.set(said, operation)
    }
  }
  t.true(read > generator.operations, `${read} answers`)
  t.deepEqual([...english], [])
})
