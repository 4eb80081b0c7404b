/** Keeps modules/collections/recipe/schema-names.json equal to the schemas of the shipped modules. */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { packageRoot } from '../../kernel/base/package-root.ts'
import { namesIn } from '../../services/http/openapi/components.ts'
import { bodySchemaOf, operationIdOf } from '../../services/http/openapi/names.ts'
import type { Endpoint } from '../../services/http/server.ts'
import { startTestKernel } from '../../testing/index.ts'

const FILE = fileURLToPath(new URL('modules/collections/recipe/schema-names.json', packageRoot))
const schemasOf = (endpoint: Endpoint): readonly (object | undefined)[] => {
  const { route, docs } = endpoint
  const body = route && bodySchemaOf(operationIdOf(endpoint), route)
  const media = [docs?.body, ...Object.values(docs?.replies ?? {})].flatMap(media => Object.values(media ?? {}))
  return [body, route?.query, ...Object.values(route?.replies ?? {}), ...media].map(schema => schema ?? undefined)
}

test('recipe check knows the schema names of every shipped module', async t => {
  const recipe = fileURLToPath(new URL('recipes/full.yaml', packageRoot))
  const kernel = await startTestKernel({ recipe })
  t.teardown(() => kernel.stop())
  const found = new Map<string, Set<string>>([['kernel', new Set(['Problem', 'FieldError', 'Liveness', 'Readiness'])]])
  for (const endpoint of kernel.kernel.ports.http.endpoints())
    for (const schema of schemasOf(endpoint))
      for (const name of schema ? namesIn(schema).keys() : [])
        if (name !== 'FieldError')
          found.set(endpoint.module, (found.get(endpoint.module) ?? new Set<string>()).add(name))
  found.set('collections', new Set(['FieldChange']))
  const names = Object.fromEntries([...found].map(([module, set]) => [module, [...set].sort()]))
  if (process.env.UPDATE_GOLDEN) writeFileSync(FILE, `${JSON.stringify(names, null, 2)}\n`)
  t.deepEqual(JSON.parse(readFileSync(FILE, 'utf8')), names, 'run this test with UPDATE_GOLDEN=1')
})
