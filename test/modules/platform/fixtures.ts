/** A kernel with a module whose listener and job fail until a test repairs them. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { type Person, startTestKernel, type TestKernel } from '../../../testing/index.ts'
import { knownClaimCode } from '../../fixtures/people.ts'
import { waitFor } from '../../fixtures/wait.ts'

const FLAKY = `
import { defineModule, job, listener, route, Type } from '@larder-dev/larder/kernel'
const failing = { yes: true }
const work = async () => { if (failing.yes) throw new Error('the ledger is closed') }
const empty = Type.Object({})
export default defineModule({
  name: 'flaky',
  needs: ['events', 'jobs'],
  options: Type.Object({ password: Type.String({ writeOnly: true }) }),
  diagnose: async () => ['The ledger is closed.'],
  events: { 'flaky.thing.made': empty },
  roles: { 'flaky.auditor': { name: 'Auditor', scope: 'platform', permissions: ['platform.tenant.read_all'] } },
  routes: ({ events, jobs }) => [
    route({ method: 'post', path: '/flaky', allow: 'platform.event.read', replies: { 204: null }, async handle({ tenantId }) {
      await events.publish('flaky.thing.made', { payload: {} })
      await jobs.enqueue('flaky.work', {}, { tenantId })
    } }),
    route({ method: 'post', path: '/flaky/mended', allow: 'public', replies: { 204: null }, async handle() { failing.yes = false } }),
  ],
  listeners: () => [listener('flaky.thing.made', work)],
  statistics: () => [{
    name: 'broken', title: 'Broken', unit: 'count', step: 'day', scopes: ['tenant'], read: work,
  }],
  jobs: () => [job('flaky.work', { attempts: 1, run: work })],
})
`

const RECIPE = `recipe: 1
product: { key: test, name: Test, publicUrl: "http://localhost:8080" }
modules:
  identity: { impersonation: true }
  comms: { transport: mailbox, from: "Test <test@example.test>" }
  flaky: { use: ./flaky.js, options: { password: hunter2 } }
`

export interface PlatformFixture {
  /** Contains recipe.yaml. */
  readonly folder: string
  readonly kernel: TestKernel
  readonly ada: Person
  readonly bob: Person
  /** Platform admin and owner of the operator's tenant. */
  readonly admin: Person
  /** Creates an event and a job in the person's tenant and waits until both are dead. */
  fail(person: Person): Promise<void>
  stop(): Promise<void>
}

/** @param modules more lines of the recipe's modules. */
export async function startFixture(
  env: Readonly<Record<string, string>> = {},
  modules = '',
  log?: Logger,
): Promise<PlatformFixture> {
  const folder = await mkdtemp(join(tmpdir(), 'larder-platform-'))
  await writeFile(join(folder, 'flaky.js'), FLAKY)
  const recipe = join(folder, 'recipe.yaml')
  await writeFile(recipe, RECIPE + modules)
  const kernel = await startTestKernel({ recipe, env, ...(log && { log }) })
  const [ada, bob, boss] = await Promise.all(
    ['ada', 'bob', 'boss'].map(name => kernel.register(`${name}@example.test`)),
  )
  if (!ada || !bob || !boss) throw new Error('three people register')
  return {
    folder,
    kernel,
    ada,
    bob,
    admin: await promote(kernel, boss),
    fail: person => fail(kernel, person),
    async stop() {
      await kernel.stop()
      await rm(folder, { recursive: true })
    },
  }
}

export async function promote(kernel: TestKernel, person: Person): Promise<Person> {
  const { operator } = kernel.kernel.ports
  const { status } = await person.post('/v1/auth/claim', { code: await knownClaimCode(kernel) })
  if (status !== 200 && status !== 201) throw new Error(`claiming was answered ${status}`)
  return { ...person, ...person.with({ 'x-tenant-id': operator.tenantId }), tenantId: operator.tenantId }
}

async function fail({ kernel }: TestKernel, person: Person): Promise<void> {
  const { status } = await person.post('/v1/flaky')
  if (status !== 204) throw new Error(`failing was answered ${status}`)
  const { systemDatabase, inspector } = kernel.ports
  const query = { tenantId: person.tenantId, limit: 10 }
  await waitFor(async () => {
    // Ten attempts would take hours, so a delivery is marked dead after its first failure.
    await systemDatabase
      .acrossTenants('a test marks failed deliveries dead')
      .query(`update larder_deliveries set state = 'dead' where state = 'pending' and attempts > 0`)
    const [events, jobs] = await Promise.all([inspector.events.dead(query), inspector.jobs.dead(query)])
    return events.data.length > 0 && jobs.data.length > 0
  })
}
