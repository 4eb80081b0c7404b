/** Keeps files that are generated from the schemas of the shipped modules equal to them. */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { typesOf } from '../../bin/client.ts'
import { packageRoot } from '../../kernel/base/package-root.ts'
import { namesIn } from '../../services/http/openapi/components.ts'
import { bodySchemaOf, operationIdOf } from '../../services/http/openapi/names.ts'
import type { Endpoint } from '../../services/http/server.ts'
import type { TestKernel } from '../../testing/index.ts'
import { shareKernel } from '../fixtures/shared-kernel.ts'
import { startFull } from './shipped-kernels.ts'

const pathOf = (file: string): string => fileURLToPath(new URL(file, packageRoot))
const NAMES = pathOf('modules/collections/recipe/schema-names.json')
const CONSOLE_TYPES = pathOf('modules/console/app/data/api-types.ts')
const OUTDATED = 'run this test with UPDATE_GOLDEN=1'

let kernel: TestKernel
shareKernel(test, startFull, full => {
  kernel = full
})

const schemasOf = (endpoint: Endpoint): readonly (object | undefined)[] => {
  const { route, docs } = endpoint
  const body = route && bodySchemaOf(operationIdOf(endpoint), route)
  const media = [docs?.body, ...Object.values(docs?.replies ?? {})].flatMap(media => Object.values(media ?? {}))
  return [body, route?.query, ...Object.values(route?.replies ?? {}), ...media].map(schema => schema ?? undefined)
}

test('recipe check knows the schema names of every shipped module', async t => {
  const found = new Map<string, Set<string>>([['kernel', new Set(['Problem', 'FieldError', 'Liveness', 'Readiness'])]])
  for (const endpoint of kernel.kernel.ports.http.endpoints())
    for (const schema of schemasOf(endpoint))
      for (const name of schema ? namesIn(schema).keys() : [])
        if (name !== 'FieldError')
          found.set(endpoint.module, (found.get(endpoint.module) ?? new Set<string>()).add(name))
  found.set('collections', new Set(['FieldChange']))
  const names = Object.fromEntries([...found].map(([module, set]) => [module, [...set].sort()]))
  if (process.env.UPDATE_GOLDEN) writeFileSync(NAMES, `${JSON.stringify(names, null, 2)}\n`)
  t.deepEqual(JSON.parse(readFileSync(NAMES, 'utf8')), names, OUTDATED)
})

test('the console has the types of the API', async t => {
  const types = (await typesOf(kernel.kernel.ports))
    // A new description changes no type.
    .replaceAll(/^ *\/\*\*.*\*\/\n/gm, '')
    // Only type aliases can be read as rows with any properties.
    .replaceAll(/^export interface (\w+) \{/gm, 'export type $1 = {')
  if (process.env.UPDATE_GOLDEN) writeFileSync(CONSOLE_TYPES, types)
  t.true(readFileSync(CONSOLE_TYPES, 'utf8') === types, OUTDATED)
})
