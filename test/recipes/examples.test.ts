/** Sends the example requests of the API documentation. */
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { packageRoot } from '../../kernel/base/package-root.ts'
import { startTestKernel } from '../../testing/index.ts'
import { peopleOf } from '../fixtures/people.ts'

interface Document {
  readonly paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: Schema }> } }>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}
interface Schema {
  readonly $ref?: string
  readonly examples?: readonly { key?: string }[]
}

/** Ordered so that each step has the records that it needs. `{name:value}` fills a parameter; `=` is the id of the previous step. */
const STEPS = [
  'post /v1/billing/checkout',
  'post /v1/billing/credits',
  'post /v1/billing/credits/consume',
  'post /v1/billing/entitlements/{key:identity.seat}/check',
  'post /v1/billing/dev/advance',
  'post /v1/billing/subscription/cancel',
  'post /v1/billing/portal',
  'post /v1/forms',
  'patch /v1/forms/{id:=}',
  'post /v1/forms/{id:contact}/submit',
  'post /v1/features',
  'patch /v1/features/{key:dark-mode}',
  'put /v1/features/{key:dark-mode}/override',
  'post /v1/features/{key:dark-mode}/evaluate',
  'post /v1/features/evaluate',
  'post /v1/features/ofrep/v1/evaluate/flags',
  'post /v1/features/ofrep/v1/evaluate/flags/{key:dark-mode}',
  'put /v1/communications/templates/{key:comms.test}',
  'post /v1/communications/templates/{key:comms.test}/preview',
  'post /v1/communications/templates/{key:comms.test}/test',
  'post /v1/communications/messages',
  'post /v1/communications/suppression',
]

test('the documented example requests succeed in sequence', async t => {
  const recipe = fileURLToPath(new URL('recipes/full.yaml', packageRoot))
  const kernel = await startTestKernel({ recipe })
  t.teardown(() => kernel.stop())
  const operator = await peopleOf(kernel).operator()
  const { paths, components } = (await kernel.get<Document>('/v1/platform/openapi.json')).body
  let createdId = ''
  for (const step of STEPS) {
    const [method, place] = step.split(' ') as ['post' | 'patch' | 'put', string]
    const schema = paths[place.replace(/:[^}]+/g, '')]?.[method]?.requestBody?.content['application/json']?.schema
    const name = schema?.$ref?.split('/').at(-1) ?? ''
    const [example] = (components.schemas[name] ?? schema)?.examples ?? []
    t.truthy(example, `${step} has an example`)
    const path = place.replace(/\{\w+:([^}]+)\}/, (_, value) => (value === '=' ? createdId : value))
    const headers = { 'idempotency-key': step }
    const { status, body } = await operator.call<{ id?: string }>(method.toUpperCase(), path, example, { headers })
    t.true(status >= 200 && status < 300, `${step} returned ${status}: ${JSON.stringify(body)}`)
    createdId = body.id ?? createdId
  }
})
