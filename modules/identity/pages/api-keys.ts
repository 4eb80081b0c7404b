/** API keys of the current workspace. A new key is shown once. */
import { type Caller, common, DAY, type Deps, page, Type } from '@larder-dev/larder/kernel'
import { Name } from '../domain/fields.ts'
import type { ApiKey } from '../records/api-key.ts'
import type { IdentityServices } from '../services.ts'
import { assertPermission, formValidator, submit } from './form.ts'
import { memberNames } from './member-names.ts'
import { chosenPermissions, permissionPicker } from './permission-picker.ts'
import { workspaceTabs } from './workspace-tabs.ts'

const PATH = '/workspace/api-keys'
const MAX_LISTED_KEYS = 100
const MAX_LIFETIME_DAYS = 3650
const DEFAULT_LIFETIME_DAYS = 90
const LIFETIMES_DAYS = [30, 90, 365] as const
const CREATE = 'identity.api_key.create'
const DELETE = 'identity.api_key.delete'

type Form = Readonly<Record<string, string>>
interface Draft {
  readonly name: string
  readonly days: string
  readonly limited: boolean
  readonly permissions: readonly string[]
}
const NO_DRAFT: Draft = { name: '', days: String(DEFAULT_LIFETIME_DAYS), limited: false, permissions: [] }

export function apiKeyPages({
  apiKeys,
  tenants,
  access,
  clock,
  people,
}: Deps<'access' | 'clock' | 'people'> & IdentityServices) {
  const nameForm = formValidator<{ name: string }>(Type.Object({ name: Name }))

  async function keysView(caller: Caller, tenantId: string, draft: Draft = NO_DRAFT) {
    const [{ data }, workspace] = await Promise.all([
      apiKeys.list(tenantId, { limit: MAX_LISTED_KEYS }),
      tenants.get(tenantId),
    ])
    const creators = data.map(({ createdBy }) => createdBy)
    const names = await memberNames(people, caller, tenantId, creators)
    const toRow = (key: ApiKey) => ({
      ...key,
      over: key.expiresAt !== null && Date.parse(key.expiresAt) <= clock.now(),
      creator: names.get(key.createdBy) ?? key.createdBy,
      scopes: key.permissions ?? [],
      limited: key.permissions !== null,
    })
    return {
      tabs: workspaceTabs(caller),
      ...{ keys: data.map(toRow), workspace: workspace.name, made: null, error: null },
      ...{ mayCreate: caller.can(CREATE), mayDelete: caller.can(DELETE) },
      ...{ name: draft.name, limited: draft.limited },
      lifetimes: LIFETIMES_DAYS.map(days => ({ days, chosen: String(days) === draft.days })),
      never: draft.days === '',
      ...permissionPicker(access, caller, draft.permissions),
    }
  }

  async function createKey(caller: Caller, tenantId: string, form: Form, { limited, permissions }: Draft) {
    assertPermission(caller, CREATE)
    if (caller.mustVerifyEmail) throw common.email_not_verified()
    const { name } = nameForm(form, ['name'])
    const days = Number(form.days)
    const expires = Number.isInteger(days) && days > 0 && days <= MAX_LIFETIME_DAYS
    const expiresAt = expires ? { expiresAt: new Date(clock.now() + days * DAY).toISOString() } : {}
    return apiKeys.create(tenantId, { name, ...expiresAt, ...(limited && { permissions }) }, caller)
  }

  const draftOf = (caller: Caller, form: Form): Draft => ({
    name: form.name ?? '',
    days: form.days ?? '',
    limited: form.scope === 'limited',
    permissions: chosenPermissions(form, caller, []),
  })

  const keys = page({
    name: 'identity.api_keys',
    path: PATH,
    title: 'API keys',
    allow: 'identity.api_key.read',
    load: async ({ caller, tenantId }) => ({ data: await keysView(caller, tenantId) }),
    async post({ caller, tenantId, form }) {
      if (form.intent === 'delete') {
        assertPermission(caller, DELETE)
        await apiKeys.remove(tenantId, form.id ?? '', caller)
        return { redirect: PATH }
      }
      const draft = draftOf(caller, form)
      const shown = () => keysView(caller, tenantId, draft)
      return submit(shown, async () => {
        const { key } = await createKey(caller, tenantId, form, draft)
        return { data: { ...(await keysView(caller, tenantId)), made: key }, headers: { 'cache-control': 'no-store' } }
      })
    },
  })

  const formerAddress = page({
    name: 'identity.api_keys',
    path: '/account/api-keys',
    title: 'API keys',
    allow: 'user',
    load: async () => ({ redirect: PATH }),
  })

  return [keys, formerAddress]
}
