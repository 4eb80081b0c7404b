/** Kernels with features, a module that sells whatever a test says, and people of every kind. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Answer, type Client, type Person, startTestKernel, type TestKernel } from '../../../kernel/testing.ts'
import { hashSecret, newClaimCode, readClaimCode } from '../../../modules/identity/core/secrets.ts'

const SELLER = `
import { defineModule, route, Type } from 'larder/kernel'
const sold = new Map()
const standing = async (tenantId, key) => ({ key, limit: -1, used: 0, allowed: true, requested: 1, upgrade: [] })
export default defineModule({
  name: 'seller',
  gives: { entitlements: () => ({
    of: async tenantId => sold.get(tenantId) ?? { planKey: 'free', entitlements: {} },
    standing, require: async () => {},
  }) },
  routes: () => [
    route({
      method: 'put', path: '/sold/:id', allow: 'public', body: Type.Unknown(), replies: { 204: null },
      async handle({ params, body }) { sold.set(params.id, body) },
    }),
  ],
})
`

export const FEATURES = '/v1/features'
export const OFREP = `${FEATURES}/ofrep/v1/evaluate/flags`

export interface Feature {
  id: string
  key: string
  name: string | null
  type: string
  enabled: boolean
  default: unknown
  requires: { key: string; value: unknown }[]
  rules: unknown[]
  override: unknown
  managedBy: string | null
}
export interface Evaluated {
  key: string
  value: unknown
  reason: string
  metadata: Record<string, unknown>
  errorCode?: string
  errorDetails?: string
}
export interface ProblemBody {
  code: string
  detail: string
  requiredPermission?: string
  errors?: { pointer: string; code: string; detail: string }[]
}

export interface Stage {
  readonly kernel: TestKernel
  person(): Promise<Person>
  /** Somebody new in this person's workspace, with these roles. */
  colleague(owner: Person, roles: readonly string[]): Promise<Client>
  /** Somebody who owns the operator's tenant, and holds `platform.admin`. */
  operator(): Promise<Client>
  /** What a tenant has bought from now on. */
  sell(tenantId: string, planKey: string, entitlements?: Record<string, number>): Promise<void>
  /** Another process on the same database, of this recipe. */
  another(recipe?: object): Promise<TestKernel>
  stop(): Promise<void>
}

export async function stage(recipe: object = {}): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'larder-features-'))
  await writeFile(join(folder, 'seller.js'), SELLER)
  const start = (more: object, database?: string) => {
    const modules = { identity: {}, features: {}, seller: { use: './seller.js' } }
    const roles = { 'tenant.asker': { name: 'Asker', permissions: ['features.feature.evaluate'] } }
    return startTestKernel({
      recipe: { modules, roles, ...more },
      folder,
      ...(database && { database, role: 'web' as const }),
    })
  }
  const kernel = await start(recipe)
  let people = 0
  const person = () => kernel.register(`person-${++people}@example.test`)
  let operator: Promise<Client> | undefined
  return {
    kernel,
    person,
    operator: () => (operator ??= claim(kernel, person)),
    async sell(tenantId, planKey, entitlements = {}) {
      await kernel.put(`/v1/sold/${tenantId}`, { planKey, entitlements })
    },
    another: (other = recipe) => start(other, kernel.databaseUrl),
    colleague: (owner, roles) => welcome(kernel, owner, person, roles),
    async stop() {
      await kernel.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function welcome(kernel: TestKernel, owner: Person, person: () => Promise<Person>, roles: readonly string[]) {
  const invited = await person()
  const invitation = { email: invited.email, roles, sendEmail: false }
  const sent = await owner.post<{ link: string }>('/v1/identity/members/invite', invitation)
  await invited.post('/v1/identity/invitations/accept', { token: new URL(sent.body.link).searchParams.get('token') })
  return kernel.as(invited.token, owner.tenantId)
}

/** The code on the operator's terminal is not ours to read: another takes its place. */
async function claim({ kernel, as }: TestKernel, person: () => Promise<Person>): Promise<Client> {
  const code = newClaimCode()
  const { database, operator } = kernel.ports
  await database
    .system('a test takes the place of the operator')
    .query('update identity_claims set code_hash = $1', [hashSecret(readClaimCode(code))])
  const { token, post } = await person()
  const { status } = await post('/v1/auth/claim', { code })
  if (status >= 300) throw new Error(`claiming was answered ${status}`)
  return as(token, operator.tenantId)
}

export const codeOf = (answer: Answer<unknown>) => `${answer.status} ${(answer.body as ProblemBody | undefined)?.code}`
export const pointersOf = (answer: Answer<unknown>) =>
  ((answer.body as ProblemBody).errors ?? []).map(({ pointer }) => pointer)

/** A feature of this client's tenant. */
export async function add(client: Client, key: string, more: object = {}): Promise<Feature> {
  const { status, body } = await client.post<Feature>(FEATURES, { key, default: false, ...more })
  if (status !== 201) throw new Error(`${key} was answered ${status}: ${JSON.stringify(body)}`)
  return body
}

export const ask = (client: Client, key: string, context: object = {}) =>
  client.post<Evaluated>(`${FEATURES}/${key}/evaluate`, { context })
