/** API keys of the current workspace: a new key is shown once, others can be renamed, limited and extended. */
import { type Caller, common, DAY, type Deps, page, Type } from '@larder-dev/larder/kernel'
import { Name } from '../../domain/fields.ts'
import { proofPageBefore, RECENT_AUTH } from '../../domain/recent-proof.ts'
import { assertPermission, formValidator, NO_ERRORS, submit } from '../../pages/form.ts'
import { memberNames } from '../members/pages/member-names.ts'
import { workspaceTabs } from '../pages/workspace-tabs.ts'
import { namePermissions } from '../roles/domain/permission-groups.ts'
import { chosenPermissions, permissionPicker } from '../roles/pages/permission-picker.ts'
import type { WorkspaceServices } from '../services.ts'
import type { ApiKey } from './records.ts'

const PATH = '/workspace/api-keys'
const PAGE_SIZE = 50
const MAX_LIFETIME_DAYS = 3650
const DEFAULT_LIFETIME_DAYS = 90
const LIFETIMES_DAYS = [30, 90, 365] as const
const CREATE = 'identity.api_key.create'
const UPDATE = 'identity.api_key.update'
const DELETE = 'identity.api_key.delete'
/** The choice that leaves the expiry of a key as it is. */
const KEEP = 'keep'

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
  settings,
  tenants,
  access,
  clock,
  people,
}: Deps<'access' | 'clock' | 'people'> & WorkspaceServices) {
  const nameForm = formValidator<{ name: string }>(Type.Object({ name: Name }))

  async function keysView(caller: Caller, tenantId: string, { cursor, done = '' }: Form = {}, draft: Draft = NO_DRAFT) {
    const [{ data, nextCursor }, workspace] = await Promise.all([
      apiKeys.list(tenantId, { limit: PAGE_SIZE, ...(cursor && { cursor }) }),
      tenants.get(tenantId),
    ])
    const creators = data.map(({ createdBy }) => createdBy)
    const names = await memberNames(people, caller, tenantId, creators)
    const toRow = (key: ApiKey) => ({
      ...key,
      over: key.expiresAt !== null && Date.parse(key.expiresAt) <= clock.now(),
      creator: names.get(key.createdBy) ?? key.createdBy,
      scopes: namePermissions(access.permissions(), key.permissions ?? []),
      limited: key.permissions !== null,
    })
    return {
      tabs: workspaceTabs(caller, settings),
      keys: data.map(toRow),
      workspace: workspace.name,
      made: null,
      done,
      ...NO_ERRORS,
      mayCreate: caller.can(CREATE),
      mayUpdate: caller.can(UPDATE),
      mayDelete: caller.can(DELETE),
      confirmPath: proofPageBefore(caller, PATH, clock.now()) ?? null,
      next: nextCursor === null ? null : `${PATH}?${new URLSearchParams({ cursor: nextCursor })}`,
      ...formOf(caller, draft),
    }
  }

  const formOf = (caller: Caller, { name, days, limited, permissions }: Draft) => ({
    name,
    limited,
    keep: days === KEEP,
    never: days === '',
    lifetimes: LIFETIMES_DAYS.map(each => ({ days: each, chosen: String(each) === days })),
    ...permissionPicker(access, caller, permissions),
  })

  /** Null if the key never expires. */
  function expiryIn(form: Form): string | null {
    const days = Number(form.days)
    const expires = Number.isInteger(days) && days > 0 && days <= MAX_LIFETIME_DAYS
    return expires ? new Date(clock.now() + days * DAY).toISOString() : null
  }

  async function createKey(caller: Caller, tenantId: string, form: Form, { limited, permissions }: Draft) {
    assertPermission(caller, CREATE)
    if (caller.mustVerifyEmail) throw common.email_not_verified()
    const { name } = nameForm(form, ['name'])
    return apiKeys.create(tenantId, { name, expiresAt: expiryIn(form), ...(limited && { permissions }) }, caller)
  }

  const draftOf = (caller: Caller, form: Form, before: readonly string[] = []): Draft => ({
    name: form.name ?? '',
    days: form.days ?? '',
    limited: form.scope === 'limited',
    permissions: chosenPermissions(form, caller, before),
  })

  const keys = page({
    name: 'identity.api_keys',
    path: PATH,
    title: 'API keys',
    allow: 'identity.api_key.read',
    recentAuth: { within: RECENT_AUTH, forms: ({ intent }) => intent !== 'delete' },
    load: async ({ caller, tenantId, query }) => ({ data: await keysView(caller, tenantId, query) }),
    async post({ caller, tenantId, form }) {
      if (form.intent === 'delete') {
        assertPermission(caller, DELETE)
        await apiKeys.remove(tenantId, form.id ?? '', caller)
        return { redirect: PATH }
      }
      const draft = draftOf(caller, form)
      const shown = () => keysView(caller, tenantId, {}, draft)
      return submit(shown, async () => {
        const { key } = await createKey(caller, tenantId, form, draft)
        return { data: { ...(await keysView(caller, tenantId)), made: key }, headers: { 'cache-control': 'no-store' } }
      })
    },
  })

  const key = page({
    name: 'identity.api_key',
    path: `${PATH}/:id`,
    title: 'API key',
    allow: 'identity.api_key.read',
    recentAuth: { within: RECENT_AUTH, forms: () => true },
    async load({ caller, tenantId, params }) {
      const redirect = proofPageBefore(caller, `${PATH}/${params.id}`, clock.now())
      if (redirect !== undefined && caller.can(UPDATE)) return { redirect }
      const stored = await apiKeys.get(tenantId, String(params.id))
      return { data: keyView(caller, stored, draftOfKey(stored)), title: stored.name }
    },
    async post({ caller, tenantId, params, form }) {
      const id = String(params.id)
      const draftFrom = ({ permissions }: ApiKey) => draftOf(caller, form, permissions ?? [])
      const shown = async () => {
        const stored = await apiKeys.get(tenantId, id)
        return keyView(caller, stored, draftFrom(stored))
      }
      return submit(shown, async () => {
        assertPermission(caller, UPDATE)
        const { name } = nameForm(form, ['name'])
        const patch = (stored: ApiKey) => {
          const { limited, permissions } = draftFrom(stored)
          return {
            name,
            permissions: limited ? permissions : null,
            ...(form.days !== KEEP && { expiresAt: expiryIn(form) }),
          }
        }
        await apiKeys.update(tenantId, id, patch, caller)
        return { redirect: `${PATH}?done=saved` }
      })
    },
  })

  const draftOfKey = ({ name, permissions }: ApiKey): Draft => ({
    name,
    days: KEEP,
    limited: permissions !== null,
    permissions: permissions ?? [],
  })
  const keyView = (caller: Caller, { id, prefix, expiresAt }: ApiKey, draft: Draft) => ({
    path: `${PATH}/${id}`,
    prefix,
    expiresAt,
    ...NO_ERRORS,
    mayUpdate: caller.can(UPDATE),
    ...formOf(caller, draft),
  })

  const formerAddress = page({
    name: 'identity.api_keys',
    path: '/account/api-keys',
    title: 'API keys',
    allow: 'user',
    load: async () => ({ redirect: PATH }),
  })

  return [keys, key, formerAddress]
}
