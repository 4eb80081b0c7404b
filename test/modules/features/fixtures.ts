/** Kernels with features and a billing stub, and people with various roles. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, startTestKernel, type TestKernel, type TestResponse } from '../../../testing/index.ts'
import type { Flag as Feature, FlagEvaluation, FlagFailure } from '../../fixtures/api-types.ts'
import { type People, peopleOf, problem } from '../../fixtures/people.ts'

const SELLER = `
import { defineModule, route, Type } from '@larder-dev/larder/kernel'
const plans = new Map()
const standing = async (tenantId, key) => ({ key, limit: -1, used: 0, allowed: true, requested: 1, upgrade: [] })
export default defineModule({
  name: 'seller',
  provides: { entitlements: () => ({
    of: async tenantId => plans.get(tenantId) ?? { planKey: 'free', entitlements: {} },
    planKeys: async ids => new Map(ids.map(id => [id, plans.get(id)?.planKey ?? 'free'])),
    standing, require: async () => {},
  }) },
  routes: () => [
    route({
      method: 'put', path: '/sold/:id', allow: 'public', body: Type.Unknown(), replies: { 204: null },
      async handle({ params, body }) { plans.set(params.id, body) },
    }),
  ],
})
`

export type { Feature }
/** Failures and values stand side by side in a list. */
export type Evaluated = FlagEvaluation & Partial<FlagFailure>

export const FEATURES = '/v1/features'
export const OFREP = `${FEATURES}/ofrep/v1/evaluate/flags`

export interface Fixtures extends People {
  readonly kernel: TestKernel
  /** Sets the plan and entitlements of a tenant. */
  sell(tenantId: string, planKey: string, entitlements?: Record<string, number>): Promise<void>
  /** Starts another process on the same database. */
  another(recipe?: object): Promise<TestKernel>
  stop(): Promise<void>
}

export async function startFixtures(recipe: object = {}): Promise<Fixtures> {
  const folder = await mkdtemp(join(tmpdir(), 'larder-features-'))
  await writeFile(join(folder, 'seller.js'), SELLER)
  const start = (more: object, database?: string) => {
    const modules = { identity: {}, features: {}, seller: { use: './seller.js' } }
    const roles = { 'tenant.evaluator': { name: 'Evaluator', permissions: ['features.feature.evaluate'] } }
    return startTestKernel({
      recipe: { modules, roles, ...more },
      folder,
      ...(database && { database, role: 'web' as const }),
    })
  }
  const kernel = await start(recipe)
  const people = peopleOf(kernel)
  return {
    kernel,
    ...people,
    async sell(tenantId, planKey, entitlements = {}) {
      await kernel.put(`/v1/sold/${tenantId}`, { planKey, entitlements })
    },
    another: (other = recipe) => start(other, kernel.databaseUrl),
    async stop() {
      await kernel.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export const pointersOf = (answer: TestResponse<unknown>) =>
  (problem(answer).errors ?? []).map(({ pointer }) => pointer)

/** Creates a feature of the client's tenant. */
export async function add(client: Client, key: string, more: object = {}): Promise<Feature> {
  const { status, body } = await client.post(FEATURES, { key, default: false, ...more })
  if (status !== 201) throw new Error(`${key} returned ${status}: ${JSON.stringify(body)}`)
  return body
}

export const evaluate = (client: Client, key: string, context: object = {}) =>
  client.post(`${FEATURES}/${key}/evaluate`, { context })
