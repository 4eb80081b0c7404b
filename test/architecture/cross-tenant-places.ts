/**
 * Every unit of work across tenants, with the reasons in its code. Row-level security does not apply there. Review the
 * statements of a new one before you add it.
 */
export const CROSS_TENANT_PLACES: Readonly<Record<string, readonly string[]>> = {
  'modules/billing/recipe/apply.ts': ['plans and entitlements of the recipe belong to no tenant'],
  'modules/billing/recipe/plan.ts': ['tenants affected by a change of plans are counted'],
  'modules/billing/routes/credits.ts': ['operators grant credits to any tenant'],
  'modules/billing/services/plan-catalog.ts': ['plans come from the recipe and belong to no tenant'],
  'modules/billing/services/provider-event-service.ts': [
    'the subscription that a payment event names is found in any tenant',
  ],
  'modules/billing/services/row-scan.ts': ['rows of every tenant are measured'],
  'modules/billing/services/row-storage.ts': ['scans of tables belong to no tenant'],
  'modules/billing/services/subscription-repository.ts': [
    "the plan of a new tenant is read inside another tenant's unit of work",
  ],
  'modules/billing/services/subscription-scheduler.ts': [
    'due subscriptions and expired credits of every tenant are found',
  ],
  'modules/comms/recipe/plan.ts': ['uses of removed templates are counted in every tenant'],
  'modules/collections/services/trash-purge.ts': ['expired rows in the trash of every tenant are deleted'],
  'modules/comms/services/mailbox.ts': ['the mailbox holds emails of every tenant'],
  'modules/comms/services/provider-event-service.ts': [
    'the message that a delivery event names is found in any tenant',
  ],
  'modules/comms/services/recipient-limit.ts': ['emails to one address are limited over all tenants'],
  'modules/comms/services/suppressed-counts.ts': ['suppressed emails are counted over all tenants'],
  'modules/comms/services/transports/mailbox-transport.ts': ['emails of every tenant are stored in one mailbox'],
  'modules/features/recipe/apply.ts': ['overrides of removed recipe flags are deleted in every tenant'],
  'modules/collections/recipe/plan.ts': ['a plan counts the rows that a change of a collection touches'],
  'modules/collections/services/storage/seeds.ts': ['the state of seeds belongs to no tenant'],
  'modules/features/recipe/plan.ts': ['a plan counts the tenants that a change affects'],
  'modules/features/services/flag-repository.ts': ['flags of the recipe apply to every tenant'],
  'modules/forms/services/form-cache.ts': ['a form is found by its id in every tenant'],
  'modules/forms/services/recipient-confirmation.ts': [
    'requests to one address are limited over all tenants',
    'the recipient that a link names is found in any tenant',
  ],
  'modules/forms/services/recipient-service.ts': ['addresses that no form of any tenant notifies are deleted'],
  'modules/forms/services/form-unit.ts': ['a member of another tenant submits a public form'],
  'modules/identity/recipe/plan.ts': ['members of every tenant who would lose a role are counted'],
  'modules/identity/services/acceptance.ts': ['an invited user is not yet a member of the tenant'],
  'modules/identity/services/account.ts': ['an account belongs to a user, not to a tenant'],
  'modules/identity/services/audit-log.ts': [
    'an operator reads the audit log of every tenant',
    'personal data of a deleted tenant is removed from its audit log',
  ],
  'modules/identity/services/authenticator.ts': ['a credential is looked up before its tenant is known'],
  'modules/identity/services/expiry.ts': ['expired logins, reset links and claim codes of every user are deleted'],
  'modules/identity/services/logins.ts': ['logins belong to a user, not to a tenant'],
  'modules/identity/services/memberships.ts': ['a user lists all their memberships'],
  'modules/identity/services/operator-claims.ts': [
    "the operator's tenant is created before it has members",
    "a user claims the operator's tenant before they are a member",
  ],
  'modules/identity/services/password-method.ts': ['users sign in before their tenant is known'],
  'modules/identity/services/people.ts': [
    "members' profiles are read; row level security hides their locale from tenants",
  ],
  'modules/identity/services/registration.ts': ['a new user belongs to no tenant yet'],
  'modules/identity/services/rights.ts': ["platform roles are assigned in the operator's tenant"],
  'modules/identity/services/sign-in.ts': ['a sign-in method verified a user'],
  'modules/identity/services/tenants.ts': [
    'a new tenant is created before any tenant context exists',
    'a user lists all tenants they are a member of',
  ],
  'modules/identity/services/users.ts': ['users belong to no tenant'],
  'modules/media/services/item-lifecycle.ts': ['items of every tenant whose process died are processed again'],
  'modules/sessions/services/session-service.ts': [
    'a join token identifies its session before any tenant is known',
    'the directory lists public sessions of every tenant',
    'a join token accepts its session without an authenticated caller',
  ],
  'modules/sessions/services/session-sweeper.ts': ['due sessions of every tenant expire or end'],
  'modules/streams/realtime/peer-registry.ts': ['a process holds realtime peers of every tenant'],
  'modules/streams/realtime/peer-sweep.ts': ['peers of dead processes are removed in every tenant'],
  'modules/streams/services/stream-service.ts': ['the directory lists public streams of every tenant'],
  'modules/streams/services/token-service.ts': ['a stream token identifies its stream before any tenant is known'],
  'modules/webhooks/services/secret-reencryption.ts': [
    'secrets of every tenant are encrypted with the current LARDER_SECRET',
  ],
  'modules/webhooks/services/delivery-queue.ts': ['the sender delivers webhooks of every tenant'],
  'modules/webhooks/services/delivery-service.ts': [
    "events of a deleted tenant are deleted from the operator's deliveries",
    'deliveries of every tenant are deleted after 30 days',
  ],
  'services/bus/postgres.ts': ['messages of the bus belong to processes, not to tenants'],
  'services/http/idempotency.ts': [
    'the response of a POST outside any tenant is stored with its effect',
    'expired responses of every tenant are deleted',
  ],
  'services/http/rate-limiter.ts': ['attempts are counted by IP address and email before a tenant is known'],
  'services/jobs/inspect.ts': ['admins list and retry dead jobs of every tenant'],
  'services/jobs/queue.ts': ['the job queue belongs to no tenant'],
  'services/jobs/runner.ts': ['jobs of every tenant run'],
  'services/outbox/inspect.ts': [
    'admins list events of every tenant',
    'admins replay events of any tenant',
    'waiting events and jobs of every tenant are counted',
  ],
  'services/outbox/provider-inbox.ts': ["events of providers don't name a tenant"],
  'services/outbox/relay.ts': [
    'the relay delivers events of every tenant',
    'the relay retries failed deliveries of every tenant',
  ],
  'services/outbox/sweep.ts': ['old events and jobs of every tenant are deleted'],
  'services/postgres/open.ts': ["the operator's tenant is read at the start"],
  'services/postgres/schema-store.ts': [
    'rows of a removed module are counted in every tenant',
    'the applied recipe belongs to no tenant',
  ],
  'services/postgres/tenant-deletion.ts': ['rows of a deleted tenant are deleted in every table'],
}
