/**
 * Compares every way to read rows with a model, for random rules and callers in random order in one process. The model
 * keeps nothing between two questions, so it finds a cache whose key lacks a part of what decides.
 */
import test from 'ava'
import fc from 'fast-check'
import { type Declared, declared, matches, OWN, SHARED, type World } from './rights-model.ts'
import { callerOf, differs, idsOf, messagesDiffer, READING, type Shown, type Way, type Who } from './rights-ways.ts'
import { createWorld, portOf } from './rights-world.ts'

const RUNS = Number(process.env.LARDER_RUNS ?? 1)
const STEPS = Number(process.env.LARDER_STEPS ?? 400)
const seed = Number(process.env.LARDER_SEED ?? Date.now() % 2 ** 31)

/** How often a way is taken. */
const WEIGHTS: Readonly<Record<string, number>> = { get: 30, export: 1 }

const WAYS: Readonly<Record<string, Way>> = {
  ...READING,
  /** A caller of one workspace has no rights in another one, even if code mixes them up. */
  async 'port with another workspace'(world, who, collection) {
    const caller = await callerOf(world, who)
    const other = world.callers.find(({ workspace }) => workspace !== undefined && workspace !== who.workspace)
    if (!caller || collection.shared || !other?.workspace) return undefined
    const { data } = await portOf(world.kernel).rows(collection.name, { tenantId: other.workspace, caller }).list()
    const { anyone } = (collection as Declared).read
    const rows = (world as World).rows[collection.name]?.filter(
      row => row.workspace === other.workspace && anyone && matches(anyone, row, who),
    )
    return differs(idsOf(data as unknown as Shown[]), idsOf(rows ?? []))
  },
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
