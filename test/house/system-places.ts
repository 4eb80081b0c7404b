/**
 * Every place that works across tenants, with the reasons that its code gives. A new one is added here on purpose:
 * row level security does not hold there, so its statements are read with care.
 */
export const SYSTEM_PLACES: Readonly<Record<string, readonly string[]>> = {
  'kernel/bus/postgres.ts': ['messages of the bus belong to processes, not to tenants'],
  'kernel/database/open.ts': ["the operator's tenant, at start"],
  'kernel/events/inspect.ts': [
    'an admin looks at events',
    'an admin has an event delivered again',
    'an admin looks at what waits',
  ],
  'kernel/events/relay.ts': ['the relay delivers the events of every tenant', 'the relay tries again what failed'],
  'kernel/events/sweep.ts': ['old events and jobs of every tenant'],
  'kernel/http/idempotency.ts': [
    'a POST outside any tenant keeps its answer with its effect',
    'answers kept for replay are dropped after a day',
  ],
  'kernel/http/limits.ts': ['attempts are counted by address and e-mail, before any tenant is known'],
  'kernel/jobs/inspect.ts': ['an admin looks at dead jobs'],
  'kernel/jobs/queue.ts': ['a job is queued: the queue belongs to no tenant'],
  'kernel/jobs/runner.ts': ['jobs are run for every tenant'],
  'modules/comms/mailbox.ts': ['the mailbox holds mail of every tenant'],
  'modules/comms/transports/mailbox.ts': ['mail of every tenant is kept in one mailbox'],
  'modules/identity/authenticator.ts': ['a credential is looked up before any tenant is known'],
  'modules/identity/services/acceptance.ts': ['the invited is no member yet'],
  'modules/identity/services/account.ts': ['an account belongs to a person, not to a tenant'],
  'modules/identity/services/claims.ts': [
    "the operator's tenant is made before anybody is there",
    "who claims the operator's tenant is no member yet",
  ],
  'modules/identity/services/logins.ts': ['logins belong to a person, not to a tenant', 'logins belong to a person'],
  'modules/identity/services/memberships.ts': ['a person sees all their memberships'],
  'modules/identity/services/registration.ts': ['a new person belongs to no tenant yet'],
  'modules/identity/services/rights.ts': ["a platform role is held in the operator's tenant"],
  'modules/identity/services/sign-in.ts': ['signing in happens before any tenant is known'],
  'modules/identity/services/sweep.ts': ['expired logins and codes of everybody go'],
  'modules/identity/services/tenants.ts': [
    'a new tenant is nobody’s yet',
    'a person sees all tenants they are a member of',
  ],
  'modules/identity/services/users.ts': ['people belong to no tenant'],
  'modules/sessions/service.ts': [
    'a join token names its session, whatever its tenant',
    'a directory shows public sessions of every tenant',
    'a join token accepts its session, whoever brings it',
  ],
  'modules/sessions/sweep.ts': ['sessions of every tenant age'],
  'modules/streams/realtime/registry.ts': ['places of sockets belong to processes, which serve every tenant'],
  'modules/streams/realtime/sweep.ts': ['places of processes that died, of every tenant'],
  'modules/streams/streams.ts': ['the directory shows public streams of every tenant'],
  'modules/streams/tokens.ts': ['a stream token names its stream, whatever its tenant'],
  'modules/webhooks/deliveries.ts': ['deliveries of every tenant are forgotten after 30 days'],
  'modules/webhooks/queue.ts': ['one sender serves every tenant'],
}
