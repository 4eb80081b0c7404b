/** Asks addresses to confirm notifications, and reads the links of these and later emails. */
import { common, DAY, type Deps, newId, Problem, together, type Unit } from '@larder-dev/larder/kernel'
import {
  CONFIRMATION_TTL_MS,
  emailKey,
  MAX_DAILY_REQUESTS_PER_ADDRESS,
  MAX_DAILY_REQUESTS_PER_TENANT,
  type RecipientLink,
  readRecipientToken,
  recipientLink,
  requestIntervalMs,
} from '../domain/recipients.ts'
import { problems } from '../problems.ts'
import { type RecipientRow, recipientTable } from '../records/recipient.ts'
import type { RecipientService } from './recipient-service.ts'

/** The user who names the addresses. */
export interface Requester {
  readonly mustVerifyEmail?: boolean
  /** User ID of the operator who acts as the user. */
  readonly impersonatedBy?: string | undefined
}
export interface RequestEmail extends RecipientLink {
  readonly to: string
}
export interface LinkDetails {
  /** Masked: its owner can recognize it. */
  readonly address: string
  /** Undefined if the recipe has no workspaces. */
  readonly workspace: string | undefined
  readonly subscribed: boolean
}
/** All methods with a token throw `bad_notification_link`. */
export interface RecipientConfirmation {
  /**
   * Sends a request to each pending address, within the limits. Throws `email_not_verified` if the requester may not
   * cause emails.
   */
  request(unit: Unit, tenantId: string, notify: readonly string[], requester: Requester): Promise<void>
  /** Sends the email of a request, once. */
  sendRequest(tenantId: string, request: RequestEmail): Promise<void>
  /** Details of a link to confirm. */
  preview(token: string): Promise<LinkDetails>
  /** @param locale the language of later emails. */
  confirm(token: string, locale: string): Promise<LinkDetails>
  subscription(token: string): Promise<LinkDetails>
  /** Both are idempotent. */
  unsubscribe(token: string): Promise<LinkDetails>
  resubscribe(token: string): Promise<LinkDetails>
}

/** Another request to the same address. */
const AGAIN = `on conflict (tenant_id, email) do update set link_version = forms_recipients.link_version + 1,
    requested_at = excluded.requested_at, updated_at = excluded.updated_at
  returning id, link_version as version`

type ConfirmationDeps = Deps<
  'database' | 'systemDatabase' | 'clock' | 'jobs' | 'secrets' | 'log',
  'mailer' | 'tenantDirectory'
> & { readonly recipients: RecipientService }

export function createRecipientConfirmation(deps: ConfirmationDeps): RecipientConfirmation {
  const { database, systemDatabase, clock, jobs, secrets, log, mailer, tenantDirectory, recipients } = deps
  const ago = (ms: number) => new Date(clock.now() - ms)

  /** Pending addresses without a recent request of this tenant. */
  async function dueAddresses(unit: Unit, tenantId: string, notify: readonly string[]): Promise<string[]> {
    const [states = []] = await recipients.states(tenantId, [{ notify, managedBy: null }])
    const pending = new Map(
      states.filter(({ state }) => state === 'pending').map(({ address }) => [emailKey(address), address]),
    )
    if (pending.size === 0) return []
    const rows = await recipientTable.findMany(unit, { email: [...pending.keys()] })
    const sent = new Map(rows.map(row => [row.email, row]))
    const isDue = (key: string) => {
      const { linkVersion = 0, requestedAt = null } = sent.get(key) ?? {}
      const age = requestedAt === null ? Number.POSITIVE_INFINITY : clock.now() - requestedAt.getTime()
      // A clock that was set back must not lengthen the wait.
      return age < 0 || age >= requestIntervalMs(linkVersion)
    }
    return [...pending].filter(([key]) => isDue(key)).map(([, address]) => address)
  }

  async function withinLimits(unit: Unit, due: readonly string[]): Promise<readonly string[]> {
    const since = ago(DAY)
    const {
      own: { rows: own },
      busy: { rows: busy },
    } = await together({
      own: unit.query<{ sent: number }>('select count(*)::int as sent from forms_recipients where requested_at > $1', [
        since,
      ]),
      busy: systemDatabase
        .acrossTenants('requests to one address are limited over all tenants')
        .query<{ email: string }>(
          `select email from forms_recipients where email = any ($1) and requested_at > $2
           group by email having count(*) >= $3`,
          [due.map(emailKey), since, MAX_DAILY_REQUESTS_PER_ADDRESS],
        ),
    })
    const full = new Set(busy.map(({ email }) => email))
    const remaining = Math.max(0, MAX_DAILY_REQUESTS_PER_TENANT - (own[0]?.sent ?? 0))
    return due.filter(address => !full.has(emailKey(address))).slice(0, remaining)
  }

  /** Stores a request, and enqueues its email: rendering up to 20 of them would hold up this request and its unit. */
  async function enqueue(unit: Unit, tenantId: string, address: string): Promise<void> {
    const now = new Date(clock.now())
    const times = { requestedAt: now, createdAt: now, updatedAt: now }
    const values = { tenantId, id: newId('fnr', clock.now()), email: emailKey(address), ...times }
    const insert = recipientTable.insertStep({ ...values, state: 'pending', linkVersion: 1 }, AGAIN)
    const { rows } = await unit.query<RecipientLink>(...insert)
    if (!rows[0]) throw new Error('the request was not stored')
    await jobs.enqueue('forms.request_confirmation', { ...rows[0], to: address }, { tenantId })
  }

  async function detailsOf({ tenantId, email, state }: RecipientRow): Promise<LinkDetails> {
    const workspace = await tenantDirectory?.get(tenantId)
    return { address: maskAddress(email), workspace: workspace?.name, subscribed: state !== 'unsubscribed' }
  }

  const findRow = (id: string): Promise<RecipientRow | undefined> =>
    recipientTable.find(systemDatabase.acrossTenants('the recipient that a link names is found in any tenant'), { id })

  /** The state that a link to confirm needs; parameters id, version and earliest request. */
  const CONFIRMABLE = `id = $1 and link_version = $2 and state = 'pending' and requested_at > $3`

  async function readConfirmation(token: string) {
    const link = readRecipientToken(secrets, 'confirm', token)
    const row = link && (await findRow(link.id))
    if (!row) throw problems.bad_notification_link()
    return { row, values: [link.id, link.version, ago(CONFIRMATION_TTL_MS)] }
  }

  async function readSubscription(token: string): Promise<RecipientRow> {
    const link = readRecipientToken(secrets, 'unsubscribe', token)
    const row = link && (await findRow(link.id))
    if (!row) throw problems.bad_notification_link()
    return row
  }

  async function setState(token: string, state: 'confirmed' | 'unsubscribed'): Promise<LinkDetails> {
    const row = await readSubscription(token)
    const { details } = await together({
      updated: database
        .tenant(row.tenantId)
        .query(...recipientTable.updateStep({ id: row.id }, { state, updatedAt: new Date(clock.now()) })),
      details: detailsOf({ ...row, state }),
    })
    return details
  }

  return {
    async request(unit, tenantId, notify, { mustVerifyEmail = false, impersonatedBy }) {
      if (!mailer || notify.length === 0) return
      // Serializes requests of a tenant, so that the limits hold.
      const { due } = await together({
        lock: unit.lock('forms.recipients', tenantId),
        due: dueAddresses(unit, tenantId, notify),
      })
      if (due.length === 0) return
      if (mustVerifyEmail) throw common.email_not_verified()
      // Submissions would reach the new address after the impersonation.
      if (impersonatedBy !== undefined) throw common.impersonated()
      const allowed = await withinLimits(unit, due)
      if (allowed.length < due.length)
        log.warn({ tenantId, skipped: due.length - allowed.length }, 'form notification requests exceed a limit')
      await Promise.all(allowed.map(address => enqueue(unit, tenantId, address)))
    },

    async sendRequest(tenantId, { id, version, to }) {
      const locale = await recipients.tenantLocale(tenantId)
      try {
        await mailer?.send({
          template: 'forms.confirm_notifications',
          to,
          tenantId,
          key: `${id} ${version}`,
          // Contains nothing that the tenant wrote, so that a request can't carry a message.
          data: { link: recipientLink('confirm', { id, version }) },
          ...(locale !== undefined && { locale }),
        })
      } catch (error) {
        // The mailer accepts fewer addresses than the schema of forms.
        if (!Problem.is(error) || error.code !== 'invalid_address') throw error
        log.warn({ tenantId }, 'a form notifies an invalid address')
      }
    },

    async preview(token) {
      const { row, values } = await readConfirmation(token)
      const {
        confirmable: { rowCount },
        details,
      } = await together({
        confirmable: database.tenant(row.tenantId).query(`select 1 from forms_recipients where ${CONFIRMABLE}`, values),
        details: detailsOf(row),
      })
      if (rowCount === 0) throw problems.bad_notification_link()
      return details
    },

    async confirm(token, locale) {
      const { row, values } = await readConfirmation(token)
      const {
        confirmed: { rowCount },
        details,
      } = await together({
        confirmed: database
          .tenant(row.tenantId)
          .query(`update forms_recipients set state = 'confirmed', locale = $4, updated_at = $5 where ${CONFIRMABLE}`, [
            ...values,
            locale,
            new Date(clock.now()),
          ]),
        details: detailsOf(row),
      })
      if (rowCount === 0) throw problems.bad_notification_link()
      return details
    },

    subscription: async token => detailsOf(await readSubscription(token)),
    unsubscribe: token => setState(token, 'unsubscribed'),
    // The link was in a notification, so the address had agreed before.
    resubscribe: token => setState(token, 'confirmed'),
  }
}

/** `ada@example.test` → `a••@example.test`: a forwarded email must not reveal the address of its recipient. */
const maskAddress = (address: string): string =>
  address.replace(/^(.)(.*)(?=@)/u, (_, first: string, rest: string) => first + '•'.repeat(Math.min(rest.length, 8)))
