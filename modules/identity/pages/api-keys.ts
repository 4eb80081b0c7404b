import { type Caller, common, DAY, type Deps, page, Type } from 'larder/kernel'
import { Name } from '../domain/fields.ts'
import { missingPermission } from '../problems.ts'
import { accountTabs } from './account-tabs.ts'
import { formValidator, submit } from './form.ts'

const MAX_LISTED_KEYS = 100
const MAX_LIFETIME_DAYS = 3650
const CREATE = 'identity.api_key.create'
const DELETE = 'identity.api_key.delete'

export function apiKeyPages({ identity, clock }: Deps<'identity' | 'clock'>) {
  const { apiKeys, tenants } = identity
  const nameForm = formValidator<{ name: string }>(Type.Object({ name: Name }))

  async function keysView(caller: Caller, tenantId: string) {
    const [{ data }, workspace] = await Promise.all([
      apiKeys.list(tenantId, { limit: MAX_LISTED_KEYS }),
      tenants.get(tenantId),
    ])
    const keys = data.map(key => ({ ...key, over: key.expiresAt !== null && Date.parse(key.expiresAt) <= clock.now() }))
    const rights = { mayCreate: caller.can(CREATE), mayDelete: caller.can(DELETE) }
    return { tabs: accountTabs(caller), keys, ...rights, workspace: workspace.name, name: '', made: null, error: null }
  }

  async function createKey(caller: Caller, tenantId: string, form: Readonly<Record<string, string>>) {
    assertPermission(caller, CREATE)
    if (caller.mustVerifyEmail) throw common.email_not_verified()
    const { name } = nameForm(form, ['name'])
    const days = Number(form.days)
    const expires = Number.isInteger(days) && days > 0 && days <= MAX_LIFETIME_DAYS
    const expiresAt = expires ? { expiresAt: new Date(clock.now() + days * DAY).toISOString() } : {}
    return apiKeys.create(tenantId, { name, ...expiresAt }, caller)
  }

  const keys = page({
    name: 'identity.api_keys',
    path: '/account/api-keys',
    title: 'API keys',
    allow: 'identity.api_key.read',
    load: async ({ caller, tenantId }) => ({ data: await keysView(caller, tenantId) }),
    async post({ caller, tenantId, form }) {
      if (form.id !== undefined) {
        assertPermission(caller, DELETE)
        await apiKeys.remove(tenantId, form.id, caller)
        return { redirect: '/account/api-keys' }
      }
      return submit({ ...(await keysView(caller, tenantId)), name: form.name ?? '' }, async () => {
        const { key } = await createKey(caller, tenantId, form)
        return { data: { ...(await keysView(caller, tenantId)), made: key } }
      })
    },
  })

  return [keys]
}

function assertPermission(caller: Caller, permission: string): void {
  if (!caller.can(permission)) throw missingPermission(permission)
}
