import { fileURLToPath } from 'node:url'
import test from 'ava'
import { checkFile } from '../../../bin/composition.ts'
import { packageRoot } from '../../../kernel/base/package-root.ts'
import { publicEventsOf } from '../../../kernel/internal.ts'

const recipe = fileURLToPath(new URL('recipes/full.yaml', packageRoot))

function propertiesOf(schema: object, path = ''): string[] {
  const { properties = {}, items, anyOf = [] } = schema as { properties?: object; items?: object; anyOf?: object[] }
  return [
    ...Object.entries(properties).flatMap(([name, part]) => [
      `${path}${name}`,
      ...propertiesOf(part, `${path}${name}.`),
    ]),
    ...(items ? propertiesOf(items, path) : []),
    ...anyOf.flatMap(part => propertiesOf(part, path)),
  ]
}

test('public events of the shipped modules are described and have no secrets', async t => {
  const { services, modules } = await checkFile(recipe, {})
  const events = publicEventsOf([...services, ...modules])
  t.true(events.length > 50)
  for (const { type, description, schema } of events) {
    // The label of a collection, which the recipe gives.
    if (type.startsWith('collections.')) t.truthy(description, type)
    else t.regex(String(description), /^[A-Z].*\.$/, type)
    const suspicious = propertiesOf(schema).filter(name =>
      /token|secret|password|hash|credential|webhook|url|link/i.test(name),
    )
    t.deepEqual(suspicious, [], type)
  }
})
