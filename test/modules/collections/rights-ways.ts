/** Every way to read rows, compared with a model, for `rights.test.ts` and `customers-rights.test.ts`. */
import type { Caller } from '../../../kernel/index.ts'
import { createPageData } from '../../../modules/collections/services/page-data.ts'
import { createCallers } from '../../../services/http/access/callers.ts'
import type { Client, TestKernel } from '../../../testing/index.ts'
import { join } from '../../fixtures/topics.ts'
import { portOf } from './rights-world.ts'
import { servicesOf } from './services-of.ts'

/** A caller as a model knows it. */
export interface Who {
  readonly name: string
  readonly client: Client
  /** Requests of other clients and code have one. */
  readonly credential?: { readonly token: string; readonly tenantId: string | undefined; readonly isKey?: true }
  readonly userId: string | undefined
  /** ID of the workspace of the request. */
  readonly workspace: string | undefined
  readonly roles: readonly string[]
  /** The collections that a key covers. */
  readonly covers?: readonly string[]
}
export interface OneRow {
  readonly id: string
  readonly workspace: string
}
export interface OneCollection {
  readonly name: string
  readonly shared: boolean
}
/** What a model says. It keeps nothing. */
export interface Rights {
  /** Whether a rule of `read` is for the caller. */
  opens(who: Who, collection: OneCollection): boolean
  /** Whether one is that is not only `anyone` or `signedIn`. */
  grants(who: Who, collection: OneCollection): boolean
  visible(who: Who, collection: OneCollection): readonly OneRow[]
  /** Those of them that a role, a permission or a membership opens. */
  granted(who: Who, collection: OneCollection): readonly OneRow[]
  /** Of `createdBy` and `secret`. */
  hiddenFields(who: Who, collection: OneCollection): readonly string[]
  /** Whether a rule of `delete` is for the caller. */
  deletes(who: Who, collection: OneCollection): boolean
  homeOf(who: Who, collection: OneCollection): string | undefined
}
/** A running product with rows. */
export interface Stage {
  readonly kernel: TestKernel
  readonly operator: string
  readonly collections: readonly OneCollection[]
  readonly callers: readonly Who[]
  readonly rows: Readonly<Record<string, readonly OneRow[]>>
  /** Collection and workspace → ID of the row that refers to all of its rows. */
  readonly links: ReadonlyMap<string, { readonly id: string; readonly target: OneRow }>
  readonly rights: Rights
}

/** A row as the product shows it. */
export interface Shown {
  id: string
  [field: string]: unknown
}

async function textOf(
  { kernel }: Stage,
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
export const idsOf = (rows: readonly { id: string }[]) => sorted(rows.map(({ id }) => id))
export const REFUSED = [400, 401, 403]

/** Returns what differs from the model; undefined if nothing does. */
export type Way = (world: Stage, who: Who, collection: OneCollection, pick: number) => Promise<string | undefined>
export const differs = (actual: unknown, expected: unknown): string | undefined =>
  JSON.stringify(actual) === JSON.stringify(expected)
    ? undefined
    : `is ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`

const fieldsOf = (world: Stage, who: Who, collection: OneCollection, rows: readonly Shown[]) => {
  const hidden = world.rights.hiddenFields(who, collection)
  const wrong = rows.filter(row => ['createdBy', 'secret'].some(name => name in row === hidden.includes(name)))
  return wrong.length > 0 ? `has other fields: ${JSON.stringify(wrong[0])}` : undefined
}
/** A list that is refused if no rule is for the caller. */
export const listWay =
  (query: string): Way =>
  async (world, who, collection) => {
    const { status, body } = await who.client.get<{ data: Shown[] }>(`/v1/data/${collection.name}?limit=200&${query}`)
    if (!world.rights.opens(who, collection))
      return REFUSED.includes(status) ? undefined : `answers ${status} without a rule`
    if (status !== 200) return `answers ${status}: ${JSON.stringify(body)}`
    return (
      differs(idsOf(body.data), idsOf(world.rights.visible(who, collection))) ??
      (query.startsWith('fields') ? undefined : fieldsOf(world, who, collection, body.data))
    )
  }
const streamWay =
  (accept: string): Way =>
  async (world, who, collection) => {
    if (who.name === 'account') return undefined
    const { status, body } = await textOf(world, who, `/v1/data/${collection.name}`, accept)
    if (!world.rights.opens(who, collection))
      return REFUSED.includes(status) ? undefined : `answers ${status} without a rule`
    const ids = [...body.matchAll(/"?id"?[:,]"?([a-z]+_[0-9a-z]{26})/g)].map(([, id]) => id)
    const found = accept === 'text/csv' ? [...body.matchAll(/^([a-z]+_[0-9a-z]{26}),/gm)].map(([, id]) => id) : ids
    return differs(
      sorted(found.filter(id => world.rows[collection.name]?.some(row => row.id === id))),
      idsOf(world.rights.visible(who, collection)),
    )
  }
/** A row of the workspace that the caller reads, and now and then one of another workspace. */
function rowFor(world: Stage, who: Who, collection: OneCollection, pick: number): OneRow {
  const rows = world.rows[collection.name] ?? []
  const home = world.rights.homeOf(who, collection) ?? world.operator
  const own = rows.filter(({ workspace }) => workspace === home)
  const from = pick % 5 > 0 ? own : rows
  return from[pick % from.length] as OneRow
}

export const READING: Readonly<Record<string, Way>> = {
  async get(world, who, collection, pick) {
    const row = rowFor(world, who, collection, pick)
    const { status, body } = await who.client.get<Shown>(`/v1/data/${collection.name}/${row.id}`)
    if (!world.rights.opens(who, collection))
      return REFUSED.includes(status) ? undefined : `answers ${status} without a rule`
    const isVisible = world.rights.visible(who, collection).includes(row)
    return differs(status, isVisible ? 200 : 404) ?? (isVisible ? fieldsOf(world, who, collection, [body]) : undefined)
  },
  async 'get of some fields'(world, who, collection, pick) {
    const row = rowFor(world, who, collection, pick)
    const { status } = await who.client.get(`/v1/data/${collection.name}/${row.id}?fields=title,secret`)
    if (!world.rights.opens(who, collection)) return REFUSED.includes(status) ? undefined : `answers ${status}`
    if (world.rights.hiddenFields(who, collection).includes('secret')) return differs(status, 400)
    return differs(status, world.rights.visible(who, collection).includes(row) ? 200 : 404)
  },
  list: listWay(''),
  'list of some fields': listWay('fields=title'),
  'list in another order': listWay('sort=level'),
  search: listWay('q=row'),
  filter: listWay('filter[title]=Row'),
  expand: listWay('expand=area'),
  async total(world, who, collection) {
    const { body } = await who.client.get<{ total: number }>(`/v1/data/${collection.name}?limit=1&include=total`)
    if (!world.rights.opens(who, collection)) return undefined
    return differs(body.total, world.rights.visible(who, collection).length)
  },
  async aggregate(world, who, collection) {
    const { status, body } = await who.client.get<{ data: { count: number }[] }>(
      `/v1/data/${collection.name}/aggregate`,
    )
    if (!world.rights.opens(who, collection)) return REFUSED.includes(status) ? undefined : `answers ${status}`
    return differs(body.data[0]?.count ?? 0, world.rights.visible(who, collection).length)
  },
  CSV: streamWay('text/csv'),
  NDJSON: streamWay('application/x-ndjson'),
  async 'expanded reference'(world, who, collection) {
    const link = world.links.get(`${collection.name} ${who.workspace}`)
    if (!link || (who.covers && !who.covers.includes(`${collection.name}_links`))) return undefined
    const path = `/v1/data/${collection.name}_links/${link.id}`
    const { body } = await who.client.get<{ target: Shown | null; targets: Shown[] }>(`${path}?expand=target,targets`)
    const plain = await who.client.get<{ target: string | null; targets: string[] }>(path)
    const rows = world.rights.visible(who, collection)
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
    return differs(idsOf(body.data), world.rights.visible(who, collection).includes(link.target) ? [link.id] : [])
  },
  async history(world, who, collection, pick) {
    const row = rowFor(world, who, collection, pick)
    const { status, body } = await who.client.get<{ data: { row: Shown }[] }>(
      `/v1/data/${collection.name}/${row.id}/history`,
    )
    if (!world.rights.grants(who, collection))
      return REFUSED.includes(status) ? undefined : `answers ${status} without a rule`
    if (!world.rights.granted(who, collection).includes(row)) return differs(status, 404)
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
    return world.rights.deletes(who, collection)
      ? differs(status, 200)
      : REFUSED.includes(status)
        ? undefined
        : `answers ${status}`
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
    return differs(idsOf(rows), idsOf(world.rights.visible(who, collection))) ?? fieldsOf(world, who, collection, rows)
  },
  async port(world, who, collection) {
    const caller = await callerOf(world, who)
    if (!caller) return undefined
    const rows = portOf(world.kernel).rows(collection.name, { tenantId: who.workspace ?? world.operator, caller })
    const { data } = await rows.list({ limit: 200 })
    return differs(idsOf(data as unknown as Shown[]), idsOf(world.rights.visible(who, collection)))
  },
  async export(world, who, collection) {
    if (who.name === 'account' || who.userId === undefined) return undefined
    const path = `/v1/data/${collection.name}/exports`
    const made = await who.client.post<{ id: string }>(`${path}?format=ndjson`)
    if (!world.rights.opens(who, collection))
      return REFUSED.includes(made.status) ? undefined : `answers ${made.status} without a rule`
    // The export would belong to the person.
    if (who.name === 'actsAsMember') return differs(made.status, 403)
    // Rows of a workspace that only `anyone` opens aren't exported.
    if (made.status === 403 && !collection.shared && !world.rights.grants(who, collection)) return undefined
    if (made.status !== 202) return `answers ${made.status}: ${JSON.stringify(made.body)}`
    await world.kernel.settled()
    const { body } = await textOf(world, who, `${path}/${made.body.id}/file`, '*/*')
    await who.client.delete(`${path}/${made.body.id}`)
    const rows = body.split('\n').flatMap(line => (line === '' ? [] : (JSON.parse(line) as Shown)))
    return differs(idsOf(rows), idsOf(world.rights.visible(who, collection))) ?? fieldsOf(world, who, collection, rows)
  },
}
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
export async function callerOf({ kernel }: Stage, { credential, name }: Who): Promise<Caller | undefined> {
  if (!credential) return undefined
  const { token, tenantId, isKey } = credential
  const kind = isKey ? 'apiKey' : 'bearer'
  const tenant = name === 'account' ? 'none' : tenantId === undefined ? 'home' : { named: tenantId }
  return (await callersFor(kernel).findCached({ kind, secret: token }, tenant))?.caller
}

/** Changes every row once, and compares who receives it. */
export async function messagesDiffer(world: Stage): Promise<string[]> {
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
      if ((type === 'subscribed') !== world.rights.opens(who, collection))
        wrong.push(`${who.name} is ${type} to ${collection.name}`)
    }
  const expected = sockets.map(
    ({ who }) => new Set(collections.flatMap(each => idsOf(world.rights.visible(who, each)))),
  )
  for (const { name } of collections)
    for (const { id, workspace } of world.rows[name] ?? [])
      await portOf(kernel)
        .rows(name, { tenantId: workspace })
        .update(id, { note: 'third' } as never)
  for (const [index, { who, client, received }] of sockets.entries()) {
    while ([...(expected[index] ?? [])].some(id => !received.has(id))) {
      const { message } = (await client.next('message')).data as { message: { row: Shown; collection: string } }
      received.set(message.row.id, message.row)
      const collection = collections.find(({ name }) => name === message.collection) as OneCollection
      if (!expected[index]?.has(message.row.id)) wrong.push(`${who.name} receives ${message.row.id}`)
      const fields = fieldsOf(world, who, collection, [message.row])
      if (fields) wrong.push(`a message to ${who.name} ${fields}`)
    }
    client.cut()
  }
  return wrong
}
