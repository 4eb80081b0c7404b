/**
 * Compares every way to read and to write rows of a product of people with a model: rules with alternatives and exclusions,
 * over three references, by plan, entitlement, role and profile; visitors, customers, staff, and people who are both; in
 * random order in one process.
 */
import test from 'ava'
import fc from 'fast-check'
import {
  type Action,
  COLLECTIONS,
  grantedBy,
  type OpenCollection,
  openCollection,
  opens,
  PEOPLE,
  type Person,
  type Practice,
  type Row,
  readsPeople,
  rulesFor,
  type Values,
} from './customers-model.ts'
import { createPractice, given, insert, pickOf, valuesOf } from './customers-world.ts'
import { ended, send } from './imports/fixtures.ts'
import { differs, idsOf, listWay, messagesDiffer, READING, type Shown } from './rights-ways.ts'
import { portOf } from './rights-world.ts'

const RUNS = Number(process.env.LARDER_RUNS ?? 1)
const STEPS = Number(process.env.LARDER_STEPS ?? 400)
const seed = Number(process.env.LARDER_SEED ?? 84)
const LENGTH = { minLength: 800, maxLength: 800 }

type Way = (
  practice: Practice,
  who: Person,
  collection: OpenCollection,
  random: () => number,
) => Promise<string | undefined>

const store = ({ kernel, operator }: Practice, { name }: OpenCollection) =>
  portOf(kernel).rows(name, { tenantId: operator })
/** 401 for visitors, 403 for the others. */
const refusal = (who: Person): number => (who.userId === undefined ? 401 : 403)
const mayWrite = (collection: OpenCollection, action: Action, who: Person): boolean =>
  grantedBy(collection, action, who).length > 0
const allows = (collection: OpenCollection, action: Action, row: Values & { createdBy: string | null }, who: Person) =>
  opens(grantedBy(collection, action, who), row, who)
const newValues = ({ projects, callers }: Practice, random: () => number): Values =>
  valuesOf(
    projects,
    callers.flatMap(({ memberId }) => memberId ?? []),
    random,
  )
const isVisible = (who: Person, collection: OpenCollection, row: Row): boolean =>
  opens(rulesFor(collection, 'read', who), row, who)
/** The new row of a caller, as their request names it. */
function newRow(practice: Practice, who: Person, random: () => number) {
  const values = newValues(practice, random)
  const { secret: _, ...body } = given(values)
  return { row: { ...values, createdBy: who.userId ?? null }, body }
}
const forget = async (practice: Practice, collection: OpenCollection, ids: readonly (string | undefined)[]) => {
  for (const id of ids) if (id !== undefined) await store(practice, collection).delete(id)
}
/** The status of a change of one row by the rules of `action`. */
function statusOf(who: Person, collection: OpenCollection, action: Action, row: Row, done: number) {
  if (!mayWrite(collection, action, who)) return refusal(who)
  if (!isVisible(who, collection, row)) return 404
  return allows(collection, action, row, who) ? done : 403
}
/** A row that a way may spoil, the code of which is unique. */
async function spareRow(practice: Practice, collection: OpenCollection, random: () => number) {
  const values = newValues(practice, random)
  const createdBy = pickOf(practice.callers, random).userId ?? null
  const code = `code-${Math.floor(random() * 1e12)}`
  const id = await insert(practice, collection.name, values, createdBy, { code })
  return { code, row: { ...values, id, workspace: practice.operator, createdBy } satisfies Row }
}

/** With the reference of this product. */
const listing =
  (query: string): Way =>
  (practice, who, collection) =>
    listWay(query)(practice, who, collection, 0)

/** Parameters, and the IDs of what they find. */
type Query = readonly [parameters: string, found: readonly string[]]
/** What a picker of people or files loads, all at once, by words or by IDs: all of it or nothing. */
async function picked(who: Person, path: string, [query, expected]: Query) {
  const { status, body } = await who.client.get<{ data: Shown[] }>(`${path}?limit=200&${query}`)
  if (!readsPeople(who)) return differs(status, refusal(who))
  return differs([status, status === 200 ? idsOf(body.data) : body], [200, [...expected].sort()])
}
/** @param list such as `customers`. */
const pickerOf =
  (list: string): Way =>
  async (practice, who, _collection, random) => {
    const path = `/v1/identity/${list}`
    const members = practice.members.filter(PEOPLE[list] as (typeof PEOPLE)[string])
    const { email, id, userId } = pickOf(practice.members, random)
    const ids = members.map(member => member.id)
    const found = members.filter(member => member.email.includes(email)).map(member => member.id)
    const named = members.filter(member => member.id === id).map(member => member.id)
    const queries: readonly Query[] = [
      ['', ids],
      [`q=${encodeURIComponent(email)}`, found],
      // Only this list is asked for names.
      ...(list === 'members'
        ? [[`filter[id][in]=${id}`, named] as const, [`filter[userId][in]=${userId}`, named] as const]
        : []),
    ]
    return picked(who, path, pickOf(queries, random))
  }

const OWN: Readonly<Record<string, Way>> = {
  async create(practice, who, collection, random) {
    const { row, body } = newRow(practice, who, random)
    const made = await who.client.post<Shown>(`/v1/data/${collection.name}`, body)
    if (made.status === 201) await forget(practice, collection, [made.body.id])
    const may = mayWrite(collection, 'create', who)
    return differs(made.status, !may ? refusal(who) : allows(collection, 'create', row, who) ? 201 : 403)
  },
  async 'create several'(practice, who, collection, random) {
    const rows = [newRow(practice, who, random), newRow(practice, who, random)]
    const made = await who.client.post<{ data: Shown[] }>(
      `/v1/data/${collection.name}`,
      rows.map(({ body }) => body),
    )
    if (made.status === 201)
      await forget(
        practice,
        collection,
        made.body.data.map(({ id }) => id),
      )
    const may = mayWrite(collection, 'create', who)
    const all = rows.every(({ row }) => allows(collection, 'create', row, who))
    return differs(made.status, !may ? refusal(who) : all ? 201 : 403)
  },
  async change(practice, who, collection, random) {
    const row = pickOf(practice.rows[collection.name] as Row[], random)
    const [level, owner] = [row.level === 3 ? 1 : 3, pickOf(practice.callers, random).memberId ?? null]
    const after = { ...row, level, owner }
    const { status } = await who.client.patch(`/v1/data/${collection.name}/${row.id}`, { level, owner })
    await store(practice, collection).update(row.id, { level: row.level, owner: row.owner } as never)
    const before = statusOf(who, collection, 'update', row, 200)
    return differs(status, before === 200 && !allows(collection, 'update', after, who) ? 403 : before)
  },
  async upsert(practice, who, collection, random) {
    const { code, row } = await spareRow(practice, collection, random)
    const { status } = await who.client.put(`/v1/data/${collection.name}?by=code`, { code, level: 9 })
    const after = { ...row, level: 9 }
    const by = (action: Action) => mayWrite(collection, action, who)
    await forget(practice, collection, [row.id])
    if (!by('create') && !by('update')) return differs(status, refusal(who))
    // The value is taken by a row that the caller doesn't know.
    if (!isVisible(who, collection, row)) return differs(status, 409)
    const may = by('update') && allows(collection, 'update', row, who) && allows(collection, 'update', after, who)
    return differs(status, may ? 200 : 403)
  },
  async 'upsert of a new row'(practice, who, collection, random) {
    const { row, body } = newRow(practice, who, random)
    const code = `new-${Math.floor(random() * 1e12)}`
    const made = await who.client.put<Shown>(`/v1/data/${collection.name}?by=code`, { ...body, code })
    if (made.status === 201) await forget(practice, collection, [made.body.id])
    const [creates, updates] = [mayWrite(collection, 'create', who), mayWrite(collection, 'update', who)]
    if (!creates) return differs(made.status, updates ? 403 : refusal(who))
    return differs(made.status, allows(collection, 'create', row, who) ? 201 : 403)
  },
  async delete(practice, who, collection, random) {
    const { row } = await spareRow(practice, collection, random)
    const { status } = await who.client.delete(`/v1/data/${collection.name}/${row.id}`)
    if (status !== 204) await forget(practice, collection, [row.id])
    return differs(status, statusOf(who, collection, 'delete', row, 204))
  },
  async restore(practice, who, collection, random) {
    const { row } = await spareRow(practice, collection, random)
    await forget(practice, collection, [row.id])
    const wanted = statusOf(who, collection, 'delete', row, 200)
    const listed = await who.client.get<{ data: Shown[] }>(`/v1/data/${collection.name}/trash?limit=200`)
    const isListed = listed.status === 200 && listed.body.data.some(({ id }) => id === row.id)
    const { status } = await who.client.post(`/v1/data/${collection.name}/trash/${row.id}/restore`)
    const answer = status === 404 ? await who.client.post(`/v1/data/${collection.name}/${row.id}/restore`) : { status }
    if (answer.status === 200) await forget(practice, collection, [row.id])
    return differs(isListed, wanted === 200) ?? differs(answer.status, wanted)
  },
  async batch(practice, who, collection, random) {
    const { row } = await spareRow(practice, collection, random)
    const created = newRow(practice, who, random)
    const { body, status } = await who.client.post<{ data: (Shown | null)[] }>(`/v1/data/${collection.name}/batch`, {
      operations: [
        { action: 'create', data: created.body },
        { action: 'update', id: row.id, data: { note: 'third' } },
        { action: 'delete', id: row.id },
      ],
    })
    if (status === 200) await forget(practice, collection, [body.data[0]?.id])
    else await forget(practice, collection, [row.id])
    if (!(['create', 'update', 'delete'] as const).some(action => mayWrite(collection, action, who)))
      return differs(status, refusal(who))
    if (!mayWrite(collection, 'create', who) || !allows(collection, 'create', created.row, who))
      return differs(status, 403)
    const update = statusOf(who, collection, 'update', row, 200)
    return differs(status, update === 200 ? statusOf(who, collection, 'delete', row, 200) : update)
  },
  async import(practice, who, collection, random) {
    if (!who.credential || who.credential.isKey || who.name === 'actsAsMember') return undefined
    const { row, body } = newRow(practice, who, random)
    const { participants: _, ...values } = body
    const line = JSON.stringify({ ...values, participants: body.participants })
    const { token, tenantId } = who.credential
    const sender = { url: practice.kernel.url, token, ...(tenantId !== undefined && { tenantId }) }
    const sent = await send(sender, `${collection.name}/imports`, `${line}\n`, {
      'content-type': 'application/x-ndjson',
    })
    if (!mayWrite(collection, 'create', who)) return differs(sent.status, 403)
    if (sent.status !== 202) return `answers ${sent.status}: ${JSON.stringify(sent.body)}`
    const { id } = sent.body
    const before = await store(practice, collection).list({ limit: 200 })
    const known = new Set((practice.rows[collection.name] ?? []).map(each => each.id))
    await practice.kernel.settled()
    const { state } = await ended(who.client, collection.name, id)
    const after = await store(practice, collection).list({ limit: 200 })
    const made = [...before.data, ...after.data].filter(each => !known.has(each.id)).map(each => each.id)
    await forget(practice, collection, [...new Set(made)])
    return differs(state, allows(collection, 'create', row, who) ? 'succeeded' : 'failed')
  },
  expand: listing('expand=project'),
  'picker of rows': listing('fields=title&q=row'),
  'picker of rows by parts of their titles': listing(
    'fields=title&or[0][title][contains]=Ro&or[1][title][contains]=ow',
  ),
  /** The names of rows that a form refers to. */
  'names of rows': (practice, who, collection) => {
    const ids = (practice.rows[collection.name] as Row[]).map(({ id }) => id)
    return listWay(`fields=title&filter[id][in]=${ids.join(',')}`)(practice, who, collection, 0)
  },
  members: pickerOf('members'),
  customers: pickerOf('customers'),
  staff: pickerOf('staff'),
  async files({ files }, who, _collection, random) {
    const [id, name] = pickOf([...files], random)
    const queries: readonly Query[] = [
      ['', [...files.keys()]],
      [`q=${name}`, [id]],
      [`filter[id][in]=${id}`, [id]],
    ]
    return picked(who, '/v1/media', pickOf(queries, random))
  },
  /** Everybody with an account learns what kind an ID has, and those who may list the records their names. */
  async 'names of records'({ members, files, rows }, who, collection, random) {
    const row = pickOf(rows[collection.name] as Row[], random)
    const people = [...members.map(({ id }) => id), ...files.keys()]
    const ids = [...people, row.id]
    const { status, body } = await who.client.get<{ data: { id: string; name: string | null }[] }>(
      `/v1/platform/names?ids=${ids.join(',')}`,
    )
    if (who.userId === undefined) return differs(status, refusal(who))
    if (status !== 200) return `answers ${status}: ${JSON.stringify(body)}`
    const names = body.data.filter(({ name }) => name !== null).map(({ id }) => id)
    const shown = isVisible(who, collection, row) ? [row.id] : []
    return differs(names.sort(), [...(readsPeople(who) ? people : []), ...shown].sort())
  },
  /** A reference to a row that the caller can't read is refused as one to no row at all. */
  async 'reference to a row'(practice, who, collection, random) {
    if (who.userId === undefined || who.covers) return undefined
    const row = pickOf(practice.rows[collection.name] as Row[], random)
    const answer = await who.client.get<{ data: Shown[] }>(
      `/v1/data/${collection.name}_links?filter[targets][contains]=${row.id}`,
    )
    return differs(answer.body.data?.length, isVisible(who, collection, row) ? 1 : 0)
  },
}
/** How often a way is taken. */
const WEIGHTS: Readonly<Record<string, number>> = {
  get: 12,
  list: 6,
  create: 6,
  change: 8,
  export: 1,
  import: 1,
  members: 4,
  customers: 4,
  staff: 4,
  files: 4,
  'names of records': 4,
}

for (let run = 0; run < RUNS; run++)
  test.serial(
    `every way to read and write rows of a product of people agrees with the rules (seed ${seed + run})`,
    async t => {
      const own = { numRuns: 1, seed: seed + run }
      const [collections = []] = fc.sample(fc.tuple(...COLLECTIONS.map(openCollection)), own)
      const [numbers = []] = fc.sample(fc.array(fc.double({ min: 0, max: 0.999_999, noNaN: true }), LENGTH), own)
      let at = 0
      const random = () => numbers[at++ % numbers.length] ?? 0
      const practice = await createPractice(collections, random)
      t.teardown(() => practice.kernel.stop())
      const ways = [...new Set([...Object.keys(READING), ...Object.keys(OWN)])]
      const step = fc.record({
        who: fc.constantFrom(...practice.callers),
        collection: fc.constantFrom(...collections),
        way: fc.oneof(...ways.map(name => ({ arbitrary: fc.constant(name), weight: WEIGHTS[name] ?? 2 }))),
        pick: fc.nat(1000),
      })
      const wrong: string[] = []
      for (const { who, collection, way, pick } of fc.sample(step, { numRuns: STEPS, seed: seed + run })) {
        const own = OWN[way]
        const found = own
          ? await own(practice, who, collection, random)
          : await READING[way]?.(practice, who, collection, pick)
        if (found !== undefined)
          wrong.push(`${way} of ${who.name} in ${collection.name} ${found}\nrules: ${JSON.stringify(collection)}`)
      }
      t.deepEqual(wrong, [])
      t.deepEqual(await messagesDiffer(practice), [])
    },
  )
