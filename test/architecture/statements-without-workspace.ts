/**
 * The statements in the sources that read or write tables of workspaces without naming the workspace, each by its beginning,
 * and the tables without workspaces. docs/scale.md says what they mean for a database on several machines. Statements of
 * records (`table(…)`, lists) name the columns of their table and aren't texts.
 */

/** Why a statement may leave its workspace out. */
export const REASONS = {
  unit: 'runs in a unit of work of a workspace: row level security adds it',
  across:
    'concerns every workspace: a job, a count, an operator. test/architecture/cross-tenant-places.ts has its reason',
  lookup: 'finds a row before its workspace is known: by a token, a code, a link, an address',
  person: 'concerns a person, in all of their workspaces',
  owner: 'changes tables, as the owner of the schema',
} as const

/** Where a table without workspaces belongs in a database that is distributed by workspace. */
export const PLACES = {
  everywhere: 'few rows, which most statements need: on every machine, as a reference table',
  person: 'belongs to a person, who is a member of several workspaces: on one machine, or distributed by the person',
  one: 'belongs to the installation: on one machine',
} as const

export const TABLES_WITHOUT_WORKSPACE: Readonly<Record<string, readonly [place: keyof typeof PLACES, why: string]>> = {
  automations_definitions: ['everywhere', 'automations of the recipe'],
  automations_schedules: ['one', 'one process starts what is due'],
  billing_entitlements: ['everywhere', 'entitlements of the recipe'],
  billing_plans: ['everywhere', 'plans of the recipe'],
  billing_revenue_changes: ['one', 'figures of the business are those of all workspaces'],
  billing_revenue_days: ['one', 'figures of the business are those of all workspaces'],
  billing_revenue_start: ['one', 'figures of the business are those of all workspaces'],
  billing_row_scans: ['one', 'one process measures the tables'],
  collections_composed: ['everywhere', 'collections of the recipe'],
  collections_expansions: ['everywhere', 'collections of the recipe'],
  collections_retired: ['everywhere', 'collections of the recipe'],
  collections_schema: ['everywhere', 'collections of the recipe'],
  collections_used_proofs: ['one', 'a proof of work is used once, whatever the workspace'],
  comms_mailbox: ['one', 'mail of every workspace without a mail server'],
  comms_recipient_counts: ['one', 'mail to an address is limited over all workspaces'],
  comms_suppressed_counts: ['one', 'a count over all workspaces'],
  identity_active_people: ['one', 'a count of people by day'],
  identity_app_codes: ['person', 'a sign-in of an app in progress'],
  identity_audience: ['everywhere', 'one row: who signs up'],
  identity_claims: ['one', 'the claim of the installation'],
  identity_credential_revisions: ['person', 'ends cached credentials of a person'],
  identity_email_changes: ['person', 'a change of an address in progress'],
  identity_email_codes: ['person', 'found by the address, before a workspace is known'],
  identity_erasures: ['person', 'deletions of accounts in progress'],
  identity_logins: ['person', 'found by its secret, with each request'],
  identity_passkey_challenges: ['person', 'a sign-in in progress'],
  identity_passkeys: ['person', 'found by its ID, before a workspace is known'],
  identity_password_resets: ['person', 'found by the code of a mail'],
  identity_pending_logins: ['person', 'a sign-in in progress'],
  identity_recovery_codes: ['person', 'codes of a second factor'],
  identity_sign_in_failures: ['person', 'found by the address, before a workspace is known'],
  identity_sign_in_identities: ['person', 'found by the account at a provider'],
  identity_sign_in_returns: ['person', 'a sign-in in progress'],
  identity_tenant_revisions: ['everywhere', 'ends cached rights of a workspace, with each request'],
  identity_totp: ['person', 'the key of a second factor'],
  identity_trusted_devices: ['person', 'found by its secret'],
  identity_used_challenges: ['one', 'a proof of work is used once'],
  identity_users: ['person', 'found by the address; members of every workspace refer to it'],
  larder_agenda: ['one', 'the schedule of recurring jobs'],
  larder_applied_recipe: ['everywhere', 'the recipe'],
  larder_bus_messages: ['one', 'messages between processes'],
  larder_deliveries: ['one', 'the relay claims deliveries of every workspace; has the workspace in a column'],
  larder_installation: ['everywhere', 'one row: the installation'],
  larder_jobs: ['one', 'workers claim jobs of every workspace; has the workspace in a column'],
  larder_provider_events: ['one', "events of providers don't name a workspace"],
  larder_rate_limits: ['one', 'attempts by address, before a workspace is known'],
  larder_recipes: ['everywhere', 'the recipe'],
  larder_schedules: ['one', 'recurring jobs and their last run'],
  larder_subscribed_channels: ['one', 'messages between processes'],
  larder_suspended_tenants: ['everywhere', 'read with requests of every workspace'],
  streams_nodes: ['one', 'processes that serve sockets'],
  webhooks_host_leases: ['one', 'connections to a host are shared by all workspaces'],
}

type Starts = Readonly<Partial<Record<keyof typeof REASONS, readonly string[]>>>

export const STATEMENTS_WITHOUT_WORKSPACE: Readonly<Record<string, Starts>> = {
  'modules/automations/services/definitions.ts': {
    across: ['delete from automations_definitions d where retired_at < now() - interva'],
  },
  'modules/automations/services/history/automation-list.ts': {
    across: ['select a.key, r.last_state as "lastState", r.last_run_at as "lastRunAt",'],
  },
  'modules/automations/services/history/run-log.ts': {
    across: [
      'select …, run_id as "runId" from automations_steps where run_id = any ($',
      "select count(*)::int as n from automations_runs where state = 'running'",
    ],
  },
  'modules/automations/services/open-runs.ts': {
    across: [
      'select automation, digest, min(position)::int as position, count(*)::int',
      'update automations_asks set automation = $2 where automation = $1',
    ],
  },
  'modules/automations/services/run-metrics.ts': {
    across: ['select state, count(*)::int as count from automations_runs where finishe'],
  },
  'modules/automations/services/starts/planning.ts': {
    across: ['with gone as (delete from automations_schedules where …which returning a'],
  },
  'modules/automations/services/sweep.ts': {
    across: ['delete from automations_runs where ctid in ( select ctid from automation'],
  },
  'modules/billing/recipe/reconcile.ts': {
    across: [
      'select p.key, p.definition, p.hash, p.retired, (select count(*)::int fro',
      'with retired as (update billing_plans set retired = true, updated_at = $',
    ],
  },
  'modules/billing/services/revenue-service.ts': {
    across: [
      'select count(*)::int as trialing, count(*) filter (where trial_ends_at <',
      'select count(*)::int as given from billing_subscriptions where given and',
    ],
  },
  'modules/billing/services/row-scan.ts': {
    across: ['delete from billing_row_storage where table_name <> all ($1)'],
  },
  'modules/billing/services/subscription-scheduler.ts': {
    across: [
      "select …SUBJECT from billing_subscriptions where (state = 'trialing' and",
      'select distinct …SUBJECT from billing_credit_lots where remaining > 0 an',
    ],
  },
  'modules/collections/domain/changes/change-statements.ts': {
    owner: ['update collections_sequences set collection = … where collection = …'],
  },
  'modules/collections/services/exports/export-store.ts': {
    unit: [
      'select …COLUMNS from collections_exports where id = $1',
      'select …COLUMNS from collections_exports where collection = $1 and ($2::',
      "update collections_exports set state = 'running', total_rows = coalesce(",
      'select content from collections_export_parts where export_id = $1 and po',
      'update collections_exports set state = $2, failure = $3, finished_at = $',
      'delete from collections_export_parts where export_id = $1',
      'delete from collections_exports where id = $1',
    ],
    across: ['delete from collections_exports where created_at < $1'],
  },
  'modules/collections/services/imports/import-reader.ts': {
    unit: [
      "select …COLUMNS from collections_imports where id = $1 and state <> 'upl",
      'select …COLUMNS from collections_imports where collection = $1 and state',
      'select row, position, line, field as column, code, coalesce(wording, jso',
    ],
  },
  'modules/collections/services/imports/import-store.ts': {
    unit: [
      'update collections_imports set …set where id = $1 and …where',
      'select count(*)::int as count from collections_imports where finished_at',
      'select id, digest from collections_imports where created_by = $1 and col',
      'delete from collections_imports where id = $1',
      'select first_row as first, rows from collections_import_batches where im',
      'delete from collections_import_errors where import_id = $1',
      'delete from collections_import_batches where import_id = $1',
      "with ended as ( update collections_imports set state = 'canceled', failu",
    ],
    across: ["delete from collections_imports where created_at < $1 or (state = 'uploa"],
  },
  'modules/collections/services/personal-data.ts': {
    unit: [
      `select id, 'import' as kind, collection, state, created_at as "createdAt`,
      'delete from collections_exports where created_by = $1',
    ],
  },
  'modules/collections/services/storage/schema-store.ts': {
    owner: ['delete from collections_sequences where collection = $1'],
  },
  'modules/comms/module.ts': {
    unit: ['select id, subject as name from comms_messages where id = any ($1)'],
  },
  'modules/comms/services/message-repository.ts': {
    unit: [
      'update comms_messages set history = history || $2::jsonb, updated_at = $',
      'select … from comms_messages where recipient_key = $1 and id <> $2 and u',
      'update comms_messages set status = $2, history = history || $3::jsonb, u',
    ],
  },
  'modules/comms/services/personal-data-erasure.ts': {
    unit: ['update comms_messages set subject = $2, data = $3 where id = $1'],
  },
  'modules/comms/services/statistics.ts': {
    across: ["select date_trunc('day', created_at at time zone 'UTC') at time zone 'UT"],
  },
  'modules/comms/services/suppression-list.ts': {
    unit: [
      'select category, reason from comms_suppression where email = $1 and (exp',
      'update comms_suppression set expires_at = $3, updated_at = $3 where emai',
    ],
  },
  'modules/comms/services/template-overrides.ts': {
    unit: [
      'select template, array_agg(locale order by locale) as locales from comms',
      'delete from comms_templates where template = $1 and locale = $2',
    ],
  },
  'modules/console/routes/views.ts': {
    unit: [
      'select … from console_views where list = $1 and (created_by = $2 or shar',
      'select count(*)::integer as count from console_views where list = $1 and',
    ],
  },
  'modules/console/services/personal-data.ts': {
    unit: ['delete from console_views where created_by = $1 and not shared'],
  },
  'modules/content/module.ts': {
    unit: ['select id, source as name from content_redirects where id = any ($1)'],
  },
  'modules/content/recipe/menus.ts': {
    unit: ['select …, recipe_hash as "recipeHash" from content_navigation …'],
  },
  'modules/content/recipe/pages.ts': {
    unit: [
      'update content_pages set managed_by = null, editable = true, recipe_hash',
      "update content_pages set managed_by = 'recipe', editable = $2, recipe_ha",
    ],
  },
  'modules/content/recipe/redirects.ts': {
    unit: ['select … from content_redirects where managed_by is not null …'],
  },
  'modules/content/services/menu-service.ts': {
    unit: [
      'select slug, path, locale, published_version is not null as published fr',
      'select managed_by as "managedBy", editable from content_navigation where',
      'select key, items from content_navigation',
    ],
  },
  'modules/content/services/page-listing.ts': {
    unit: [
      'select * from content_pages p where true …published …text order by p.id',
      'select … from (…page) p join content_versions v on v.page_id = p.id and v',
    ],
  },
  'modules/content/services/page-repository.ts': {
    unit: [
      'select … from content_versions where page_id = $1 and number = (select v',
      'select … from content_pages where id = $1 for update',
      'select … from content_pages where id = $1 and publish_at <= $2 for updat',
      'select … from content_pages where managed_by is not null …',
      'select … from content_pages where managed_by is null and (slug = any ($1',
    ],
  },
  'modules/content/services/page-service.ts': {
    unit: ['delete from content_pages where id = $1'],
  },
  'modules/content/services/personal-data.ts': {
    unit: ['select "pageId", path, locale, number, title, body, "createdAt" from ( s'],
  },
  'modules/content/services/redirect-service.ts': {
    unit: [
      'select … from content_redirects limit …',
      'select … from content_redirects where id = $1 for update',
      'delete from content_redirects where source = $1 and managed_by is null',
      'update content_redirects set target = $2, updated_at = $3 where target =',
    ],
  },
  'modules/content/services/reserved-paths.ts': {
    unit: ['select distinct slug, path from content_pages where path = any ($1)'],
  },
  'modules/content/services/site.ts': {
    unit: [
      'select p.locale, p.slug, p.managed_by as "managedBy", v.title, v.html, v',
      'select distinct path from content_pages where published_version is not n',
    ],
  },
  'modules/content/services/version-service.ts': {
    unit: [
      'delete from content_versions where page_id = $1 and number <= $2 and num',
      'select 1 from content_pages where id = $1',
      'select exists (select from content_versions where created_by is not null',
    ],
  },
  'modules/features/module.ts': {
    unit: ['select id, coalesce(name, key) as name, key from features_flags where id'],
  },
  'modules/features/recipe/flags.ts': {
    across: ['delete from features_flags where id = $1'],
  },
  'modules/features/services/flag-cache.ts': {
    unit: ['select key, value from features_overrides'],
  },
  'modules/features/services/flag-listing.ts': {
    unit: ['select key, value from features_overrides where …condition'],
  },
  'modules/features/services/flag-repository.ts': {
    across: [
      'select … from features_flags where managed_by is null and …condition',
      'select … from features_flags where managed_by is not null and …condition',
      'delete from features_revisions r using ( select flag_id, revision, sum(o',
      'select (select coalesce(sum(octet_length(definition::text)), 0)::int fro',
    ],
    unit: ['select key, value from features_overrides where key = $1'],
  },
  'modules/features/services/flag-service.ts': {
    across: ['delete from features_overrides where key = $1', 'delete from features_flags where id = $1'],
  },
  'modules/features/services/override-service.ts': {
    unit: ['delete from features_overrides where key = $1'],
  },
  'modules/features/services/personal-data.ts': {
    unit: ['select f.key, r.revision, r.definition, r.changed_at as "changedAt" from'],
  },
  'modules/forms/listeners.ts': {
    unit: ['select f.notify, f.managed_by as "managedBy", s.data, s.created_at as "c'],
  },
  'modules/forms/module.ts': {
    unit: [
      'select s.id, f.name from forms_submissions s join forms_forms f on f.id',
      'select id, name from forms_forms where id = any ($1)',
    ],
  },
  'modules/forms/services/form-cache.ts': {
    lookup: ['select …COLUMNS from forms_forms where … = $1'],
  },
  'modules/forms/services/form-repository.ts': {
    unit: [
      'select 1 from forms_forms where id = $1 for update',
      'select 1 from forms_forms where key is not null for update',
      'select k.*, (select count(*)::int from forms_submissions s where s.form_',
      'select count(*)::int as forms from forms_forms',
      'select …FORM, v.name, v.number as version, …SCHEMAS from forms_forms f j',
    ],
  },
  'modules/forms/services/form-service.ts': {
    unit: ['delete from forms_submissions where form_id = $1'],
  },
  'modules/forms/services/personal-data.ts': {
    unit: ['select … from ( select *, coalesce(sum(octet_length(data::text)) over (o'],
  },
  'modules/forms/services/recipient-confirmation.ts': {
    across: [
      'select count(*)::int as sent from forms_recipients where requested_at >',
      'select email from forms_recipients where email = any ($1) and requested_',
    ],
    lookup: [
      'select 1 from forms_recipients where …CONFIRMABLE',
      "update forms_recipients set state = 'confirmed', locale = $4, updated_at",
    ],
  },
  'modules/forms/services/submission-service.ts': {
    unit: [
      'select name from forms_forms where id = $1',
      'select schema from forms_versions where form_id = $1 and ( number = (sel',
      'select key from forms_forms where id = $1',
    ],
  },
  'modules/forms/services/submission-store.ts': {
    unit: [
      'update forms_submissions set fingerprint = null where fingerprint = $1 a',
      'select from forms_submissions where fingerprint = $1 and created_at >= $',
    ],
  },
  'modules/forms/services/submission-summaries.ts': {
    unit: ['with chosen as materialized ( select data from forms_submissions where f'],
  },
  'modules/identity/accounts/account-data.ts': {
    person: [
      'select …API_KEY from identity_api_keys where user_id = $1 order by id',
      'select …INVITATION from identity_invitations where invited_by = $1 order',
      "select …AUDIT_ENTRY from identity_audit where actor ->> 'userId' = $1 or",
    ],
  },
  'modules/identity/audit/record-names.ts': {
    unit: [
      'select m.id, coalesce(u.name, u.email) as name, u.id as key from identit',
      'select id, email as name from identity_invitations where id = any ($1)',
      'select id, name from identity_api_keys where id = any ($1)',
      'select id, domain as name from identity_sso_domains where id = any ($1)',
    ],
  },
  'modules/identity/operators/customers.ts': {
    person: ['select m.id, u.id as "userId", u.email, u.email_key, u.name, u.email_ver'],
  },
  'modules/identity/operators/directory.ts': {
    person: [
      'select …, (select count(*) from identity_members m where m.user_id = u.i',
      'select suspended_at, suspension_reason from identity_members where user_',
    ],
  },
  'modules/identity/operators/operator-claims.ts': {
    person: ['update identity_members set updated_at = $3, suspended_at = null, suspen'],
  },
  'modules/identity/sign-in/acceptance.ts': {
    lookup: ["select from identity_invitations where email_key = $1 and status = 'pend"],
  },
  'modules/identity/sign-in/expiry.ts': {
    across: ['update identity_sso_connections set last_test = null where (last_test ->'],
  },
  'modules/identity/sign-in/identities.ts': {
    person: ['delete from identity_sign_in_identities where user_id = $1 and not ( met'],
  },
  'modules/identity/sign-in/metrics.ts': {
    across: [
      'select count(*) filter (where not enabled)::int as off, count(*) filter',
      'select count(*) filter (where verified_at is null)::int as unverified, c',
    ],
  },
  'modules/identity/sign-in/sso/saml-responses.ts': {
    lookup: [
      'delete from identity_saml_requests where id = $1',
      'update identity_saml_requests set outcome = $2, expires_at = $3, verifie',
      'update identity_saml_requests set code_hash = null where id = $1',
      'with taken as ( select * from identity_saml_requests where code_hash = $',
    ],
  },
  'modules/identity/workspaces/members/members.ts': {
    unit: ['select m.id, m.user_id, u.email, u.name, m.roles, m.profile, m.created_a'],
  },
  'modules/identity/workspaces/members/memberships.ts': {
    person: ['select … from identity_members where user_id = $1 order by created_at, i'],
  },
  'modules/identity/workspaces/roles/rights.ts': {
    lookup: ['select … from identity_tenants t … … where t.…column = $1'],
  },
  'modules/media/module.ts': {
    unit: ['select id, file_name as name from media_items where id = any ($1)'],
  },
  'modules/media/services/item-lifecycle.ts': {
    unit: [
      'select id, variants from media_items order by id limit …DELETE_BATCH_SIZ',
      'delete from media_items where id = any ($1)',
    ],
  },
  'modules/media/services/processing-lease.ts': {
    unit: [
      'update media_items set claimed_until = …LEASE_END where id = $1 and clai',
      "update media_items set status = 'processing', hold = null, tries = tries",
    ],
  },
  'modules/media/services/uploads.ts': {
    unit: ["update media_items set status = 'uploaded', size = $2, updated_at = $3,"],
  },
  'modules/messaging/realtime/history.ts': {
    unit: [
      'select c.id, c.version, c.last_seq as "lastSeq" from messaging_participa',
      'select …SHARED_COLUMNS, c.settled, array(select to_jsonb(x) from (select',
      'select id, version from messaging_conversations where id = any ($1)',
    ],
  },
  'modules/messaging/routes/saved-replies.ts': {
    unit: ['select count(*)::integer as count from messaging_saved_replies'],
  },
  'modules/messaging/services/conversation-queries.ts': {
    unit: [
      'select …SHARED_COLUMNS, p.last_read_seq as "lastReadSeq", …UNREAD_COUNT',
      'select 1 from messaging_participants where conversation_id = $1 and user',
      'select …SHARED_COLUMNS from messaging_conversations c where c.id = $1',
    ],
  },
  'modules/messaging/services/conversation-service.ts': {
    unit: [
      'select …SHARED_COLUMNS, …MICROSECONDS as "cursorAt", p.last_read_seq as',
      "select … from messaging_conversations where id = $1 and status = 'snooze",
    ],
  },
  'modules/messaging/services/inbox-queries.ts': {
    unit: [
      'select distinct sender_id as "userId" from messaging_messages where conv',
      'select from messaging_conversations c join messaging_messages m on m.con',
    ],
  },
  'modules/messaging/services/inbox-service.ts': {
    unit: ["select … from messaging_conversations where kind = 'support' and assigne"],
  },
  'modules/messaging/services/message-service.ts': {
    unit: [
      'select 1 from messaging_participants where conversation_id = $1 and user',
      "select 1 from messaging_conversations where id = $1 and kind = 'support'",
      'select … from messaging_messages where conversation_id = $1 and seq > $2',
      'select id, buttons from messaging_messages where id = any ($1) and butto',
      'select … from messaging_messages m join messaging_participants p on p.co',
    ],
  },
  'modules/messaging/services/notices.ts': {
    unit: ['select c.id, p.user_id as "userId" from messaging_participants p join me'],
  },
  'modules/messaging/services/participant-service.ts': {
    unit: [
      'select … from messaging_participants where conversation_id = $1 order by',
      'update messaging_conversations set version = version + 1, settled = vers',
      'delete from messaging_participants where conversation_id = $1 and user_i',
      'select c.id from messaging_conversations c where c.id in (select convers',
    ],
  },
  'modules/messaging/services/personal-data.ts': {
    unit: ['select id, chat, body, "createdAt" from ( select id, chat, body, created'],
  },
  'modules/messaging/services/posting-service.ts': {
    unit: ['select …, digest from messaging_messages where conversation_id = $1 and'],
  },
  'modules/messaging/services/read-state-service.ts': {
    unit: [
      'with before as ( select p.last_read_seq as seq, c.last_seq from messagin',
      'with mine as ( select p.conversation_id as "conversationId", p.last_read',
    ],
  },
  'modules/messaging/services/reminder-service.ts': {
    unit: [
      'select p.user_id as "userId", …UNREAD_COUNT as unread, c.last_seq as "la',
      'update messaging_participants set notified_seq = $3 where conversation_i',
    ],
  },
  'modules/messaging/services/start-conversation.ts': {
    unit: ['select c.id from messaging_participants p join messaging_conversations c'],
  },
  'modules/messaging/services/support-mails.ts': {
    unit: [
      'select c.id as "conversationId", c.subject, c.assignee_id as "assigneeId',
      'update messaging_participants set notified_seq = $2 where conversation_i',
    ],
  },
  'modules/platform/module.ts': {
    unit: ['select id, type as name from larder_events where id = any ($1)'],
  },
  'modules/sessions/module.ts': {
    unit: ['select id, code as name from sessions_sessions where id = any ($1)'],
  },
  'modules/sessions/services/session-service.ts': {
    lookup: ['select …, … as suspended from sessions_sessions s where join_token_hash'],
    unit: ['select join_token_hash as hash from sessions_sessions where id = $1'],
  },
  'modules/sessions/services/session-sweeper.ts': {
    across: [
      "update sessions_sessions set status = 'expired', sequence = sequence + 1",
      "update sessions_sessions set status = 'ended', ended_at = ends_at, end_r",
    ],
  },
  'modules/sessions/services/session-transitions.ts': {
    unit: [
      "update sessions_sessions set status = 'accepted', accepted_at = $2, ends",
      "update sessions_sessions set status = 'ended', ended_at = $2, end_reason",
      'update sessions_sessions set join_token_hash = $3 where id = $1 and …IS_',
    ],
  },
  'modules/streams/listeners.ts': {
    unit: [
      'select id from streams_streams s where edge_source is not null or edge_v',
      "select id from streams_streams where live_status <> 'idle'",
    ],
  },
  'modules/streams/realtime/peer-registry.ts': {
    unit: [
      'select …COLUMNS from streams_peers where session_id = $1',
      'select …COLUMNS from streams_peers where peer_id = $1',
      'with parked as (select peer_id, handover_state from streams_peers where',
      'update streams_peers set node_id = null, handover_state = $2, parked_at',
      'delete from streams_peers where peer_id = any($1) returning …COLUMNS',
      'update streams_peers set node_id = $2, handover_state = null, parked_at',
    ],
  },
  'modules/streams/realtime/peer-sweep.ts': {
    across: ['delete from streams_peers p where (node_id is null and parked_at < now()'],
  },
  'modules/streams/services/edge-comparison.ts': {
    unit: ['update streams_streams set edge_viewers = $2 where id = $1 and edge_sour'],
    across: [
      'update streams_edge_connections set missed = case when id = any($1) then',
      'delete from streams_edge_connections where missed >= …COMPARISONS_UNTIL_',
      'select id, peer_source as source from streams_streams s where peer_sourc',
    ],
  },
  'modules/streams/services/edge-connections.ts': {
    unit: [
      'update streams_edge_connections set paired = true where id = ( select id',
      'select c.id, c.protocol, c.credential, c.token_id as "tokenId", t.id is',
      'select id, protocol from streams_edge_connections where stream_id = $1 a',
      'delete from streams_edge_connections where id = any($1)',
      'update streams_edge_connections set counted = true where id = $1 and not',
      'update streams_edge_connections set paired = true where id = $1',
    ],
  },
  'modules/streams/services/live-status-service.ts': {
    unit: [
      'select live_status, live_at, lost_at, edge_source, peer_source from stre',
      'update streams_streams set live_status = $2, live_at = $3, lost_at = $4,',
      "update streams_streams set live_status = 'idle', live_at = null, lost_at",
    ],
  },
  'modules/streams/services/media-authorizer.ts': {
    unit: ['select visibility, edge_source is not null as live from streams_streams'],
  },
  'modules/streams/services/media-state.ts': {
    unit: ['select visibility, live_status, hide_viewer_count, edge_source, peer_sou'],
  },
  'modules/streams/services/source-service.ts': {
    unit: [
      'select … from streams_sources where stream_id = $1 order by created_at,',
      'select layout, layout_version from streams_streams where id = $1',
      'update streams_streams set layout = $2, layout_version = layout_version',
    ],
  },
  'modules/streams/services/stream-details.ts': {
    unit: [
      'select … from streams_streams where id = any($1)',
      'select stream_id, … from streams_sources where stream_id = any($1) order',
      'select session_id, count(*)::int as viewers from streams_peers where ses',
    ],
  },
  'modules/streams/services/stream-service.ts': {
    across: ['select …, (select count(*)::int from streams_peers p where p.session_id'],
  },
  'modules/streams/services/token-service.ts': {
    lookup: [
      'select …, … as suspended, coalesce(uses >= max_uses, false) and not …HAS_',
      'select … as suspended from streams_streams s where id = $1 and visibilit',
      'select 1 from streams_tokens where id = $1 and not …',
    ],
    unit: ['update streams_tokens set uses = uses + 1 where id = $1 and (max_uses is'],
  },
  'modules/webhooks/module.ts': {
    unit: ['select id, url as name from webhooks_endpoints where id = any ($1)'],
  },
  'modules/webhooks/recipe/endpoints.ts': {
    unit: ['select id, key, url, events, description, managed_by as "managedBy", rec'],
  },
  'modules/webhooks/services/delivery-queue.ts': {
    across: ['update webhooks_deliveries d set url = e.url, host = e.host, address = e'],
  },
  'modules/webhooks/services/delivery-service.ts': {
    unit: [
      'select …, event_tenant_id, occurred_at, payload, attempt_log as attempts',
      "update webhooks_deliveries set status = 'pending', reason = null, failur",
      'select d.type, d.endpoint_id, e.status, e.url, e.host, e.address from we',
      'insert into webhooks_stopped_tenants values ($1) on conflict do nothing',
    ],
    across: [
      "update webhooks_deliveries set status = 'dead', reason = 'paused', next_",
      'delete from webhooks_secrets where expires_at <= $1',
      'delete from webhooks_deliveries where id = any (array(select id from web',
    ],
  },
  'modules/webhooks/services/endpoint-health.ts': {
    across: [
      'update webhooks_endpoints set failing_since = null where id = any($1) an',
      'update webhooks_endpoints set failing_since = $2 where id = any($1) and',
    ],
  },
  'modules/webhooks/services/endpoint-repository.ts': {
    unit: [
      "update webhooks_deliveries set status = 'dead', reason = $2, next_attemp",
      'update webhooks_deliveries set url = $2, host = $3, address = $4 where i',
    ],
  },
  'modules/webhooks/services/endpoint-service.ts': {
    unit: ['with found as ( select id from webhooks_deliveries where endpoint_id = $'],
  },
  'modules/webhooks/services/personal-data-erasure.ts': {
    unit: ['update webhooks_deliveries set payload = $2, attempt_log = $3 where id ='],
  },
  'modules/webhooks/services/queue-metrics.ts': {
    across: [
      "select count(*)::int as count from webhooks_deliveries where status = 'p",
      'select min(created_at) as oldest from webhooks_deliveries where status =',
      'select min(next_attempt_at) as due from webhooks_deliveries where status',
      'select status, count(*)::int as count from webhooks_endpoints group by s',
    ],
  },
  'modules/webhooks/services/record-sql.ts': {
    across: [
      "with endpoint as ( select e.*, case when e.id is null then 'deleted' whe",
      'with attempt as materialized ( select * from unnest($ids::text[], $hosts',
    ],
  },
  'services/http/api/idempotency.ts': {
    unit: ['select request_hash, answer from larder_idempotency where id = $1 and ex'],
    across: ['delete from larder_idempotency where expires_at <= now()'],
  },
  'services/outbox/deliveries.ts': {
    across: [
      'select …columns from larder_events e where e.dispatched_at is null and n',
      'select d.id as delivery_id, d.handler, d.attempts, …columns from larder_',
      'update larder_events set dispatched_at = $2 where id = any($1)',
    ],
  },
  'services/outbox/erasure.ts': {
    across: ['update larder_events e set payload = r.payload from jsonb_to_recordset($'],
  },
  'services/outbox/inspect.ts': {
    across: [
      'select d.*, e.type as event_type from larder_deliveries d join larder_ev',
      'select …EVENT_COLUMNS from larder_events e …where order by e.id desc lim',
      'select (select count(*) from larder_events where dispatched_at is null):',
    ],
  },
  'services/outbox/statistics.ts': {
    across: ["select date_trunc('day', occurred_at at time zone 'UTC') at time zone 'U"],
  },
  'services/outbox/sweep.ts': {
    across: ['with old as ( select e.id from larder_events e where e.id < $2 and e.dis'],
  },
}
