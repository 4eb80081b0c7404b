/**
 * Compares every way to read rows with a model, for random rules and callers in random order in one process. The model
 * keeps nothing between two questions, so it finds a cache whose key lacks a part of what decides.
 */
import test from 'ava'
import fc from 'fast-check'
import type { Caller } from '../../../kernel/index.ts'
import { createPageData } from '../../../modules/collections/services/page-data.ts'
import { createCallers } from '../../../services/http/access/callers.ts'
import type { TestKernel } from '../../../testing/index.ts'
import { join } from '../../fixtures/topics.ts'
import {
  type Declared,
  declared,
  granted,
  hiddenFields,
  homeOf,
  isHome,
  matches,
  OWN,
  rulesOf,
  SHARED,
  type Shown,
  type Stored,
  visible,
  type Who,
  type World,
} from './rights-model.ts'
import { createWorld, portOf } from './rights-world.ts'
import { servicesOf } from './services-of.ts'

const RUNS = Number(process.env.LARDER_RUNS ?? 1)
const STEPS = Number(process.env.LARDER_STEPS ?? 400)
const seed = Number(process.env.LARDER_SEED ?? Date.now() % 2 ** 31)

async function textOf(
  { kernel }: World,
  who: Who,
  path: string,
  accept: string,
): Promise<{ status: number; body: string }> {
  const { token, tenantId, isKey } = who.credential ?? {}
  const response = await fetch(`${kernel.url}${path}`, {
    headers: {
      accept,
      ...(token !== undefined && (isKey ? { 'x-api-key': token } : { authorization: `Bearer ${token}` })),
      ...(tenantId !== undefined && !isKey && { 'x-tenant-id': tenantId }),
    },
  })
  return { status: response.status, body: await response.text() }
}
const sorted = (ids: readonly unknown[]): string[] => ids.map(String).sort()
const idsOf = (rows: readonly { id: string }[]) => sorted(rows.map(({ id }) => id))
const REFUSED = [400, 401, 403]

/** Returns what differs from the model; undefined if nothing does. */
type Way = (world: World, who: Who, collection: Declared, pick: number) => Promise<string | undefined>
const differs = (actual: unknown, expected: unknown): string | undefined =>
  JSON.stringify(actual) === JSON.stringify(expected)
    ? undefined
    : `is ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`

const fieldsOf = (world: World, who: Who, collection: Declared, rows: readonly Shown[]) => {
  const hidden = hiddenFields(world, who, collection)
  const wrong = rows.filter(row => ['createdBy', 'secret'].some(name => name in row === hidden.includes(name)))
  return wrong.length > 0 ? `has other fields: ${JSON.stringify(wrong[0])}` : undefined
}
/** A list that is refused if no rule is for the caller. */
const listWay =
  (query: string): Way =>
  async (world, who, collection) => {
    const { status, body } = await who.client.get<{ data: Shown[] }>(`/v1/data/${collection.name}?limit=200&${query}`)
    if (rulesOf(world, who, collection).length === 0)
      return REFUSED.includes(status) ? undefined : `answers ${status} without a rule`
    if (status !== 200) return `answers ${status}: ${JSON.stringify(body)}`
    return (
      differs(idsOf(body.data), idsOf(visible(world, who, collection))) ??
      (query.startsWith('fields') ? undefined : fieldsOf(world, who, collection, body.data))
    )
  }
const streamWay =
  (accept: string): Way =>
  async (world, who, collection) => {
    if (who.name === 'account') return undefined
    const { status, body } = await textOf(world, who, `/v1/data/${collection.name}`, accept)
    if (rulesOf(world, who, collection).length === 0)
      return REFUSED.includes(status) ? undefined : `answers ${status} without a rule`
    const ids = [...body.matchAll(/"?id"?[:,]"?([a-z]+_[0-9a-z]{26})/g)].map(([, id]) => id)
    const found = accept === 'text/csv' ? [...body.matchAll(/^([a-z]+_[0-9a-z]{26}),/gm)].map(([, id]) => id) : ids
    return differs(
      sorted(found.filter(id => world.rows[collection.name]?.some(row => row.id === id))),
      idsOf(visible(world, who, collection)),
    )
  }
/** A row of the workspace that the caller reads, and now and then one of another workspace. */
function rowFor(world: World, who: Who, collection: Declared, pick: number): Stored {
  const rows = world.rows[collection.name] ?? []
  const home = homeOf(world, who, collection) ?? world.operator
  const own = rows.filter(({ workspace }) => workspace === home)
  const from = pick % 5 > 0 ? own : rows
  return from[pick % from.length] as Stored
}

const WAYS: Readonly<Record<string, Way>> = {
  async get(world, who, collection, pick) {
    const row = rowFor(world, who, collection, pick)
    const { status, body } = await who.client.get<Shown>(`/v1/data/${collection.name}/${row.id}`)
    if (rulesOf(world, who, collection).length === 0)
      return REFUSED.includes(status) ? undefined : `answers ${status} without a rule`
    const isVisible = visible(world, who, collection).includes(row)
    return differs(status, isVisible ? 200 : 404) ?? (isVisible ? fieldsOf(world, who, collection, [body]) : undefined)
  },
  async 'get of some fields'(world, who, collection, pick) {
    const row = rowFor(world, who, collection, pick)
    const { status } = await who.client.get(`/v1/data/${collection.name}/${row.id}?fields=title,secret`)
    if (rulesOf(world, who, collection).length === 0) return REFUSED.includes(status) ? undefined : `answers ${status}`
    if (hiddenFields(world, who, collection).includes('secret')) return differs(status, 400)
    return differs(status, visible(world, who, collection).includes(row) ? 200 : 404)
  },
  list: listWay(''),
  'list of some fields': listWay('fields=title'),
  'list in another order': listWay('sort=level'),
  search: listWay('q=row'),
  filter: listWay('filter[title]=Row'),
  expand: listWay('expand=area'),
  async total(world, who, collection) {
    const { body } = await who.client.get<{ total: number }>(`/v1/data/${collection.name}?limit=1&include=total`)
    if (rulesOf(world, who, collection).length === 0) return undefined
    return differs(body.total, visible(world, who, collection).length)
  },
  async aggregate(world, who, collection) {
    const { status, body } = await who.client.get<{ data: { count: number }[] }>(
      `/v1/data/${collection.name}/aggregate`,
    )
    if (rulesOf(world, who, collection).length === 0) return REFUSED.includes(status) ? undefined : `answers ${status}`
    return differs(body.data[0]?.count ?? 0, visible(world, who, collection).length)
  },
  CSV: streamWay('text/csv'),
  NDJSON: streamWay('application/x-ndjson'),
  async 'expanded reference'(world, who, collection) {
    const link = world.links.get(`${collection.name} ${who.workspace}`)
    if (!link || (who.covers && !who.covers.includes(`${collection.name}_links`))) return undefined
    const path = `/v1/data/${collection.name}_links/${link.id}`
    const { body } = await who.client.get<{ target: Shown | null; targets: Shown[] }>(`${path}?expand=target,targets`)
    const plain = await who.client.get<{ target: string | null; targets: string[] }>(path)
    const rows = visible(world, who, collection)
    const target = rows.includes(link.target) ? link.target.id : null
    return (
      differs([body.target?.id ?? null, idsOf(body.targets)], [target, idsOf(rows)]) ??
      differs([plain.body.target, sorted(plain.body.targets)], [target, idsOf(rows)]) ??
      fieldsOf(world, who, collection, body.targets)
    )
  },
  async 'filter over a reference'(world, who, collection) {
    const link = world.links.get(`${collection.name} ${who.workspace}`)
    if (!link || (who.covers && !who.covers.includes(`${collection.name}_links`))) return undefined
    const { body } = await who.client.get<{ data: Shown[] }>(
      `/v1/data/${collection.name}_links?filter[target.title]=Row`,
    )
    return differs(idsOf(body.data), visible(world, who, collection).includes(link.target) ? [link.id] : [])
  },
  async history(world, who, collection, pick) {
    const row = rowFor(world, who, collection, pick)
    const { status, body } = await who.client.get<{ data: { row: Shown }[] }>(
      `/v1/data/${collection.name}/${row.id}/history`,
    )
    const rules = granted(world, who, collection)
    if (rules.length === 0) return REFUSED.includes(status) ? undefined : `answers ${status} without a rule`
    if (!visible(world, who, collection, rules).includes(row)) return differs(status, 404)
    return (
      differs(status, 200) ??
      fieldsOf(
        world,
        who,
        collection,
        body.data.map(version => version.row),
      )
    )
  },
  async trash(world, who, collection) {
    const { status } = await who.client.get(`/v1/data/${collection.name}/trash`)
    const isOwner = who.roles.includes('tenant.owner') || who.roles.includes('tenant.spy')
    const may = who.covers === undefined && isOwner && isHome(world, who, collection)
    return may ? differs(status, 200) : REFUSED.includes(status) ? undefined : `answers ${status}`
  },
  async page(world, who, collection) {
    const { kernel } = world
    const { collectionMap, markdownFields, reader, view } = servicesFor(kernel)
    const deps = { operator: kernel.kernel.ports.operator, collectionMap, markdownFields, reader, view }
    const data = await createPageData(deps).load({ collection: collection.name, limit: 200 }, {
      caller: await callerOf(world, who),
      params: {},
      search: '',
      path: '/',
      locale: 'en',
    } as never)
    const { data: rows } = data as { data: Shown[] }
    return differs(idsOf(rows), idsOf(visible(world, who, collection))) ?? fieldsOf(world, who, collection, rows)
  },
  async port(world, who, collection) {
    const caller = await callerOf(world, who)
    if (!caller) return undefined
    const rows = portOf(world.kernel).rows(collection.name, { tenantId: who.workspace ?? world.operator, caller })
    const { data } = await rows.list({ limit: 200 })
    return differs(idsOf(data as unknown as Shown[]), idsOf(visible(world, who, collection)))
  },
  /** A caller of one workspace has no rights in another one, even if code mixes them up. */
  async 'port with another workspace'(world, who, collection) {
    const caller = await callerOf(world, who)
    const other = world.callers.find(({ workspace }) => workspace !== undefined && workspace !== who.workspace)
    if (!caller || collection.shared || !other?.workspace) return undefined
    const { data } = await portOf(world.kernel).rows(collection.name, { tenantId: other.workspace, caller }).list()
    const { anyone } = collection.read
    const rows = world.rows[collection.name]?.filter(
      row => row.workspace === other.workspace && anyone && matches(anyone, row, who),
    )
    return differs(idsOf(data as unknown as Shown[]), idsOf(rows ?? []))
  },
  async export(world, who, collection) {
    if (who.name === 'account' || who.userId === undefined) return undefined
    const path = `/v1/data/${collection.name}/exports`
    const made = await who.client.post<{ id: string }>(`${path}?format=ndjson`)
    const rules = rulesOf(world, who, collection)
    if (rules.length === 0) return REFUSED.includes(made.status) ? undefined : `answers ${made.status} without a rule`
    // The export would belong to the person.
    if (who.name === 'actsAsMember') return differs(made.status, 403)
    // Rows of a workspace that only `anyone` opens aren't exported.
    if (made.status === 403 && !collection.shared && granted(world, who, collection).length === 0) return undefined
    if (made.status !== 202) return `answers ${made.status}: ${JSON.stringify(made.body)}`
    await world.kernel.settled()
    const { body } = await textOf(world, who, `${path}/${made.body.id}/file`, '*/*')
    await who.client.delete(`${path}/${made.body.id}`)
    const rows = body.split('\n').flatMap(line => (line === '' ? [] : (JSON.parse(line) as Shown)))
    return differs(idsOf(rows), idsOf(visible(world, who, collection))) ?? fieldsOf(world, who, collection, rows)
  },
}
/** How often a way is taken. */
const WEIGHTS: Readonly<Record<string, number>> = { get: 30, export: 1 }

const servicesFor = memo((kernel: TestKernel) => servicesOf(kernel))
const callersFor = memo(({ kernel: { ports } }: TestKernel) =>
  createCallers(ports as Parameters<typeof createCallers>[0]),
)

function memo<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const made = new WeakMap<K, V>()
  return key => {
    const value = made.get(key) ?? make(key)
    made.set(key, value)
    return value
  }
}

/** The same object for each request of a caller, as in the server. */
async function callerOf({ kernel }: World, { credential, name }: Who): Promise<Caller | undefined> {
  if (!credential) return undefined
  const { token, tenantId, isKey } = credential
  const kind = isKey ? 'apiKey' : 'bearer'
  const tenant = name === 'account' ? 'none' : tenantId === undefined ? 'home' : { named: tenantId }
  return (await callersFor(kernel).findCached({ kind, secret: token }, tenant))?.caller
}

for (let run = 0; run < RUNS; run++)
  test.serial(`every way to read rows agrees with the rules, in any order (seed ${seed + run})`, async t => {
    const own = { numRuns: 1, seed: seed + run }
    const [collections = []] = fc.sample(fc.tuple(...[...SHARED, ...OWN].map(declared)), own)
    const [numbers = []] = fc.sample(fc.array(fc.double({ min: 0, max: 0.999_999, noNaN: true }), LENGTH), own)
    let at = 0
    const random = () => numbers[at++ % numbers.length] ?? 0
    const world = await createWorld(collections, random)
    t.teardown(() => world.kernel.stop())
    const step = fc.record({
      who: fc.constantFrom(...world.callers),
      collection: fc.constantFrom(...collections),
      way: fc.oneof(...Object.keys(WAYS).map(name => ({ arbitrary: fc.constant(name), weight: WEIGHTS[name] ?? 2 }))),
      pick: fc.nat(1000),
    })
    for (const { who, collection, way, pick } of fc.sample(step, { numRuns: STEPS, seed: seed + run })) {
      const wrong = await (WAYS[way] as Way)(world, who, collection, pick)
      if (wrong !== undefined)
        t.fail(`${way} of ${who.name} in ${collection.name} ${wrong}\nrules: ${JSON.stringify(collection)}`)
    }
    t.deepEqual(await messagesDiffer(world), [])
    t.deepEqual(await ownedByAnother(world), [])
  })
const LENGTH = { minLength: 500, maxLength: 500 }

/**
 * Starts and deletes exports as an operator who acts as a member. They belong to the member, so each collection refuses it,
 * whoever else may read it.
 */
async function ownedByAnother({ callers, collections }: World): Promise<string[]> {
  const { client } = callers.find(({ name }) => name === 'actsAsMember') as Who
  const member = callers.find(({ name }) => name === 'memberA') as Who
  const wrong: string[] = []
  for (const { name } of collections) {
    const path = `/v1/data/${name}/exports`
    const own = await member.client.post<{ id: string }>(path)
    // The member reads nothing of the collection.
    if (own.status !== 202) continue
    const statuses = [(await client.post(path)).status, (await client.delete(`${path}/${own.body.id}`)).status]
    if (statuses.some(status => status !== 403)) wrong.push(`${name}: ${statuses.join(', ')}`)
    await member.client.delete(`${path}/${own.body.id}`)
  }
  return wrong
}

/** Changes every row once, and compares who receives it. */
async function messagesDiffer(world: World): Promise<string[]> {
  const { kernel, callers, collections } = world
  const sockets = await Promise.all(
    callers
      .filter(({ name }) => name !== 'account' && name !== 'keyA')
      .map(async who => ({ who, client: await join(kernel.url, who.credential), received: new Map<string, Shown>() })),
  )
  const wrong: string[] = []
  for (const { who, client } of sockets)
    for (const collection of collections) {
      const params = { collection: collection.name }
      const { type } = await client.subscribe('collections.rows', params, { subscription: collection.name })
      if ((type === 'subscribed') !== rulesOf(world, who, collection).length > 0)
        wrong.push(`${who.name} is ${type} to ${collection.name}`)
    }
  const expected = sockets.map(({ who }) => new Set(collections.flatMap(each => idsOf(visible(world, who, each)))))
  for (const { name } of collections)
    for (const { id, workspace } of world.rows[name] ?? [])
      await portOf(kernel)
        .rows(name, { tenantId: workspace })
        .update(id, { note: 'third' } as never)
  for (const [index, { who, client, received }] of sockets.entries()) {
    while ([...(expected[index] ?? [])].some(id => !received.has(id))) {
      const { message } = (await client.next('message')).data as { message: { row: Shown; collection: string } }
      received.set(message.row.id, message.row)
      const collection = collections.find(({ name }) => name === message.collection) as Declared
      if (!expected[index]?.has(message.row.id)) wrong.push(`${who.name} receives ${message.row.id}`)
      const fields = fieldsOf(world, who, collection, [message.row])
      if (fields) wrong.push(`a message to ${who.name} ${fields}`)
    }
    client.cut()
  }
  return wrong
}
