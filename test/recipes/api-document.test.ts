/** What other programs need of the API documents of the shipped modules. */
import test from 'ava'
import { RE2JS } from 're2js'
import type { TestKernel } from '../../testing/index.ts'
import { shareKernel } from '../fixtures/shared-kernel.ts'
import { startFull } from './shipped-kernels.ts'

interface Operation {
  readonly operationId?: string
  readonly summary?: string
  readonly security?: readonly object[]
}

let kernel: TestKernel
shareKernel(test, startFull, full => {
  kernel = full
})

test('Python and Go compile every pattern of the API documents', async t => {
  for (const path of ['openapi.json', 'asyncapi.json']) {
    const { status, body } = await kernel.get<object>(`/v1/platform/${path}`)
    t.is(status, 200)
    const found = JSON.stringify(body).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)
    for (const pattern of [...found].map(([, text = '']) => JSON.parse(text))) {
      t.notRegex(pattern, /\\[pPu]|\(\?[=!<]/, path)
      t.notThrows(() => RE2JS.compile(pattern), pattern)
    }
  }
})

test('every operation of the API document has a summary and says which credentials it needs', async t => {
  const { body } =
    await kernel.get<Record<'paths' | 'webhooks', Record<string, Record<string, Operation>>>>(
      '/v1/platform/openapi.json',
    )
  for (const [path, methods] of Object.entries({ ...body.paths, ...body.webhooks }))
    for (const { summary, security } of Object.values(methods)) {
      t.regex(String(summary), /^\S.+/, path)
      t.true(Array.isArray(security), path)
    }
})

test('every operation and webhook of the API document has a name of its own', async t => {
  const { body } =
    await kernel.get<Record<'paths' | 'webhooks', Record<string, Record<string, Operation>>>>(
      '/v1/platform/openapi.json',
    )
  const operations = Object.values({ ...body.paths, ...body.webhooks }).flatMap(methods => Object.values(methods))
  const names = operations.map(({ operationId = '' }) => operationId)
  t.deepEqual(
    names.filter((name, at) => !/^[a-z][A-Za-z0-9]*$/.test(name) || names.indexOf(name) < at),
    [],
  )
})
