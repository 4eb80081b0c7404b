/** Rows of people who are not signed in. */
import { fileURLToPath } from 'node:url'
import { type Challenge, createChallenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import test from 'ava'
import { MINUTE } from '../../../../kernel/base/units.ts'
import { startTestKernel, type TestResponse } from '../../../../testing/index.ts'
import { clientSource, type GeneratedModule, importSource } from '../../../client/fixtures.ts'
import { codeOf, type Listed, problem } from '../../../fixtures/people.ts'
import { race } from '../../../fixtures/race.ts'
import { withPeople } from '../../../fixtures/with-people.ts'

interface Row {
  readonly id: string
  readonly [field: string]: unknown
}
const members = () => ({ 'tenant.member': true })
const TICKETS = {
  fields: {
    email: { type: 'email', required: true },
    subject: { type: 'text', required: true },
    urgent: { type: 'boolean', default: false },
    assignee: { type: 'member', write: ['tenant.member'] },
    note: { type: 'text', private: true, write: ['tenant.member'] },
    topic: { type: 'reference', to: 'topics' },
  },
  limit: 'tickets.count',
  trash: '30d',
  history: 3,
  access: {
    read: members(),
    update: members(),
    delete: members(),
    create: { ...members(), anyone: { urgent: false } },
  },
}
const recipe = {
  modules: {
    identity: {},
    billing: {},
    collections: { guestRows: 6, guestProof: { tries: 10, collections: ['reports', 'alerts'] } },
    letters: { use: fileURLToPath(new URL('../letters/module.js', import.meta.url)) },
  },
  entitlements: { 'tickets.count': { kind: 'gauge' } },
  plans: { free: { name: 'Free', price: 0, entitlements: { 'tickets.count': 2 } } },
  collections: {
    topics: {
      fields: { name: { type: 'text' }, open: { type: 'boolean' } },
      access: { read: { ...members(), anyone: { open: true } }, create: members() },
    },
    tickets: TICKETS,
    reports: {
      fields: { text: { type: 'text', required: true }, code: { type: 'text', unique: true } },
      access: { read: members(), create: { ...members(), anyone: true } },
    },
    alerts: { fields: { text: { type: 'text' } }, access: { read: members(), create: { anyone: true } } },
    readers: {
      fields: { email: { type: 'email', required: true, unique: true } },
      access: { read: members(), create: { anyone: true } },
    },
  },
}
const { kernel, people, clock, ada, operator } = withPeople(
  test,
  { recipe, alone: true, clock: true },
  { ada: 'owner', operator: 'operator' },
)

const url = '/v1/data/tickets'
const TICKET = { email: 'guest@example.com', subject: 'Help' }

test('a visitor creates a row in the workspace of the operator, and gets its ID alone', async t => {
  const made = await kernel.post<Row>(url, TICKET)
  t.is(made.status, 201)
  t.deepEqual(Object.keys(made.body), ['id'])
  const row = await operator.get<Row>(`${url}/${made.body.id}`)
  t.like(row.body, { ...TICKET, createdBy: null, urgent: false, assignee: null })
  t.is((await ada.get(`${url}/${made.body.id}`)).status, 404)
})

test('a visitor names another workspace by its ID or its slug', async t => {
  const own = await people.person()
  const { body: tenant } = await own.get<{ slug: string }>(`/v1/identity/tenants/${own.tenantId}`)
  for (const workspace of [own.tenantId, tenant.slug]) {
    const { body } = await kernel.post<Row>(`${url}?workspace=${workspace}`, TICKET)
    t.is((await own.get(`${url}/${body.id}`)).status, 200)
  }
  for (const workspace of ['ten_00000000000000000000000000', 'nobody', `ten_${'z'.repeat(26)}`])
    t.is((await kernel.post(`${url}?workspace=${workspace}`, TICKET)).status, 404, workspace)
})

test('people with an account but without the right are in the same place', async t => {
  const own = await people.person()
  const reader = await people.person()
  const made = await reader.post<Row>('/v1/data/readers', { email: 'own@example.com' })
  t.is(made.status, 201)
  const hers = await kernel.as(reader.token).post<Row>(`/v1/data/tickets?workspace=${own.tenantId}`, TICKET)
  t.is(hers.status, 201)
})

test('a visitor writes neither fields of roles nor rows that the rule refuses', async t => {
  for (const [values, status] of [
    [{ ...TICKET, urgent: true }, 403],
    [{ ...TICKET, assignee: `mem_${'0'.repeat(26)}` }, 403],
    [{ ...TICKET, note: 'x' }, 403],
    [{ ...TICKET, createdBy: 'usr_x' }, 422],
    [{ email: TICKET.email }, 422],
    [{ ...TICKET, subject: 3 }, 422],
    [[TICKET], 403],
    [[], 422],
  ] as const)
    t.is((await kernel.post(url, values)).status, status, JSON.stringify(values))
})

test('a visitor refers to rows that everybody reads, and finds out nothing about others', async t => {
  const topic = async (open: boolean) => (await operator.post<Row>('/v1/data/topics', { name: 'x', open })).body.id
  const [open, hidden] = [await topic(true), await topic(false)]
  const own = (await people.person()).tenantId
  const answers: unknown[] = []
  for (const id of [hidden, open.replace(/.$/, c => (c === '0' ? '1' : '0'))])
    answers.push((await kernel.post(url, { ...TICKET, topic: id })).body)
  t.like(answers[0] as object, { code: 'validation_failed', errors: [{ pointer: '/topic', code: 'not_found' }] })
  const facts = answers.map(body => {
    const { code, detail, errors } = body as Record<string, unknown>
    return { code, detail, errors }
  })
  t.deepEqual(facts[0], facts[1])
  t.is((await kernel.post(`${url}?workspace=${own}`, { ...TICKET, topic: open })).status, 422)
})

test('a visitor does nothing else with rows', async t => {
  const { body } = await operator.post<Row>(url, TICKET)
  for (const [method, path, values] of [
    ['get', url],
    ['get', `${url}/${body.id}`],
    ['patch', `${url}/${body.id}`, { subject: 'x' }],
    ['put', `${url}?by=email`, TICKET],
    ['delete', `${url}/${body.id}`],
    ['post', `${url}/batch`, { operations: [{ action: 'create', data: TICKET }] }],
    ['post', `${url}/exports`, {}],
    ['get', `${url}/trash`],
    ['get', `${url}/${body.id}/history`],
    ['get', `${url}/aggregate?count`],
  ] as const) {
    const { status } = await (method === 'get' || method === 'delete'
      ? kernel[method](path)
      : kernel[method](path, values))
    t.true([401, 404].includes(status), `${method} ${path} is ${status}`)
  }
})

test('the answer is the same whether or not a value exists', async t => {
  const first = await kernel.post<Row>('/v1/data/readers', { email: 'a@example.com' })
  const second = await kernel.post<Row>('/v1/data/readers', { email: 'a@example.com' })
  t.is(second.status, first.status)
  t.deepEqual(Object.keys(second.body), Object.keys(first.body))
  t.not(second.body.id, first.body.id)
  const names = (answer: typeof first) => [...answer.headers.keys()].sort()
  t.deepEqual(names(second), names(first))
  const rows = await operator.get<Listed<Row>>('/v1/data/readers?filter[email]=a@example.com')
  t.is(rows.body.data.length, 1)
})

test('a visitor who repeats a request with its key creates one row, also if its value exists', async t => {
  const headers = { 'idempotency-key': `guest-${process.pid}` }
  const twice = async () => (await kernel.post<Row>('/v1/data/readers', { email: 'b@example.com' }, { headers })).body
  t.deepEqual(await twice(), await twice())
  const other = { 'idempotency-key': `other-${process.pid}` }
  const again = await kernel.post<Row>('/v1/data/readers', { email: 'b@example.com' }, { headers: other })
  t.is(again.status, 201)
  t.is((await operator.get<Listed<Row>>('/v1/data/readers?filter[email]=b@example.com')).body.data.length, 1)
})

test('a visitor gets the same answer for a value that exists, with a key and a hook that writes', async t => {
  const { body: member } = await operator.post<Row>('/v1/data/subscribers', { email: 'd@example.com' })
  const send = (email: string, key: string) =>
    kernel.post<Row>('/v1/data/subscribers', { email }, { headers: { 'idempotency-key': `${key}-${process.pid}` } })
  const answers = [await send('e@example.com', 'free'), await send('d@example.com', 'taken')]
  t.deepEqual(answers.map(codeOf), ['201', '201'])
  for (const { body } of answers) t.deepEqual(Object.keys(body), ['id'])
  t.is(codeOf(await send('nobody', 'invalid')), '422 validation_failed')
  const found = await operator.get<Listed<Row>>('/v1/data/subscribers?filter[email]=d@example.com')
  t.deepEqual(
    found.body.data.map(({ id }) => id),
    [member.id],
  )
})

test('rows of visitors count against their own number, and not against the plan', async t => {
  const own = await people.person()
  const path = `${url}?workspace=${own.tenantId}`
  for (let count = 0; count < 6; count++) t.is((await kernel.post(path, TICKET)).status, 201)
  t.is(codeOf(await kernel.post(path, TICKET)), '403 guest_rows_full')
  t.is((await own.post(url, TICKET)).status, 201)
  t.is((await own.post(url, TICKET)).status, 201)
  t.is(codeOf(await own.post(url, TICKET)), '403 entitlement_exceeded')
  const { body } = await own.get<Listed<Row>>(url)
  const guests = body.data.filter(({ createdBy }) => createdBy === null)
  await own.delete(`${url}/${guests[0]?.id}`)
  t.is((await kernel.post(path, TICKET)).status, 201)
})

test('of two visitors who decide about the last row at once, one creates it', async t => {
  const own = await people.person()
  const path = `${url}?workspace=${own.tenantId}`
  for (let count = 0; count < 5; count++) t.is((await kernel.post(path, TICKET)).status, 201)
  const create = () => kernel.post(path, TICKET)
  const answers = await race(kernel.databaseUrl, 'lock table data_tickets in share mode', [create, create])
  t.deepEqual(answers.map(codeOf).sort(), ['201', '403 guest_rows_full'])
})

test('a restored row of a visitor counts against the number of visitors, and not against the plan', async t => {
  const own = await people.person()
  const path = `${url}?workspace=${own.tenantId}`
  const created = await Promise.all([1, 2, 3].map(() => kernel.post<Row>(path, TICKET)))
  for (let count = 0; count < 2; count++) t.is((await own.post(url, TICKET)).status, 201)
  const restore = (id: string | undefined) => own.post(`${url}/${id}/restore`, {})
  const [first] = created
  await own.delete(`${url}/${first?.body.id}`)
  t.is((await restore(first?.body.id)).status, 200)
  await own.delete(`${url}/${first?.body.id}`)
  for (let count = 0; count < 4; count++) t.is((await kernel.post(path, TICKET)).status, 201)
  t.is(codeOf(await restore(first?.body.id)), '403 guest_rows_full')
  const [mine] = (await own.get<Listed<Row>>(`${url}?filter[createdBy]=${own.userId}`)).body.data
  await own.delete(`${url}/${mine?.id}`)
  await own.post(url, TICKET)
  t.is(codeOf(await restore(mine?.id)), '403 entitlement_exceeded')
})

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')
const REPORT = { text: 'It rains in' }
const withProof = (proof: string, path = '/v1/data/reports') =>
  `${path}${path.includes('?') ? '&' : '?'}proof=${encodeURIComponent(proof)}`
/** Solves the task that a refused request has. */
async function proofFor(path = '/v1/data/reports'): Promise<string> {
  const { body } = await kernel.post<{ challenge: Challenge }>(path, REPORT)
  return encoded({
    challenge: body.challenge,
    solution: await solveChallenge({ challenge: body.challenge, deriveKey }),
  })
}
const detailOf = (answer: TestResponse<unknown>) => `${answer.status} ${problem(answer).detail}`

test('a visitor solves a task before a row is created, if the recipe asks for it', async t => {
  const refused = await kernel.post('/v1/data/reports', REPORT)
  t.is(codeOf(refused), '403 proof_required')
  const made = await kernel.post<Row>(withProof(await proofFor()), REPORT)
  t.is(made.status, 201)
  t.deepEqual(Object.keys(made.body), ['id'])
  t.like((await operator.get<Row>(`/v1/data/reports/${made.body.id}`)).body, { ...REPORT, createdBy: null })
  t.is((await kernel.post('/v1/data/readers', { email: 'free@example.com' })).status, 201)
})

test('members, and programs with a key of one, solve no task', async t => {
  const owner = await people.person()
  t.is((await owner.post('/v1/data/reports', REPORT)).status, 201)
  const { body } = await owner.post<{ key: string }>('/v1/identity/api-keys', {
    name: 'Sensor',
    permissions: ['collections.reports.create'],
  })
  t.is((await kernel.as(body.key).post('/v1/data/reports', REPORT)).status, 201)
})

test('a solution works once, also for a value that exists and for requests at the same time', async t => {
  const used = /^403 This `proof` was used before/
  const proof = await proofFor()
  t.is((await kernel.post(withProof(proof), { ...REPORT, code: 'A' })).status, 201)
  t.regex(detailOf(await kernel.post(withProof(proof), REPORT)), used)
  const taken = await proofFor()
  t.is((await kernel.post(withProof(taken), { ...REPORT, code: 'A' })).status, 201)
  t.regex(detailOf(await kernel.post(withProof(taken), { ...REPORT, code: 'B' })), used)
  const shared = await proofFor()
  const post = () => kernel.post(withProof(shared), REPORT)
  const hold = 'lock table collections_used_proofs in share mode'
  const answers = await race(kernel.databaseUrl, hold, [post, post, post])
  t.deepEqual(answers.map(codeOf).sort(), ['201', '403 proof_required', '403 proof_required'])
})

test('a request that is repeated with its key gets the same answer, and uses the solution once', async t => {
  const headers = { 'idempotency-key': `proof-${process.pid}` }
  const path = withProof(await proofFor())
  const twice = [await kernel.post<Row>(path, REPORT, { headers }), await kernel.post<Row>(path, REPORT, { headers })]
  t.deepEqual(twice.map(codeOf), ['201', '201'])
  t.is(twice[0]?.body.id, twice[1]?.body.id)
})

test('a solution is of its collection and its workspace', async t => {
  const own = await people.person()
  const foreign = /^403 The challenge in `proof` is none of this collection and workspace/
  for (const [of, at] of [
    ['/v1/data/reports', '/v1/data/alerts'],
    ['/v1/data/reports', `/v1/data/reports?workspace=${own.tenantId}`],
    [`/v1/data/reports?workspace=${own.tenantId}`, '/v1/data/reports'],
  ] as const)
    t.regex(detailOf(await kernel.post(withProof(await proofFor(of), at), REPORT)), foreign)
  const named = `/v1/data/reports?workspace=${own.tenantId}`
  const { body } = await kernel.post<Row>(withProof(await proofFor(named), named), REPORT)
  t.is((await own.get(`/v1/data/reports/${body.id}`)).status, 200)
})

test('a solution that is wrong, foreign or of another type is refused with the reason and the next task', async t => {
  const { challenge, solution } = JSON.parse(Buffer.from(await proofFor(), 'base64').toString())
  const own = await createChallenge({ ...challenge.parameters, deriveKey, hmacSignatureSecret: 'mine', cost: 1 })
  for (const [proof, reason] of [
    [
      encoded({ challenge, solution: { ...solution, derivedKey: '00'.repeat(32) } }),
      /The solution in `proof` is wrong/,
    ],
    [encoded({ challenge, solution: null }), /The solution in `proof` is wrong/],
    [encoded({ challenge: own, solution }), /none of this collection/],
    [encoded({ challenge: { ...challenge, signature: '' }, solution }), /none of this collection/],
    [encoded(null), /must be base64/],
    [encoded({ challenge: [], solution: 3 }), /must be base64/],
    ['no base64 of JSON', /must be base64/],
    ['', /must be base64/],
  ] as const) {
    const answer = await kernel.post<{ challenge: Challenge }>(withProof(proof), REPORT)
    t.is(codeOf(answer), '403 proof_required', proof)
    t.regex(problem(answer).detail, reason, proof)
    t.truthy(answer.body.challenge.parameters.nonce)
  }
  t.is(codeOf(await kernel.post(withProof('x'.repeat(4001)), REPORT)), '422 validation_failed')
  t.is(codeOf(await kernel.post('/v1/data/reports?proof=a&proof=b', REPORT)), '422 validation_failed')
  t.is((await kernel.post(withProof(encoded({ challenge, solution })), REPORT)).status, 201)
})

test.serial('a solution expires after an hour, and is then forgotten', async t => {
  const [late, early] = [await proofFor(), await proofFor()]
  t.is((await kernel.post(withProof(early), REPORT)).status, 201)
  clock.forward(61 * MINUTE)
  t.regex(detailOf(await kernel.post(withProof(late), REPORT)), /^403 The challenge in `proof` has expired/)
  t.regex(detailOf(await kernel.post(withProof(early), REPORT)), /^403 The challenge in `proof` has expired/)
})

interface Submit {
  submit(row: object, options?: object): Promise<{ id: string }> & { safe(): Promise<{ error?: { code: string } }> }
}
test('a generated client submits rows of visitors, and solves their tasks', async t => {
  const source = await clientSource(recipe)
  const { createClient } = await importSource<GeneratedModule<{ data: Record<string, Submit> }>>(source)
  const { data } = createClient({ baseUrl: kernel.url, anonymous: true })
  const own = await people.person()
  for (const [name, row] of [
    ['tickets', TICKET],
    ['reports', REPORT],
  ] as const) {
    const made = await data[name]?.submit(row, { workspace: own.tenantId })
    t.deepEqual(Object.keys(made ?? {}), ['id'])
    t.like((await own.get<Row>(`/v1/data/${name}/${made?.id}`)).body, { ...row, createdBy: null })
  }
  t.is((await data.tickets?.submit({ ...TICKET, urgent: true }).safe())?.error?.code, 'row_action_forbidden')
  // Only collections that are open to visitors have it.
  t.regex(source, /visitors: true/)
  t.is(source.match(/visitors: true$/gm)?.length, 5)
})

test('the API document describes what visitors get, and the solution that they send', async t => {
  const { body } = await operator.get<Document>('/v1/platform/openapi.json')
  const { schemas } = body.components
  t.deepEqual(schemas.CreatedByVisitor?.required, ['id'])
  const post = (name: string) => body.paths[`/v1/data/${name}`]?.post
  const kinds = (name: string) => post(name)?.responses['201']?.content['application/json'].schema.anyOf.length
  t.deepEqual([kinds('tickets'), kinds('reports'), kinds('topics')], [3, 3, 2])
  const parameters = (name: string) => post(name)?.parameters.flatMap(({ name: own }) => own ?? [])
  t.deepEqual(parameters('tickets'), ['workspace'])
  t.deepEqual(parameters('reports')?.sort(), ['proof', 'workspace'])
})
interface Document {
  readonly components: { readonly schemas: Record<string, { readonly required?: readonly string[] }> }
  readonly paths: Record<
    string,
    {
      readonly post: {
        readonly parameters: readonly { readonly name?: string }[]
        readonly responses: Record<
          string,
          {
            readonly content: {
              readonly 'application/json': { readonly schema: { readonly anyOf: readonly object[] } }
            }
          }
        >
      }
    }
  >
}

test('a form that is posted 10,000 times fills neither the plan nor more than its own number of rows', async t => {
  const limited = await startTestKernel({
    recipe: { ...recipe, modules: { ...recipe.modules, collections: { guestRows: 25 } } },
    role: 'web',
    env: { RATE_LIMITS: 'on', TRUST_PROXY: '1' },
  })
  t.teardown(() => limited.stop())
  const own = await limited.register('ada@example.test')
  const path = `${url}?workspace=${own.tenantId}`
  const counts = new Map<string, Map<string, number>>()
  for (let round = 0; round < 100; round++)
    await Promise.all(
      Array.from({ length: 100 }, async (_, at) => {
        const address = `192.0.2.${at % 4}`
        const answer = await limited.with({ 'x-forwarded-for': address }).post(path, TICKET)
        const own = counts.get(address) ?? new Map()
        counts.set(address, own.set(codeOf(answer), (own.get(codeOf(answer)) ?? 0) + 1))
      }),
    )
  const sum = (code: string) => [...counts.values()].reduce((total, own) => total + (own.get(code) ?? 0), 0)
  t.is(sum('201'), 25)
  t.is(sum('201') + sum('403 guest_rows_full') + sum('429 rate_limited'), 10_000)
  // Each address may send ten requests in each minute that this takes.
  for (const own of counts.values()) t.true((own.get('429 rate_limited') ?? 0) >= 2500 - 3 * 10)
  const member = limited.as(own.token, own.tenantId)
  for (const code of ['201', '201', '403 entitlement_exceeded']) t.is(codeOf(await member.post(url, TICKET)), code)
})
