/** Who receives the notifications of a form: members, confirmed addresses, and those that the recipe names. */
import { type Deps, newId } from '@larder-dev/larder/kernel'
import { emailKey, RETENTION_MS, type RecipientState, recipientState } from '../domain/recipients.ts'
import { type RecipientRow, recipientTable } from '../records/recipient.ts'

export interface NotifyingForm {
  readonly notify: readonly string[]
  readonly managedBy: string | null
}
export interface AddressState {
  readonly address: string
  readonly state: RecipientState
}
export interface Recipient {
  readonly address: string
  /** Undefined: the default language. */
  readonly locale: string | undefined
  /** Id for the unsubscribe link. Null for members. */
  readonly id: string | null
}
export interface RecipientService {
  /** The states of each form's addresses, in the order of the forms. */
  states(tenantId: string, forms: readonly NotifyingForm[]): Promise<AddressState[][]>
  /** Those that receive submissions. */
  recipients(tenantId: string, form: NotifyingForm): Promise<Recipient[]>
  /** The language of the workspace: that of its owners. Undefined: the default language. */
  tenantLocale(tenantId: string): Promise<string | undefined>
  /** A member's notifications end with the membership, so an earlier confirmation of the address is deleted. */
  forgetMember(tenantId: string, userId: string): Promise<void>
  /** Deletes old rows of addresses that no form notifies. */
  sweep(): Promise<void>
}

/** The addresses of some forms by key. */
interface KnownAddresses {
  readonly members: ReadonlyMap<string, { readonly locale: string | null }>
  readonly rows: ReadonlyMap<string, RecipientRow>
}

export function createRecipientService({
  database,
  systemDatabase,
  clock,
  people,
}: Deps<'database' | 'systemDatabase' | 'clock', 'people'>): RecipientService {
  async function read(tenantId: string, addresses: readonly string[]): Promise<KnownAddresses> {
    const keys = [...new Set(addresses.map(emailKey))]
    if (keys.length === 0) return { members: new Map(), rows: new Map() }
    const [members = [], rows] = await Promise.all([
      people?.withConfirmedEmail(tenantId, keys),
      recipientTable.findMany(database.tenant(tenantId), { email: keys }),
    ])
    return {
      members: new Map(members.map(member => [emailKey(member.email), member])),
      rows: new Map(rows.map(row => [row.email, row])),
    }
  }

  const stateOf = (address: string, { managedBy }: NotifyingForm, { members, rows }: KnownAddresses) =>
    recipientState({
      isMember: members.has(emailKey(address)),
      stored: rows.get(emailKey(address))?.state,
      trusted: managedBy !== null,
    })

  /** Addresses of the recipe get a row with their first notification, for the unsubscribe link. */
  async function createRows(tenantId: string, addresses: readonly string[]): Promise<void> {
    const now = clock.now()
    await database.tenant(tenantId).query(
      `insert into forms_recipients (tenant_id, id, email, state, created_at, updated_at)
       select $1, r.id, r.email, 'pending', $4, $4 from unnest($2::text[], $3::text[]) as r (id, email)
       on conflict (tenant_id, email) do nothing`,
      [tenantId, addresses.map(() => newId('fnr', now)), addresses.map(emailKey), new Date(now)],
    )
  }

  async function tenantLocale(tenantId: string): Promise<string | undefined> {
    const owners = (await people?.owners(tenantId)) ?? []
    return owners.find(({ locale }) => locale !== null)?.locale ?? undefined
  }

  return {
    async states(tenantId, forms) {
      const known = await read(
        tenantId,
        forms.flatMap(({ notify }) => notify),
      )
      return forms.map(form => form.notify.map(address => ({ address, state: stateOf(address, form, known) })))
    },

    async recipients(tenantId, form) {
      let known = await read(tenantId, form.notify)
      const isReceiver = (address: string) => ['member', 'confirmed'].includes(stateOf(address, form, known))
      const receivers = form.notify.filter(isReceiver)
      if (receivers.length === 0) return []
      const isStored = (address: string) => known.members.has(emailKey(address)) || known.rows.has(emailKey(address))
      const missing = receivers.filter(address => !isStored(address))
      if (missing.length > 0) {
        await createRows(tenantId, missing)
        known = await read(tenantId, form.notify)
      }
      const fallback = await tenantLocale(tenantId)
      return receivers.map(address => {
        const member = known.members.get(emailKey(address))
        const row = known.rows.get(emailKey(address))
        return { address, locale: (member ?? row)?.locale ?? fallback, id: member ? null : (row?.id ?? null) }
      })
    },

    tenantLocale,

    async forgetMember(tenantId, userId) {
      const [person] = (await people?.members(tenantId, [userId])) ?? []
      if (!person) return
      const confirmed = (await people?.withConfirmedEmail(tenantId, [emailKey(person.email)])) ?? []
      if (confirmed.length === 0) return
      const confirmation = recipientTable.deleteStep({ email: emailKey(person.email), state: 'confirmed' })
      await database.tenant(tenantId).query(...confirmation)
    },

    async sweep() {
      await systemDatabase.acrossTenants('addresses that no form of any tenant notifies are deleted').query(
        `delete from forms_recipients r
          where state <> 'unsubscribed' and coalesce(requested_at, updated_at) < $1 and not exists (
            select 1 from forms_forms f cross join unnest(f.notify) as n (address)
             where f.tenant_id = r.tenant_id and lower(n.address) = r.email)`,
        [new Date(clock.now() - RETENTION_MS)],
      )
    },
  }
}
