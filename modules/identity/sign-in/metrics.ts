import type { Deps, Registrations } from '@larder-dev/larder/kernel'
import type { BreachedPasswords } from './password/breached-passwords.ts'
import { PASSKEY, type SignInMethods } from './sign-in-methods.ts'

type Metrics = Registrations['metrics']
interface Counting {
  readonly breachedPasswords: BreachedPasswords
  readonly signInMethods: SignInMethods
}
type Counted = Readonly<Record<string, number>>

const COUNT_SECOND_FACTORS = `select
  (select count(*)::int from identity_totp) as totp,
  (select count(distinct user_id)::int from identity_sign_in_identities where method = '${PASSKEY}') as passkey`
const COUNT_CONNECTIONS = `select count(*) filter (where not enabled)::int as off,
  count(*) filter (where enabled and not required)::int as on, count(*) filter (where required)::int as required
  from identity_sso_connections`
const COUNT_DOMAINS = `select count(*) filter (where verified_at is null)::int as unverified,
  count(*) filter (where verified_at is not null and missing_since is null)::int as verified,
  count(*) filter (where verified_at is not null and missing_since is not null)::int as missing from identity_sso_domains`

export const signInMetrics = (deps: Deps<'systemDatabase'> & Counting): Metrics => [
  ...countedByProcess(deps),
  secondFactors(deps),
  ...singleSignOn(deps),
]

const read = async ({ systemDatabase }: Deps<'systemDatabase'>, text: string, label: string) => {
  const unit = systemDatabase.acrossTenants('sign-in settings of every tenant are counted')
  const { rows } = await unit.query<Counted>(text)
  return Object.entries(rows[0] ?? {}).map(([name, value]) => ({ labels: { [label]: name }, value }))
}

const secondFactors = (deps: Deps<'systemDatabase'>): Metrics[number] => ({
  name: 'larder_second_factors',
  help: 'People with an authenticator app, and people with a passkey',
  type: 'gauge',
  read: () => read(deps, COUNT_SECOND_FACTORS, 'kind'),
})

const singleSignOn = (deps: Deps<'systemDatabase'>): Metrics => [
  {
    name: 'larder_sso_connections',
    help: 'Providers of workspaces',
    type: 'gauge',
    read: () => read(deps, COUNT_CONNECTIONS, 'state'),
  },
  {
    name: 'larder_sso_domains',
    help: 'Email domains of workspaces. The DNS record of a missing one is gone, so it lapses after 7 days',
    type: 'gauge',
    read: () => read(deps, COUNT_DOMAINS, 'state'),
  },
]

const countedByProcess = ({ breachedPasswords, signInMethods }: Counting): Metrics => [
  {
    name: 'larder_sign_ins_total',
    help: 'Sign-ins that this process examined, by method and result',
    type: 'counter',
    perProcess: true,
    read: async () => signInMethods.counts().map(({ value, ...labels }) => ({ labels, value })),
  },
  {
    name: 'larder_breached_passwords_total',
    help: 'New passwords that this process looked up in the service for breached passwords, by result',
    type: 'counter',
    perProcess: true,
    read: async () =>
      Object.entries(breachedPasswords.counts).map(([result, value]) => ({ labels: { result }, value })),
  },
]
