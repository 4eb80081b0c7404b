/** The API documents of all shipped recipes name every shape and type every problem. */
import { createRequire } from 'node:module'
import { Ajv, type AnySchema } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import test from 'ava'
import type { Endpoint } from '../../services/http/server.ts'
import { collidingNames } from '../fixtures/generated-names.ts'
import { shareKernel } from '../fixtures/shared-kernel.ts'
import { SHIPPED_RECIPES, startOf } from './shipped-kernels.ts'

type Json = Record<string, unknown>
type Media = Record<string, { schema?: Json }>
interface Operation {
  readonly operationId: string
  readonly requestBody?: { content: Media }
  readonly responses: Record<string, { $ref?: string; content?: Media }>
}
interface Document {
  readonly paths: Record<string, Record<string, Operation>>
  readonly webhooks?: Record<string, { post: { requestBody: { content: Media } } }>
  readonly components: { schemas: Record<string, Json>; responses: Record<string, { content?: Media }> }
}

/** Places whose values are free JSON: defined by customers, by providers or by other systems. */
const FREE_JSON = [
  /\.metadata$/,
  /^(Exported)?Audit(Entry|Record)\.details/,
  /^(Blank)?Form\.(schema|uiSchema)$/,
  /^(Create|Update)FormInput\.(schema|uiSchema)$/,
  /^(Submission|SubmissionReceipt|SubmitFormInput)\.data$/,
  /^ChoiceCount\.value$/,
  /^(PreviewEmailTemplate|SendEmail|SendTestEmail)Input\.data/,
  // Additional values of a submission, which the schema describes in words.
  /^NewSubmissionMeta\[\]$/,
  // What a module exports is its own.
  /^ExportedTenantData\.modules\[\]\[\]\[\]\[\]$/,
  /^EventType\.schema$/,
  // Providers define it.
  /^SsoTest\.claims\[\]$/,
  // The recipe defines its fields.
  /^Profile\[\]$/,
  /^(Created|Updated|Deleted)Data\w+RowEventData\.(row|previous)$/,
  // Browsers and authenticators define it.
  /^PasskeyOptions\.options\[\]$/,
  /^Passkey(Registration|Authentication)(\.(clientExtensionResults(\[\])?|authenticatorAttachment))?$/,
  /^Passkey(Assertion|Attestation)$/,
  /^LogLine\.fields\[\]$/,
  /^ModuleDetails\.options$/,
  /^RecipeFile\.recipe$/,
  /^Setting\.value$/,
  /^StoredEvent\.payload$/,
  /^WebhookDeliveryDetails\.payload$/,
  // Requests of media servers and OFREP clients, whose next versions may send more.
  /^(AuthorizeMediaEdge|ReceiveMediaEdgeEvent|EvaluateOfrepFlags?)Input$/,
  /^EvaluationContext$/,
  /^getRecipe 200$/,
  // Triggers and actions of modules define them.
  /^AutomationRunDetails\.input$/,
  /^AutomationStep\.(input|output)$/,
  /^AutomationDefinedStep\.(input|when)$/,
  /^AutomationDetails\.(settings|when)$/,
  // Aggregates have the fields that the query names; `outline` is a field of type json.
  /^GroupOf\w+\.(group|sum|avg|min|max)$/,
  /CourseRow\.outline$/,
  // Fields and flags can have any type.
  /^FlagValue$/,
  /^FieldChange\.(before|after)$/,
  /^(receivePaymentEvents|receiveEmailEvents|signInWithMethod) body/,
]

/** A named union of an object and of a value that stands for one. */
const WITH_SHORT_FORM = /^(FlagCondition|FlagPrerequisite)$/

const recipes = SHIPPED_RECIPES.map(name => `${name}.yaml`)
const documents = new Map<string, { openapi: Document; asyncapi: Json; endpoints: readonly Endpoint[] }>()
for (const name of SHIPPED_RECIPES)
  shareKernel(test, startOf(name), ({ kernel }) => {
    const { http } = kernel.ports
    const [openapi, asyncapi] = JSON.parse(JSON.stringify([http.openapi(), http.asyncapi()])) as [Document, Json]
    documents.set(`${name}.yaml`, { openapi, asyncapi, endpoints: http.endpoints() })
  })

const operationsOf = ({ paths }: Document) => Object.values(paths).flatMap(path => Object.values(path))
const resolve = (root: object, ref: string) =>
  ref
    .slice(2)
    .split('/')
    .reduce<unknown>((node, part) => (node as Json | undefined)?.[part], root)
function* refsOf(node: unknown): Generator<string> {
  if (typeof node !== 'object' || node === null) return
  for (const [key, value] of Object.entries(node))
    if (key === '$ref' && typeof value === 'string') yield value
    else yield* refsOf(value)
}

/** Every schema that isn't a reference, with its place. Components are at their name. */
function* schemasIn(document: Document): Generator<{ at: string; schema: Json; isNamed: boolean }> {
  for (const [name, schema] of Object.entries(document.components.schemas)) yield* partsOf(name, schema, true)
  const contents = operationsOf(document).flatMap(({ operationId, requestBody, responses }) => [
    ...mediaOf(`${operationId} body`, requestBody?.content),
    ...Object.entries(responses).flatMap(([status, { content }]) => mediaOf(`${operationId} ${status}`, content)),
  ])
  const sent = Object.entries(document.webhooks ?? {})
  for (const { at, schema } of [
    ...contents,
    ...sent.flatMap(([name, { post }]) => mediaOf(name, post.requestBody.content)),
  ])
    yield* partsOf(at, schema, false)
}
const mediaOf = (at: string, content: Media = {}) =>
  Object.values(content).flatMap(({ schema }) => (schema ? [{ at, schema }] : []))

function* partsOf(
  at: string,
  schema: Json,
  isNamed: boolean,
): Generator<{ at: string; schema: Json; isNamed: boolean }> {
  if (schema.$ref !== undefined) return
  yield { at, schema, isNamed }
  for (const [name, part] of Object.entries((schema.properties ?? {}) as Record<string, Json>))
    yield* partsOf(`${at}.${name}`, part, false)
  for (const key of ['anyOf', 'oneOf', 'allOf'])
    for (const part of (schema[key] ?? []) as Json[]) yield* partsOf(at, part, key === 'allOf' && isNamed)
  for (const key of ['items', 'additionalProperties'])
    if (typeof schema[key] === 'object') yield* partsOf(`${at}[]`, schema[key] as Json, false)
  for (const part of Object.values((schema.patternProperties ?? {}) as Record<string, Json>))
    yield* partsOf(`${at}[]`, part, false)
}

const ANNOTATIONS = ['description', 'examples', 'default']
function isFree(schema: Json): boolean {
  const keywords = Object.keys(schema).filter(key => !ANNOTATIONS.includes(key))
  const describes = ['properties', 'patternProperties', 'additionalProperties', 'allOf', 'anyOf']
  return (
    keywords.length === 0 ||
    schema.additionalProperties === true ||
    (schema.type === 'object' && !describes.some(key => key in schema))
  )
}

for (const name of recipes) {
  test(`${name}: every object with several properties has a name`, t => {
    const { openapi } = documents.get(name) as { openapi: Document }
    const anonymous = [...schemasIn(openapi)].filter(
      ({ at, schema, isNamed }) =>
        !isNamed && !WITH_SHORT_FORM.test(at) && Object.keys(schema.properties ?? {}).length > 1,
    )
    t.deepEqual(
      anonymous.map(({ at }) => at),
      [],
    )
  })

  test(`${name}: generators of clients give no two types one name`, t => {
    const { openapi } = documents.get(name) as { openapi: Document }
    t.deepEqual(collidingNames(openapi), [])
  })

  test(`${name}: only the listed values are free JSON`, t => {
    const { openapi } = documents.get(name) as { openapi: Document }
    const free = [...schemasIn(openapi)].filter(({ schema }) => isFree(schema)).map(({ at }) => at)
    t.deepEqual(
      free.filter(at => !FREE_JSON.some(pattern => pattern.test(at))),
      [],
    )
  })

  test(`${name}: routes declare their operation IDs, and their problems are typed`, t => {
    const { openapi, endpoints } = documents.get(name) as { openapi: Document; endpoints: readonly Endpoint[] }
    const routes = endpoints.filter(({ kind }) => kind === 'route' || kind === 'raw')
    t.deepEqual(
      routes
        .filter(({ route, operationId }) => (route?.operationId ?? operationId) === undefined)
        .map(({ path }) => path),
      [],
    )
    for (const { operationId, responses } of operationsOf(openapi))
      for (const [status, response] of Object.entries(responses)) {
        const found = response.$ref === undefined ? response : (resolve(openapi, response.$ref) as typeof response)
        const schema = found.content?.['application/problem+json']?.schema
        if (!schema) continue
        const refs = [...refsOf(schema)]
        t.true(refs.length > 0, `${operationId} ${status}`)
        for (const ref of refs) {
          const { allOf } = resolve(openapi, ref) as { allOf: { properties?: { code: Json; status: Json } }[] }
          t.regex(String(allOf[1]?.properties?.code.enum), /^[a-z_]+$/, ref)
          t.is(String(allOf[1]?.properties?.status.enum), status, ref)
        }
      }
  })

  test(`${name}: references resolve and component schemas are valid`, t => {
    const { openapi, asyncapi } = documents.get(name) as { openapi: Document; asyncapi: Json }
    for (const document of [openapi, asyncapi])
      for (const ref of refsOf(document)) t.truthy(resolve(document, ref), ref)
    const ajv = new Ajv2020({ strict: false, validateFormats: false, code: { optimize: false } })
    ajv.addSchema({ $id: 'https://larder.test/', components: openapi.components })
    for (const schema of Object.keys(openapi.components.schemas))
      t.notThrows(() => ajv.compile({ $ref: `https://larder.test/#/components/schemas/${schema}` }), schema)
  })

  test(`${name}: the AsyncAPI document is valid and has every socket`, t => {
    const { asyncapi, endpoints } = documents.get(name) as { asyncapi: Json; endpoints: readonly Endpoint[] }
    const addresses = Object.values(asyncapi.channels as Record<string, { address: string }>).map(
      ({ address }) => address,
    )
    const sockets = endpoints.filter(({ kind }) => kind === 'socket').map(({ path }) => path)
    t.deepEqual(addresses.toSorted(), sockets.toSorted())
    // The published schema contains the meta-schema of draft-07.
    const ajv = new Ajv({ strict: false, meta: false, validateSchema: false, logger: false })
    addFormats.default(ajv)
    const validate = ajv.compile(createRequire(import.meta.url)('@asyncapi/specs/schemas/3.0.0.json') as AnySchema)
    t.true(validate(asyncapi), ajv.errorsText(validate.errors))
  })
}

test('routes name problems of other modules by codes that exist', t => {
  const { openapi, endpoints } = documents.get('full.yaml') as { openapi: Document; endpoints: readonly Endpoint[] }
  const codes = endpoints
    .flatMap(({ route, docs }) => [...(route?.problems ?? []), ...(docs?.problems ?? [])])
    .filter(problem => typeof problem === 'string')
  t.true(codes.length > 5)
  const known = JSON.stringify(openapi.components.schemas)
  for (const code of codes) t.true(known.includes(`"enum":["${code}"]`), code)
})
