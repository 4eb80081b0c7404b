SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
CREATE FUNCTION public.billing_ledger_append_only() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
      begin raise exception 'the ledger is append-only'; end $$;
CREATE FUNCTION public.identity_access_changed() RETURNS boolean
    LANGUAGE plpgsql
    AS $$
     begin
       raise exception 'the credential or its rights have changed' using errcode = 'LA401';
     end $$;
CREATE FUNCTION public.identity_audit_append_only() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
     begin
       if current_setting('larder.audit_maintenance', true) = 'on' then return null; end if;
       raise exception 'the audit log is append-only';
     end $$;
CREATE FUNCTION public.identity_audit_purge(older_than timestamp with time zone) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO '$user', 'public'
    AS $$
       begin
         perform set_config('larder.audit_maintenance', 'on', true);
         delete from identity_audit a where a.created_at < older_than
       and not exists (select 1 from identity_tenants t where t.tenant_id = a.tenant_id);
         perform set_config('larder.audit_maintenance', '', true);
       end $$;
CREATE FUNCTION public.identity_audit_redact(deleted_tenant text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO '$user', 'public'
    AS $$
       begin
         perform set_config('larder.audit_maintenance', 'on', true);
         update identity_audit a set details = '{}' where a.tenant_id = deleted_tenant
       and not exists (select 1 from identity_tenants t where t.tenant_id = a.tenant_id);
         perform set_config('larder.audit_maintenance', '', true);
       end $$;
CREATE FUNCTION public.identity_lock_user() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO '$user', 'public'
    AS $$
     begin
       perform from identity_users where id = coalesce(new.user_id, old.user_id) for update;
       if not found and new is not null then perform identity_access_changed(); end if;
       return coalesce(new, old);
     end $$;
CREATE FUNCTION public.identity_require_user() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO '$user', 'public'
    AS $$
     begin
       perform from identity_users where id = new.user_id for key share;
       if not found then perform identity_access_changed(); end if;
       return new;
     end $$;
CREATE FUNCTION public.identity_revise_api_keys() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO '$user', 'public'
    AS $$
     begin
       
    if tg_op <> 'DELETE' then
      perform from identity_users where id = new.user_id for key share;
    end if;
    if tg_op <> 'INSERT' then
      delete from identity_credential_revisions where credential_id = old.id;
    end if;
    if tg_op <> 'DELETE' then
      insert into identity_credential_revisions (secret_hash, credential_id, user_id, expires_at)
      select hash, new.id, new.user_id, new.expires_at from unnest(array[new.secret_hash]) hash where hash is not null;
    end if;
       return null;
     end $$;
CREATE FUNCTION public.identity_revise_logins() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO '$user', 'public'
    AS $$
  begin
    if tg_op <> 'DELETE' then
       perform from identity_users where id in (new.user_id, new.impersonator_id) order by id for key share;
     end if;
     if tg_op <> 'INSERT' then
       delete from identity_credential_revisions where credential_id = old.id;
     end if;
     if tg_op <> 'DELETE' then
       insert into identity_credential_revisions
         (secret_hash, credential_id, user_id, expires_at, impersonator_id)
       select hash, new.id, new.user_id, new.expires_at, new.impersonator_id
       from unnest(array[new.cookie_hash, new.token_hash]) hash where hash is not null;
     end if;
    return null;
  end $$;
CREATE FUNCTION public.identity_revise_members() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO '$user', 'public'
    AS $$
  begin
    update identity_credential_revisions set revision = nextval('identity_revision')
     where user_id in (old.user_id, new.user_id) or impersonator_id in (old.user_id, new.user_id);
    return null;
  end $$;
CREATE FUNCTION public.identity_revise_roles() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO '$user', 'public'
    AS $$
     begin
       update identity_tenant_revisions set revision = nextval('identity_revision')
    where id = coalesce(new.tenant_id, old.tenant_id);
       return null;
     end $$;
CREATE FUNCTION public.identity_revise_tenants() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO '$user', 'public'
    AS $$
     begin
       if tg_op = 'INSERT' then
       insert into identity_tenant_revisions (id) values (new.tenant_id);
     elsif tg_op = 'UPDATE' then
       update identity_tenant_revisions set revision = nextval('identity_revision')
    where id = coalesce(new.tenant_id, old.tenant_id);
     else
       delete from identity_tenant_revisions where id = old.tenant_id;
       perform from identity_users u join identity_members m on m.user_id = u.id
         where m.tenant_id = old.tenant_id order by u.id for update of u;
       update identity_credential_revisions set revision = nextval('identity_revision') where user_id in (select m.user_id from identity_members m where m.tenant_id = old.tenant_id);
     end if;
       return null;
     end $$;
CREATE FUNCTION public.identity_revise_users() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO '$user', 'public'
    AS $$
     begin
       update identity_credential_revisions set revision = nextval('identity_revision') where user_id = new.id;
       return null;
     end $$;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE public.billing_credit_allocations (
    tenant_id text NOT NULL,
    entry_id text NOT NULL,
    grant_id text NOT NULL,
    amount bigint NOT NULL,
    CONSTRAINT billing_credit_allocations_amount_check CHECK ((amount > 0))
);
ALTER TABLE ONLY public.billing_credit_allocations FORCE ROW LEVEL SECURITY;
CREATE TABLE public.billing_credit_entries (
    tenant_id text NOT NULL,
    id text NOT NULL,
    seq bigint NOT NULL,
    key text NOT NULL,
    kind text NOT NULL,
    amount bigint NOT NULL,
    balance_before bigint NOT NULL,
    balance_after bigint NOT NULL,
    reason text NOT NULL,
    reference text,
    expires_at timestamp with time zone,
    source text,
    actor jsonb NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT billing_credit_entries_amount_check CHECK ((amount <> 0)),
    CONSTRAINT billing_credit_entries_balance_before_check CHECK ((balance_before >= 0)),
    CONSTRAINT billing_credit_entries_check CHECK (((balance_after >= 0) AND (balance_after = (balance_before + amount)))),
    CONSTRAINT billing_credit_entries_kind_check CHECK ((kind = ANY (ARRAY['grant'::text, 'consume'::text, 'refund'::text, 'expire'::text, 'adjust'::text])))
);
ALTER TABLE ONLY public.billing_credit_entries FORCE ROW LEVEL SECURITY;
ALTER TABLE public.billing_credit_entries ALTER COLUMN seq ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.billing_credit_entries_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.billing_credit_lots (
    tenant_id text NOT NULL,
    grant_id text NOT NULL,
    key text NOT NULL,
    remaining bigint NOT NULL,
    expires_at timestamp with time zone,
    CONSTRAINT billing_credit_lots_remaining_check CHECK ((remaining >= 0))
);
ALTER TABLE ONLY public.billing_credit_lots FORCE ROW LEVEL SECURITY;
CREATE TABLE public.billing_entitlements (
    key text NOT NULL,
    definition jsonb NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY public.billing_entitlements FORCE ROW LEVEL SECURITY;
CREATE TABLE public.billing_meters (
    tenant_id text NOT NULL,
    key text NOT NULL,
    period_start timestamp with time zone NOT NULL,
    used numeric NOT NULL
);
ALTER TABLE ONLY public.billing_meters FORCE ROW LEVEL SECURITY;
CREATE TABLE public.billing_plans (
    key text NOT NULL,
    definition jsonb NOT NULL,
    hash text NOT NULL,
    retired boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY public.billing_plans FORCE ROW LEVEL SECURITY;
CREATE TABLE public.billing_row_scans (
    table_name text NOT NULL,
    fingerprint text NOT NULL,
    scanned_at timestamp with time zone NOT NULL,
    duration_ms integer NOT NULL
);
ALTER TABLE ONLY public.billing_row_scans FORCE ROW LEVEL SECURITY;
CREATE TABLE public.billing_row_storage (
    tenant_id text NOT NULL,
    table_name text NOT NULL,
    bytes bigint NOT NULL
);
ALTER TABLE ONLY public.billing_row_storage FORCE ROW LEVEL SECURITY;
CREATE TABLE public.billing_subscriptions (
    tenant_id text NOT NULL,
    id text NOT NULL,
    state text NOT NULL,
    plan_key text,
    trial_used boolean DEFAULT false NOT NULL,
    trial_ends_at timestamp with time zone,
    current_period_end timestamp with time zone,
    grace_ends_at timestamp with time zone,
    cancel_at_period_end boolean DEFAULT false NOT NULL,
    provider text,
    provider_customer text,
    provider_subscription text,
    payments_succeed boolean DEFAULT true NOT NULL,
    last_event_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT billing_subscriptions_state_check CHECK ((state = ANY (ARRAY['free'::text, 'trialing'::text, 'active'::text, 'past_due'::text, 'canceled'::text])))
);
ALTER TABLE ONLY public.billing_subscriptions FORCE ROW LEVEL SECURITY;
CREATE TABLE public.collections_export_parts (
    tenant_id text NOT NULL,
    export_id text NOT NULL,
    "position" integer NOT NULL,
    content bytea NOT NULL
);
ALTER TABLE ONLY public.collections_export_parts FORCE ROW LEVEL SECURITY;
CREATE TABLE public.collections_exports (
    tenant_id text NOT NULL,
    id text NOT NULL,
    collection text NOT NULL,
    state text NOT NULL,
    format text NOT NULL,
    query jsonb NOT NULL,
    caller jsonb NOT NULL,
    created_by text NOT NULL,
    total_rows integer,
    exported_rows integer DEFAULT 0 NOT NULL,
    parts integer DEFAULT 0 NOT NULL,
    bytes bigint DEFAULT 0 NOT NULL,
    stored_bytes bigint DEFAULT 0 NOT NULL,
    next_cursor text,
    failure jsonb,
    created_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone
);
ALTER TABLE ONLY public.collections_exports FORCE ROW LEVEL SECURITY;
CREATE TABLE public.collections_import_batches (
    tenant_id text NOT NULL,
    import_id text NOT NULL,
    first_row integer NOT NULL,
    row_count integer NOT NULL,
    rows bytea NOT NULL
);
ALTER TABLE ONLY public.collections_import_batches FORCE ROW LEVEL SECURITY;
CREATE TABLE public.collections_import_errors (
    tenant_id text NOT NULL,
    import_id text NOT NULL,
    "row" integer NOT NULL,
    "position" integer NOT NULL,
    line integer NOT NULL,
    field text,
    code text NOT NULL,
    detail text NOT NULL
);
ALTER TABLE ONLY public.collections_import_errors FORCE ROW LEVEL SECURITY;
CREATE TABLE public.collections_imports (
    tenant_id text NOT NULL,
    id text NOT NULL,
    collection text NOT NULL,
    state text NOT NULL,
    format text NOT NULL,
    by_field text,
    on_error text NOT NULL,
    dry_run boolean NOT NULL,
    caller jsonb NOT NULL,
    created_by text NOT NULL,
    idempotency_key text,
    digest text,
    total_rows integer DEFAULT 0 NOT NULL,
    checked_rows integer DEFAULT 0 NOT NULL,
    next_row integer DEFAULT 0 NOT NULL,
    created_rows integer DEFAULT 0 NOT NULL,
    updated_rows integer DEFAULT 0 NOT NULL,
    failed_rows integer DEFAULT 0 NOT NULL,
    failure jsonb,
    created_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone
);
ALTER TABLE ONLY public.collections_imports FORCE ROW LEVEL SECURITY;
CREATE TABLE public.collections_retired (
    id bigint NOT NULL,
    collection text NOT NULL,
    field text,
    table_name text NOT NULL,
    column_name text,
    layout jsonb NOT NULL,
    tables jsonb NOT NULL,
    retired_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY public.collections_retired FORCE ROW LEVEL SECURITY;
ALTER TABLE public.collections_retired ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.collections_retired_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.collections_schema (
    name text NOT NULL,
    layout jsonb NOT NULL,
    seed_hash text
);
ALTER TABLE ONLY public.collections_schema FORCE ROW LEVEL SECURITY;
CREATE TABLE public.comms_mailbox (
    id text NOT NULL,
    message_id text NOT NULL,
    tenant_id text NOT NULL,
    sender text NOT NULL,
    recipient text NOT NULL,
    subject text NOT NULL,
    html text NOT NULL,
    text text NOT NULL,
    headers jsonb NOT NULL,
    created_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY public.comms_mailbox FORCE ROW LEVEL SECURITY;
CREATE TABLE public.comms_messages (
    tenant_id text NOT NULL,
    id text NOT NULL,
    template text NOT NULL,
    recipient text NOT NULL,
    recipient_key text NOT NULL,
    locale text NOT NULL,
    category text NOT NULL,
    subject text NOT NULL,
    data jsonb NOT NULL,
    key text,
    status text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    history jsonb DEFAULT '[]'::jsonb NOT NULL,
    sent_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT comms_messages_category_check CHECK ((category = ANY (ARRAY['transactional'::text, 'marketing'::text]))),
    CONSTRAINT comms_messages_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'sending'::text, 'sent'::text, 'delivered'::text, 'bounced'::text, 'complained'::text, 'suppressed'::text, 'failed'::text])))
);
ALTER TABLE ONLY public.comms_messages FORCE ROW LEVEL SECURITY;
CREATE TABLE public.comms_recipient_counts (
    recipient text NOT NULL,
    period text NOT NULL,
    started_at timestamp with time zone NOT NULL,
    total integer NOT NULL,
    by_api integer NOT NULL,
    CONSTRAINT comms_recipient_counts_period_check CHECK ((period = ANY (ARRAY['hour'::text, 'day'::text])))
);
ALTER TABLE ONLY public.comms_recipient_counts FORCE ROW LEVEL SECURITY;
CREATE TABLE public.comms_suppressed_counts (
    reason text NOT NULL,
    total bigint NOT NULL
);
ALTER TABLE ONLY public.comms_suppressed_counts FORCE ROW LEVEL SECURITY;
CREATE TABLE public.comms_suppression (
    tenant_id text NOT NULL,
    id text NOT NULL,
    email text NOT NULL,
    category text NOT NULL,
    reason text NOT NULL,
    expires_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT comms_suppression_category_check CHECK ((category = ANY (ARRAY['all'::text, 'marketing'::text])))
);
ALTER TABLE ONLY public.comms_suppression FORCE ROW LEVEL SECURITY;
CREATE TABLE public.comms_templates (
    tenant_id text NOT NULL,
    template text NOT NULL,
    locale text NOT NULL,
    subject text NOT NULL,
    preheader text,
    html text NOT NULL,
    text text,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY public.comms_templates FORCE ROW LEVEL SECURITY;
CREATE TABLE public.content_media (
    tenant_id text NOT NULL,
    page_id text NOT NULL,
    number integer NOT NULL,
    media_id text NOT NULL
);
ALTER TABLE ONLY public.content_media FORCE ROW LEVEL SECURITY;
CREATE TABLE public.content_navigation (
    tenant_id text NOT NULL,
    key text NOT NULL,
    items jsonb NOT NULL,
    managed_by text,
    editable boolean DEFAULT true NOT NULL,
    recipe_hash text,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY public.content_navigation FORCE ROW LEVEL SECURITY;
CREATE TABLE public.content_pages (
    tenant_id text NOT NULL,
    id text NOT NULL,
    slug text NOT NULL,
    path text NOT NULL,
    locale text NOT NULL,
    version integer NOT NULL,
    published_version integer,
    published_at timestamp with time zone,
    publish_at timestamp with time zone,
    revision integer DEFAULT 1 NOT NULL,
    recipe_version integer,
    managed_by text,
    editable boolean DEFAULT true NOT NULL,
    recipe_hash text,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY public.content_pages FORCE ROW LEVEL SECURITY;
CREATE TABLE public.content_redirects (
    tenant_id text NOT NULL,
    id text NOT NULL,
    source text NOT NULL,
    target text,
    status integer NOT NULL,
    managed_by text,
    editable boolean DEFAULT true NOT NULL,
    recipe_hash text,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY public.content_redirects FORCE ROW LEVEL SECURITY;
CREATE TABLE public.content_versions (
    tenant_id text NOT NULL,
    page_id text NOT NULL,
    number integer NOT NULL,
    title text NOT NULL,
    body text NOT NULL,
    html text NOT NULL,
    template text NOT NULL,
    seo jsonb NOT NULL,
    created_by text,
    created_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY public.content_versions FORCE ROW LEVEL SECURITY;
CREATE TABLE public.data_categories (
    tenant_id text NOT NULL,
    id text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    created_by text,
    revision integer DEFAULT 1 NOT NULL,
    deleted_at timestamp with time zone,
    name text NOT NULL
);
ALTER TABLE ONLY public.data_categories FORCE ROW LEVEL SECURITY;
CREATE TABLE public.data_courses (
    tenant_id text NOT NULL,
    id text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    created_by text,
    revision integer DEFAULT 1 NOT NULL,
    deleted_at timestamp with time zone,
    title text NOT NULL,
    slug text,
    summary text,
    level text,
    contact text,
    link text,
    seats bigint,
    rating double precision,
    price bigint,
    gross bigint GENERATED ALWAYS AS ((floor((floor((((price)::double precision * (1.19)::double precision) + (0.5)::double precision)) + (0.5)::double precision)))::bigint) STORED,
    first_day date,
    starts_at timestamp with time zone,
    length bigint,
    published boolean,
    outline jsonb,
    cover text,
    teacher text,
    category text,
    search tsvector GENERATED ALWAYS AS ((setweight(to_tsvector('simple'::regconfig, "left"(COALESCE(title, ''::text), 100000)), 'A'::"char") || setweight(to_tsvector('simple'::regconfig, "left"(COALESCE(summary, ''::text), 100000)), 'B'::"char"))) STORED
);
ALTER TABLE ONLY public.data_courses FORCE ROW LEVEL SECURITY;
CREATE TABLE public.data_courses__history (
    tenant_id text NOT NULL,
    row_id text NOT NULL,
    revision integer NOT NULL,
    changed_at timestamp with time zone NOT NULL,
    changed_by text,
    "row" jsonb NOT NULL
);
ALTER TABLE ONLY public.data_courses__history FORCE ROW LEVEL SECURITY;
CREATE TABLE public.features_flags (
    tenant_id text NOT NULL,
    id text NOT NULL,
    key text NOT NULL COLLATE pg_catalog."C",
    name text,
    description text,
    definition jsonb NOT NULL,
    revision integer DEFAULT 1 NOT NULL,
    managed_by text,
    editable boolean DEFAULT true NOT NULL,
    recipe_hash text,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY public.features_flags FORCE ROW LEVEL SECURITY;
CREATE TABLE public.features_overrides (
    tenant_id text NOT NULL,
    key text NOT NULL COLLATE pg_catalog."C",
    value jsonb NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY public.features_overrides FORCE ROW LEVEL SECURITY;
CREATE TABLE public.features_revisions (
    tenant_id text NOT NULL,
    flag_id text NOT NULL,
    revision integer NOT NULL,
    name text,
    description text,
    definition jsonb NOT NULL,
    changed_by text,
    changed_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY public.features_revisions FORCE ROW LEVEL SECURITY;
CREATE TABLE public.forms_forms (
    tenant_id text NOT NULL,
    id text NOT NULL,
    key text,
    name text NOT NULL,
    access text NOT NULL,
    notify text[] NOT NULL,
    allowed_origins text[] NOT NULL,
    version integer NOT NULL,
    managed_by text,
    recipe_hash text,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY public.forms_forms FORCE ROW LEVEL SECURITY;
CREATE TABLE public.forms_recipients (
    tenant_id text NOT NULL,
    id text NOT NULL,
    email text NOT NULL,
    state text NOT NULL,
    locale text,
    link_version integer DEFAULT 0 NOT NULL,
    requested_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT forms_recipients_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'confirmed'::text, 'unsubscribed'::text])))
);
ALTER TABLE ONLY public.forms_recipients FORCE ROW LEVEL SECURITY;
CREATE TABLE public.forms_submissions (
    tenant_id text NOT NULL,
    form_id text NOT NULL,
    id text NOT NULL,
    form_version integer NOT NULL,
    data json NOT NULL,
    meta json NOT NULL,
    spam text,
    fingerprint bytea,
    created_by text,
    created_at timestamp with time zone NOT NULL,
    note text
);
ALTER TABLE ONLY public.forms_submissions FORCE ROW LEVEL SECURITY;
CREATE TABLE public.forms_versions (
    tenant_id text NOT NULL,
    form_id text NOT NULL,
    number integer NOT NULL,
    name text NOT NULL,
    schema json NOT NULL,
    ui_schema json,
    created_by text,
    created_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY public.forms_versions FORCE ROW LEVEL SECURITY;
CREATE TABLE public.identity_api_keys (
    tenant_id text NOT NULL,
    id text NOT NULL,
    user_id text NOT NULL,
    name text NOT NULL,
    prefix text NOT NULL,
    secret_hash bytea NOT NULL,
    permissions text[],
    expires_at timestamp with time zone,
    last_used_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY public.identity_api_keys FORCE ROW LEVEL SECURITY;
CREATE TABLE public.identity_audit (
    tenant_id text NOT NULL,
    id text NOT NULL,
    action text NOT NULL,
    actor jsonb NOT NULL,
    subject text,
    details jsonb NOT NULL,
    created_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY public.identity_audit FORCE ROW LEVEL SECURITY;
CREATE TABLE public.identity_claims (
    code_hash bytea NOT NULL,
    expires_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY public.identity_claims FORCE ROW LEVEL SECURITY;
CREATE SEQUENCE public.identity_revision
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE public.identity_credential_revisions (
    secret_hash bytea NOT NULL,
    credential_id text NOT NULL,
    user_id text NOT NULL,
    revision bigint DEFAULT nextval('public.identity_revision'::regclass) NOT NULL,
    expires_at timestamp with time zone,
    impersonator_id text
);
ALTER TABLE ONLY public.identity_credential_revisions FORCE ROW LEVEL SECURITY;
CREATE TABLE public.identity_email_changes (
    id text NOT NULL,
    user_id text NOT NULL,
    email text NOT NULL,
    email_key text NOT NULL,
    current_confirmed_at timestamp with time zone,
    new_confirmed_at timestamp with time zone,
    expires_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY public.identity_email_changes FORCE ROW LEVEL SECURITY;
CREATE TABLE public.identity_invitations (
    tenant_id text NOT NULL,
    id text NOT NULL,
    email text NOT NULL,
    email_key text NOT NULL,
    roles text[] NOT NULL,
    status text DEFAULT 'pending'::text NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    invited_by text NOT NULL,
    accepted_by text,
    accepted_at timestamp with time zone,
    expires_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    locale text,
    resent_at timestamp with time zone[] DEFAULT '{}'::timestamp with time zone[] NOT NULL,
    CONSTRAINT identity_invitations_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'accepted'::text, 'revoked'::text])))
);
ALTER TABLE ONLY public.identity_invitations FORCE ROW LEVEL SECURITY;
CREATE TABLE public.identity_logins (
    id text NOT NULL,
    user_id text NOT NULL,
    cookie_hash bytea,
    token_hash bytea,
    user_agent text,
    ip text,
    created_at timestamp with time zone NOT NULL,
    extended_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    impersonator_id text,
    impersonated_tenant_id text,
    impersonation_reason text,
    CONSTRAINT identity_impersonation CHECK ((num_nulls(impersonator_id, impersonated_tenant_id, impersonation_reason) = ANY (ARRAY[0, 3])))
);
ALTER TABLE ONLY public.identity_logins FORCE ROW LEVEL SECURITY;
CREATE TABLE public.identity_members (
    tenant_id text NOT NULL,
    id text NOT NULL,
    user_id text NOT NULL,
    roles text[] NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT identity_members_roles_check CHECK ((cardinality(roles) > 0))
);
ALTER TABLE ONLY public.identity_members FORCE ROW LEVEL SECURITY;
CREATE TABLE public.identity_password_resets (
    id text NOT NULL,
    user_id text NOT NULL,
    password_version integer NOT NULL,
    expires_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY public.identity_password_resets FORCE ROW LEVEL SECURITY;
CREATE TABLE public.identity_roles (
    tenant_id text NOT NULL,
    key text NOT NULL,
    name text NOT NULL,
    permissions text[] NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY public.identity_roles FORCE ROW LEVEL SECURITY;
CREATE TABLE public.identity_tenant_revisions (
    id text NOT NULL,
    revision bigint DEFAULT nextval('public.identity_revision'::regclass) NOT NULL
);
ALTER TABLE ONLY public.identity_tenant_revisions FORCE ROW LEVEL SECURITY;
CREATE TABLE public.identity_tenants (
    tenant_id text NOT NULL,
    name text NOT NULL,
    slug text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY public.identity_tenants FORCE ROW LEVEL SECURITY;
CREATE TABLE public.identity_users (
    id text NOT NULL,
    email text NOT NULL,
    email_key text NOT NULL,
    name text,
    locale text,
    password_hash text NOT NULL,
    password_version integer DEFAULT 1 NOT NULL,
    email_verified_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    time_zone text
);
ALTER TABLE ONLY public.identity_users FORCE ROW LEVEL SECURITY;
CREATE TABLE public.larder_agenda (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name character varying(255) NOT NULL,
    priority integer DEFAULT 0 NOT NULL,
    next_run_at timestamp with time zone,
    type character varying(10) DEFAULT 'normal'::character varying NOT NULL,
    locked_at timestamp with time zone,
    last_finished_at timestamp with time zone,
    failed_at timestamp with time zone,
    fail_count integer,
    fail_reason text,
    repeat_timezone character varying(100),
    last_run_at timestamp with time zone,
    repeat_interval character varying(255),
    data jsonb DEFAULT '{}'::jsonb,
    repeat_at character varying(255),
    disabled boolean DEFAULT false,
    progress real,
    fork boolean DEFAULT false,
    last_modified_by character varying(255),
    debounce_started_at timestamp with time zone,
    start_date timestamp with time zone,
    end_date timestamp with time zone,
    skip_days jsonb,
    created_at timestamp with time zone DEFAULT now(),
    updated_at timestamp with time zone DEFAULT now(),
    CONSTRAINT larder_agenda_type_check CHECK (((type)::text = ANY ((ARRAY['normal'::character varying, 'single'::character varying])::text[])))
);
ALTER TABLE ONLY public.larder_agenda FORCE ROW LEVEL SECURITY;
CREATE TABLE public.larder_applied_recipe (
    only_one boolean DEFAULT true NOT NULL,
    applied jsonb NOT NULL,
    applied_at timestamp with time zone NOT NULL,
    CONSTRAINT larder_applied_recipe_only_one_check CHECK (only_one)
);
ALTER TABLE ONLY public.larder_applied_recipe FORCE ROW LEVEL SECURITY;
CREATE UNLOGGED TABLE public.larder_bus_messages (
    id text NOT NULL,
    body text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);
ALTER TABLE ONLY public.larder_bus_messages FORCE ROW LEVEL SECURITY;
CREATE TABLE public.larder_deliveries (
    id text NOT NULL,
    event_id text NOT NULL,
    handler text NOT NULL,
    tenant_id text NOT NULL,
    state text NOT NULL,
    attempts integer NOT NULL,
    next_attempt_at timestamp with time zone,
    last_error text,
    done_at timestamp with time zone,
    CONSTRAINT larder_deliveries_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'done'::text, 'dead'::text])))
);
ALTER TABLE ONLY public.larder_deliveries FORCE ROW LEVEL SECURITY;
CREATE TABLE public.larder_events (
    tenant_id text NOT NULL,
    id text NOT NULL,
    type text NOT NULL,
    version integer NOT NULL,
    occurred_at timestamp with time zone NOT NULL,
    actor jsonb NOT NULL,
    subject text,
    correlation_id text,
    causation_id text,
    payload jsonb NOT NULL,
    dispatched_at timestamp with time zone
);
ALTER TABLE ONLY public.larder_events FORCE ROW LEVEL SECURITY;
CREATE TABLE public.larder_idempotency (
    tenant_id text NOT NULL,
    id text NOT NULL,
    request_hash text NOT NULL,
    answer bytea NOT NULL,
    expires_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY public.larder_idempotency FORCE ROW LEVEL SECURITY;
CREATE TABLE public.larder_installation (
    only_one boolean DEFAULT true NOT NULL,
    operator_tenant_id text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    secret_fingerprints text[] DEFAULT '{}'::text[] NOT NULL,
    CONSTRAINT larder_installation_only_one_check CHECK (only_one)
);
ALTER TABLE ONLY public.larder_installation FORCE ROW LEVEL SECURITY;
CREATE TABLE public.larder_jobs (
    id text NOT NULL,
    name text NOT NULL,
    tenant_id text,
    data jsonb NOT NULL,
    context jsonb NOT NULL,
    key text,
    state text DEFAULT 'waiting'::text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    run_at timestamp with time zone NOT NULL,
    locked_until timestamp with time zone,
    last_error text,
    created_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    CONSTRAINT larder_jobs_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'running'::text, 'done'::text, 'dead'::text])))
);
ALTER TABLE ONLY public.larder_jobs FORCE ROW LEVEL SECURITY;
CREATE TABLE public.larder_migrations (
    module text NOT NULL,
    name text NOT NULL,
    applied_at timestamp with time zone NOT NULL
);
CREATE TABLE public.larder_provider_events (
    inbox text NOT NULL,
    provider text NOT NULL,
    event_id text NOT NULL,
    data jsonb NOT NULL,
    keys text[] NOT NULL,
    occurred_at timestamp with time zone NOT NULL,
    received_at timestamp with time zone NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    next_attempt_at timestamp with time zone NOT NULL,
    outcome text,
    CONSTRAINT larder_provider_events_outcome_check CHECK ((outcome = ANY (ARRAY['done'::text, 'stale'::text, 'rejected'::text, 'unknown'::text, 'failed'::text])))
);
ALTER TABLE ONLY public.larder_provider_events FORCE ROW LEVEL SECURITY;
CREATE TABLE public.larder_rate_limits (
    key character varying(255) NOT NULL,
    points integer DEFAULT 0 NOT NULL,
    expire bigint
);
ALTER TABLE ONLY public.larder_rate_limits FORCE ROW LEVEL SECURITY;
CREATE TABLE public.larder_subscribed_channels (
    id text NOT NULL,
    epoch text NOT NULL,
    until timestamp with time zone NOT NULL
);
ALTER TABLE ONLY public.larder_subscribed_channels FORCE ROW LEVEL SECURITY;
CREATE TABLE public.media_items (
    tenant_id text NOT NULL,
    id text NOT NULL,
    file_name text NOT NULL,
    mime_type text NOT NULL,
    size bigint NOT NULL,
    sha256 text,
    status text NOT NULL,
    hold text,
    tries integer DEFAULT 0 NOT NULL,
    rejection jsonb,
    variants jsonb DEFAULT '[]'::jsonb NOT NULL,
    width integer,
    height integer,
    claim text,
    claimed_until timestamp with time zone,
    closes_at timestamp with time zone NOT NULL,
    created_by text,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    is_public boolean DEFAULT false NOT NULL,
    folder text DEFAULT ''::text NOT NULL
);
ALTER TABLE ONLY public.media_items FORCE ROW LEVEL SECURITY;
CREATE TABLE public.messaging_conversations (
    tenant_id text NOT NULL,
    id text NOT NULL,
    subject text,
    status text DEFAULT 'open'::text NOT NULL,
    snoozed_until timestamp with time zone,
    last_seq integer DEFAULT 0 NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    settled integer DEFAULT 1 NOT NULL,
    active_at timestamp with time zone NOT NULL,
    created_by text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    kind text DEFAULT 'private'::text NOT NULL,
    assignee_id text,
    CONSTRAINT messaging_conversations_check CHECK (((status = 'snoozed'::text) = (snoozed_until IS NOT NULL))),
    CONSTRAINT messaging_conversations_check1 CHECK (((assignee_id IS NULL) OR (kind = 'support'::text))),
    CONSTRAINT messaging_conversations_kind_check CHECK ((kind = ANY (ARRAY['private'::text, 'support'::text]))),
    CONSTRAINT messaging_conversations_status_check CHECK ((status = ANY (ARRAY['open'::text, 'resolved'::text, 'snoozed'::text])))
)
WITH (fillfactor='70');
ALTER TABLE ONLY public.messaging_conversations FORCE ROW LEVEL SECURITY;
CREATE TABLE public.messaging_messages (
    tenant_id text NOT NULL,
    id text NOT NULL,
    conversation_id text NOT NULL,
    seq integer NOT NULL,
    version integer NOT NULL,
    sender_id text NOT NULL,
    client_message_id text,
    digest text,
    body text,
    attachments jsonb NOT NULL,
    created_at timestamp with time zone NOT NULL,
    edited_at timestamp with time zone,
    deleted_at timestamp with time zone
);
ALTER TABLE ONLY public.messaging_messages FORCE ROW LEVEL SECURITY;
CREATE TABLE public.messaging_participants (
    tenant_id text NOT NULL,
    conversation_id text NOT NULL,
    user_id text NOT NULL,
    last_read_seq integer NOT NULL,
    notified_seq integer DEFAULT 0 NOT NULL,
    joined_at timestamp with time zone NOT NULL
)
WITH (fillfactor='70');
ALTER TABLE ONLY public.messaging_participants FORCE ROW LEVEL SECURITY;
CREATE TABLE public.messaging_saved_replies (
    tenant_id text NOT NULL,
    id text NOT NULL,
    title text NOT NULL,
    body text NOT NULL,
    shortcut text,
    version integer DEFAULT 1 NOT NULL,
    created_by text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY public.messaging_saved_replies FORCE ROW LEVEL SECURITY;
CREATE TABLE public.sessions_sessions (
    tenant_id text NOT NULL,
    id text NOT NULL,
    code text NOT NULL,
    join_token_hash bytea NOT NULL,
    mode text NOT NULL,
    stream_profile text NOT NULL,
    audio_enabled boolean NOT NULL,
    purpose text,
    customer text,
    metadata jsonb NOT NULL,
    webhook_url text,
    webhook_events text[] NOT NULL,
    status text DEFAULT 'created'::text NOT NULL,
    sequence integer DEFAULT 1 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    accepted_at timestamp with time zone,
    ends_at timestamp with time zone,
    ended_at timestamp with time zone,
    end_reason text,
    CONSTRAINT sessions_sessions_end_reason_check CHECK ((end_reason = ANY (ARRAY['owner'::text, 'max_duration'::text]))),
    CONSTRAINT sessions_sessions_mode_check CHECK ((mode = ANY (ARRAY['screenshare'::text, 'stream'::text]))),
    CONSTRAINT sessions_sessions_status_check CHECK ((status = ANY (ARRAY['created'::text, 'accepted'::text, 'ended'::text, 'expired'::text])))
);
ALTER TABLE ONLY public.sessions_sessions FORCE ROW LEVEL SECURITY;
CREATE TABLE public.streams_nodes (
    node_id text NOT NULL,
    seen_at timestamp with time zone NOT NULL,
    suspected boolean DEFAULT false NOT NULL
);
ALTER TABLE ONLY public.streams_nodes FORCE ROW LEVEL SECURITY;
CREATE TABLE public.streams_peers (
    tenant_id text NOT NULL,
    peer_id text NOT NULL,
    session_id text NOT NULL,
    role text NOT NULL,
    node_id text,
    token_id text,
    handover_state bytea,
    parked_at timestamp with time zone,
    CONSTRAINT streams_peers_role_check CHECK ((role = ANY (ARRAY['publisher'::text, 'viewer'::text])))
);
ALTER TABLE ONLY public.streams_peers FORCE ROW LEVEL SECURITY;
CREATE TABLE public.streams_sources (
    tenant_id text NOT NULL,
    stream_id text NOT NULL,
    source_id text NOT NULL,
    kind text NOT NULL,
    label text,
    width integer,
    height integer,
    fps integer,
    url text,
    metadata jsonb NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY public.streams_sources FORCE ROW LEVEL SECURITY;
CREATE TABLE public.streams_streams (
    tenant_id text NOT NULL,
    id text NOT NULL,
    title text,
    description text,
    visibility text DEFAULT 'private'::text NOT NULL,
    tags text[] DEFAULT '{}'::text[] NOT NULL,
    hide_viewer_count boolean DEFAULT false NOT NULL,
    live_status text DEFAULT 'idle'::text NOT NULL,
    live_at timestamp with time zone,
    lost_at timestamp with time zone,
    layout jsonb,
    layout_version integer DEFAULT 0 NOT NULL,
    closed boolean DEFAULT false NOT NULL,
    CONSTRAINT streams_streams_live_status_check CHECK ((live_status = ANY (ARRAY['idle'::text, 'live'::text, 'reconnecting'::text]))),
    CONSTRAINT streams_streams_visibility_check CHECK ((visibility = ANY (ARRAY['private'::text, 'public'::text])))
);
ALTER TABLE ONLY public.streams_streams FORCE ROW LEVEL SECURITY;
CREATE TABLE public.streams_tokens (
    tenant_id text NOT NULL,
    id text NOT NULL,
    stream_id text NOT NULL,
    token_hash bytea NOT NULL,
    role text NOT NULL,
    label text,
    expires_at timestamp with time zone,
    max_uses integer,
    uses integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT streams_tokens_role_check CHECK ((role = ANY (ARRAY['publisher'::text, 'viewer'::text])))
);
ALTER TABLE ONLY public.streams_tokens FORCE ROW LEVEL SECURITY;
CREATE TABLE public.webhooks_deliveries (
    tenant_id text NOT NULL,
    id text NOT NULL,
    event_id text NOT NULL,
    type text NOT NULL,
    session_id text,
    sequence integer,
    url text NOT NULL,
    host text NOT NULL,
    address text NOT NULL,
    payload jsonb NOT NULL,
    occurred_at timestamp with time zone NOT NULL,
    status text NOT NULL,
    reason text,
    attempts integer DEFAULT 0 NOT NULL,
    failures integer DEFAULT 0 NOT NULL,
    next_attempt_at timestamp with time zone,
    response_status integer,
    error text,
    delivered_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    endpoint_id text,
    event_tenant_id text,
    subject text,
    attempt_log jsonb DEFAULT '[]'::jsonb NOT NULL,
    CONSTRAINT webhooks_deliveries_reason_check CHECK ((reason = ANY (ARRAY['gone'::text, 'refused'::text, 'exhausted'::text, 'paused'::text, 'deleted'::text]))),
    CONSTRAINT webhooks_deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'dead'::text])))
);
ALTER TABLE ONLY public.webhooks_deliveries FORCE ROW LEVEL SECURITY;
CREATE TABLE public.webhooks_endpoints (
    tenant_id text NOT NULL,
    id text NOT NULL,
    url text NOT NULL,
    host text NOT NULL,
    address text NOT NULL,
    events text[] NOT NULL,
    description text,
    status text NOT NULL,
    pause_reason text,
    paused_at timestamp with time zone,
    failing_since timestamp with time zone,
    managed_by text,
    key text,
    recipe_hash text,
    revision integer DEFAULT 1 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT webhooks_endpoints_pause_reason_check CHECK ((pause_reason = ANY (ARRAY['manual'::text, 'failing'::text, 'gone'::text]))),
    CONSTRAINT webhooks_endpoints_status_check CHECK ((status = ANY (ARRAY['active'::text, 'paused'::text])))
);
ALTER TABLE ONLY public.webhooks_endpoints FORCE ROW LEVEL SECURITY;
CREATE TABLE public.webhooks_host_leases (
    host text NOT NULL,
    claimed_by text NOT NULL,
    expires_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY public.webhooks_host_leases FORCE ROW LEVEL SECURITY;
CREATE TABLE public.webhooks_secrets (
    tenant_id text NOT NULL,
    id text NOT NULL,
    sealed bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone,
    endpoint_id text
);
ALTER TABLE ONLY public.webhooks_secrets FORCE ROW LEVEL SECURITY;
INSERT INTO public.billing_credit_allocations VALUES
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'crd_01m8bwdkmye64sqa1pybh09t32', 'crd_01m8bwdke7e2fv9wgj79570ysm', 7);
INSERT INTO public.billing_credit_entries OVERRIDING SYSTEM VALUE VALUES
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'crd_01m8bwdke7e2fv9wgj79570ysm', 1, 'ai.credits', 'grant', 1000, 0, 1000, 'plan pro', NULL, '2026-12-10 12:13:54.444+00', 'plan:evt_dev_01m8bwdkccehqrr4xd4dmtbf51:ai.credits', '{"id": "billing", "kind": "system"}', '2026-11-26 12:13:54.505+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'crd_01m8bwdkmye64sqa1pybh09t32', 2, 'ai.credits', 'consume', -7, 1000, 993, 'Image generation', 'image-7', NULL, 'consume:lgn_01m8bwdjtzeb9tkgjhxg5swpx4:a6a2cf9c-488a-4edb-94c3-5562c421fbf6', '{"id": "lgn_01m8bwdjtzeb9tkgjhxg5swpx4", "kind": "login"}', '2026-11-26 12:13:54.718+00');
INSERT INTO public.billing_credit_lots VALUES
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'crd_01m8bwdke7e2fv9wgj79570ysm', 'ai.credits', 993, '2026-12-10 12:13:54.444+00');
INSERT INTO public.billing_entitlements VALUES
	('comms.send', '{"kind": "meter", "name": {"de": "E-Mails pro Tag", "en": "Emails sent per day"}, "period": "day"}', '2026-11-26 12:13:48.099+00', '2026-11-26 12:13:48.099+00'),
	('storage.rows_mb', '{"kind": "gauge", "name": {"de": "Daten", "en": "Data"}, "unit": "MiB"}', '2026-11-26 12:13:48.099+00', '2026-11-26 12:13:48.099+00'),
	('media.storage_gb', '{"kind": "gauge", "name": {"de": "Speicher", "en": "Storage"}, "unit": "GiB"}', '2026-11-26 12:13:48.099+00', '2026-11-26 12:13:48.099+00'),
	('identity.seat', '{"kind": "gauge", "name": {"de": "Plätze", "en": "Seats"}}', '2026-11-26 12:13:48.099+00', '2026-11-26 12:13:48.099+00'),
	('ai.credits', '{"kind": "credit", "name": {"de": "KI-Guthaben", "en": "AI credits"}}', '2026-11-26 12:13:48.099+00', '2026-11-26 12:13:48.099+00');
INSERT INTO public.billing_meters VALUES
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'comms.send', '2026-11-26 00:00:00+00', 2);
INSERT INTO public.billing_plans VALUES
	('free', '{"name": {"de": "Kostenlos", "en": "Free"}, "price": 0, "currency": "EUR", "entitlements": {"comms.send": 20, "identity.seat": 3, "storage.rows_mb": 100, "media.storage_gb": 1}}', 'mOQJT9UQ0cJkJvuk3TCldn_K-XkRZU7bnJZY65o66Yk', false, '2026-11-26 12:13:48.099+00', '2026-11-26 12:13:48.099+00'),
	('pro', '{"name": "Pro", "price": 2900, "credits": {"ai.credits": 1000}, "currency": "EUR", "interval": "month", "trialDays": 14, "entitlements": {"comms.send": 500, "identity.seat": 25, "storage.rows_mb": 5000, "media.storage_gb": 100}}', 'sXf9vHw74WEXRE-SWrJGOGQwAs9-fX4lT2WozpJMg_0', false, '2026-11-26 12:13:48.099+00', '2026-11-26 12:13:48.099+00');
INSERT INTO public.billing_subscriptions VALUES
	('ten_01m8bwdh37enwbbm3zc8ajhjmd', 'sub_01m8bwdh78eet9f7arqm4bnqva', 'free', NULL, false, NULL, NULL, NULL, false, NULL, NULL, NULL, true, NULL, '2026-11-26 12:13:52.232+00', '2026-11-26 12:13:52.232+00'),
	('ten_01m8bwdk1cembsakrsx373gvqx', 'sub_01m8bwdk1qep1ar8h3y20pxfr6', 'free', NULL, false, NULL, NULL, NULL, false, NULL, NULL, NULL, true, NULL, '2026-11-26 12:13:54.103+00', '2026-11-26 12:13:54.103+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'sub_01m8bwdj1keg6srbr74dn54xg3', 'trialing', 'pro', true, '2026-12-10 12:13:54.444+00', '2026-12-10 12:13:54.444+00', NULL, false, 'dev', 'cus_dev_01m8bwdkccentrrs9azzacqd34', 'sub_dev_01m8bwdkccesz8zy38ec3p2r6z', true, '2026-11-26 12:13:54.444+00', '2026-11-26 12:13:53.075+00', '2026-11-26 12:13:54.45+00'),
	('ten_01m8bwdmhnehy9ff7wc2cs4w16', 'sub_01m8bwdn16ez4t0tqfnrbzy82v', 'free', NULL, false, NULL, NULL, NULL, false, NULL, NULL, NULL, true, NULL, '2026-11-26 12:13:56.134+00', '2026-11-26 12:13:56.134+00'),
	('ten_01m8bwdpc2e2nsn28yjttchd03', 'sub_01m8bwdpk8efwba62xxrw1wdn3', 'free', NULL, false, NULL, NULL, NULL, false, NULL, NULL, NULL, true, NULL, '2026-11-26 12:13:57.736+00', '2026-11-26 12:13:57.736+00');
INSERT INTO public.collections_export_parts VALUES
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'exp_01m8bwe61jer3re9h0a696e1j2', 0, '\x1f8b080000000000000385934f6be33010c5ef857e07d36319a792ff3ba7ed6e59d8c3eea9b0d04b91a5b1adc6921d69ecd8fdf44b9aa4b44b4a7410f3de03cd6f24a41548878250dd138c833a5647effb020e27ed756f81347508be1b1bf0a331c22dd0e1841dc8de9290049db61bf028c88313a46d0383d312a171bdf7506be7e9412ce04938f2f7041dda865a18c6aad3be4505fd489db608b29fd001a1902d3a9082b0e9dd727d25fbd1797c66dc14d50ed332c5da15332d05f77256d5bc85884559c87918658f3c5af364cda3559ec74f5f07a377c703553b6f705793a9e4560dad4adaa4060ebfccd03b42151cba833eeaf0a8a1c2465b8b0e006238ac5a74fb04e07fe6d8ee702e8be185b54b56085f5072068daf781c9d633e061799fff4843ee86d60f705bced616fc383fc48cc938bc866c264236cbecd6717d56e9bb567c958599e477e0b2e223fe8ba4687566280b6d1163da8772b3c599fd08b8be8c51697976a98b28cb5edfccac89d2164ab9cf32fd0d9e5db8ee02f8a49db26b0a3a9d079d81d7478d23f5d6f825b299cf2b701f50189aa430f424dc24a542094f886b33043872b424fd0120d7e7d777732656feef62f95ac52484ac6202d62be07ce43c643feb17ce4c59ab135632bc6d81394cc00b911e1e6c7be3dfcd65d770306d569a2ed3223158ea7bc29ec924ec3868141738aad2910db7217a92d6db221aacaecfd3f3e332fa638af4cfd9a66328ae3f83541aa5fa888afaffe01f7be258b57040000');
INSERT INTO public.collections_exports VALUES
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'exp_01m8bwe61jer3re9h0a696e1j2', 'courses', 'succeeded', 'csv', '{}', '{"kind": "login", "roles": ["tenant.owner"], "userId": "usr_01m8bwdhxkewftmbcqdphd4h4f", "memberId": "mem_01m8bwdhz4ekn9b50js4y39sqr", "permissions": ["*"], "principalId": "lgn_01m8bwdjtzeb9tkgjhxg5swpx4"}', 'usr_01m8bwdhxkewftmbcqdphd4h4f', 4, 4, 1, 1111, 552, NULL, NULL, '2026-11-26 12:14:13.554+00', '2026-11-26 12:14:13.631+00');
INSERT INTO public.collections_import_errors VALUES
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'imp_01m8bwe53re2ftkjpvzkz4dk30', 2, 0, 3, 'title', 'required', 'is required');
INSERT INTO public.collections_imports VALUES
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'imp_01m8bwe53re2ftkjpvzkz4dk30', 'courses', 'succeeded', 'csv', NULL, 'skip', false, '{"kind": "login", "roles": ["tenant.owner"], "userId": "usr_01m8bwdhxkewftmbcqdphd4h4f", "memberId": "mem_01m8bwdhz4ekn9b50js4y39sqr", "permissions": ["*"], "principalId": "lgn_01m8bwdjtzeb9tkgjhxg5swpx4"}', 'usr_01m8bwdhxkewftmbcqdphd4h4f', NULL, 'oHbOdkrwYmp7t2fIpBp_3Ge385Uo--bT4c8WiocjBUU', 2, 0, 2, 1, 0, 1, NULL, '2026-11-26 12:14:12.6+00', '2026-11-26 12:14:12.818+00');
INSERT INTO public.collections_schema VALUES
	('courses', '{"name": "courses", "scope": "tenant", "table": "data_courses", "trash": true, "fields": [{"of": null, "name": "title", "type": "text", "index": false, "rules": {"max": null, "min": null, "values": null, "pattern": null, "maxLength": 200, "minLength": null}, "column": "title", "unique": false, "default": null, "required": true, "joinTable": null, "reference": null, "columnType": "text", "expression": null}, {"of": null, "name": "slug", "type": "slug", "index": false, "rules": {"max": null, "min": null, "values": null, "pattern": null, "maxLength": 100, "minLength": null}, "column": "slug", "unique": true, "default": null, "required": false, "joinTable": null, "reference": null, "columnType": "text", "expression": null}, {"of": null, "name": "summary", "type": "markdown", "index": false, "rules": {"max": null, "min": null, "values": null, "pattern": null, "maxLength": 100000, "minLength": null}, "column": "summary", "unique": false, "default": null, "required": false, "joinTable": null, "reference": null, "columnType": "text", "expression": null}, {"of": null, "name": "level", "type": "enum", "index": false, "rules": {"max": null, "min": null, "values": ["beginner", "advanced"], "pattern": null, "maxLength": null, "minLength": null}, "column": "level", "unique": false, "default": "beginner", "required": false, "joinTable": null, "reference": null, "columnType": "text", "expression": null}, {"of": null, "name": "contact", "type": "email", "index": false, "rules": {"max": null, "min": null, "values": null, "pattern": null, "maxLength": 254, "minLength": null}, "column": "contact", "unique": false, "default": null, "required": false, "joinTable": null, "reference": null, "columnType": "text", "expression": null}, {"of": null, "name": "link", "type": "url", "index": false, "rules": {"max": null, "min": null, "values": null, "pattern": null, "maxLength": 2000, "minLength": null}, "column": "link", "unique": false, "default": null, "required": false, "joinTable": null, "reference": null, "columnType": "text", "expression": null}, {"of": null, "name": "seats", "type": "integer", "index": true, "rules": {"max": null, "min": 0, "values": null, "pattern": null, "maxLength": null, "minLength": null}, "column": "seats", "unique": false, "default": null, "required": false, "joinTable": null, "reference": null, "columnType": "bigint", "expression": null}, {"of": null, "name": "rating", "type": "number", "index": false, "rules": {"max": null, "min": null, "values": null, "pattern": null, "maxLength": null, "minLength": null}, "column": "rating", "unique": false, "default": null, "required": false, "joinTable": null, "reference": null, "columnType": "double precision", "expression": null}, {"of": null, "name": "price", "type": "money", "index": false, "rules": {"max": null, "min": 0, "values": null, "pattern": null, "maxLength": null, "minLength": null}, "column": "price", "unique": false, "default": null, "required": false, "joinTable": null, "reference": null, "columnType": "bigint", "expression": null}, {"of": "integer", "name": "gross", "type": "computed", "index": false, "rules": {"max": null, "min": null, "values": null, "pattern": null, "maxLength": null, "minLength": null}, "column": "gross", "unique": false, "default": null, "required": false, "joinTable": null, "reference": null, "columnType": "bigint", "expression": "round(price * 1.19)"}, {"of": null, "name": "firstDay", "type": "date", "index": false, "rules": {"max": null, "min": null, "values": null, "pattern": null, "maxLength": null, "minLength": null}, "column": "first_day", "unique": false, "default": null, "required": false, "joinTable": null, "reference": null, "columnType": "date", "expression": null}, {"of": null, "name": "startsAt", "type": "datetime", "index": true, "rules": {"max": null, "min": null, "values": null, "pattern": null, "maxLength": null, "minLength": null}, "column": "starts_at", "unique": false, "default": null, "required": false, "joinTable": null, "reference": null, "columnType": "timestamptz", "expression": null}, {"of": null, "name": "length", "type": "duration", "index": false, "rules": {"max": null, "min": null, "values": null, "pattern": null, "maxLength": null, "minLength": null}, "column": "length", "unique": false, "default": null, "required": false, "joinTable": null, "reference": null, "columnType": "bigint", "expression": null}, {"of": null, "name": "published", "type": "boolean", "index": false, "rules": {"max": null, "min": null, "values": null, "pattern": null, "maxLength": null, "minLength": null}, "column": "published", "unique": false, "default": false, "required": false, "joinTable": null, "reference": null, "columnType": "boolean", "expression": null}, {"of": null, "name": "outline", "type": "json", "index": false, "rules": {"max": null, "min": null, "values": null, "pattern": null, "maxLength": null, "minLength": null}, "column": "outline", "unique": false, "default": null, "required": false, "joinTable": null, "reference": null, "columnType": "jsonb", "expression": null}, {"of": null, "name": "cover", "type": "file", "index": false, "rules": {"max": null, "min": null, "values": null, "pattern": null, "maxLength": null, "minLength": null}, "column": "cover", "unique": false, "default": null, "required": false, "joinTable": null, "reference": null, "columnType": "text", "expression": null}, {"of": null, "name": "teacher", "type": "member", "index": false, "rules": {"max": null, "min": null, "values": null, "pattern": null, "maxLength": null, "minLength": null}, "column": "teacher", "unique": false, "default": null, "required": false, "joinTable": null, "reference": null, "columnType": "text", "expression": null}, {"of": null, "name": "category", "type": "reference", "index": false, "rules": {"max": null, "min": null, "values": null, "pattern": null, "maxLength": null, "minLength": null}, "column": "category", "unique": false, "default": null, "required": false, "joinTable": null, "reference": {"to": "categories", "many": false, "table": "data_categories", "shared": true, "onDelete": "restrict"}, "columnType": "text", "expression": null}], "search": ["title", "summary"], "unique": [], "history": true}', NULL),
	('categories', '{"name": "categories", "scope": "shared", "table": "data_categories", "trash": false, "fields": [{"of": null, "name": "name", "type": "text", "index": false, "rules": {"max": null, "min": null, "values": null, "pattern": null, "maxLength": 500, "minLength": null}, "column": "name", "unique": true, "default": null, "required": true, "joinTable": null, "reference": null, "columnType": "text", "expression": null}], "search": [], "unique": [], "history": false}', '_9Dln31jnsZVJq82ODrT41BaCVn3Rlma3zYeVfft4jM');
INSERT INTO public.comms_mailbox VALUES
	('eml_01m8bwdnwpe3gtxh3kz61tfjsv', 'msg_01m8bwdhfden399ke1t03mxmnx', 'ten_01m8bwdh37enwbbm3zc8ajhjmd', 'Larder <hello@larder.test>', 'person-1-29413@example.test', 'Welcome to Upgrade', '<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<title>Welcome to Upgrade</title>
<style>
@media (max-width: 480px) {
  .content {
    padding: 20px !important;
  }
}
</style></head>
<body style="margin: 0; padding: 0; background-color: #f6f7fa;">
<div class="preheader" style="display: none; max-height: 0; overflow: hidden;">Your account is ready.</div>
<table role="presentation" class="outer" width="100%" cellpadding="0" cellspacing="0" style="background-color: #f6f7fa; table-layout: fixed;" bgcolor="#f6f7fa"><tr><td align="center" class="space" style="padding: 32px 16px;">
<table role="presentation" class="inner" width="100%" cellpadding="0" cellspacing="0" style="max-width: 560px; table-layout: fixed; overflow-wrap: break-word;">
<tr><td class="brand" style="padding: 0 8px 16px; font-family: system-ui, -apple-system, ''Segoe UI'', Roboto, ''Helvetica Neue'', Arial, sans-serif; font-size: 18px; font-weight: bold;"><a href="http://localhost:8080" style="color: #171b26; text-decoration: none;">Upgrade</a></td></tr>
<tr><td class="content" style="padding: 32px; border: 1px solid #d5d9e4; border-radius: 10px; background-color: #ffffff; color: #171b26; font-family: system-ui, -apple-system, ''Segoe UI'', Roboto, ''Helvetica Neue'', Arial, sans-serif; font-size: 16px; line-height: 1.5;" bgcolor="#ffffff">
<h1 style="margin: 0 0 16px; font-size: 22px; line-height: 1.3;">Welcome, person-1-29413@example.test</h1>
<p style="margin: 0 0 16px;">Your Upgrade account is ready. Sign in with person-1-29413@example.test.</p>
<p style="margin: 0 0 16px;">Confirm your email address to finish:</p>
<p style="margin: 0 0 16px;"><a class="button" href="http://localhost:8080/verify-email?token&#x3D;usr_01m8bwdh36e9jsm1t5s2m34r27.1.dxiI5nD0m4d6wFdFOTltXfGFPHBIjaCWNU7vxYquyXg" style="display: inline-block; padding: 12px 24px; border-radius: 10px; background-color: #3544d6; color: #ffffff; font-weight: bold; text-decoration: none;">Confirm email</a></p>
<p class="muted" style="margin: 0 0 16px; color: #596072; font-size: 14px;">Didn''t sign up for Upgrade? You can ignore this email.</p>
</td></tr>
<tr><td class="foot" style="padding: 16px 8px 0; color: #596072; font-family: system-ui, -apple-system, ''Segoe UI'', Roboto, ''Helvetica Neue'', Arial, sans-serif; font-size: 13px;">Upgrade · http://localhost:8080</td></tr>
</table>
</td></tr></table>
</body>
</html>
', 'Welcome, person-1-29413@example.test
Your Upgrade account is ready. Sign in with person-1-29413@example.test.
Confirm your email address to finish:
Confirm email
<http://localhost:8080/verify-email?token=usr_01m8bwdh36e9jsm1t5s2m34r27.1.dxiI5nD0m4d6wFdFOTltXfGFPHBIjaCWNU7vxYquyXg>
Didn''t sign up for Upgrade? You can ignore this email.', '{"message-id": "<msg_01m8bwdhfden399ke1t03mxmnx@larder.test>", "auto-submitted": "auto-generated"}', '2026-11-26 12:13:57.014+00'),
	('eml_01m8bwdp5we5dbj9qrg1dwsnzf', 'msg_01m8bwdj4ye8187v6qy3mnf56a', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'Larder <hello@larder.test>', 'ada@example.test', 'Welcome to Upgrade', '<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<title>Welcome to Upgrade</title>
<style>
@media (max-width: 480px) {
  .content {
    padding: 20px !important;
  }
}
</style></head>
<body style="margin: 0; padding: 0; background-color: #f6f7fa;">
<div class="preheader" style="display: none; max-height: 0; overflow: hidden;">Your account is ready.</div>
<table role="presentation" class="outer" width="100%" cellpadding="0" cellspacing="0" style="background-color: #f6f7fa; table-layout: fixed;" bgcolor="#f6f7fa"><tr><td align="center" class="space" style="padding: 32px 16px;">
<table role="presentation" class="inner" width="100%" cellpadding="0" cellspacing="0" style="max-width: 560px; table-layout: fixed; overflow-wrap: break-word;">
<tr><td class="brand" style="padding: 0 8px 16px; font-family: system-ui, -apple-system, ''Segoe UI'', Roboto, ''Helvetica Neue'', Arial, sans-serif; font-size: 18px; font-weight: bold;"><a href="http://localhost:8080" style="color: #171b26; text-decoration: none;">Upgrade</a></td></tr>
<tr><td class="content" style="padding: 32px; border: 1px solid #d5d9e4; border-radius: 10px; background-color: #ffffff; color: #171b26; font-family: system-ui, -apple-system, ''Segoe UI'', Roboto, ''Helvetica Neue'', Arial, sans-serif; font-size: 16px; line-height: 1.5;" bgcolor="#ffffff">
<h1 style="margin: 0 0 16px; font-size: 22px; line-height: 1.3;">Welcome, Ada</h1>
<p style="margin: 0 0 16px;">Your Upgrade account is ready. Sign in with ada@example.test.</p>
<p style="margin: 0 0 16px;">Confirm your email address to finish:</p>
<p style="margin: 0 0 16px;"><a class="button" href="http://localhost:8080/verify-email?token&#x3D;usr_01m8bwdhxkewftmbcqdphd4h4f.1.ks5dJ2-jHKCkNEhx6zqa8JLfiSU5svXm5twg8pT-uWc" style="display: inline-block; padding: 12px 24px; border-radius: 10px; background-color: #3544d6; color: #ffffff; font-weight: bold; text-decoration: none;">Confirm email</a></p>
<p class="muted" style="margin: 0 0 16px; color: #596072; font-size: 14px;">Didn''t sign up for Upgrade? You can ignore this email.</p>
</td></tr>
<tr><td class="foot" style="padding: 16px 8px 0; color: #596072; font-family: system-ui, -apple-system, ''Segoe UI'', Roboto, ''Helvetica Neue'', Arial, sans-serif; font-size: 13px;">Upgrade · http://localhost:8080</td></tr>
</table>
</td></tr></table>
</body>
</html>
', 'Welcome, Ada
Your Upgrade account is ready. Sign in with ada@example.test.
Confirm your email address to finish:
Confirm email
<http://localhost:8080/verify-email?token=usr_01m8bwdhxkewftmbcqdphd4h4f.1.ks5dJ2-jHKCkNEhx6zqa8JLfiSU5svXm5twg8pT-uWc>
Didn''t sign up for Upgrade? You can ignore this email.', '{"message-id": "<msg_01m8bwdj4ye8187v6qy3mnf56a@larder.test>", "auto-submitted": "auto-generated"}', '2026-11-26 12:13:57.308+00'),
	('eml_01m8bwdpakezbtcf92pj2n6jqc', 'msg_01m8bwdjc2eg8v4dbbd34078js', 'ten_01m8bwd89je5xan3wgq9p3y8sp', 'Larder <hello@larder.test>', 'ada@example.test', 'Access to your Upgrade account was reset', '<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<title>Access to your Upgrade account was reset</title>
<style>
@media (max-width: 480px) {
  .content {
    padding: 20px !important;
  }
}
</style></head>
<body style="margin: 0; padding: 0; background-color: #f6f7fa;">
<div class="preheader" style="display: none; max-height: 0; overflow: hidden;">Earlier sign-ins, API keys and invitations no longer work.</div>
<table role="presentation" class="outer" width="100%" cellpadding="0" cellspacing="0" style="background-color: #f6f7fa; table-layout: fixed;" bgcolor="#f6f7fa"><tr><td align="center" class="space" style="padding: 32px 16px;">
<table role="presentation" class="inner" width="100%" cellpadding="0" cellspacing="0" style="max-width: 560px; table-layout: fixed; overflow-wrap: break-word;">
<tr><td class="brand" style="padding: 0 8px 16px; font-family: system-ui, -apple-system, ''Segoe UI'', Roboto, ''Helvetica Neue'', Arial, sans-serif; font-size: 18px; font-weight: bold;"><a href="http://localhost:8080" style="color: #171b26; text-decoration: none;">Upgrade</a></td></tr>
<tr><td class="content" style="padding: 32px; border: 1px solid #d5d9e4; border-radius: 10px; background-color: #ffffff; color: #171b26; font-family: system-ui, -apple-system, ''Segoe UI'', Roboto, ''Helvetica Neue'', Arial, sans-serif; font-size: 16px; line-height: 1.5;" bgcolor="#ffffff">
<h1 style="margin: 0 0 16px; font-size: 22px; line-height: 1.3;">Access was reset</h1>
<p style="margin: 0 0 16px;">Hi Ada, the email address of your Upgrade account was confirmed. For your security, access that was created earlier no longer works:</p>
<ul>
<li>Signed-in devices: 1</li>
<li>API keys: 1</li>
<li>Invitations: 0</li>
</ul>
<p style="margin: 0 0 16px;">Sign in again and create new API keys and invitations if you need them. Check the members of your workspaces, too.</p>
<p class="muted" style="margin: 0 0 16px; color: #596072; font-size: 14px;">Think someone else has your password? <a href="http://localhost:8080/forgot-password" style="color: #3544d6;">Reset your password</a>.</p>
</td></tr>
<tr><td class="foot" style="padding: 16px 8px 0; color: #596072; font-family: system-ui, -apple-system, ''Segoe UI'', Roboto, ''Helvetica Neue'', Arial, sans-serif; font-size: 13px;">Upgrade · http://localhost:8080</td></tr>
</table>
</td></tr></table>
</body>
</html>
', 'Access was reset
Hi Ada, the email address of your Upgrade account was confirmed. For your
security, access that was created earlier no longer works:
 * Signed-in devices: 1
 * API keys: 1
 * Invitations: 0
Sign in again and create new API keys and invitations if you need them. Check
the members of your workspaces, too.
Think someone else has your password? Reset your password
<http://localhost:8080/forgot-password>.', '{"message-id": "<msg_01m8bwdjc2eg8v4dbbd34078js@larder.test>", "auto-submitted": "auto-generated"}', '2026-11-26 12:13:57.459+00'),
	('eml_01m8bwdpdte99s428dx3rjx5g2', 'msg_01m8bwdk2rebe9q4q2cqv5r52x', 'ten_01m8bwdk1cembsakrsx373gvqx', 'Larder <hello@larder.test>', 'grace@example.test', 'Willkommen bei Upgrade', '<!doctype html>
<html lang="de">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<title>Willkommen bei Upgrade</title>
<style>
@media (max-width: 480px) {
  .content {
    padding: 20px !important;
  }
}
</style></head>
<body style="margin: 0; padding: 0; background-color: #f6f7fa;">
<div class="preheader" style="display: none; max-height: 0; overflow: hidden;">Ihr Konto ist eingerichtet.</div>
<table role="presentation" class="outer" width="100%" cellpadding="0" cellspacing="0" style="background-color: #f6f7fa; table-layout: fixed;" bgcolor="#f6f7fa"><tr><td align="center" class="space" style="padding: 32px 16px;">
<table role="presentation" class="inner" width="100%" cellpadding="0" cellspacing="0" style="max-width: 560px; table-layout: fixed; overflow-wrap: break-word;">
<tr><td class="brand" style="padding: 0 8px 16px; font-family: system-ui, -apple-system, ''Segoe UI'', Roboto, ''Helvetica Neue'', Arial, sans-serif; font-size: 18px; font-weight: bold;"><a href="http://localhost:8080" style="color: #171b26; text-decoration: none;">Upgrade</a></td></tr>
<tr><td class="content" style="padding: 32px; border: 1px solid #d5d9e4; border-radius: 10px; background-color: #ffffff; color: #171b26; font-family: system-ui, -apple-system, ''Segoe UI'', Roboto, ''Helvetica Neue'', Arial, sans-serif; font-size: 16px; line-height: 1.5;" bgcolor="#ffffff">
<h1 style="margin: 0 0 16px; font-size: 22px; line-height: 1.3;">Willkommen, Grace</h1>
<p style="margin: 0 0 16px;">Ihr Konto bei Upgrade ist eingerichtet. Melden Sie sich mit grace@example.test an.</p>
<p style="margin: 0 0 16px;">Bestätigen Sie noch Ihre E-Mail-Adresse:</p>
<p style="margin: 0 0 16px;"><a class="button" href="http://localhost:8080/verify-email?token&#x3D;usr_01m8bwdk1ce4b9h9rgzk14s76c.1.5veg2lSnZZxZEhA0vXDLKd3K88aqPMzo4_2jc-y8r64" style="display: inline-block; padding: 12px 24px; border-radius: 10px; background-color: #3544d6; color: #ffffff; font-weight: bold; text-decoration: none;">E-Mail bestätigen</a></p>
<p class="muted" style="margin: 0 0 16px; color: #596072; font-size: 14px;">Sie haben sich nicht bei Upgrade registriert? Dann können Sie diese E-Mail ignorieren.</p>
</td></tr>
<tr><td class="foot" style="padding: 16px 8px 0; color: #596072; font-family: system-ui, -apple-system, ''Segoe UI'', Roboto, ''Helvetica Neue'', Arial, sans-serif; font-size: 13px;">Upgrade · http://localhost:8080</td></tr>
</table>
</td></tr></table>
</body>
</html>
', 'Willkommen, Grace
Ihr Konto bei Upgrade ist eingerichtet. Melden Sie sich mit grace@example.test
an.
Bestätigen Sie noch Ihre E-Mail-Adresse:
E-Mail bestätigen
<http://localhost:8080/verify-email?token=usr_01m8bwdk1ce4b9h9rgzk14s76c.1.5veg2lSnZZxZEhA0vXDLKd3K88aqPMzo4_2jc-y8r64>
Sie haben sich nicht bei Upgrade registriert? Dann können Sie diese E-Mail
ignorieren.', '{"message-id": "<msg_01m8bwdk2rebe9q4q2cqv5r52x@larder.test>", "auto-submitted": "auto-generated"}', '2026-11-26 12:13:57.562+00'),
	('eml_01m8bwdpjme2vssgwbfpqa66hw', 'msg_01m8bwdnfceya84a48t0bq6939', 'ten_01m8bwdmhnehy9ff7wc2cs4w16', 'Larder <hello@larder.test>', 'person-2-29413@example.test', 'Welcome to Upgrade', '<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<title>Welcome to Upgrade</title>
<style>
@media (max-width: 480px) {
  .content {
    padding: 20px !important;
  }
}
</style></head>
<body style="margin: 0; padding: 0; background-color: #f6f7fa;">
<div class="preheader" style="display: none; max-height: 0; overflow: hidden;">Your account is ready.</div>
<table role="presentation" class="outer" width="100%" cellpadding="0" cellspacing="0" style="background-color: #f6f7fa; table-layout: fixed;" bgcolor="#f6f7fa"><tr><td align="center" class="space" style="padding: 32px 16px;">
<table role="presentation" class="inner" width="100%" cellpadding="0" cellspacing="0" style="max-width: 560px; table-layout: fixed; overflow-wrap: break-word;">
<tr><td class="brand" style="padding: 0 8px 16px; font-family: system-ui, -apple-system, ''Segoe UI'', Roboto, ''Helvetica Neue'', Arial, sans-serif; font-size: 18px; font-weight: bold;"><a href="http://localhost:8080" style="color: #171b26; text-decoration: none;">Upgrade</a></td></tr>
<tr><td class="content" style="padding: 32px; border: 1px solid #d5d9e4; border-radius: 10px; background-color: #ffffff; color: #171b26; font-family: system-ui, -apple-system, ''Segoe UI'', Roboto, ''Helvetica Neue'', Arial, sans-serif; font-size: 16px; line-height: 1.5;" bgcolor="#ffffff">
<h1 style="margin: 0 0 16px; font-size: 22px; line-height: 1.3;">Welcome, Ben</h1>
<p style="margin: 0 0 16px;">Your Upgrade account is ready. Sign in with person-2-29413@example.test.</p>
<p style="margin: 0 0 16px;">Confirm your email address to finish:</p>
<p style="margin: 0 0 16px;"><a class="button" href="http://localhost:8080/verify-email?token&#x3D;usr_01m8bwdmhmej18xfm4vfj5ggxg.1.ofxixcch7NIxK1SpAZs8CmRyZ2kY7Wcq-MHwXk_J5n8" style="display: inline-block; padding: 12px 24px; border-radius: 10px; background-color: #3544d6; color: #ffffff; font-weight: bold; text-decoration: none;">Confirm email</a></p>
<p class="muted" style="margin: 0 0 16px; color: #596072; font-size: 14px;">Didn''t sign up for Upgrade? You can ignore this email.</p>
</td></tr>
<tr><td class="foot" style="padding: 16px 8px 0; color: #596072; font-family: system-ui, -apple-system, ''Segoe UI'', Roboto, ''Helvetica Neue'', Arial, sans-serif; font-size: 13px;">Upgrade · http://localhost:8080</td></tr>
</table>
</td></tr></table>
</body>
</html>
', 'Welcome, Ben
Your Upgrade account is ready. Sign in with person-2-29413@example.test.
Confirm your email address to finish:
Confirm email
<http://localhost:8080/verify-email?token=usr_01m8bwdmhmej18xfm4vfj5ggxg.1.ofxixcch7NIxK1SpAZs8CmRyZ2kY7Wcq-MHwXk_J5n8>
Didn''t sign up for Upgrade? You can ignore this email.', '{"message-id": "<msg_01m8bwdnfceya84a48t0bq6939@larder.test>", "auto-submitted": "auto-generated"}', '2026-11-26 12:13:57.716+00'),
	('eml_01m8bwdqzee7d9fc0f4mb2wxha', 'msg_01m8bwdq1ae4grd6vyrjvzbxda', 'ten_01m8bwd89je5xan3wgq9p3y8sp', 'Larder <hello@larder.test>', 'ada.new@example.test', 'Confirm your new email for Upgrade', '<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<title>Confirm your new email for Upgrade</title>
<style>
@media (max-width: 480px) {
  .content {
    padding: 20px !important;
  }
}
</style></head>
<body style="margin: 0; padding: 0; background-color: #f6f7fa;">
<div class="preheader" style="display: none; max-height: 0; overflow: hidden;">Confirm the change of your email address.</div>
<table role="presentation" class="outer" width="100%" cellpadding="0" cellspacing="0" style="background-color: #f6f7fa; table-layout: fixed;" bgcolor="#f6f7fa"><tr><td align="center" class="space" style="padding: 32px 16px;">
<table role="presentation" class="inner" width="100%" cellpadding="0" cellspacing="0" style="max-width: 560px; table-layout: fixed; overflow-wrap: break-word;">
<tr><td class="brand" style="padding: 0 8px 16px; font-family: system-ui, -apple-system, ''Segoe UI'', Roboto, ''Helvetica Neue'', Arial, sans-serif; font-size: 18px; font-weight: bold;"><a href="http://localhost:8080" style="color: #171b26; text-decoration: none;">Upgrade</a></td></tr>
<tr><td class="content" style="padding: 32px; border: 1px solid #d5d9e4; border-radius: 10px; background-color: #ffffff; color: #171b26; font-family: system-ui, -apple-system, ''Segoe UI'', Roboto, ''Helvetica Neue'', Arial, sans-serif; font-size: 16px; line-height: 1.5;" bgcolor="#ffffff">
<h1 style="margin: 0 0 16px; font-size: 22px; line-height: 1.3;">Confirm the change of your email address</h1>
<p style="margin: 0 0 16px;">Hi Ada, someone asked to change the email address of your Upgrade account to ada.new@example.test.</p>
<p style="margin: 0 0 16px;"><a class="button" href="http://localhost:8080/change-email?token&#x3D;emc_01m8bwdpv8ekgs47ks4ek5h8f3.2.eOI0spemrC_e_sgPP1-zvsqQmnRnnx2f_pSDj33ZKsg" style="display: inline-block; padding: 12px 24px; border-radius: 10px; background-color: #3544d6; color: #ffffff; font-weight: bold; text-decoration: none;">Confirm the change</a></p>
<p style="margin: 0 0 16px;">The link expires in 24 hours.</p>
<p class="muted" style="margin: 0 0 16px; color: #596072; font-size: 14px;">Don''t have a Upgrade account? You can ignore this email.</p>
</td></tr>
<tr><td class="foot" style="padding: 16px 8px 0; color: #596072; font-family: system-ui, -apple-system, ''Segoe UI'', Roboto, ''Helvetica Neue'', Arial, sans-serif; font-size: 13px;">Upgrade · http://localhost:8080</td></tr>
</table>
</td></tr></table>
</body>
</html>
', 'Confirm the change of your email address
Hi Ada, someone asked to change the email address of your Upgrade account to
ada.new@example.test.
Confirm the change
<http://localhost:8080/change-email?token=emc_01m8bwdpv8ekgs47ks4ek5h8f3.2.eOI0spemrC_e_sgPP1-zvsqQmnRnnx2f_pSDj33ZKsg>
The link expires in 24 hours.
Don''t have a Upgrade account? You can ignore this email.', '{"message-id": "<msg_01m8bwdq1ae4grd6vyrjvzbxda@larder.test>", "auto-submitted": "auto-generated"}', '2026-11-26 12:13:59.15+00'),
	('eml_01m8bwdr4zesdtbrcdg2hn4c9n', 'msg_01m8bwdq7pe2svmn7fcf2j3t1d', 'ten_01m8bwd89je5xan3wgq9p3y8sp', 'Larder <hello@larder.test>', 'person-2-29413@example.test', 'Reset your Upgrade password', '<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<title>Reset your Upgrade password</title>
<style>
@media (max-width: 480px) {
  .content {
    padding: 20px !important;
  }
}
</style></head>
<body style="margin: 0; padding: 0; background-color: #f6f7fa;">
<div class="preheader" style="display: none; max-height: 0; overflow: hidden;">This link expires in one hour.</div>
<table role="presentation" class="outer" width="100%" cellpadding="0" cellspacing="0" style="background-color: #f6f7fa; table-layout: fixed;" bgcolor="#f6f7fa"><tr><td align="center" class="space" style="padding: 32px 16px;">
<table role="presentation" class="inner" width="100%" cellpadding="0" cellspacing="0" style="max-width: 560px; table-layout: fixed; overflow-wrap: break-word;">
<tr><td class="brand" style="padding: 0 8px 16px; font-family: system-ui, -apple-system, ''Segoe UI'', Roboto, ''Helvetica Neue'', Arial, sans-serif; font-size: 18px; font-weight: bold;"><a href="http://localhost:8080" style="color: #171b26; text-decoration: none;">Upgrade</a></td></tr>
<tr><td class="content" style="padding: 32px; border: 1px solid #d5d9e4; border-radius: 10px; background-color: #ffffff; color: #171b26; font-family: system-ui, -apple-system, ''Segoe UI'', Roboto, ''Helvetica Neue'', Arial, sans-serif; font-size: 16px; line-height: 1.5;" bgcolor="#ffffff">
<h1 style="margin: 0 0 16px; font-size: 22px; line-height: 1.3;">Reset your password</h1>
<p style="margin: 0 0 16px;">Hi Ben, we received a request to reset the password of your Upgrade account.</p>
<p style="margin: 0 0 16px;"><a class="button" href="http://localhost:8080/reset-password?token&#x3D;rst_01m8bwdpyce12se6e20zvw083b.1.iK-fw01I1PFgSOw6E8YBs2npt4oWOB9l68zRMltzC90" style="display: inline-block; padding: 12px 24px; border-radius: 10px; background-color: #3544d6; color: #ffffff; font-weight: bold; text-decoration: none;">Set a new password</a></p>
<p class="muted" style="margin: 0 0 16px; color: #596072; font-size: 14px;">This link expires in one hour and works once. Didn''t request this? You can ignore this email. Your password won''t change.</p>
</td></tr>
<tr><td class="foot" style="padding: 16px 8px 0; color: #596072; font-family: system-ui, -apple-system, ''Segoe UI'', Roboto, ''Helvetica Neue'', Arial, sans-serif; font-size: 13px;">Upgrade · http://localhost:8080</td></tr>
</table>
</td></tr></table>
</body>
</html>
', 'Reset your password
Hi Ben, we received a request to reset the password of your Upgrade account.
Set a new password
<http://localhost:8080/reset-password?token=rst_01m8bwdpyce12se6e20zvw083b.1.iK-fw01I1PFgSOw6E8YBs2npt4oWOB9l68zRMltzC90>
This link expires in one hour and works once. Didn''t request this? You can
ignore this email. Your password won''t change.', '{"message-id": "<msg_01m8bwdq7pe2svmn7fcf2j3t1d@larder.test>", "auto-submitted": "auto-generated"}', '2026-11-26 12:13:59.327+00'),
	('eml_01m8bwdrcmej299efv70h721tp', 'msg_01m8bwdq89e7ev1ttkbw6ffge0', 'ten_01m8bwd89je5xan3wgq9p3y8sp', 'Larder <hello@larder.test>', 'ada@example.test', 'Confirm your new email for Upgrade', '<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<title>Confirm your new email for Upgrade</title>
<style>
@media (max-width: 480px) {
  .content {
    padding: 20px !important;
  }
}
</style></head>
<body style="margin: 0; padding: 0; background-color: #f6f7fa;">
<div class="preheader" style="display: none; max-height: 0; overflow: hidden;">Confirm the change of your email address.</div>
<table role="presentation" class="outer" width="100%" cellpadding="0" cellspacing="0" style="background-color: #f6f7fa; table-layout: fixed;" bgcolor="#f6f7fa"><tr><td align="center" class="space" style="padding: 32px 16px;">
<table role="presentation" class="inner" width="100%" cellpadding="0" cellspacing="0" style="max-width: 560px; table-layout: fixed; overflow-wrap: break-word;">
<tr><td class="brand" style="padding: 0 8px 16px; font-family: system-ui, -apple-system, ''Segoe UI'', Roboto, ''Helvetica Neue'', Arial, sans-serif; font-size: 18px; font-weight: bold;"><a href="http://localhost:8080" style="color: #171b26; text-decoration: none;">Upgrade</a></td></tr>
<tr><td class="content" style="padding: 32px; border: 1px solid #d5d9e4; border-radius: 10px; background-color: #ffffff; color: #171b26; font-family: system-ui, -apple-system, ''Segoe UI'', Roboto, ''Helvetica Neue'', Arial, sans-serif; font-size: 16px; line-height: 1.5;" bgcolor="#ffffff">
<h1 style="margin: 0 0 16px; font-size: 22px; line-height: 1.3;">Confirm the change of your email address</h1>
<p style="margin: 0 0 16px;">Hi Ada, someone asked to change the email address of your Upgrade account to ada.new@example.test.</p>
<p style="margin: 0 0 16px;"><a class="button" href="http://localhost:8080/change-email?token&#x3D;emc_01m8bwdpv8ekgs47ks4ek5h8f3.1.jA9a1h37pUIBXhy6OYcbItzXZpqaqcT2DUVojfkBOZw" style="display: inline-block; padding: 12px 24px; border-radius: 10px; background-color: #3544d6; color: #ffffff; font-weight: bold; text-decoration: none;">Confirm the change</a></p>
<p style="margin: 0 0 16px;">The link expires in 24 hours.</p>
<p class="muted" style="margin: 0 0 16px; color: #596072; font-size: 14px;">Wasn''t this you? Don''t confirm, and change your password: someone else may know it.</p>
</td></tr>
<tr><td class="foot" style="padding: 16px 8px 0; color: #596072; font-family: system-ui, -apple-system, ''Segoe UI'', Roboto, ''Helvetica Neue'', Arial, sans-serif; font-size: 13px;">Upgrade · http://localhost:8080</td></tr>
</table>
</td></tr></table>
</body>
</html>
', 'Confirm the change of your email address
Hi Ada, someone asked to change the email address of your Upgrade account to
ada.new@example.test.
Confirm the change
<http://localhost:8080/change-email?token=emc_01m8bwdpv8ekgs47ks4ek5h8f3.1.jA9a1h37pUIBXhy6OYcbItzXZpqaqcT2DUVojfkBOZw>
The link expires in 24 hours.
Wasn''t this you? Don''t confirm, and change your password: someone else may
know it.', '{"message-id": "<msg_01m8bwdq89e7ev1ttkbw6ffge0@larder.test>", "auto-submitted": "auto-generated"}', '2026-11-26 12:13:59.572+00'),
	('eml_01m8bwdwzze2r8p548kxm4fqjp', 'msg_01m8bwdwsge21s1d1t23zkfc0z', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'Larder <hello@larder.test>', 'team@example.test', 'Confirm form notifications from Upgrade', '<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<title>Confirm form notifications from Upgrade</title>
<style>
@media (max-width: 480px) {
  .content {
    padding: 20px !important;
  }
}
</style></head>
<body style="margin: 0; padding: 0; background-color: #f6f7fa;">
<div class="preheader" style="display: none; max-height: 0; overflow: hidden;">Confirm to receive form responses by email.</div>
<table role="presentation" class="outer" width="100%" cellpadding="0" cellspacing="0" style="background-color: #f6f7fa; table-layout: fixed;" bgcolor="#f6f7fa"><tr><td align="center" class="space" style="padding: 32px 16px;">
<table role="presentation" class="inner" width="100%" cellpadding="0" cellspacing="0" style="max-width: 560px; table-layout: fixed; overflow-wrap: break-word;">
<tr><td class="brand" style="padding: 0 8px 16px; font-family: system-ui, -apple-system, ''Segoe UI'', Roboto, ''Helvetica Neue'', Arial, sans-serif; font-size: 18px; font-weight: bold;"><a href="http://localhost:8080" style="color: #171b26; text-decoration: none;">Upgrade</a></td></tr>
<tr><td class="content" style="padding: 32px; border: 1px solid #d5d9e4; border-radius: 10px; background-color: #ffffff; color: #171b26; font-family: system-ui, -apple-system, ''Segoe UI'', Roboto, ''Helvetica Neue'', Arial, sans-serif; font-size: 16px; line-height: 1.5;" bgcolor="#ffffff">
<h1 style="margin: 0 0 16px; font-size: 22px; line-height: 1.3;">Confirm form notifications</h1>
<p style="margin: 0 0 16px;">Someone who uses Upgrade wants to send form responses to this address. You receive them only if you confirm.</p>
<p style="margin: 0 0 16px;"><a class="button" href="http://localhost:8080/form-notifications/confirm?token&#x3D;fnr_01m8bwdwmjery8mmfcgjkf79rv.1.2ZkezzohfbMrOiZfmHMm4ZuPJyaMcAOpzgdPWuCUKrQ" style="display: inline-block; padding: 12px 24px; border-radius: 10px; background-color: #3544d6; color: #ffffff; font-weight: bold; text-decoration: none;">View request</a></p>
<p class="muted" style="margin: 0 0 16px; color: #596072; font-size: 14px;">The link is valid for 7 days. If you don''t expect this, ignore this email.</p>
</td></tr>
<tr><td class="foot" style="padding: 16px 8px 0; color: #596072; font-family: system-ui, -apple-system, ''Segoe UI'', Roboto, ''Helvetica Neue'', Arial, sans-serif; font-size: 13px;">Upgrade · http://localhost:8080</td></tr>
</table>
</td></tr></table>
</body>
</html>
', 'Confirm form notifications
Someone who uses Upgrade wants to send form responses to this address. You
receive them only if you confirm.
View request
<http://localhost:8080/form-notifications/confirm?token=fnr_01m8bwdwmjery8mmfcgjkf79rv.1.2ZkezzohfbMrOiZfmHMm4ZuPJyaMcAOpzgdPWuCUKrQ>
The link is valid for 7 days. If you don''t expect this, ignore this email.', '{"message-id": "<msg_01m8bwdwsge21s1d1t23zkfc0z@larder.test>", "auto-submitted": "auto-generated"}', '2026-11-26 12:14:04.287+00'),
	('eml_01m8bwe057eqrakx27net0nxj6', 'msg_01m8bwdzeeeg2bxzbh4ct8afy7', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'Larder <hello@larder.test>', 'bounced@example.test', 'Test email from Upgrade', '<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<title>Test email from Upgrade</title>
<style>
@media (max-width: 480px) {
  .content {
    padding: 20px !important;
  }
}
</style></head>
<body style="margin: 0; padding: 0; background-color: #f6f7fa;">
<div class="preheader" style="display: none; max-height: 0; overflow: hidden;">Email delivery works.</div>
<table role="presentation" class="outer" width="100%" cellpadding="0" cellspacing="0" style="background-color: #f6f7fa; table-layout: fixed;" bgcolor="#f6f7fa"><tr><td align="center" class="space" style="padding: 32px 16px;">
<table role="presentation" class="inner" width="100%" cellpadding="0" cellspacing="0" style="max-width: 560px; table-layout: fixed; overflow-wrap: break-word;">
<tr><td class="brand" style="padding: 0 8px 16px; font-family: system-ui, -apple-system, ''Segoe UI'', Roboto, ''Helvetica Neue'', Arial, sans-serif; font-size: 18px; font-weight: bold;"><a href="http://localhost:8080" style="color: #171b26; text-decoration: none;">Upgrade</a></td></tr>
<tr><td class="content" style="padding: 32px; border: 1px solid #d5d9e4; border-radius: 10px; background-color: #ffffff; color: #171b26; font-family: system-ui, -apple-system, ''Segoe UI'', Roboto, ''Helvetica Neue'', Arial, sans-serif; font-size: 16px; line-height: 1.5;" bgcolor="#ffffff">
<h1 style="margin: 0 0 16px; font-size: 22px; line-height: 1.3;">Email delivery works</h1>
<p style="margin: 0 0 16px;">This is a test email from Upgrade.</p>
<p style="margin: 0 0 16px;">Hello</p>
<p style="margin: 0 0 16px;"><a class="button" href="http://localhost:8080" style="display: inline-block; padding: 12px 24px; border-radius: 10px; background-color: #3544d6; color: #ffffff; font-weight: bold; text-decoration: none;">Open Upgrade</a></p>
</td></tr>
<tr><td class="foot" style="padding: 16px 8px 0; color: #596072; font-family: system-ui, -apple-system, ''Segoe UI'', Roboto, ''Helvetica Neue'', Arial, sans-serif; font-size: 13px;">Upgrade · http://localhost:8080</td></tr>
</table>
</td></tr></table>
</body>
</html>
', 'Email delivery works
This is a test email from Upgrade.
Hello
Open Upgrade <http://localhost:8080>', '{"message-id": "<msg_01m8bwdzeeeg2bxzbh4ct8afy7@larder.test>", "auto-submitted": "auto-generated"}', '2026-11-26 12:14:07.527+00'),
	('eml_01m8bwdzkvejgtaded6d16phxk', 'msg_01m8bwdz69ejqtj3q944562gm2', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'Larder <hello@larder.test>', 'ada@example.test', 'Test email from Upgrade', '<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<title>Test email from Upgrade</title>
<style>
@media (max-width: 480px) {
  .content {
    padding: 20px !important;
  }
}
</style></head>
<body style="margin: 0; padding: 0; background-color: #f6f7fa;">
<div class="preheader" style="display: none; max-height: 0; overflow: hidden;">Email delivery works.</div>
<table role="presentation" class="outer" width="100%" cellpadding="0" cellspacing="0" style="background-color: #f6f7fa; table-layout: fixed;" bgcolor="#f6f7fa"><tr><td align="center" class="space" style="padding: 32px 16px;">
<table role="presentation" class="inner" width="100%" cellpadding="0" cellspacing="0" style="max-width: 560px; table-layout: fixed; overflow-wrap: break-word;">
<tr><td class="brand" style="padding: 0 8px 16px; font-family: system-ui, -apple-system, ''Segoe UI'', Roboto, ''Helvetica Neue'', Arial, sans-serif; font-size: 18px; font-weight: bold;"><a href="http://localhost:8080" style="color: #171b26; text-decoration: none;">Upgrade</a></td></tr>
<tr><td class="content" style="padding: 32px; border: 1px solid #d5d9e4; border-radius: 10px; background-color: #ffffff; color: #171b26; font-family: system-ui, -apple-system, ''Segoe UI'', Roboto, ''Helvetica Neue'', Arial, sans-serif; font-size: 16px; line-height: 1.5;" bgcolor="#ffffff">
<h1 style="margin: 0 0 16px; font-size: 22px; line-height: 1.3;">Email delivery works</h1>
<p style="margin: 0 0 16px;">This is a test email from Upgrade.</p>
<p style="margin: 0 0 16px;">Hello</p>
<p style="margin: 0 0 16px;"><a class="button" href="http://localhost:8080" style="display: inline-block; padding: 12px 24px; border-radius: 10px; background-color: #3544d6; color: #ffffff; font-weight: bold; text-decoration: none;">Open Upgrade</a></p>
</td></tr>
<tr><td class="foot" style="padding: 16px 8px 0; color: #596072; font-family: system-ui, -apple-system, ''Segoe UI'', Roboto, ''Helvetica Neue'', Arial, sans-serif; font-size: 13px;">Upgrade · http://localhost:8080</td></tr>
</table>
</td></tr></table>
</body>
</html>
', 'Email delivery works
This is a test email from Upgrade.
Hello
Open Upgrade <http://localhost:8080>', '{"message-id": "<msg_01m8bwdz69ejqtj3q944562gm2@larder.test>", "auto-submitted": "auto-generated"}', '2026-11-26 12:14:06.971+00');
INSERT INTO public.comms_messages VALUES
	('ten_01m8bwdk1cembsakrsx373gvqx', 'msg_01m8bwdk2rebe9q4q2cqv5r52x', 'identity.welcome', 'grace@example.test', 'grace@example.test', 'de', 'transactional', 'Willkommen bei Upgrade', '{"link": {"$link": {"id": "usr_01m8bwdk1ce4b9h9rgzk14s76c", "path": "/verify-email", "purpose": "verify_email", "version": 1}}, "name": "Grace", "email": "grace@example.test"}', 'evt_01m8bwdk1keq3ag64s39f1enk0', 'sent', 1, '[{"at": "2026-11-26T12:13:54.136Z", "type": "queued"}, {"at": "2026-11-26T12:13:54.182Z", "type": "sending"}, {"at": "2026-11-26T12:13:57.567Z", "type": "sent", "detail": "stored in the mailbox"}]', '2026-11-26 12:13:57.567+00', '2026-11-26 12:13:54.136+00', '2026-11-26 12:13:57.567+00'),
	('ten_01m8bwdmhnehy9ff7wc2cs4w16', 'msg_01m8bwdnfceya84a48t0bq6939', 'identity.welcome', 'person-2-29413@example.test', 'person-2-29413@example.test', 'en', 'transactional', 'Welcome to Upgrade', '{"link": {"$link": {"id": "usr_01m8bwdmhmej18xfm4vfj5ggxg", "path": "/verify-email", "purpose": "verify_email", "version": 1}}, "name": "Ben", "email": "person-2-29413@example.test"}', 'evt_01m8bwdmkbekr8yzvzt57nrv2k', 'sent', 1, '[{"at": "2026-11-26T12:13:56.588Z", "type": "queued"}, {"at": "2026-11-26T12:13:57.176Z", "type": "sending"}, {"at": "2026-11-26T12:13:57.735Z", "type": "sent", "detail": "stored in the mailbox"}]', '2026-11-26 12:13:57.735+00', '2026-11-26 12:13:56.588+00', '2026-11-26 12:13:57.735+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'msg_01m8bwdwsge21s1d1t23zkfc0z', 'forms.confirm_notifications', 'team@example.test', 'team@example.test', 'en', 'transactional', 'Confirm form notifications from Upgrade', '{"link": {"$link": {"id": "fnr_01m8bwdwmjery8mmfcgjkf79rv", "path": "/form-notifications/confirm", "purpose": "forms.recipient.confirm", "version": 1}}}', 'fnr_01m8bwdwmjery8mmfcgjkf79rv 1', 'sent', 1, '[{"at": "2026-11-26T12:14:04.080Z", "type": "queued"}, {"at": "2026-11-26T12:14:04.208Z", "type": "sending"}, {"at": "2026-11-26T12:14:04.327Z", "type": "sent", "detail": "stored in the mailbox"}]', '2026-11-26 12:14:04.327+00', '2026-11-26 12:14:04.08+00', '2026-11-26 12:14:04.327+00'),
	('ten_01m8bwdh37enwbbm3zc8ajhjmd', 'msg_01m8bwdhfden399ke1t03mxmnx', 'identity.welcome', 'person-1-29413@example.test', 'person-1-29413@example.test', 'en', 'transactional', 'Welcome to Upgrade', '{"link": {"$link": {"id": "usr_01m8bwdh36e9jsm1t5s2m34r27", "path": "/verify-email", "purpose": "verify_email", "version": 1}}, "name": "person-1-29413@example.test", "email": "person-1-29413@example.test"}', 'evt_01m8bwdh64er589bq0r22gze3j', 'sent', 1, '[{"at": "2026-11-26T12:13:52.493Z", "type": "queued"}, {"at": "2026-11-26T12:13:52.667Z", "type": "sending"}, {"at": "2026-11-26T12:13:57.100Z", "type": "sent", "detail": "stored in the mailbox"}]', '2026-11-26 12:13:57.101+00', '2026-11-26 12:13:52.493+00', '2026-11-26 12:13:57.101+00'),
	('ten_01m8bwd89je5xan3wgq9p3y8sp', 'msg_01m8bwdq1ae4grd6vyrjvzbxda', 'identity.email_change', 'ada.new@example.test', 'ada.new@example.test', 'en', 'transactional', 'Confirm your new email for Upgrade', '{"link": {"$link": {"id": "emc_01m8bwdpv8ekgs47ks4ek5h8f3", "path": "/change-email", "purpose": "email_change", "version": 2}}, "name": "Ada", "current": false, "newEmail": "ada.new@example.test"}', 'emc_01m8bwdpv8ekgs47ks4ek5h8f3:new', 'sent', 1, '[{"at": "2026-11-26T12:13:58.186Z", "type": "queued"}, {"at": "2026-11-26T12:13:58.889Z", "type": "sending"}, {"at": "2026-11-26T12:13:59.169Z", "type": "sent", "detail": "stored in the mailbox"}]', '2026-11-26 12:13:59.169+00', '2026-11-26 12:13:58.186+00', '2026-11-26 12:13:59.169+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'msg_01m8bwdj4ye8187v6qy3mnf56a', 'identity.welcome', 'ada@example.test', 'ada@example.test', 'en', 'transactional', 'Welcome to Upgrade', '{"link": {"$link": {"id": "usr_01m8bwdhxkewftmbcqdphd4h4f", "path": "/verify-email", "purpose": "verify_email", "version": 1}}, "name": "Ada", "email": "ada@example.test"}', 'evt_01m8bwdhz5eq4scjwb5wpw7y1y', 'sent', 1, '[{"at": "2026-11-26T12:13:53.182Z", "type": "queued"}, {"at": "2026-11-26T12:13:53.579Z", "type": "sending"}, {"at": "2026-11-26T12:13:57.323Z", "type": "sent", "detail": "stored in the mailbox"}]', '2026-11-26 12:13:57.323+00', '2026-11-26 12:13:53.182+00', '2026-11-26 12:13:57.323+00'),
	('ten_01m8bwd89je5xan3wgq9p3y8sp', 'msg_01m8bwdjc2eg8v4dbbd34078js', 'identity.access_revoked', 'ada@example.test', 'ada@example.test', 'en', 'transactional', 'Access to your Upgrade account was reset', '{"link": "http://localhost:8080/forgot-password", "name": "Ada", "reset": false, "logins": 1, "apiKeys": 1, "invitations": 0}', 'evt_01m8bwdj51e4f9jcncn9768vj6', 'sent', 1, '[{"at": "2026-11-26T12:13:53.410Z", "type": "queued"}, {"at": "2026-11-26T12:13:53.617Z", "type": "sending"}, {"at": "2026-11-26T12:13:57.481Z", "type": "sent", "detail": "stored in the mailbox"}]', '2026-11-26 12:13:57.481+00', '2026-11-26 12:13:53.41+00', '2026-11-26 12:13:57.481+00'),
	('ten_01m8bwd89je5xan3wgq9p3y8sp', 'msg_01m8bwdq89e7ev1ttkbw6ffge0', 'identity.email_change', 'ada@example.test', 'ada@example.test', 'en', 'transactional', 'Confirm your new email for Upgrade', '{"link": {"$link": {"id": "emc_01m8bwdpv8ekgs47ks4ek5h8f3", "path": "/change-email", "purpose": "email_change", "version": 1}}, "name": "Ada", "current": true, "newEmail": "ada.new@example.test"}', 'emc_01m8bwdpv8ekgs47ks4ek5h8f3:current', 'sent', 1, '[{"at": "2026-11-26T12:13:58.409Z", "type": "queued"}, {"at": "2026-11-26T12:13:59.153Z", "type": "sending"}, {"at": "2026-11-26T12:13:59.593Z", "type": "sent", "detail": "stored in the mailbox"}]', '2026-11-26 12:13:59.593+00', '2026-11-26 12:13:58.409+00', '2026-11-26 12:13:59.593+00'),
	('ten_01m8bwd89je5xan3wgq9p3y8sp', 'msg_01m8bwdq7pe2svmn7fcf2j3t1d', 'identity.password_reset', 'person-2-29413@example.test', 'person-2-29413@example.test', 'en', 'transactional', 'Reset your Upgrade password', '{"link": {"$link": {"id": "rst_01m8bwdpyce12se6e20zvw083b", "path": "/reset-password", "purpose": "password_reset", "version": 1}}, "name": "Ben"}', 'job_01m8bwdpycefcsrhscrkqh4v9j', 'sent', 1, '[{"at": "2026-11-26T12:13:58.391Z", "type": "queued"}, {"at": "2026-11-26T12:13:58.969Z", "type": "sending"}, {"at": "2026-11-26T12:13:59.351Z", "type": "sent", "detail": "stored in the mailbox"}]', '2026-11-26 12:13:59.351+00', '2026-11-26 12:13:58.391+00', '2026-11-26 12:13:59.351+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'msg_01m8bwdzeeeg2bxzbh4ct8afy7', 'comms.test', 'bounced@example.test', 'bounced@example.test', 'en', 'transactional', 'Test email from Upgrade', '{"note": "Hello"}', NULL, 'sent', 1, '[{"at": "2026-11-26T12:14:06.798Z", "type": "queued"}, {"at": "2026-11-26T12:14:07.017Z", "type": "sending"}, {"at": "2026-11-26T12:14:07.547Z", "type": "sent", "detail": "stored in the mailbox"}]', '2026-11-26 12:14:07.547+00', '2026-11-26 12:14:06.798+00', '2026-11-26 12:14:07.547+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'msg_01m8bwdz69ejqtj3q944562gm2', 'comms.test', 'ada@example.test', 'ada@example.test', 'en', 'transactional', 'Test email from Upgrade', '{"note": "Hello"}', NULL, 'sent', 1, '[{"at": "2026-11-26T12:14:06.537Z", "type": "queued"}, {"at": "2026-11-26T12:14:06.799Z", "type": "sending"}, {"at": "2026-11-26T12:14:06.978Z", "type": "sent", "detail": "stored in the mailbox"}]', '2026-11-26 12:14:06.978+00', '2026-11-26 12:14:06.537+00', '2026-11-26 12:14:06.978+00');
INSERT INTO public.comms_recipient_counts VALUES
	('c2nWiprZp1uB6UB_Jp3myeViVCj-KzU0RcQ4_ZEEM8c', 'hour', '2026-11-26 12:00:00+00', 1, 0),
	('c2nWiprZp1uB6UB_Jp3myeViVCj-KzU0RcQ4_ZEEM8c', 'day', '2026-11-26 00:00:00+00', 1, 0),
	('sroFrPZMijX82Sc4mYD0qWdLLSAwiziAXkh6Qw8a3Js', 'hour', '2026-11-26 12:00:00+00', 1, 0),
	('sroFrPZMijX82Sc4mYD0qWdLLSAwiziAXkh6Qw8a3Js', 'day', '2026-11-26 00:00:00+00', 1, 0),
	('swvmzAURN7TXptOys0njnh9x2LlKzHBwHvjezt_sY1g', 'hour', '2026-11-26 12:00:00+00', 1, 0),
	('swvmzAURN7TXptOys0njnh9x2LlKzHBwHvjezt_sY1g', 'day', '2026-11-26 00:00:00+00', 1, 0),
	('-LGy0PuGxaxtiMcsePBE7_QJzLthc1pA99xxogmsShg', 'hour', '2026-11-26 12:00:00+00', 2, 0),
	('-LGy0PuGxaxtiMcsePBE7_QJzLthc1pA99xxogmsShg', 'day', '2026-11-26 00:00:00+00', 2, 0),
	('NQcjE002dAqtEBSxBviQBmYaQioI1s7YJAqNDlmGFEI', 'hour', '2026-11-26 12:00:00+00', 1, 0),
	('NQcjE002dAqtEBSxBviQBmYaQioI1s7YJAqNDlmGFEI', 'day', '2026-11-26 00:00:00+00', 1, 0),
	('6yUtzG5FqeJVeUx2Dxzb_Qk_b4KIDlW07CofYwImXUs', 'hour', '2026-11-26 12:00:00+00', 4, 1),
	('6yUtzG5FqeJVeUx2Dxzb_Qk_b4KIDlW07CofYwImXUs', 'day', '2026-11-26 00:00:00+00', 4, 1),
	('rt93_oIELe5_DRiSiEIxLJ8rVadpF-K8sqsTS6FRg9M', 'hour', '2026-11-26 12:00:00+00', 1, 1),
	('rt93_oIELe5_DRiSiEIxLJ8rVadpF-K8sqsTS6FRg9M', 'day', '2026-11-26 00:00:00+00', 1, 1);
INSERT INTO public.comms_suppression VALUES
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'sup_01m8bwdz97e2qtef58d73c6j88', 'bounced@example.test', 'marketing', 'asked by phone', NULL, '2026-11-26 12:14:06.631+00', '2026-11-26 12:14:06.631+00');
INSERT INTO public.comms_templates VALUES
	('ten_01m8bwd89je5xan3wgq9p3y8sp', 'comms.test', 'en', 'Our test', NULL, '<p>{{note}}</p>', NULL, '2026-11-26 12:14:07.544+00', '2026-11-26 12:14:07.544+00');
INSERT INTO public.content_media VALUES
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'pag_01m8bwdsrrem98wnm1s20thvrz', 3, 'med_01m8bwdqyxet8r151g8ny5vpk0');
INSERT INTO public.content_navigation VALUES
	('ten_01m8bwd89je5xan3wgq9p3y8sp', 'main', '[{"page": "home", "label": {"de": "Startseite", "en": "Home"}}, {"path": "/billing", "label": {"de": "Tarif", "en": "Plan"}, "permission": "billing.subscription.read"}, {"path": "/files", "label": {"de": "Dateien", "en": "Files"}, "permission": "media.item.read"}, {"path": "/messages", "label": {"de": "Nachrichten", "en": "Messages"}, "permission": "messaging.conversation.read"}]', 'recipe', false, 'Ru0KjBCWewNVZ7PrUniO3nv8PwuVR3vn4l9odoPrvRY', '2026-11-26 12:13:48.695+00', '2026-11-26 12:13:48.695+00'),
	('ten_01m8bwd89je5xan3wgq9p3y8sp', 'footer', '[{"path": "/forms/contact", "label": {"de": "Kontakt", "en": "Contact"}}]', 'recipe', false, 'nTPX8itw_ObOb1NEMeqn1y4sQ7B7mcLZLWRPCIlsgTs', '2026-11-26 12:13:48.706+00', '2026-11-26 12:13:48.706+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'main', '[{"path": "/engine", "label": "Engine"}]', NULL, true, NULL, '2026-11-26 12:14:02.257+00', '2026-11-26 12:14:02.257+00');
INSERT INTO public.content_pages VALUES
	('ten_01m8bwd89je5xan3wgq9p3y8sp', 'pag_01m8bwddn5ea68v0xs95x7cywq', 'home', '/', 'en', 1, 1, '2026-11-26 12:13:48.673+00', NULL, 2, 1, 'recipe', false, 'S5RsTN6R--42nkn8qtu30_hBhRr-xgS_oJdlny1hCtM', '2026-11-26 12:13:48.581+00', '2026-11-26 12:13:48.673+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'pag_01m8bwdsrrem98wnm1s20thvrz', 'engine', '/engine', 'en', 3, 1, '2026-11-26 12:14:01.623+00', NULL, 4, NULL, NULL, true, NULL, '2026-11-26 12:14:00.984+00', '2026-11-26 12:14:01.912+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'pag_01m8bwdts3ebwr47ry690gbt3h', 'later', '/later', 'en', 1, NULL, NULL, '2099-01-01 00:00:00+00', 1, NULL, NULL, true, NULL, '2026-11-26 12:14:02.019+00', '2026-11-26 12:14:02.019+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'pag_01m8bwe9n0eknamadnmaq0e6q7', 'pending', '/pending', 'en', 1, NULL, NULL, NULL, 1, NULL, NULL, true, NULL, '2026-11-26 12:14:17.248+00', '2026-11-26 12:14:17.248+00');
INSERT INTO public.content_redirects VALUES
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'red_01m8bwdtvqevearngfnd1092dm', '/old', '/engine', 301, NULL, true, NULL, '2026-11-26 12:14:02.113+00', '2026-11-26 12:14:02.113+00');
INSERT INTO public.content_versions VALUES
	('ten_01m8bwd89je5xan3wgq9p3y8sp', 'pag_01m8bwddn5ea68v0xs95x7cywq', 1, 'Welcome', 'This is the home page of your product. Change it in the recipe, or create pages with
`/v1/content/pages`.
- [Create an account](/sign-up) or [sign in](/sign-in)
- [Read the API](/docs)
', '<p>This is the home page of your product. Change it in the recipe, or create pages with
<code>/v1/content/pages</code>.</p>
<ul>
<li><a href="/sign-up">Create an account</a> or <a href="/sign-in">sign in</a></li>
<li><a href="/docs">Read the API</a></li>
</ul>
', 'landing', '{}', NULL, '2026-11-26 12:13:48.581+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'pag_01m8bwdsrrem98wnm1s20thvrz', 1, 'The engine', 'It *weaves*.', '<p>It <em>weaves</em>.</p>
', 'page', '{"description": "About the engine"}', 'usr_01m8bwdhxkewftmbcqdphd4h4f', '2026-11-26 12:14:00.984+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'pag_01m8bwdsrrem98wnm1s20thvrz', 2, 'The analytical engine', 'It *weaves*.', '<p>It <em>weaves</em>.</p>
', 'page', '{"description": "About the engine"}', 'usr_01m8bwdhxkewftmbcqdphd4h4f', '2026-11-26 12:14:01.738+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'pag_01m8bwdsrrem98wnm1s20thvrz', 3, 'The analytical engine', 'It **weaves** numbers.
![The engine](/media/med_01m8bwdqyxet8r151g8ny5vpk0/preview)', '<p>It <strong>weaves</strong> numbers.</p>
<p><img src="/media/med_01m8bwdqyxet8r151g8ny5vpk0/preview" alt="The engine" /></p>
', 'page', '{"description": "About the engine"}', 'usr_01m8bwdhxkewftmbcqdphd4h4f', '2026-11-26 12:14:01.912+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'pag_01m8bwdts3ebwr47ry690gbt3h', 1, 'Later', 'Text', '<p>Text</p>
', 'page', '{}', 'usr_01m8bwdhxkewftmbcqdphd4h4f', '2026-11-26 12:14:02.019+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'pag_01m8bwe9n0eknamadnmaq0e6q7', 1, 'Written before the update', 'Text', '<p>Text</p>
', 'page', '{}', 'usr_01m8bwdhxkewftmbcqdphd4h4f', '2026-11-26 12:14:17.248+00');
INSERT INTO public.data_categories VALUES
	('ten_01m8bwd89je5xan3wgq9p3y8sp', 'category_0d723ckjq8hvg92715bf26rejy', '2026-11-26 12:13:49.218+00', '2026-11-26 12:13:49.218+00', NULL, 1, NULL, 'Games'),
	('ten_01m8bwd89je5xan3wgq9p3y8sp', 'category_0sav37bmfz56c2333z4etfjt83', '2026-11-26 12:13:49.237+00', '2026-11-26 12:13:49.237+00', NULL, 1, NULL, 'Music');
INSERT INTO public.data_courses VALUES
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'course_01m8bwe38qeyjbpv660hhxz0tr', '2026-11-26 12:14:10.711+00', '2026-11-26 12:14:11.002+00', 'usr_01m8bwdhxkewftmbcqdphd4h4f', 2, NULL, 'Weaving numbers', 'weaving-numbers', 'From *cards* to tables', 'advanced', 'ada@example.test', 'https://example.com/', 14, 4.5, 4900, DEFAULT, '2027-01-11', '2027-01-11 18:00:00+00', 5400000, true, '["Cards", "Mill"]', 'med_01m8bwdqyxet8r151g8ny5vpk0', 'mem_01m8bwdnm8eeh9w2dqtk6p2b96', 'category_0sav37bmfz56c2333z4etfjt83', DEFAULT),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'course_01m8bwe3mve4kan7q7xr2frq6h', '2026-11-26 12:14:11.099+00', '2026-11-26 12:14:11.099+00', 'usr_01m8bwdhxkewftmbcqdphd4h4f', 1, NULL, 'Difference engines', 'difference-engines', NULL, 'beginner', NULL, NULL, 18, NULL, NULL, DEFAULT, NULL, NULL, NULL, false, NULL, NULL, NULL, NULL, DEFAULT),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'course_01m8bwe3nwex98pj0hy68as8t4', '2026-11-26 12:14:11.132+00', '2026-11-26 12:14:11.132+00', 'usr_01m8bwdhxkewftmbcqdphd4h4f', 1, NULL, 'Notes on notes', 'notes-on-notes', NULL, 'beginner', NULL, NULL, 14, NULL, NULL, DEFAULT, NULL, NULL, NULL, false, NULL, NULL, NULL, NULL, DEFAULT),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'course_01m8bwe3pye749p139b3yjgya6', '2026-11-26 12:14:11.166+00', '2026-11-26 12:14:12.54+00', 'usr_01m8bwdhxkewftmbcqdphd4h4f', 2, '2026-11-26 12:14:12.54+00', 'Deleted course', 'deleted-course', NULL, 'beginner', NULL, NULL, 14, NULL, NULL, DEFAULT, NULL, NULL, NULL, false, NULL, NULL, NULL, NULL, DEFAULT),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'course_01m8bwe595efr8xty81scxdbxq', '2026-11-26 12:14:12.773+00', '2026-11-26 12:14:12.773+00', 'usr_01m8bwdhxkewftmbcqdphd4h4f', 1, NULL, 'Imported course', 'imported-course', NULL, 'beginner', NULL, NULL, 3, NULL, NULL, DEFAULT, NULL, NULL, NULL, false, NULL, NULL, NULL, NULL, DEFAULT);
INSERT INTO public.data_courses__history VALUES
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'course_01m8bwe38qeyjbpv660hhxz0tr', 1, '2026-11-26 12:14:11.002+00', 'usr_01m8bwdhxkewftmbcqdphd4h4f', '{"id": "course_01m8bwe38qeyjbpv660hhxz0tr", "link": "https://example.com/", "slug": "weaving-numbers", "cover": "med_01m8bwdqyxet8r151g8ny5vpk0", "gross": 5831, "level": "advanced", "price": 4900, "seats": 12, "title": "Weaving numbers", "length": "90m", "rating": 4.5, "contact": "ada@example.test", "outline": ["Cards", "Mill"], "summary": "From *cards* to tables", "teacher": "mem_01m8bwdnm8eeh9w2dqtk6p2b96", "category": "category_0sav37bmfz56c2333z4etfjt83", "firstDay": "2027-01-11", "revision": 1, "startsAt": "2027-01-11T18:00:00.000Z", "createdAt": "2026-11-26T12:14:10.711Z", "createdBy": "usr_01m8bwdhxkewftmbcqdphd4h4f", "published": true, "updatedAt": "2026-11-26T12:14:10.711Z"}'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'course_01m8bwe3pye749p139b3yjgya6', 1, '2026-11-26 12:14:12.54+00', 'usr_01m8bwdhxkewftmbcqdphd4h4f', '{"id": "course_01m8bwe3pye749p139b3yjgya6", "link": null, "slug": "deleted-course", "cover": null, "gross": null, "level": "beginner", "price": null, "seats": 14, "title": "Deleted course", "length": null, "rating": null, "contact": null, "outline": null, "summary": null, "teacher": null, "category": null, "firstDay": null, "revision": 1, "startsAt": null, "createdAt": "2026-11-26T12:14:11.166Z", "createdBy": "usr_01m8bwdhxkewftmbcqdphd4h4f", "published": false, "updatedAt": "2026-11-26T12:14:11.166Z"}');
INSERT INTO public.features_flags VALUES
	('ten_01m8bwd89je5xan3wgq9p3y8sp', 'ftr_01m8bwddzqeh68nhq4vkk2s9tg', 'new-editor', NULL, NULL, '{"rules": [{"when": {"plan": "pro"}, "value": true}, {"value": true, "rollout": 20}], "default": false, "enabled": true, "bucketBy": "tenant", "requires": [], "entitlement": null, "overridable": true}', 1, 'recipe', false, 'iy0JZgRgMIFEzesKZofbjrRKipX96m-QSipsnk6kwdo', '2026-11-26 12:13:48.919+00', '2026-11-26 12:13:48.919+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'ftr_01m8bwdypve4j896h3yfd3zekn', 'dark-mode', 'Dark mode', 'For late hours', '{"rules": [{"when": {"country": {"in": ["DE", "AT"]}}, "value": true}], "default": false, "enabled": true, "bucketBy": "tenant", "requires": [], "entitlement": null, "overridable": true}', 2, NULL, true, NULL, '2026-11-26 12:14:06.043+00', '2026-11-26 12:14:06.218+00');
INSERT INTO public.features_overrides VALUES
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'new-editor', 'true', '2026-11-26 12:14:06.363+00', '2026-11-26 12:14:06.363+00');
INSERT INTO public.features_revisions VALUES
	('ten_01m8bwd89je5xan3wgq9p3y8sp', 'ftr_01m8bwddzqeh68nhq4vkk2s9tg', 1, NULL, NULL, '{"rules": [{"when": {"plan": "pro"}, "value": true}, {"value": true, "rollout": 20}], "default": false, "enabled": true, "bucketBy": "tenant", "requires": [], "entitlement": null, "overridable": true}', NULL, '2026-11-26 12:13:48.919+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'ftr_01m8bwdypve4j896h3yfd3zekn', 1, 'Dark mode', NULL, '{"rules": [{"when": {"country": {"in": ["DE", "AT"]}}, "value": true}], "default": false, "enabled": true, "bucketBy": "tenant", "requires": [], "entitlement": null, "overridable": true}', 'usr_01m8bwdhxkewftmbcqdphd4h4f', '2026-11-26 12:14:06.043+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'ftr_01m8bwdypve4j896h3yfd3zekn', 2, 'Dark mode', 'For late hours', '{"rules": [{"when": {"country": {"in": ["DE", "AT"]}}, "value": true}], "default": false, "enabled": true, "bucketBy": "tenant", "requires": [], "entitlement": null, "overridable": true}', 'usr_01m8bwdhxkewftmbcqdphd4h4f', '2026-11-26 12:14:06.218+00');
INSERT INTO public.forms_forms VALUES
	('ten_01m8bwd89je5xan3wgq9p3y8sp', 'frm_01m8bwddx1e8qabd3x67wkx7qg', 'contact', 'Contact', 'public', '{}', '{}', 1, 'recipe', 'YP6vrZFySW4H2gczlhQKcCZtR1tUWFfUp77tw3h8C28', '2026-11-26 12:13:48.833+00', '2026-11-26 12:13:48.833+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'frm_01m8bwdwkqedt9qwev70grx0r3', NULL, 'Weekly newsletter', 'public', '{team@example.test}', '{}', 2, NULL, NULL, '2026-11-26 12:14:03.895+00', '2026-11-26 12:14:04.011+00');
INSERT INTO public.forms_recipients VALUES
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'fnr_01m8bwdwmjery8mmfcgjkf79rv', 'team@example.test', 'pending', NULL, 1, '2026-11-26 12:14:03.922+00', '2026-11-26 12:14:03.922+00', '2026-11-26 12:14:03.922+00');
INSERT INTO public.forms_submissions VALUES
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'frm_01m8bwdwkqedt9qwev70grx0r3', 'sub_01m8bwdwwzee488y41b69mha6e', 2, '{"email":"mary@example.test","message":"Hello from mary"}', '{}', NULL, '\xdda7da4caa8fc3ae20f1ab47', NULL, '2026-11-26 12:14:04.191+00', NULL),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'frm_01m8bwdwkqedt9qwev70grx0r3', 'sub_01m8bwdx2qen9835he4d11vk86', 2, '{"email":"charles@example.test","message":"Hello from charles"}', '{}', NULL, '\xd44c5b14aa92daffa404dc41', NULL, '2026-11-26 12:14:04.375+00', NULL),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'frm_01m8bwdwkqedt9qwev70grx0r3', 'sub_01m8bwdx4hech89s57k8vjx5p3', 2, '{"email":"george@example.test","message":"Hello from george"}', '{}', 'manual', '\x4750d47a54f58e2942944b79', NULL, '2026-11-26 12:14:04.433+00', 'Called back'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'frm_01m8bwdwkqedt9qwev70grx0r3', 'sub_01m8bwe9qke5ns189bm46m6ar7', 2, '{"email":"late@example.test","message":"Pending"}', '{}', NULL, '\x89cca472f0a8e78d837b0198', NULL, '2026-11-26 12:14:17.331+00', NULL);
INSERT INTO public.forms_versions VALUES
	('ten_01m8bwd89je5xan3wgq9p3y8sp', 'frm_01m8bwddx1e8qabd3x67wkx7qg', 1, 'Contact', '{"type":"object","required":["email","message"],"properties":{"email":{"type":"string","format":"email","title":"Email"},"message":{"type":"string","title":"Message","maxLength":5000}}}', '{"message":{"ui:widget":"textarea"}}', NULL, '2026-11-26 12:13:48.833+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'frm_01m8bwdwkqedt9qwev70grx0r3', 1, 'Newsletter', '{"type":"object","required":["email"],"properties":{"email":{"type":"string","format":"email"},"message":{"type":"string"}}}', NULL, 'usr_01m8bwdhxkewftmbcqdphd4h4f', '2026-11-26 12:14:03.896+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'frm_01m8bwdwkqedt9qwev70grx0r3', 2, 'Weekly newsletter', '{"type":"object","required":["email"],"properties":{"email":{"type":"string","format":"email"},"message":{"type":"string"}}}', NULL, 'usr_01m8bwdhxkewftmbcqdphd4h4f', '2026-11-26 12:14:04.011+00');
INSERT INTO public.identity_api_keys VALUES
	('ten_01m8bwdh37enwbbm3zc8ajhjmd', 'key_01m8bwdh5he23v19y7z6fzq8g2', 'usr_01m8bwdh36e9jsm1t5s2m34r27', 'Default', 'upgrade_live_Nfz8', '\xf7f0dd6ec9978aed626bb196c3f9a7e35ebfee1eb972f7c7e82da4c013a92638', NULL, NULL, NULL, '2026-11-26 12:13:52.177+00', '2026-11-26 12:13:52.177+00'),
	('ten_01m8bwdk1cembsakrsx373gvqx', 'key_01m8bwdk1ke45vs5qh746syd1h', 'usr_01m8bwdk1ce4b9h9rgzk14s76c', 'Default', 'upgrade_live_FWAt', '\xf80f165a264eb294a25e44aee345381b59fb03e06f650812e323ef06df084386', NULL, NULL, NULL, '2026-11-26 12:13:54.099+00', '2026-11-26 12:13:54.099+00'),
	('ten_01m8bwdmhnehy9ff7wc2cs4w16', 'key_01m8bwdmkbezfvcgw744f5qxam', 'usr_01m8bwdmhmej18xfm4vfj5ggxg', 'Default', 'upgrade_live_CpLB', '\xbca071cee9c4b67e9bcec2fbcd191addc8755b51c55a5d8af18d8f975566729d', NULL, NULL, NULL, '2026-11-26 12:13:55.691+00', '2026-11-26 12:13:55.691+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'key_01m8bwdp6tez78c9t1fh4phdpv', 'usr_01m8bwdhxkewftmbcqdphd4h4f', 'Reports', 'upgrade_live_sjfi', '\xd77a2aa41268ec65cbf0700182e49a877b14dfd9344243bd4651df0e9529cca3', '{content.page.read}', '2099-01-01 00:00:00+00', '2026-11-26 12:14:18.033+00', '2026-11-26 12:13:57.338+00', '2026-11-26 12:13:57.338+00');
INSERT INTO public.identity_audit VALUES
	('ten_01m8bwd89je5xan3wgq9p3y8sp', 'aud_01m8bwdd9aez8s3445vve4m167', 'tenant.created', '{"id": "identity", "kind": "system", "userId": null}', 'ten_01m8bwd89je5xan3wgq9p3y8sp', '{}', '2026-11-26 12:13:48.202+00'),
	('ten_01m8bwd89je5xan3wgq9p3y8sp', 'aud_01m8bwdh3mec9v7xp99g5vcdk1', 'login.created', '{"id": "lgn_01m8bwdh36epnrhh73bnqv1far", "kind": "login", "userId": "usr_01m8bwdh36e9jsm1t5s2m34r27"}', 'lgn_01m8bwdh36epnrhh73bnqv1far', '{}', '2026-11-26 12:13:52.116+00'),
	('ten_01m8bwdh37enwbbm3zc8ajhjmd', 'aud_01m8bwdh3qegctvk0rsdf70fmx', 'tenant.created', '{"id": "lgn_01m8bwdh36epnrhh73bnqv1far", "kind": "login", "userId": "usr_01m8bwdh36e9jsm1t5s2m34r27"}', 'ten_01m8bwdh37enwbbm3zc8ajhjmd', '{"name": "person-1-29413''s workspace"}', '2026-11-26 12:13:52.119+00'),
	('ten_01m8bwdh37enwbbm3zc8ajhjmd', 'aud_01m8bwdh4ee28rbck8t7p0r84v', 'member.joined', '{"id": "lgn_01m8bwdh36epnrhh73bnqv1far", "kind": "login", "userId": "usr_01m8bwdh36e9jsm1t5s2m34r27"}', 'mem_01m8bwdh45evar2hgez0qekp2c', '{"roles": ["tenant.owner"], "userId": "usr_01m8bwdh36e9jsm1t5s2m34r27"}', '2026-11-26 12:13:52.142+00'),
	('ten_01m8bwdh37enwbbm3zc8ajhjmd', 'aud_01m8bwdh5hesmtg94kxgq0b9nh', 'api_key.created', '{"id": "lgn_01m8bwdh36epnrhh73bnqv1far", "kind": "login", "userId": "usr_01m8bwdh36e9jsm1t5s2m34r27"}', 'key_01m8bwdh5he23v19y7z6fzq8g2', '{"name": "Default", "expiresAt": null, "permissions": null}', '2026-11-26 12:13:52.177+00'),
	('ten_01m8bwd89je5xan3wgq9p3y8sp', 'aud_01m8bwdhhtew59gn89yrx6kykd', 'member.joined', '{"id": "lgn_01m8bwdh36epnrhh73bnqv1far", "kind": "login", "userId": "usr_01m8bwdh36e9jsm1t5s2m34r27"}', 'mem_01m8bwdhhte1x9wmetrhywxa7n', '{"roles": ["tenant.owner", "platform.admin"], "userId": "usr_01m8bwdh36e9jsm1t5s2m34r27"}', '2026-11-26 12:13:52.57+00'),
	('ten_01m8bwd89je5xan3wgq9p3y8sp', 'aud_01m8bwdhj6ecgt5hq0j2d0hyte', 'operator.claimed', '{"id": "lgn_01m8bwdh36epnrhh73bnqv1far", "kind": "login", "userId": "usr_01m8bwdh36e9jsm1t5s2m34r27"}', 'mem_01m8bwdhhte1x9wmetrhywxa7n', '{}', '2026-11-26 12:13:52.582+00'),
	('ten_01m8bwd89je5xan3wgq9p3y8sp', 'aud_01m8bwdhz4ernsb2fahnert047', 'login.created', '{"id": "lgn_01m8bwdhxke30rbxb6anmgw71z", "kind": "login", "userId": "usr_01m8bwdhxkewftmbcqdphd4h4f"}', 'lgn_01m8bwdhxke30rbxb6anmgw71z', '{}', '2026-11-26 12:13:52.996+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'aud_01m8bwdhz4erpb0rn9hyc54tfv', 'tenant.created', '{"id": "lgn_01m8bwdhxke30rbxb6anmgw71z", "kind": "login", "userId": "usr_01m8bwdhxkewftmbcqdphd4h4f"}', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', '{"name": "Engines"}', '2026-11-26 12:13:52.996+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'aud_01m8bwdhz4erprt9k4hxfv3ycx', 'member.joined', '{"id": "lgn_01m8bwdhxke30rbxb6anmgw71z", "kind": "login", "userId": "usr_01m8bwdhxkewftmbcqdphd4h4f"}', 'mem_01m8bwdhz4ekn9b50js4y39sqr', '{"roles": ["tenant.owner"], "userId": "usr_01m8bwdhxkewftmbcqdphd4h4f"}', '2026-11-26 12:13:52.996+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'aud_01m8bwdhz5ewsrxe8mmaey7c02', 'api_key.created', '{"id": "lgn_01m8bwdhxke30rbxb6anmgw71z", "kind": "login", "userId": "usr_01m8bwdhxkewftmbcqdphd4h4f"}', 'key_01m8bwdhz5e4qrwve9rzr07whe', '{"name": "Default", "expiresAt": null, "permissions": null}', '2026-11-26 12:13:52.997+00'),
	('ten_01m8bwd89je5xan3wgq9p3y8sp', 'aud_01m8bwdj4zed894qjbd7r6c6yy', 'login.all_ended', '{"id": "verification link", "kind": "system", "userId": "usr_01m8bwdhxkewftmbcqdphd4h4f"}', 'usr_01m8bwdhxkewftmbcqdphd4h4f', '{}', '2026-11-26 12:13:53.183+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'aud_01m8bwdj4zed8vj59mv50jbmj7', 'api_key.deleted', '{"id": "verification link", "kind": "system", "userId": "usr_01m8bwdhxkewftmbcqdphd4h4f"}', 'key_01m8bwdhz5e4qrwve9rzr07whe', '{"name": "Default"}', '2026-11-26 12:13:53.183+00'),
	('ten_01m8bwd89je5xan3wgq9p3y8sp', 'aud_01m8bwdjv5e20byk07txx2a093', 'login.created', '{"id": "lgn_01m8bwdjtzeb9tkgjhxg5swpx4", "kind": "login", "userId": "usr_01m8bwdhxkewftmbcqdphd4h4f"}', 'lgn_01m8bwdjtzeb9tkgjhxg5swpx4', '{}', '2026-11-26 12:13:53.893+00'),
	('ten_01m8bwd89je5xan3wgq9p3y8sp', 'aud_01m8bwdk1ke97vaagttgtvjb3r', 'login.created', '{"id": "lgn_01m8bwdk1ce4ss5ztd5cq680bf", "kind": "login", "userId": "usr_01m8bwdk1ce4b9h9rgzk14s76c"}', 'lgn_01m8bwdk1ce4ss5ztd5cq680bf', '{}', '2026-11-26 12:13:54.099+00'),
	('ten_01m8bwdk1cembsakrsx373gvqx', 'aud_01m8bwdk1ke989gdyw0e9bnygh', 'tenant.created', '{"id": "lgn_01m8bwdk1ce4ss5ztd5cq680bf", "kind": "login", "userId": "usr_01m8bwdk1ce4b9h9rgzk14s76c"}', 'ten_01m8bwdk1cembsakrsx373gvqx', '{"name": "Compilers"}', '2026-11-26 12:13:54.099+00'),
	('ten_01m8bwdk1cembsakrsx373gvqx', 'aud_01m8bwdk1ke98vap83mfwwkxtc', 'member.joined', '{"id": "lgn_01m8bwdk1ce4ss5ztd5cq680bf", "kind": "login", "userId": "usr_01m8bwdk1ce4b9h9rgzk14s76c"}', 'mem_01m8bwdk1ke1280g1s1za86h39', '{"roles": ["tenant.owner"], "userId": "usr_01m8bwdk1ce4b9h9rgzk14s76c"}', '2026-11-26 12:13:54.099+00'),
	('ten_01m8bwdk1cembsakrsx373gvqx', 'aud_01m8bwdk1ke99amw1hzc0ys4fw', 'api_key.created', '{"id": "lgn_01m8bwdk1ce4ss5ztd5cq680bf", "kind": "login", "userId": "usr_01m8bwdk1ce4b9h9rgzk14s76c"}', 'key_01m8bwdk1ke45vs5qh746syd1h', '{"name": "Default", "expiresAt": null, "permissions": null}', '2026-11-26 12:13:54.099+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'aud_01m8bwdm64etys7q17mtpnnt23', 'role.created', '{"id": "lgn_01m8bwdjtzeb9tkgjhxg5swpx4", "kind": "login", "userId": "usr_01m8bwdhxkewftmbcqdphd4h4f"}', 'custom.editor', '{"name": "Editor", "permissions": ["content.page.*"]}', '2026-11-26 12:13:55.268+00'),
	('ten_01m8bwd89je5xan3wgq9p3y8sp', 'aud_01m8bwdmkbenrvjswv9hps9x1q', 'login.created', '{"id": "lgn_01m8bwdmhmen3rftfva0pccxms", "kind": "login", "userId": "usr_01m8bwdmhmej18xfm4vfj5ggxg"}', 'lgn_01m8bwdmhmen3rftfva0pccxms', '{}', '2026-11-26 12:13:55.691+00'),
	('ten_01m8bwdmhnehy9ff7wc2cs4w16', 'aud_01m8bwdmkbens8dkvdskpbmvy5', 'tenant.created', '{"id": "lgn_01m8bwdmhmen3rftfva0pccxms", "kind": "login", "userId": "usr_01m8bwdmhmej18xfm4vfj5ggxg"}', 'ten_01m8bwdmhnehy9ff7wc2cs4w16', '{"name": "Ben''s workspace"}', '2026-11-26 12:13:55.691+00'),
	('ten_01m8bwdmhnehy9ff7wc2cs4w16', 'aud_01m8bwdmkbenstd0xggbapj1x9', 'member.joined', '{"id": "lgn_01m8bwdmhmen3rftfva0pccxms", "kind": "login", "userId": "usr_01m8bwdmhmej18xfm4vfj5ggxg"}', 'mem_01m8bwdmkbefrv8hw8bgxgjyac', '{"roles": ["tenant.owner"], "userId": "usr_01m8bwdmhmej18xfm4vfj5ggxg"}', '2026-11-26 12:13:55.691+00'),
	('ten_01m8bwdmhnehy9ff7wc2cs4w16', 'aud_01m8bwdmkbent84mvknfd37htq', 'api_key.created', '{"id": "lgn_01m8bwdmhmen3rftfva0pccxms", "kind": "login", "userId": "usr_01m8bwdmhmej18xfm4vfj5ggxg"}', 'key_01m8bwdmkbezfvcgw744f5qxam', '{"name": "Default", "expiresAt": null, "permissions": null}', '2026-11-26 12:13:55.691+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'aud_01m8bwdn3me9fvzkpqcrvt22rr', 'invitation.created', '{"id": "lgn_01m8bwdjtzeb9tkgjhxg5swpx4", "kind": "login", "userId": "usr_01m8bwdhxkewftmbcqdphd4h4f"}', 'inv_01m8bwdn18emcbqzy4nxxmadsf', '{"email": "person-2-29413@example.test", "roles": ["tenant.user", "custom.editor"]}', '2026-11-26 12:13:56.212+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'aud_01m8bwdnm8e2aa34nh26rx29qd', 'member.joined', '{"id": "lgn_01m8bwdmhmen3rftfva0pccxms", "kind": "login", "userId": "usr_01m8bwdmhmej18xfm4vfj5ggxg"}', 'mem_01m8bwdnm8eeh9w2dqtk6p2b96', '{"roles": ["tenant.user", "custom.editor"], "userId": "usr_01m8bwdmhmej18xfm4vfj5ggxg"}', '2026-11-26 12:13:56.744+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'aud_01m8bwdnm8e2arrh9eqdtkt03r', 'invitation.accepted', '{"id": "lgn_01m8bwdmhmen3rftfva0pccxms", "kind": "login", "userId": "usr_01m8bwdmhmej18xfm4vfj5ggxg"}', 'inv_01m8bwdn18emcbqzy4nxxmadsf', '{}', '2026-11-26 12:13:56.744+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'aud_01m8bwdp0xe1jrrqnv910hp2ns', 'invitation.created', '{"id": "lgn_01m8bwdjtzeb9tkgjhxg5swpx4", "kind": "login", "userId": "usr_01m8bwdhxkewftmbcqdphd4h4f"}', 'inv_01m8bwdnzreeca8523y4xyfkgx', '{"email": "guest@example.test", "roles": ["tenant.user"]}', '2026-11-26 12:13:57.149+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'aud_01m8bwdp6ve8stw4shmwftay4m', 'api_key.created', '{"id": "lgn_01m8bwdjtzeb9tkgjhxg5swpx4", "kind": "login", "userId": "usr_01m8bwdhxkewftmbcqdphd4h4f"}', 'key_01m8bwdp6tez78c9t1fh4phdpv', '{"name": "Reports", "expiresAt": "2099-01-01T00:00:00.000Z", "permissions": ["content.page.read"]}', '2026-11-26 12:13:57.339+00'),
	('ten_01m8bwdpc2e2nsn28yjttchd03', 'aud_01m8bwdpcqe63a1rnrppxezq17', 'tenant.created', '{"id": "lgn_01m8bwdjtzeb9tkgjhxg5swpx4", "kind": "login", "userId": "usr_01m8bwdhxkewftmbcqdphd4h4f"}', 'ten_01m8bwdpc2e2nsn28yjttchd03', '{"name": "Second workspace"}', '2026-11-26 12:13:57.527+00'),
	('ten_01m8bwdpc2e2nsn28yjttchd03', 'aud_01m8bwdpcqe63ry2w9mx2y6k0v', 'member.joined', '{"id": "lgn_01m8bwdjtzeb9tkgjhxg5swpx4", "kind": "login", "userId": "usr_01m8bwdhxkewftmbcqdphd4h4f"}', 'mem_01m8bwdpcqebprbgk92h665kgy', '{"roles": ["tenant.owner"], "userId": "usr_01m8bwdhxkewftmbcqdphd4h4f"}', '2026-11-26 12:13:57.527+00'),
	('ten_01m8bwd89je5xan3wgq9p3y8sp', 'aud_01m8bwdpv8emksnt10rjycvz7j', 'email.requested', '{"id": "lgn_01m8bwdjtzeb9tkgjhxg5swpx4", "kind": "login", "userId": "usr_01m8bwdhxkewftmbcqdphd4h4f"}', 'usr_01m8bwdhxkewftmbcqdphd4h4f', '{}', '2026-11-26 12:13:57.992+00'),
	('ten_01m8bwd89je5xan3wgq9p3y8sp', 'aud_01m8bwe9bje5zvz3qnmrprt5gc', 'login.created', '{"id": "lgn_01m8bwe9b3exf8shmh56h1n297", "kind": "login", "userId": "usr_01m8bwdh36e9jsm1t5s2m34r27"}', 'lgn_01m8bwe9b3exf8shmh56h1n297', '{}', '2026-11-26 12:14:16.946+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'aud_01m8bwe9veemksbjgh6beyehzn', 'invitation.created', '{"id": "lgn_01m8bwdjtzeb9tkgjhxg5swpx4", "kind": "login", "userId": "usr_01m8bwdhxkewftmbcqdphd4h4f"}', 'inv_01m8bwe9vae0z83dfnyg2gpc2p', '{"email": "pending@example.test", "roles": ["tenant.user"]}', '2026-11-26 12:14:17.454+00');
INSERT INTO public.identity_credential_revisions VALUES
	('\xf65cd8c7fa2b64f95cf8feba2dc946a9d07c15827bd8f7da334e15daebcbd42c', 'lgn_01m8bwdh36epnrhh73bnqv1far', 'usr_01m8bwdh36e9jsm1t5s2m34r27', 11, '2026-12-03 12:13:52.103+00', NULL),
	('\xb2b212cf3944d42b10829dfe4ce1468f1c51412bb90cf0569f0e19b4d6283e8e', 'lgn_01m8bwdh36epnrhh73bnqv1far', 'usr_01m8bwdh36e9jsm1t5s2m34r27', 12, '2026-12-03 12:13:52.103+00', NULL),
	('\xf7f0dd6ec9978aed626bb196c3f9a7e35ebfee1eb972f7c7e82da4c013a92638', 'key_01m8bwdh5he23v19y7z6fzq8g2', 'usr_01m8bwdh36e9jsm1t5s2m34r27', 13, NULL, NULL),
	('\xb25eae536c3f0569ae99d962a33db5a664b1b73fdf9482f10118782e9de3dc0c', 'lgn_01m8bwdk1ce4ss5ztd5cq680bf', 'usr_01m8bwdk1ce4b9h9rgzk14s76c', 28, '2026-12-03 12:13:54.092+00', NULL),
	('\x2f8f4d0dff64083f6cf469161e9af55060eea6921496f733a18cb05ef2d92768', 'lgn_01m8bwdk1ce4ss5ztd5cq680bf', 'usr_01m8bwdk1ce4b9h9rgzk14s76c', 29, '2026-12-03 12:13:54.092+00', NULL),
	('\xf80f165a264eb294a25e44aee345381b59fb03e06f650812e323ef06df084386', 'key_01m8bwdk1ke45vs5qh746syd1h', 'usr_01m8bwdk1ce4b9h9rgzk14s76c', 30, NULL, NULL),
	('\xe941d2d0c85ad9d8f5f9c4cf22cd55e10e5a6e1e41787173c59fe51e02764c5e', 'lgn_01m8bwdmhmen3rftfva0pccxms', 'usr_01m8bwdmhmej18xfm4vfj5ggxg', 38, '2026-12-03 12:13:55.637+00', NULL),
	('\x26c2bda4147eabd9fdf88944816a726a9fe711e12e068e99777dda0565762465', 'lgn_01m8bwdmhmen3rftfva0pccxms', 'usr_01m8bwdmhmej18xfm4vfj5ggxg', 39, '2026-12-03 12:13:55.637+00', NULL),
	('\xbca071cee9c4b67e9bcec2fbcd191addc8755b51c55a5d8af18d8f975566729d', 'key_01m8bwdmkbezfvcgw744f5qxam', 'usr_01m8bwdmhmej18xfm4vfj5ggxg', 40, NULL, NULL),
	('\x8d5ab593aaf34a91206cc6bdd1e40fcab8c4d24b025d8f3a8d34a01fee78336d', 'lgn_01m8bwdjtzeb9tkgjhxg5swpx4', 'usr_01m8bwdhxkewftmbcqdphd4h4f', 43, '2026-12-03 12:13:53.887+00', NULL),
	('\x12d19063e2e572ea9fecf4dd8697958e36a56b4b02f8863260d2a5ac11e20f0d', 'lgn_01m8bwdjtzeb9tkgjhxg5swpx4', 'usr_01m8bwdhxkewftmbcqdphd4h4f', 44, '2026-12-03 12:13:53.887+00', NULL),
	('\xd77a2aa41268ec65cbf0700182e49a877b14dfd9344243bd4651df0e9529cca3', 'key_01m8bwdp6tez78c9t1fh4phdpv', 'usr_01m8bwdhxkewftmbcqdphd4h4f', 45, '2099-01-01 00:00:00+00', NULL),
	('\x0c587f6e25018253cc79998eedcefe44d5735a4a23e6527fc6bce72545b723dc', 'lgn_01m8bwe9b3exf8shmh56h1n297', 'usr_01m8bwdh36e9jsm1t5s2m34r27', 46, '2026-12-03 12:14:16.931+00', NULL),
	('\x8fec5593257f1989ee2b85ff79cb6b4b3539fcd7fdb84b9b4853d78ea1dae209', 'lgn_01m8bwe9b3exf8shmh56h1n297', 'usr_01m8bwdh36e9jsm1t5s2m34r27', 47, '2026-12-03 12:14:16.931+00', NULL);
INSERT INTO public.identity_email_changes VALUES
	('emc_01m8bwdpv8ekgs47ks4ek5h8f3', 'usr_01m8bwdhxkewftmbcqdphd4h4f', 'ada.new@example.test', 'ada.new@example.test', NULL, NULL, '2026-11-27 12:13:57.992+00');
INSERT INTO public.identity_invitations VALUES
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'inv_01m8bwdn18emcbqzy4nxxmadsf', 'person-2-29413@example.test', 'person-2-29413@example.test', '{tenant.user,custom.editor}', 'accepted', 1, 'usr_01m8bwdhxkewftmbcqdphd4h4f', 'usr_01m8bwdmhmej18xfm4vfj5ggxg', '2026-11-26 12:13:56.723+00', '2026-12-03 12:13:56.136+00', '2026-11-26 12:13:56.136+00', '2026-11-26 12:13:56.723+00', NULL, '{}'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'inv_01m8bwdnzreeca8523y4xyfkgx', 'guest@example.test', 'guest@example.test', '{tenant.user}', 'pending', 1, 'usr_01m8bwdhxkewftmbcqdphd4h4f', NULL, NULL, '2026-12-03 12:13:57.112+00', '2026-11-26 12:13:57.112+00', '2026-11-26 12:13:57.112+00', NULL, '{}'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'inv_01m8bwe9vae0z83dfnyg2gpc2p', 'pending@example.test', 'pending@example.test', '{tenant.user}', 'pending', 1, 'usr_01m8bwdhxkewftmbcqdphd4h4f', NULL, NULL, '2026-12-03 12:14:17.45+00', '2026-11-26 12:14:17.45+00', '2026-11-26 12:14:17.45+00', NULL, '{}');
INSERT INTO public.identity_logins VALUES
	('lgn_01m8bwdh36epnrhh73bnqv1far', 'usr_01m8bwdh36e9jsm1t5s2m34r27', '\xf65cd8c7fa2b64f95cf8feba2dc946a9d07c15827bd8f7da334e15daebcbd42c', '\xb2b212cf3944d42b10829dfe4ce1468f1c51412bb90cf0569f0e19b4d6283e8e', 'node', '127.0.0.1', '2026-11-26 12:13:52.103+00', '2026-11-26 12:13:52.103+00', '2026-12-03 12:13:52.103+00', NULL, NULL, NULL),
	('lgn_01m8bwdjtzeb9tkgjhxg5swpx4', 'usr_01m8bwdhxkewftmbcqdphd4h4f', '\x8d5ab593aaf34a91206cc6bdd1e40fcab8c4d24b025d8f3a8d34a01fee78336d', '\x12d19063e2e572ea9fecf4dd8697958e36a56b4b02f8863260d2a5ac11e20f0d', 'node', '127.0.0.1', '2026-11-26 12:13:53.887+00', '2026-11-26 12:13:53.887+00', '2026-12-03 12:13:53.887+00', NULL, NULL, NULL),
	('lgn_01m8bwdk1ce4ss5ztd5cq680bf', 'usr_01m8bwdk1ce4b9h9rgzk14s76c', '\xb25eae536c3f0569ae99d962a33db5a664b1b73fdf9482f10118782e9de3dc0c', '\x2f8f4d0dff64083f6cf469161e9af55060eea6921496f733a18cb05ef2d92768', 'node', '127.0.0.1', '2026-11-26 12:13:54.092+00', '2026-11-26 12:13:54.092+00', '2026-12-03 12:13:54.092+00', NULL, NULL, NULL),
	('lgn_01m8bwdmhmen3rftfva0pccxms', 'usr_01m8bwdmhmej18xfm4vfj5ggxg', '\xe941d2d0c85ad9d8f5f9c4cf22cd55e10e5a6e1e41787173c59fe51e02764c5e', '\x26c2bda4147eabd9fdf88944816a726a9fe711e12e068e99777dda0565762465', 'node', '127.0.0.1', '2026-11-26 12:13:55.637+00', '2026-11-26 12:13:55.637+00', '2026-12-03 12:13:55.637+00', NULL, NULL, NULL),
	('lgn_01m8bwe9b3exf8shmh56h1n297', 'usr_01m8bwdh36e9jsm1t5s2m34r27', '\x0c587f6e25018253cc79998eedcefe44d5735a4a23e6527fc6bce72545b723dc', '\x8fec5593257f1989ee2b85ff79cb6b4b3539fcd7fdb84b9b4853d78ea1dae209', 'node', '127.0.0.1', '2026-11-26 12:14:16.931+00', '2026-11-26 12:14:16.931+00', '2026-12-03 12:14:16.931+00', NULL, NULL, NULL);
INSERT INTO public.identity_members VALUES
	('ten_01m8bwdh37enwbbm3zc8ajhjmd', 'mem_01m8bwdh45evar2hgez0qekp2c', 'usr_01m8bwdh36e9jsm1t5s2m34r27', '{tenant.owner}', '2026-11-26 12:13:52.133+00', '2026-11-26 12:13:52.133+00'),
	('ten_01m8bwd89je5xan3wgq9p3y8sp', 'mem_01m8bwdhhte1x9wmetrhywxa7n', 'usr_01m8bwdh36e9jsm1t5s2m34r27', '{platform.admin,tenant.owner}', '2026-11-26 12:13:52.57+00', '2026-11-26 12:13:52.582+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'mem_01m8bwdhz4ekn9b50js4y39sqr', 'usr_01m8bwdhxkewftmbcqdphd4h4f', '{tenant.owner}', '2026-11-26 12:13:52.996+00', '2026-11-26 12:13:52.996+00'),
	('ten_01m8bwdk1cembsakrsx373gvqx', 'mem_01m8bwdk1ke1280g1s1za86h39', 'usr_01m8bwdk1ce4b9h9rgzk14s76c', '{tenant.owner}', '2026-11-26 12:13:54.099+00', '2026-11-26 12:13:54.099+00'),
	('ten_01m8bwdmhnehy9ff7wc2cs4w16', 'mem_01m8bwdmkbefrv8hw8bgxgjyac', 'usr_01m8bwdmhmej18xfm4vfj5ggxg', '{tenant.owner}', '2026-11-26 12:13:55.691+00', '2026-11-26 12:13:55.691+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'mem_01m8bwdnm8eeh9w2dqtk6p2b96', 'usr_01m8bwdmhmej18xfm4vfj5ggxg', '{tenant.user,custom.editor}', '2026-11-26 12:13:56.744+00', '2026-11-26 12:13:56.744+00'),
	('ten_01m8bwdpc2e2nsn28yjttchd03', 'mem_01m8bwdpcqebprbgk92h665kgy', 'usr_01m8bwdhxkewftmbcqdphd4h4f', '{tenant.owner}', '2026-11-26 12:13:57.527+00', '2026-11-26 12:13:57.527+00');
INSERT INTO public.identity_password_resets VALUES
	('rst_01m8bwdpyce12se6e20zvw083b', 'usr_01m8bwdmhmej18xfm4vfj5ggxg', 1, '2026-11-26 13:13:58.148+00');
INSERT INTO public.identity_roles VALUES
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'custom.editor', 'Editor', '{content.page.*}', '2026-11-26 12:13:55.217+00', '2026-11-26 12:13:55.217+00');
INSERT INTO public.identity_tenant_revisions VALUES
	('ten_01m8bwd89je5xan3wgq9p3y8sp', 1),
	('ten_01m8bwdh37enwbbm3zc8ajhjmd', 4),
	('ten_01m8bwdk1cembsakrsx373gvqx', 27),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 31),
	('ten_01m8bwdmhnehy9ff7wc2cs4w16', 34),
	('ten_01m8bwdpc2e2nsn28yjttchd03', 42);
INSERT INTO public.identity_tenants VALUES
	('ten_01m8bwd89je5xan3wgq9p3y8sp', 'Upgrade', 'operator', '2026-11-26 12:13:48.196+00', '2026-11-26 12:13:48.196+00'),
	('ten_01m8bwdh37enwbbm3zc8ajhjmd', 'person-1-29413''s workspace', 'person-1-29413-s-workspace', '2026-11-26 12:13:52.104+00', '2026-11-26 12:13:52.104+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'Engines', 'engines', '2026-11-26 12:13:52.948+00', '2026-11-26 12:13:52.948+00'),
	('ten_01m8bwdk1cembsakrsx373gvqx', 'Compilers', 'compilers', '2026-11-26 12:13:54.093+00', '2026-11-26 12:13:54.093+00'),
	('ten_01m8bwdmhnehy9ff7wc2cs4w16', 'Ben''s workspace', 'ben-s-workspace', '2026-11-26 12:13:55.639+00', '2026-11-26 12:13:55.639+00'),
	('ten_01m8bwdpc2e2nsn28yjttchd03', 'Second workspace', 'second-workspace', '2026-11-26 12:13:57.507+00', '2026-11-26 12:13:57.507+00');
INSERT INTO public.identity_users VALUES
	('usr_01m8bwdh36e9jsm1t5s2m34r27', 'person-1-29413@example.test', 'person-1-29413@example.test', NULL, NULL, '$argon2id$v=19$m=19456,t=2,p=1$s9ZXTaCr/OikX6G4xxi1RA$HTK+9IklL988f9bi1GqBMzOqrxVydqSSk6jshvwtRxA', 1, NULL, '2026-11-26 12:13:52.102+00', '2026-11-26 12:13:52.102+00', NULL),
	('usr_01m8bwdhxkewftmbcqdphd4h4f', 'ada@example.test', 'ada@example.test', 'Ada', NULL, '$argon2id$v=19$m=19456,t=2,p=1$A7M1bpnUyj1qqSHJbDgX+A$RDyLnzJYtFaPYDtaJYW3TWELeKL0+gnIN4RSCj1Yulk', 1, '2026-11-26 12:13:53.114+00', '2026-11-26 12:13:52.947+00', '2026-11-26 12:13:53.114+00', NULL),
	('usr_01m8bwdk1ce4b9h9rgzk14s76c', 'grace@example.test', 'grace@example.test', 'Grace', 'de', '$argon2id$v=19$m=19456,t=2,p=1$50wf7sdHlU8DZ95wDu2brw$JSTIATUatp+GwZYCGhlYL9UidDs6iBK06QMYDn3Gi8A', 1, NULL, '2026-11-26 12:13:54.092+00', '2026-11-26 12:13:54.092+00', NULL),
	('usr_01m8bwdmhmej18xfm4vfj5ggxg', 'person-2-29413@example.test', 'person-2-29413@example.test', 'Ben', NULL, '$argon2id$v=19$m=19456,t=2,p=1$6GtdScqYzN/OafRley0AiQ$LAsuxMBj3nRldg2rngg7ge4183ga1LNr+ulJufjAr4o', 1, NULL, '2026-11-26 12:13:55.637+00', '2026-11-26 12:13:55.637+00', NULL);
INSERT INTO public.larder_agenda VALUES
	('81433c80-1f10-4673-8022-4fce0c94c72d', 'larder.sweep', 0, '2026-11-26 12:14:51.529+00', 'single', NULL, NULL, NULL, NULL, NULL, 'UTC', NULL, '3600000', '{}', NULL, false, NULL, false, NULL, NULL, '2026-11-26 12:14:51.529+00', NULL, NULL, '2026-11-26 12:13:51.55688+00', '2026-11-26 12:13:51.55688+00'),
	('a6a5a5a5-6c54-4943-8b79-8073573d0a73', 'billing.run_due_changes', 0, '2026-11-26 12:14:51.563+00', 'single', NULL, NULL, NULL, NULL, NULL, 'UTC', NULL, '60000', '{}', NULL, false, NULL, false, NULL, NULL, '2026-11-26 12:14:51.563+00', NULL, NULL, '2026-11-26 12:13:51.56542+00', '2026-11-26 12:13:51.56542+00'),
	('593ccc0e-a9eb-47a7-80ce-429552a9001c', 'billing.expire_credits', 0, '2026-11-26 12:14:51.569+00', 'single', NULL, NULL, NULL, NULL, NULL, 'UTC', NULL, '300000', '{}', NULL, false, NULL, false, NULL, NULL, '2026-11-26 12:14:51.569+00', NULL, NULL, '2026-11-26 12:13:51.573511+00', '2026-11-26 12:13:51.573511+00'),
	('f03d6996-e5a2-45e4-80fe-d49f3d85eb20', 'billing.measure_rows', 0, '2026-11-26 12:14:51.576+00', 'single', NULL, NULL, NULL, NULL, NULL, 'UTC', NULL, '60000', '{}', NULL, false, NULL, false, NULL, NULL, '2026-11-26 12:14:51.576+00', NULL, NULL, '2026-11-26 12:13:51.576607+00', '2026-11-26 12:13:51.576607+00'),
	('556e6c54-f442-4359-8770-533a45e0e65b', 'comms.retry_provider_events', 0, '2026-11-26 12:14:51.577+00', 'single', NULL, NULL, NULL, NULL, NULL, 'UTC', NULL, '60000', '{}', NULL, false, NULL, false, NULL, NULL, '2026-11-26 12:14:51.577+00', NULL, NULL, '2026-11-26 12:13:51.584093+00', '2026-11-26 12:13:51.584093+00'),
	('e71d59c4-45fc-4b06-aad8-db44ff9ccf1d', 'comms.sweep', 0, '2026-11-26 12:14:51.586+00', 'single', NULL, NULL, NULL, NULL, NULL, 'UTC', NULL, '86400000', '{}', NULL, false, NULL, false, NULL, NULL, '2026-11-26 12:14:51.586+00', NULL, NULL, '2026-11-26 12:13:51.587514+00', '2026-11-26 12:13:51.587514+00'),
	('8bf39d67-e5ae-40e6-8b25-f13c8e051af5', 'identity.sweep', 0, '2026-11-26 12:14:51.594+00', 'single', NULL, NULL, NULL, NULL, NULL, 'UTC', NULL, '3600000', '{}', NULL, false, NULL, false, NULL, NULL, '2026-11-26 12:14:51.594+00', NULL, NULL, '2026-11-26 12:13:51.595526+00', '2026-11-26 12:13:51.595526+00'),
	('aeef4738-cd60-4049-927b-1c4b05e17475', 'forms.sweep_recipients', 0, '2026-11-26 12:14:51.618+00', 'single', NULL, NULL, NULL, NULL, NULL, 'UTC', NULL, '86400000', '{}', NULL, false, NULL, false, NULL, NULL, '2026-11-26 12:14:51.618+00', NULL, NULL, '2026-11-26 12:13:51.622352+00', '2026-11-26 12:13:51.622352+00'),
	('f1f17f70-a77d-469c-b088-d3897c8e69e3', 'webhooks.sweep', 0, '2026-11-26 12:14:51.626+00', 'single', NULL, NULL, NULL, NULL, NULL, 'UTC', NULL, '3600000', '{}', NULL, false, NULL, false, NULL, NULL, '2026-11-26 12:14:51.626+00', NULL, NULL, '2026-11-26 12:13:51.627187+00', '2026-11-26 12:13:51.627187+00'),
	('67f9f92c-9691-43d5-89b7-3f33abf56d00', 'webhooks.reencrypt_secrets', 0, '2026-11-26 12:14:51.632+00', 'single', NULL, NULL, NULL, NULL, NULL, 'UTC', NULL, '86400000', '{}', NULL, false, NULL, false, NULL, NULL, '2026-11-26 12:14:51.632+00', NULL, NULL, '2026-11-26 12:13:51.63739+00', '2026-11-26 12:13:51.63739+00'),
	('2d9f0021-c5dc-49bf-89c0-de9cd0b0ceeb', 'collections.purge_retired', 0, '2026-11-26 12:14:51.65+00', 'single', NULL, NULL, NULL, NULL, NULL, 'UTC', NULL, '86400000', '{}', NULL, false, NULL, false, NULL, NULL, '2026-11-26 12:14:51.65+00', NULL, NULL, '2026-11-26 12:13:51.658783+00', '2026-11-26 12:13:51.658783+00'),
	('d600ed39-c372-4cdd-8284-a7abe82b8a1b', 'collections.purge_trash', 0, '2026-11-26 12:14:51.662+00', 'single', NULL, NULL, NULL, NULL, NULL, 'UTC', NULL, '3600000', '{}', NULL, false, NULL, false, NULL, NULL, '2026-11-26 12:14:51.662+00', NULL, NULL, '2026-11-26 12:13:51.66289+00', '2026-11-26 12:13:51.66289+00'),
	('d6a8f471-1327-471e-8692-0e2e5f121d88', 'collections.sweep_exports', 0, '2026-11-26 12:14:51.663+00', 'single', NULL, NULL, NULL, NULL, NULL, 'UTC', NULL, '3600000', '{}', NULL, false, NULL, false, NULL, NULL, '2026-11-26 12:14:51.663+00', NULL, NULL, '2026-11-26 12:13:51.664006+00', '2026-11-26 12:13:51.664006+00'),
	('688bf7f5-f372-484b-83a8-5fcec1898984', 'collections.sweep_imports', 0, '2026-11-26 12:14:51.668+00', 'single', NULL, NULL, NULL, NULL, NULL, 'UTC', NULL, '3600000', '{}', NULL, false, NULL, false, NULL, NULL, '2026-11-26 12:14:51.668+00', NULL, NULL, '2026-11-26 12:13:51.668408+00', '2026-11-26 12:13:51.668408+00'),
	('5c85dfc8-2cf8-47dd-b24c-4a436aa57bde', 'media.sweep', 0, '2026-11-26 12:14:22.454+00', 'single', NULL, '2026-11-26 12:14:12.523+00', NULL, NULL, NULL, 'UTC', '2026-11-26 12:14:12.454+00', '10000', '{}', NULL, false, NULL, false, NULL, NULL, '2026-11-26 12:14:01.596+00', NULL, NULL, '2026-11-26 12:13:51.616004+00', '2026-11-26 12:13:51.616004+00'),
	('5dd3fd10-5074-4f45-824c-e6bc6f5c1983', 'streams.sweep', 0, '2026-11-26 12:14:22.457+00', 'single', NULL, '2026-11-26 12:14:12.523+00', NULL, NULL, NULL, 'UTC', '2026-11-26 12:14:12.457+00', '10000', '{}', NULL, false, NULL, false, NULL, NULL, '2026-11-26 12:14:01.641+00', NULL, NULL, '2026-11-26 12:13:51.642118+00', '2026-11-26 12:13:51.642118+00'),
	('95073c50-11b8-468f-a912-32d76a695e7a', 'sessions.sweep', 0, '2026-11-26 12:14:17.524+00', 'single', NULL, '2026-11-26 12:14:12.555+00', NULL, NULL, NULL, 'UTC', '2026-11-26 12:14:12.524+00', '5000', '{}', NULL, false, NULL, false, NULL, NULL, '2026-11-26 12:13:56.639+00', NULL, NULL, '2026-11-26 12:13:51.640314+00', '2026-11-26 12:13:51.640314+00'),
	('1090d08b-8f23-48b0-bc09-ba5c6c132dcc', 'webhooks.send', 0, '2026-11-26 12:14:14.536+00', 'single', NULL, '2026-11-26 12:14:12.561+00', NULL, NULL, NULL, 'UTC', '2026-11-26 12:14:12.536+00', '2000', '{}', NULL, false, NULL, false, NULL, NULL, '2026-11-26 12:13:53.623+00', NULL, NULL, '2026-11-26 12:13:51.624164+00', '2026-11-26 12:13:51.624164+00');
INSERT INTO public.larder_applied_recipe VALUES
	(true, '{"mails": {"comms.test": {"from": "comms", "digest": "caVKxSQ6LxpRVN7HA_3C4D"}, "forms.submission": {"from": "forms", "digest": "2aFKklMdWEjL3KiureicK1"}, "identity.welcome": {"from": "identity", "digest": "QceuUh1G--Tm1Hphvpg5iv"}, "messaging.unread": {"from": "messaging", "digest": "4ogtgQD75_5sXx1EMN289q"}, "identity.invitation": {"from": "identity", "digest": "esWEgfeUKznRMfyAQAYc3J"}, "identity.email_change": {"from": "identity", "digest": "ZXht308ENNKulOCNL25FoV"}, "identity.verify_email": {"from": "identity", "digest": "GyMQgA2lUcOpbBbBqqfovC"}, "identity.access_revoked": {"from": "identity", "digest": "2f2Ayh41CCjBuIID9FGArg"}, "identity.password_reset": {"from": "identity", "digest": "xnSpsZk1k12V04zVkGeeF8"}, "webhooks.endpoint_paused": {"from": "webhooks", "digest": "Qmw4ImGmUDL4eCPu47lN8t"}, "forms.confirm_notifications": {"from": "forms", "digest": "5yumPyTeuk8dUNb45oNe5M"}}, "roles": {"tenant.user": {"from": "recipe", "name": "User", "scope": "tenant", "permissions": ["billing.credit.read", "billing.entitlement.read", "billing.plan.read", "billing.subscription.read", "content.page.read", "identity.member.read", "identity.tenant.read", "media.item.create", "media.item.read", "media.item.update", "messaging.*"]}, "tenant.editor": {"from": "content", "name": "Editor", "scope": "tenant", "permissions": ["content.*", "media.item.create", "media.item.publish", "media.item.read"]}, "tenant.billing": {"from": "billing", "name": "Billing", "scope": "tenant", "permissions": ["billing.*"]}, "tenant.manager": {"from": "recipe", "name": "Manager", "scope": "tenant", "permissions": ["billing.credit.read", "billing.entitlement.read", "billing.plan.read", "billing.subscription.read", "communications.*", "content.page.read", "identity.invitation.*", "identity.member.*", "identity.tenant.read", "media.item.create", "media.item.read", "media.item.update", "messaging.*"]}, "tenant.support": {"from": "recipe", "name": "Support", "scope": "tenant", "permissions": ["content.page.read", "identity.member.read", "identity.tenant.read", "media.item.read", "messaging.*", "support.*"]}, "tenant.operator": {"from": "recipe", "name": "Operator", "scope": "tenant", "permissions": ["sessions.*", "streams.*", "webhooks.*"]}, "tenant.releaser": {"from": "features", "name": "Release manager", "scope": "tenant", "permissions": ["features.feature.*"]}, "tenant.messenger": {"from": "messaging", "name": "Messenger", "scope": "tenant", "permissions": ["messaging.*"]}, "tenant.form_editor": {"from": "forms", "name": "Form editor", "scope": "tenant", "permissions": ["forms.*"]}}, "modules": ["billing", "collections", "comms", "console", "content", "features", "forms", "identity", "media", "messaging", "platform", "sessions", "streams", "webhooks"]}', '2026-11-26 12:13:49.245+00');
INSERT INTO public.larder_deliveries VALUES
	('dlv_01m8bwdg06efpvcm3ywkbyt2ma', 'evt_01m8bwddr6eeyaqt7zd66yq3b2', 'webhooks:content.page.published', 'ten_01m8bwd89je5xan3wgq9p3y8sp', 'done', 1, NULL, NULL, '2026-11-26 12:13:50.982+00'),
	('dlv_01m8bwdg06efqbf1ywesmdd41d', 'evt_01m8bwddrrebtr9jk2e09erz0p', 'webhooks:content.navigation.updated', 'ten_01m8bwd89je5xan3wgq9p3y8sp', 'done', 1, NULL, NULL, '2026-11-26 12:13:50.982+00'),
	('dlv_01m8bwdg06efqst52je8rnkjxr', 'evt_01m8bwdds2e58sttdvb6wefs17', 'webhooks:content.navigation.updated', 'ten_01m8bwd89je5xan3wgq9p3y8sp', 'done', 1, NULL, NULL, '2026-11-26 12:13:50.982+00'),
	('dlv_01m8bwdg06efr82nkgahv5a93y', 'evt_01m8bwddxyexdvet4jr9c8pn2n', 'webhooks:forms.form.created', 'ten_01m8bwd89je5xan3wgq9p3y8sp', 'done', 1, NULL, NULL, '2026-11-26 12:13:50.982+00'),
	('dlv_01m8bwdg06efrrymczs94h8h3b', 'evt_01m8bwde0ne708k3krxzgqnftx', 'webhooks:features.feature.created', 'ten_01m8bwd89je5xan3wgq9p3y8sp', 'done', 1, NULL, NULL, '2026-11-26 12:13:50.982+00'),
	('dlv_01m8bwdhfhe0z818qc5s8ddbqy', 'evt_01m8bwdh45emtrmvqb636169wv', 'billing:identity.tenant.created', 'ten_01m8bwdh37enwbbm3zc8ajhjmd', 'done', 1, NULL, NULL, '2026-11-26 12:13:52.497+00'),
	('dlv_01m8bwdhfhe0zvn95ynfpc3ka0', 'evt_01m8bwdh5hes3bh36v0r8q0x6y', 'forms:identity.member.joined', 'ten_01m8bwdh37enwbbm3zc8ajhjmd', 'done', 1, NULL, NULL, '2026-11-26 12:13:52.497+00'),
	('dlv_01m8bwdhfhe109wsehpehvj1ng', 'evt_01m8bwdh64er589bq0r22gze3j', 'identity:identity.user.created', 'ten_01m8bwdh37enwbbm3zc8ajhjmd', 'done', 1, NULL, NULL, '2026-11-26 12:13:52.497+00'),
	('dlv_01m8bwdhfhe10vwpm246yf2vjx', 'evt_01m8bwdh45emtrmvqb636169wv', 'webhooks:identity.tenant.created', 'ten_01m8bwdh37enwbbm3zc8ajhjmd', 'done', 1, NULL, NULL, '2026-11-26 12:13:52.497+00'),
	('dlv_01m8bwdhfhe11ar6src7mtp2pe', 'evt_01m8bwdh5hes3bh36v0r8q0x6y', 'webhooks:identity.member.joined', 'ten_01m8bwdh37enwbbm3zc8ajhjmd', 'done', 1, NULL, NULL, '2026-11-26 12:13:52.497+00'),
	('dlv_01m8bwdhfhe11t9rnr4w7fqen3', 'evt_01m8bwdh64er589bq0r22gze3j', 'webhooks:identity.user.created', 'ten_01m8bwdh37enwbbm3zc8ajhjmd', 'done', 1, NULL, NULL, '2026-11-26 12:13:52.497+00'),
	('dlv_01m8bwdhneek2b0zgbf8zyk5s7', 'evt_01m8bwdhhteb8avy2s3n3y07xn', 'forms:identity.member.joined', 'ten_01m8bwd89je5xan3wgq9p3y8sp', 'done', 1, NULL, NULL, '2026-11-26 12:13:52.686+00'),
	('dlv_01m8bwdhneek2t0mkgmrd57ddp', 'evt_01m8bwdhhteb8avy2s3n3y07xn', 'webhooks:identity.member.joined', 'ten_01m8bwd89je5xan3wgq9p3y8sp', 'done', 1, NULL, NULL, '2026-11-26 12:13:52.686+00'),
	('dlv_01m8bwdj5herss7kge24ytyvr7', 'evt_01m8bwdhz4e7htcm0zxdf19nd5', 'billing:identity.tenant.created', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'done', 1, NULL, NULL, '2026-11-26 12:13:53.201+00'),
	('dlv_01m8bwdj5hertbh8ntx7nyaxaw', 'evt_01m8bwdhz4e7ja42rnya947yww', 'forms:identity.member.joined', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'done', 1, NULL, NULL, '2026-11-26 12:13:53.201+00'),
	('dlv_01m8bwdj5hertssdeg4w62tzcz', 'evt_01m8bwdhz5eq4scjwb5wpw7y1y', 'identity:identity.user.created', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'done', 1, NULL, NULL, '2026-11-26 12:13:53.201+00'),
	('dlv_01m8bwdj5herva5c4n5y9kqrt2', 'evt_01m8bwdhz4e7htcm0zxdf19nd5', 'webhooks:identity.tenant.created', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'done', 1, NULL, NULL, '2026-11-26 12:13:53.201+00'),
	('dlv_01m8bwdj5hervrdcz9j9bst2ns', 'evt_01m8bwdhz4e7ja42rnya947yww', 'webhooks:identity.member.joined', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'done', 1, NULL, NULL, '2026-11-26 12:13:53.201+00'),
	('dlv_01m8bwdj5herwbaa87pzch8zq9', 'evt_01m8bwdhz5eq4scjwb5wpw7y1y', 'webhooks:identity.user.created', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'done', 1, NULL, NULL, '2026-11-26 12:13:53.201+00'),
	('dlv_01m8bwdjd6ec1a7hca7334eqqs', 'evt_01m8bwdj51e4f9jcncn9768vj6', 'identity:identity.access.revoked', 'ten_01m8bwd89je5xan3wgq9p3y8sp', 'done', 1, NULL, NULL, '2026-11-26 12:13:53.446+00'),
	('dlv_01m8bwdjd6ec1ve5nj5cgbszd0', 'evt_01m8bwdj3setha0eteqcrdg36s', 'webhooks:identity.email.verified', 'ten_01m8bwd89je5xan3wgq9p3y8sp', 'done', 1, NULL, NULL, '2026-11-26 12:13:53.446+00'),
	('dlv_01m8bwdjd6ec2bvyr1k20d49py', 'evt_01m8bwdj51e4f9jcncn9768vj6', 'webhooks:identity.access.revoked', 'ten_01m8bwd89je5xan3wgq9p3y8sp', 'done', 1, NULL, NULL, '2026-11-26 12:13:53.446+00'),
	('dlv_01m8bwdk37e7csb2pmagh4css2', 'evt_01m8bwdk1keq281mt4618dqjk0', 'billing:identity.tenant.created', 'ten_01m8bwdk1cembsakrsx373gvqx', 'done', 1, NULL, NULL, '2026-11-26 12:13:54.151+00'),
	('dlv_01m8bwdk37e7d9053ak6kdftx7', 'evt_01m8bwdk1keq2rcap2h0jcmx63', 'forms:identity.member.joined', 'ten_01m8bwdk1cembsakrsx373gvqx', 'done', 1, NULL, NULL, '2026-11-26 12:13:54.151+00'),
	('dlv_01m8bwdk37e7dr27b4xz3a785g', 'evt_01m8bwdk1keq3ag64s39f1enk0', 'identity:identity.user.created', 'ten_01m8bwdk1cembsakrsx373gvqx', 'done', 1, NULL, NULL, '2026-11-26 12:13:54.151+00'),
	('dlv_01m8bwdk37e7eax39h7jrh6nde', 'evt_01m8bwdk1keq281mt4618dqjk0', 'webhooks:identity.tenant.created', 'ten_01m8bwdk1cembsakrsx373gvqx', 'done', 1, NULL, NULL, '2026-11-26 12:13:54.151+00'),
	('dlv_01m8bwdk37e7evtk97srna2kgq', 'evt_01m8bwdk1keq2rcap2h0jcmx63', 'webhooks:identity.member.joined', 'ten_01m8bwdk1cembsakrsx373gvqx', 'done', 1, NULL, NULL, '2026-11-26 12:13:54.151+00'),
	('dlv_01m8bwdk37e7fbcze3q7vgxyys', 'evt_01m8bwdk1keq3ag64s39f1enk0', 'webhooks:identity.user.created', 'ten_01m8bwdk1cembsakrsx373gvqx', 'done', 1, NULL, NULL, '2026-11-26 12:13:54.151+00'),
	('dlv_01m8bwdkpxekdr9e3d94x3zwkm', 'evt_01m8bwdkdae8v8gmz18mr5h5zc', 'webhooks:billing.subscription.trial_started', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'done', 1, NULL, NULL, '2026-11-26 12:13:54.781+00'),
	('dlv_01m8bwdkpxeke9hjhcgfqj8mpc', 'evt_01m8bwdke9evxsh25m3t3pat7t', 'webhooks:billing.credit.granted', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'done', 1, NULL, NULL, '2026-11-26 12:13:54.781+00'),
	('dlv_01m8bwdnfder78j7fhv29gkqrs', 'evt_01m8bwdn47exmrzpft9t9pd9vr', 'identity:identity.invitation.created', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'done', 1, NULL, NULL, '2026-11-26 12:13:56.589+00'),
	('dlv_01m8bwdnfder7tmahcsen7ztrz', 'evt_01m8bwdn47exmrzpft9t9pd9vr', 'webhooks:identity.invitation.created', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'done', 1, NULL, NULL, '2026-11-26 12:13:56.589+00'),
	('dlv_01m8bwdnhgetf8czys9w5wrw4c', 'evt_01m8bwdmkbekq9bv32wh2p865y', 'billing:identity.tenant.created', 'ten_01m8bwdmhnehy9ff7wc2cs4w16', 'done', 1, NULL, NULL, '2026-11-26 12:13:56.656+00'),
	('dlv_01m8bwdnhgetfsn38kzay8jdbk', 'evt_01m8bwdmkbekqr09t921anfa97', 'forms:identity.member.joined', 'ten_01m8bwdmhnehy9ff7wc2cs4w16', 'done', 1, NULL, NULL, '2026-11-26 12:13:56.656+00'),
	('dlv_01m8bwdnhgetg85mny91q3w46h', 'evt_01m8bwdmkbekr8yzvzt57nrv2k', 'identity:identity.user.created', 'ten_01m8bwdmhnehy9ff7wc2cs4w16', 'done', 1, NULL, NULL, '2026-11-26 12:13:56.656+00'),
	('dlv_01m8bwdnhgetgtqwsr7sxtdp2t', 'evt_01m8bwdmkbekq9bv32wh2p865y', 'webhooks:identity.tenant.created', 'ten_01m8bwdmhnehy9ff7wc2cs4w16', 'done', 1, NULL, NULL, '2026-11-26 12:13:56.656+00'),
	('dlv_01m8bwdnhgethb6m7sk0g4kkhz', 'evt_01m8bwdmkbekqr09t921anfa97', 'webhooks:identity.member.joined', 'ten_01m8bwdmhnehy9ff7wc2cs4w16', 'done', 1, NULL, NULL, '2026-11-26 12:13:56.656+00'),
	('dlv_01m8bwdnhgethrt349rhvdxwsy', 'evt_01m8bwdmkbekr8yzvzt57nrv2k', 'webhooks:identity.user.created', 'ten_01m8bwdmhnehy9ff7wc2cs4w16', 'done', 1, NULL, NULL, '2026-11-26 12:13:56.656+00'),
	('dlv_01m8bwdp3dezzvp6hp7xbekhtt', 'evt_01m8bwdnm8e21sd3mv0n0h09mb', 'forms:identity.member.joined', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'done', 1, NULL, NULL, '2026-11-26 12:13:57.229+00'),
	('dlv_01m8bwdp3df009b1tb1skde0n2', 'evt_01m8bwdnm8e21sd3mv0n0h09mb', 'webhooks:identity.member.joined', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'done', 1, NULL, NULL, '2026-11-26 12:13:57.229+00'),
	('dlv_01m8bwdp7qe5q8v1r1ghskcsd5', 'evt_01m8bwdp0xenntb4zyrpxgvyqb', 'identity:identity.invitation.created', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'done', 1, NULL, NULL, '2026-11-26 12:13:57.367+00'),
	('dlv_01m8bwdp7qe5qt9t6ekn9ryn11', 'evt_01m8bwdp0xenntb4zyrpxgvyqb', 'webhooks:identity.invitation.created', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'done', 1, NULL, NULL, '2026-11-26 12:13:57.367+00'),
	('dlv_01m8bwdpnjeke9axmxkdf1dbvy', 'evt_01m8bwdpcqe83s8q9g0wgt50pe', 'billing:identity.tenant.created', 'ten_01m8bwdpc2e2nsn28yjttchd03', 'done', 1, NULL, NULL, '2026-11-26 12:13:57.81+00'),
	('dlv_01m8bwdpnjeket6kqt17c44dhv', 'evt_01m8bwdpcqe849nz4yjefz1jy3', 'forms:identity.member.joined', 'ten_01m8bwdpc2e2nsn28yjttchd03', 'done', 1, NULL, NULL, '2026-11-26 12:13:57.81+00'),
	('dlv_01m8bwdpnjekfbv60y5q4dqr3p', 'evt_01m8bwdpcqe83s8q9g0wgt50pe', 'webhooks:identity.tenant.created', 'ten_01m8bwdpc2e2nsn28yjttchd03', 'done', 1, NULL, NULL, '2026-11-26 12:13:57.81+00'),
	('dlv_01m8bwdpnjekfrb8c8twn8yf9d', 'evt_01m8bwdpcqe849nz4yjefz1jy3', 'webhooks:identity.member.joined', 'ten_01m8bwdpc2e2nsn28yjttchd03', 'done', 1, NULL, NULL, '2026-11-26 12:13:57.81+00'),
	('dlv_01m8bwdseqen686mz2j6na6gyx', 'evt_01m8bwdsdrekba4a3hrswgkt0v', 'webhooks:media.item.ready', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'done', 1, NULL, NULL, '2026-11-26 12:14:00.663+00'),
	('dlv_01m8bwdtcret6sbba8w6aj30dn', 'evt_01m8bwdsrset5agpmpyates4b1', 'webhooks:content.page.created', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'done', 1, NULL, NULL, '2026-11-26 12:14:01.624+00'),
	('dlv_01m8bwdthpevcvrt8mz9zga0ta', 'evt_01m8bwdtcqeppvvw5b5xny5qbk', 'webhooks:content.page.published', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'done', 1, NULL, NULL, '2026-11-26 12:14:01.782+00'),
	('dlv_01m8bwdx33e9xs5gqd2rme2a62', 'evt_01m8bwdwzfebybvdmvph1q06wp', 'forms:forms.submission.created', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'done', 1, NULL, NULL, '2026-11-26 12:14:04.387+00'),
	('dlv_01m8bwdx33e9yb1jkjtyfb9q4r', 'evt_01m8bwdwzfebybvdmvph1q06wp', 'webhooks:forms.submission.created', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'done', 1, NULL, NULL, '2026-11-26 12:14:04.387+00'),
	('dlv_01m8bwe2qee1jsc6005tqpg355', 'evt_01m8bwe2hsesvtgyhp8my6ww8v', 'webhooks:streams.stream.sources_updated', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'done', 1, NULL, NULL, '2026-11-26 12:14:10.158+00'),
	('dlv_01m8bwe2qee1k8ytswshkfn6xr', 'evt_01m8bwe2hsesvtgyhp8my6ww8v', 'streams:streams.stream.sources_updated#webhook', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'done', 1, NULL, NULL, '2026-11-26 12:14:10.158+00'),
	('dlv_01m8bwdtnce9sr1p7awr575fhq', 'evt_01m8bwdtgvep1934hmp9xg962a', 'webhooks:content.page.updated', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'done', 1, NULL, NULL, '2026-11-26 12:14:01.9+00'),
	('dlv_01m8bwdtsce55a3qewnnx174nc', 'evt_01m8bwdtnsemha1dh6ssy9fmcq', 'webhooks:content.page.updated', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'done', 1, NULL, NULL, '2026-11-26 12:14:02.028+00'),
	('dlv_01m8bwe53qe66bj4ha37mj8ea3', 'evt_01m8bwe51ye0qab4djbg3r518s', 'webhooks:collections.courses.deleted', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'done', 1, NULL, NULL, '2026-11-26 12:14:12.599+00'),
	('dlv_01m8bwdtvse7yrexth7ff5b591', 'evt_01m8bwdts3ek6rvnnv5xzphjda', 'webhooks:content.page.created', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'done', 1, NULL, NULL, '2026-11-26 12:14:02.105+00'),
	('dlv_01m8bwdycheewb0rrr25e4mb83', 'evt_01m8bwdx51estrnjse8d6fbafv', 'forms:forms.submission.created', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'done', 1, NULL, NULL, '2026-11-26 12:14:05.713+00'),
	('dlv_01m8bwdycheews19v7kbyt8s1g', 'evt_01m8bwdx51estrnjse8d6fbafv', 'webhooks:forms.submission.created', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'done', 1, NULL, NULL, '2026-11-26 12:14:05.713+00'),
	('dlv_01m8bwdz0tezp9wz6f3fzqy2aw', 'evt_01m8bwdywrenwaqnpgnq1ncne3', 'webhooks:features.feature.updated', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'done', 1, NULL, NULL, '2026-11-26 12:14:06.362+00'),
	('dlv_01m8bwe0p6eqarxa683e4a0z9m', 'evt_01m8bwe0fmex9ssk2790n6vgyc', 'messaging:messaging.message.created', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'done', 1, NULL, NULL, '2026-11-26 12:14:08.07+00'),
	('dlv_01m8bwe0p6eqba4kpkwqqpajms', 'evt_01m8bwe0fmex9ssk2790n6vgyc', 'webhooks:messaging.message.created', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'done', 1, NULL, NULL, '2026-11-26 12:14:08.07+00'),
	('dlv_01m8bwe0v8ew28249ngcf4fbzy', 'evt_01m8bwe0nwed2vzh28ms4vheqn', 'webhooks:messaging.message.updated', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'done', 1, NULL, NULL, '2026-11-26 12:14:08.232+00'),
	('dlv_01m8bwe1hse7jawryethp6v412', 'evt_01m8bwe1c7ez4ac0ngvme41zka', 'webhooks:sessions.session.created', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'done', 1, NULL, NULL, '2026-11-26 12:14:08.953+00'),
	('dlv_01m8bwdv4ze5btcp0c6cbtsz7g', 'evt_01m8bwdtx7edpa83t0mxrwc610', 'webhooks:content.redirect.created', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'done', 1, NULL, NULL, '2026-11-26 12:14:02.399+00'),
	('dlv_01m8bwdv5aefes2c60gbp2p46c', 'evt_01m8bwdv0he2hsyq7eevth82px', 'webhooks:content.navigation.updated', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'done', 1, NULL, NULL, '2026-11-26 12:14:02.41+00'),
	('dlv_01m8bwdwshez59mamm6waqmmzm', 'evt_01m8bwdwkree5vpjkqf9g9e3jq', 'webhooks:forms.form.created', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'done', 1, NULL, NULL, '2026-11-26 12:14:04.081+00'),
	('dlv_01m8bwdww0etcam0dcbh823jn2', 'evt_01m8bwdwqhebbs8mwsxcv2s5p3', 'webhooks:forms.form.updated', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'done', 1, NULL, NULL, '2026-11-26 12:14:04.16+00'),
	('dlv_01m8bwdz5xef3rya2g993c5etm', 'evt_01m8bwdz0we9mbarcc43fjc7j2', 'webhooks:features.override.set', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'done', 1, NULL, NULL, '2026-11-26 12:14:06.525+00'),
	('dlv_01m8bwe0cpegkr0q899m7v4fxm', 'evt_01m8bwe0a1ezp8zxy5k0r92ta2', 'webhooks:messaging.conversation.created', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'done', 1, NULL, NULL, '2026-11-26 12:14:07.766+00'),
	('dlv_01m8bwe1mfea5bhrkg0cmdn4h8', 'evt_01m8bwe1heeje8n794xczv50zy', 'streams:sessions.session.accepted', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'done', 1, NULL, NULL, '2026-11-26 12:14:09.039+00'),
	('dlv_01m8bwe1mfea5rdq1rmb0zz8ph', 'evt_01m8bwe1heeje8n794xczv50zy', 'webhooks:sessions.session.accepted', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'done', 1, NULL, NULL, '2026-11-26 12:14:09.039+00'),
	('dlv_01m8bwe1phekesm307994tph0n', 'evt_01m8bwe1kcejft4wwpnfsdt2vv', 'webhooks:sessions.session.created', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'done', 1, NULL, NULL, '2026-11-26 12:14:09.105+00'),
	('dlv_01m8bwe2h8eptsray0tfb6hryn', 'evt_01m8bwe2c2ebm96g2dcvmmytr5', 'webhooks:sessions.session.created', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'done', 1, NULL, NULL, '2026-11-26 12:14:09.96+00'),
	('dlv_01m8bwe2tfectv2f5pef4pv21q', 'evt_01m8bwe2rjegdagfg6nk1eawgc', 'webhooks:streams.stream.layout_updated', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'done', 1, NULL, NULL, '2026-11-26 12:14:10.255+00'),
	('dlv_01m8bwe2tfecv946k7vt4h7sh6', 'evt_01m8bwe2rjegdagfg6nk1eawgc', 'streams:streams.stream.layout_updated#webhook', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'done', 1, NULL, NULL, '2026-11-26 12:14:10.255+00'),
	('dlv_01m8bwe3kjep2v2sngzf4hhxpw', 'evt_01m8bwe3f8enj8949e1h2qfgbw', 'webhooks:collections.courses.created', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'done', 1, NULL, NULL, '2026-11-26 12:14:11.058+00'),
	('dlv_01m8bwe3qfewbbs3ajpvy1kwmk', 'evt_01m8bwe3pheh9r1w89e8x279sz', 'webhooks:collections.courses.created', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'done', 1, NULL, NULL, '2026-11-26 12:14:11.183+00'),
	('dlv_01m8bwdx73e80ax17m4hx5zmx7', 'evt_01m8bwdx2xe1c8debgze50ajhb', 'forms:forms.submission.created', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'done', 1, NULL, NULL, '2026-11-26 12:14:04.515+00'),
	('dlv_01m8bwdx73e80rqyjpay4jyd26', 'evt_01m8bwdx2xe1c8debgze50ajhb', 'webhooks:forms.submission.created', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'done', 1, NULL, NULL, '2026-11-26 12:14:04.515+00'),
	('dlv_01m8bwdyyte55vygr1jdbrybyw', 'evt_01m8bwdypwebh9yw634m930k9p', 'webhooks:features.feature.created', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'done', 1, NULL, NULL, '2026-11-26 12:14:06.298+00'),
	('dlv_01m8bwe0jqe91aaak6x2xz6dvy', 'evt_01m8bwe0chexatsk9kb7pt1yt2', 'messaging:messaging.message.created', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'done', 1, NULL, NULL, '2026-11-26 12:14:07.959+00'),
	('dlv_01m8bwe0jqe91rjgftgdsm3x9h', 'evt_01m8bwe0chexatsk9kb7pt1yt2', 'webhooks:messaging.message.created', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'done', 1, NULL, NULL, '2026-11-26 12:14:07.959+00'),
	('dlv_01m8bwe0y5ep9vdq407arvdgw1', 'evt_01m8bwe0vee5gb9nchh2snrqss', 'webhooks:messaging.conversation.created', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'done', 1, NULL, NULL, '2026-11-26 12:14:08.325+00'),
	('dlv_01m8bwe122e8ws9j38ybqc09tg', 'evt_01m8bwe0xvesbs0gnke3579e7g', 'messaging:messaging.message.created', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'done', 1, NULL, NULL, '2026-11-26 12:14:08.45+00'),
	('dlv_01m8bwe122e8xbmpdebn3t676c', 'evt_01m8bwe0xvesbs0gnke3579e7g', 'webhooks:messaging.message.created', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'done', 1, NULL, NULL, '2026-11-26 12:14:08.45+00'),
	('dlv_01m8bwe1f2ejarmk6ymvm3sypk', 'evt_01m8bwe14zewks4kgw79bef2ag', 'messaging:messaging.message.created', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'done', 1, NULL, NULL, '2026-11-26 12:14:08.866+00'),
	('dlv_01m8bwe1f2ejbbakqka35b0xkg', 'evt_01m8bwe14zewks4kgw79bef2ag', 'webhooks:messaging.message.created', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'done', 1, NULL, NULL, '2026-11-26 12:14:08.866+00'),
	('dlv_01m8bwe2c3emprzp5gyf4wmjrw', 'evt_01m8bwe1z3eqbs98220d6paqb5', 'streams:sessions.session.ended', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'done', 1, NULL, NULL, '2026-11-26 12:14:09.795+00'),
	('dlv_01m8bwe2c3emq9vt5wymvcegtt', 'evt_01m8bwe1z3eqbs98220d6paqb5', 'webhooks:sessions.session.ended', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'done', 1, NULL, NULL, '2026-11-26 12:14:09.795+00'),
	('dlv_01m8bwe3nke8evh0crxr4ew2t5', 'evt_01m8bwe3k7e76sv8c6hgpvfctj', 'webhooks:collections.courses.updated', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'done', 1, NULL, NULL, '2026-11-26 12:14:11.123+00'),
	('dlv_01m8bwe3q7erhtrpfjsrrcjjk3', 'evt_01m8bwe3njejfbt1qhyrhz1f4j', 'webhooks:collections.courses.created', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'done', 1, NULL, NULL, '2026-11-26 12:14:11.175+00'),
	('dlv_01m8bwe517e5mtjctw7rynrgyp', 'evt_01m8bwe3qaejb81a0wmndt8cp2', 'webhooks:collections.courses.created', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'done', 1, NULL, NULL, '2026-11-26 12:14:12.519+00'),
	('dlv_01m8bwe5ateep9m5dznhz8rsh4', 'evt_01m8bwe5aaebcrnwnnq3xfksbh', 'webhooks:collections.courses.created', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'done', 1, NULL, NULL, '2026-11-26 12:14:12.826+00'),
	('dlv_01m8bwdg06efp8frah6mbkdndm', 'evt_01m8bwddpze0v98ecbssjvw7wg', 'webhooks:content.page.created', 'ten_01m8bwd89je5xan3wgq9p3y8sp', 'dead', 12, NULL, 'The disk is full', NULL);
INSERT INTO public.larder_events VALUES
	('ten_01m8bwd89je5xan3wgq9p3y8sp', 'evt_01m8bwddpze0v98ecbssjvw7wg', 'content.page.created', 1, '2026-11-26 12:13:48.639+00', '{"id": "larder", "kind": "system"}', 'pag_01m8bwddn5ea68v0xs95x7cywq', NULL, NULL, '{"path": "/", "slug": "home", "locale": "en", "pageId": "pag_01m8bwddn5ea68v0xs95x7cywq", "version": 1}', '2026-11-26 12:13:50.982+00'),
	('ten_01m8bwd89je5xan3wgq9p3y8sp', 'evt_01m8bwddr6eeyaqt7zd66yq3b2', 'content.page.published', 1, '2026-11-26 12:13:48.678+00', '{"id": "larder", "kind": "system"}', 'pag_01m8bwddn5ea68v0xs95x7cywq', NULL, NULL, '{"path": "/", "slug": "home", "locale": "en", "pageId": "pag_01m8bwddn5ea68v0xs95x7cywq", "version": 1}', '2026-11-26 12:13:50.982+00'),
	('ten_01m8bwd89je5xan3wgq9p3y8sp', 'evt_01m8bwddrrebtr9jk2e09erz0p', 'content.navigation.updated', 1, '2026-11-26 12:13:48.696+00', '{"id": "larder", "kind": "system"}', 'main', NULL, NULL, '{"key": "main"}', '2026-11-26 12:13:50.982+00'),
	('ten_01m8bwd89je5xan3wgq9p3y8sp', 'evt_01m8bwdds2e58sttdvb6wefs17', 'content.navigation.updated', 1, '2026-11-26 12:13:48.706+00', '{"id": "larder", "kind": "system"}', 'footer', NULL, NULL, '{"key": "footer"}', '2026-11-26 12:13:50.982+00'),
	('ten_01m8bwd89je5xan3wgq9p3y8sp', 'evt_01m8bwddxyexdvet4jr9c8pn2n', 'forms.form.created', 1, '2026-11-26 12:13:48.862+00', '{"id": "larder", "kind": "system"}', 'frm_01m8bwddx1e8qabd3x67wkx7qg', NULL, NULL, '{"key": "contact", "name": "Contact", "access": "public", "formId": "frm_01m8bwddx1e8qabd3x67wkx7qg", "version": 1}', '2026-11-26 12:13:50.982+00'),
	('ten_01m8bwd89je5xan3wgq9p3y8sp', 'evt_01m8bwde0ne708k3krxzgqnftx', 'features.feature.created', 1, '2026-11-26 12:13:48.949+00', '{"id": "larder", "kind": "system"}', 'ftr_01m8bwddzqeh68nhq4vkk2s9tg', NULL, NULL, '{"key": "new-editor", "enabled": true, "featureId": "ftr_01m8bwddzqeh68nhq4vkk2s9tg", "managedBy": "recipe"}', '2026-11-26 12:13:50.982+00'),
	('ten_01m8bwdh37enwbbm3zc8ajhjmd', 'evt_01m8bwdh45emtrmvqb636169wv', 'identity.tenant.created', 1, '2026-11-26 12:13:52.133+00', '{"id": "larder", "kind": "system"}', 'ten_01m8bwdh37enwbbm3zc8ajhjmd', 'req_01m8bwdgsje37v7wwynnfdp7z0', NULL, '{"name": "person-1-29413''s workspace", "slug": "person-1-29413-s-workspace", "ownerId": "usr_01m8bwdh36e9jsm1t5s2m34r27", "tenantId": "ten_01m8bwdh37enwbbm3zc8ajhjmd"}', '2026-11-26 12:13:52.497+00'),
	('ten_01m8bwdh37enwbbm3zc8ajhjmd', 'evt_01m8bwdh5hes3bh36v0r8q0x6y', 'identity.member.joined', 1, '2026-11-26 12:13:52.177+00', '{"id": "larder", "kind": "system"}', 'mem_01m8bwdh45evar2hgez0qekp2c', 'req_01m8bwdgsje37v7wwynnfdp7z0', NULL, '{"roles": ["tenant.owner"], "userId": "usr_01m8bwdh36e9jsm1t5s2m34r27", "memberId": "mem_01m8bwdh45evar2hgez0qekp2c"}', '2026-11-26 12:13:52.497+00'),
	('ten_01m8bwdh37enwbbm3zc8ajhjmd', 'evt_01m8bwdh64er589bq0r22gze3j', 'identity.user.created', 1, '2026-11-26 12:13:52.196+00', '{"id": "larder", "kind": "system"}', 'usr_01m8bwdh36e9jsm1t5s2m34r27', 'req_01m8bwdgsje37v7wwynnfdp7z0', NULL, '{"name": null, "email": "person-1-29413@example.test", "locale": null, "userId": "usr_01m8bwdh36e9jsm1t5s2m34r27"}', '2026-11-26 12:13:52.497+00'),
	('ten_01m8bwd89je5xan3wgq9p3y8sp', 'evt_01m8bwdhhteb8avy2s3n3y07xn', 'identity.member.joined', 1, '2026-11-26 12:13:52.57+00', '{"id": "lgn_01m8bwdh36epnrhh73bnqv1far", "kind": "login"}', 'mem_01m8bwdhhte1x9wmetrhywxa7n', 'req_01m8bwdhffen0skhbsbn64s51s', NULL, '{"roles": ["tenant.owner", "platform.admin"], "userId": "usr_01m8bwdh36e9jsm1t5s2m34r27", "memberId": "mem_01m8bwdhhte1x9wmetrhywxa7n"}', '2026-11-26 12:13:52.686+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'evt_01m8bwdhz4e7htcm0zxdf19nd5', 'identity.tenant.created', 1, '2026-11-26 12:13:52.996+00', '{"id": "larder", "kind": "system"}', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'req_01m8bwdhmpenmsy4d2pfvct7pr', NULL, '{"name": "Engines", "slug": "engines", "ownerId": "usr_01m8bwdhxkewftmbcqdphd4h4f", "tenantId": "ten_01m8bwdhxkehmrtt7sxhvk8s8a"}', '2026-11-26 12:13:53.201+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'evt_01m8bwdhz4e7ja42rnya947yww', 'identity.member.joined', 1, '2026-11-26 12:13:52.996+00', '{"id": "larder", "kind": "system"}', 'mem_01m8bwdhz4ekn9b50js4y39sqr', 'req_01m8bwdhmpenmsy4d2pfvct7pr', NULL, '{"roles": ["tenant.owner"], "userId": "usr_01m8bwdhxkewftmbcqdphd4h4f", "memberId": "mem_01m8bwdhz4ekn9b50js4y39sqr"}', '2026-11-26 12:13:53.201+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'evt_01m8bwdhz5eq4scjwb5wpw7y1y', 'identity.user.created', 1, '2026-11-26 12:13:52.997+00', '{"id": "larder", "kind": "system"}', 'usr_01m8bwdhxkewftmbcqdphd4h4f', 'req_01m8bwdhmpenmsy4d2pfvct7pr', NULL, '{"name": "Ada", "email": "ada@example.test", "locale": null, "userId": "usr_01m8bwdhxkewftmbcqdphd4h4f"}', '2026-11-26 12:13:53.201+00'),
	('ten_01m8bwd89je5xan3wgq9p3y8sp', 'evt_01m8bwdj3setha0eteqcrdg36s', 'identity.email.verified', 1, '2026-11-26 12:13:53.145+00', '{"id": "larder", "kind": "system"}', 'usr_01m8bwdhxkewftmbcqdphd4h4f', 'req_01m8bwdj2de9t9w3zfyd014pt7', NULL, '{"userId": "usr_01m8bwdhxkewftmbcqdphd4h4f"}', '2026-11-26 12:13:53.446+00'),
	('ten_01m8bwd89je5xan3wgq9p3y8sp', 'evt_01m8bwdj51e4f9jcncn9768vj6', 'identity.access.revoked', 1, '2026-11-26 12:13:53.185+00', '{"id": "larder", "kind": "system"}', 'usr_01m8bwdhxkewftmbcqdphd4h4f', 'req_01m8bwdj2de9t9w3zfyd014pt7', NULL, '{"logins": 1, "reason": "email_verified", "userId": "usr_01m8bwdhxkewftmbcqdphd4h4f", "apiKeys": 1, "invitations": 0}', '2026-11-26 12:13:53.446+00'),
	('ten_01m8bwdk1cembsakrsx373gvqx', 'evt_01m8bwdk1keq281mt4618dqjk0', 'identity.tenant.created', 1, '2026-11-26 12:13:54.099+00', '{"id": "larder", "kind": "system"}', 'ten_01m8bwdk1cembsakrsx373gvqx', 'req_01m8bwdjymenzbshqey0pzqt47', NULL, '{"name": "Compilers", "slug": "compilers", "ownerId": "usr_01m8bwdk1ce4b9h9rgzk14s76c", "tenantId": "ten_01m8bwdk1cembsakrsx373gvqx"}', '2026-11-26 12:13:54.151+00'),
	('ten_01m8bwdk1cembsakrsx373gvqx', 'evt_01m8bwdk1keq2rcap2h0jcmx63', 'identity.member.joined', 1, '2026-11-26 12:13:54.099+00', '{"id": "larder", "kind": "system"}', 'mem_01m8bwdk1ke1280g1s1za86h39', 'req_01m8bwdjymenzbshqey0pzqt47', NULL, '{"roles": ["tenant.owner"], "userId": "usr_01m8bwdk1ce4b9h9rgzk14s76c", "memberId": "mem_01m8bwdk1ke1280g1s1za86h39"}', '2026-11-26 12:13:54.151+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'evt_01m8bwdp0xenntb4zyrpxgvyqb', 'identity.invitation.created', 1, '2026-11-26 12:13:57.149+00', '{"id": "lgn_01m8bwdjtzeb9tkgjhxg5swpx4", "kind": "login"}', 'inv_01m8bwdnzreeca8523y4xyfkgx', 'req_01m8bwdnxkeqzazcrs245hwxsy', NULL, '{"email": "guest@example.test", "roles": ["tenant.user"], "version": 1, "invitedBy": "usr_01m8bwdhxkewftmbcqdphd4h4f", "sendEmail": false, "invitationId": "inv_01m8bwdnzreeca8523y4xyfkgx"}', '2026-11-26 12:13:57.367+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'evt_01m8bwdtnsemha1dh6ssy9fmcq', 'content.page.updated', 1, '2026-11-26 12:14:01.913+00', '{"id": "lgn_01m8bwdjtzeb9tkgjhxg5swpx4", "kind": "login"}', 'pag_01m8bwdsrrem98wnm1s20thvrz', 'req_01m8bwdtm3ejg8p50r6sfjsqbt', NULL, '{"path": "/engine", "slug": "engine", "locale": "en", "pageId": "pag_01m8bwdsrrem98wnm1s20thvrz", "version": 3}', '2026-11-26 12:14:02.028+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'evt_01m8bwdv0he2hsyq7eevth82px', 'content.navigation.updated', 1, '2026-11-26 12:14:02.257+00', '{"id": "lgn_01m8bwdjtzeb9tkgjhxg5swpx4", "kind": "login"}', 'main', 'req_01m8bwdty6ew6tvfs13ymen1j7', NULL, '{"key": "main"}', '2026-11-26 12:14:02.41+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'evt_01m8bwdwqhebbs8mwsxcv2s5p3', 'forms.form.updated', 1, '2026-11-26 12:14:04.017+00', '{"id": "lgn_01m8bwdjtzeb9tkgjhxg5swpx4", "kind": "login"}', 'frm_01m8bwdwkqedt9qwev70grx0r3', 'req_01m8bwdwp6efcv1e23gm6kwgav', NULL, '{"key": null, "name": "Weekly newsletter", "access": "public", "formId": "frm_01m8bwdwkqedt9qwev70grx0r3", "version": 2}', '2026-11-26 12:14:04.16+00'),
	('ten_01m8bwdk1cembsakrsx373gvqx', 'evt_01m8bwdk1keq3ag64s39f1enk0', 'identity.user.created', 1, '2026-11-26 12:13:54.099+00', '{"id": "larder", "kind": "system"}', 'usr_01m8bwdk1ce4b9h9rgzk14s76c', 'req_01m8bwdjymenzbshqey0pzqt47', NULL, '{"name": "Grace", "email": "grace@example.test", "locale": "de", "userId": "usr_01m8bwdk1ce4b9h9rgzk14s76c"}', '2026-11-26 12:13:54.151+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'evt_01m8bwdkdae8v8gmz18mr5h5zc', 'billing.subscription.trial_started', 1, '2026-11-26 12:13:54.474+00', '{"id": "lgn_01m8bwdjtzeb9tkgjhxg5swpx4", "kind": "login"}', 'sub_01m8bwdj1keg6srbr74dn54xg3', 'req_01m8bwdka2eyxt71y7damxqeda', NULL, '{"state": "trialing", "planKey": "pro", "graceEndsAt": null, "trialEndsAt": "2026-12-10T12:13:54.444Z", "previousState": "free", "subscriptionId": "sub_01m8bwdj1keg6srbr74dn54xg3", "previousPlanKey": "free", "currentPeriodEnd": "2026-12-10T12:13:54.444Z"}', '2026-11-26 12:13:54.781+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'evt_01m8bwdke9evxsh25m3t3pat7t', 'billing.credit.granted', 1, '2026-11-26 12:13:54.505+00', '{"id": "lgn_01m8bwdjtzeb9tkgjhxg5swpx4", "kind": "login"}', 'crd_01m8bwdke7e2fv9wgj79570ysm', 'req_01m8bwdka2eyxt71y7damxqeda', NULL, '{"key": "ai.credits", "kind": "grant", "amount": 1000, "balance": 1000, "entryId": "crd_01m8bwdke7e2fv9wgj79570ysm"}', '2026-11-26 12:13:54.781+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'evt_01m8bwdn47exmrzpft9t9pd9vr', 'identity.invitation.created', 1, '2026-11-26 12:13:56.231+00', '{"id": "lgn_01m8bwdjtzeb9tkgjhxg5swpx4", "kind": "login"}', 'inv_01m8bwdn18emcbqzy4nxxmadsf', 'req_01m8bwdmsredhs0jxb3d6g9z6x', NULL, '{"email": "person-2-29413@example.test", "roles": ["tenant.user", "custom.editor"], "version": 1, "invitedBy": "usr_01m8bwdhxkewftmbcqdphd4h4f", "sendEmail": false, "invitationId": "inv_01m8bwdn18emcbqzy4nxxmadsf"}', '2026-11-26 12:13:56.589+00'),
	('ten_01m8bwdmhnehy9ff7wc2cs4w16', 'evt_01m8bwdmkbekq9bv32wh2p865y', 'identity.tenant.created', 1, '2026-11-26 12:13:55.691+00', '{"id": "larder", "kind": "system"}', 'ten_01m8bwdmhnehy9ff7wc2cs4w16', 'req_01m8bwdm7hex9vpe4fwnw0zd1b', NULL, '{"name": "Ben''s workspace", "slug": "ben-s-workspace", "ownerId": "usr_01m8bwdmhmej18xfm4vfj5ggxg", "tenantId": "ten_01m8bwdmhnehy9ff7wc2cs4w16"}', '2026-11-26 12:13:56.656+00'),
	('ten_01m8bwdmhnehy9ff7wc2cs4w16', 'evt_01m8bwdmkbekqr09t921anfa97', 'identity.member.joined', 1, '2026-11-26 12:13:55.691+00', '{"id": "larder", "kind": "system"}', 'mem_01m8bwdmkbefrv8hw8bgxgjyac', 'req_01m8bwdm7hex9vpe4fwnw0zd1b', NULL, '{"roles": ["tenant.owner"], "userId": "usr_01m8bwdmhmej18xfm4vfj5ggxg", "memberId": "mem_01m8bwdmkbefrv8hw8bgxgjyac"}', '2026-11-26 12:13:56.656+00'),
	('ten_01m8bwdmhnehy9ff7wc2cs4w16', 'evt_01m8bwdmkbekr8yzvzt57nrv2k', 'identity.user.created', 1, '2026-11-26 12:13:55.691+00', '{"id": "larder", "kind": "system"}', 'usr_01m8bwdmhmej18xfm4vfj5ggxg', 'req_01m8bwdm7hex9vpe4fwnw0zd1b', NULL, '{"name": "Ben", "email": "person-2-29413@example.test", "locale": null, "userId": "usr_01m8bwdmhmej18xfm4vfj5ggxg"}', '2026-11-26 12:13:56.656+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'evt_01m8bwdnm8e21sd3mv0n0h09mb', 'identity.member.joined', 1, '2026-11-26 12:13:56.744+00', '{"id": "lgn_01m8bwdmhmen3rftfva0pccxms", "kind": "login"}', 'mem_01m8bwdnm8eeh9w2dqtk6p2b96', 'req_01m8bwdnfde0tb6r28b6g26awa', NULL, '{"roles": ["tenant.user", "custom.editor"], "userId": "usr_01m8bwdmhmej18xfm4vfj5ggxg", "memberId": "mem_01m8bwdnm8eeh9w2dqtk6p2b96"}', '2026-11-26 12:13:57.229+00'),
	('ten_01m8bwdpc2e2nsn28yjttchd03', 'evt_01m8bwdpcqe83s8q9g0wgt50pe', 'identity.tenant.created', 1, '2026-11-26 12:13:57.527+00', '{"id": "lgn_01m8bwdjtzeb9tkgjhxg5swpx4", "kind": "login"}', 'ten_01m8bwdpc2e2nsn28yjttchd03', 'req_01m8bwdpakeps8mppydaf5hk7h', NULL, '{"name": "Second workspace", "slug": "second-workspace", "ownerId": "usr_01m8bwdhxkewftmbcqdphd4h4f", "tenantId": "ten_01m8bwdpc2e2nsn28yjttchd03"}', '2026-11-26 12:13:57.81+00'),
	('ten_01m8bwdpc2e2nsn28yjttchd03', 'evt_01m8bwdpcqe849nz4yjefz1jy3', 'identity.member.joined', 1, '2026-11-26 12:13:57.527+00', '{"id": "lgn_01m8bwdjtzeb9tkgjhxg5swpx4", "kind": "login"}', 'mem_01m8bwdpcqebprbgk92h665kgy', 'req_01m8bwdpakeps8mppydaf5hk7h', NULL, '{"roles": ["tenant.owner"], "userId": "usr_01m8bwdhxkewftmbcqdphd4h4f", "memberId": "mem_01m8bwdpcqebprbgk92h665kgy"}', '2026-11-26 12:13:57.81+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'evt_01m8bwdsdrekba4a3hrswgkt0v', 'media.item.ready', 1, '2026-11-26 12:14:00.632+00', '{"id": "lgn_01m8bwdjtzeb9tkgjhxg5swpx4", "kind": "login"}', 'med_01m8bwdqyxet8r151g8ny5vpk0', 'req_01m8bwdqawe9z80w73vvmssxt7', NULL, '{"size": 95, "mediaId": "med_01m8bwdqyxet8r151g8ny5vpk0", "fileName": "engine.png", "mimeType": "image/png"}', '2026-11-26 12:14:00.663+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'evt_01m8bwdsrset5agpmpyates4b1', 'content.page.created', 1, '2026-11-26 12:14:00.985+00', '{"id": "lgn_01m8bwdjtzeb9tkgjhxg5swpx4", "kind": "login"}', 'pag_01m8bwdsrrem98wnm1s20thvrz', 'req_01m8bwdskden9936wze19afmvj', NULL, '{"path": "/engine", "slug": "engine", "locale": "en", "pageId": "pag_01m8bwdsrrem98wnm1s20thvrz", "version": 1}', '2026-11-26 12:14:01.624+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'evt_01m8bwdtcqeppvvw5b5xny5qbk', 'content.page.published', 1, '2026-11-26 12:14:01.623+00', '{"id": "lgn_01m8bwdjtzeb9tkgjhxg5swpx4", "kind": "login"}', 'pag_01m8bwdsrrem98wnm1s20thvrz', 'req_01m8bwdtbbex9r8w6s91dzbj0v', NULL, '{"path": "/engine", "slug": "engine", "locale": "en", "pageId": "pag_01m8bwdsrrem98wnm1s20thvrz", "version": 1}', '2026-11-26 12:14:01.782+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'evt_01m8bwdtgvep1934hmp9xg962a', 'content.page.updated', 1, '2026-11-26 12:14:01.755+00', '{"id": "lgn_01m8bwdjtzeb9tkgjhxg5swpx4", "kind": "login"}', 'pag_01m8bwdsrrem98wnm1s20thvrz', 'req_01m8bwdtf2efhb3shyg595a0y1', NULL, '{"path": "/engine", "slug": "engine", "locale": "en", "pageId": "pag_01m8bwdsrrem98wnm1s20thvrz", "version": 2}', '2026-11-26 12:14:01.9+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'evt_01m8bwdts3ek6rvnnv5xzphjda', 'content.page.created', 1, '2026-11-26 12:14:02.019+00', '{"id": "lgn_01m8bwdjtzeb9tkgjhxg5swpx4", "kind": "login"}', 'pag_01m8bwdts3ebwr47ry690gbt3h', 'req_01m8bwdtrxe4gtqmce3kfe9bnq', NULL, '{"path": "/later", "slug": "later", "locale": "en", "pageId": "pag_01m8bwdts3ebwr47ry690gbt3h", "version": 1}', '2026-11-26 12:14:02.105+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'evt_01m8bwdtx7edpa83t0mxrwc610', 'content.redirect.created', 1, '2026-11-26 12:14:02.151+00', '{"id": "lgn_01m8bwdjtzeb9tkgjhxg5swpx4", "kind": "login"}', 'red_01m8bwdtvqevearngfnd1092dm', 'req_01m8bwdtt0env8khbr9vdxkc8k', NULL, '{"to": "/engine", "from": "/old", "status": 301, "redirectId": "red_01m8bwdtvqevearngfnd1092dm"}', '2026-11-26 12:14:02.399+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'evt_01m8bwdwkree5vpjkqf9g9e3jq', 'forms.form.created', 1, '2026-11-26 12:14:03.896+00', '{"id": "lgn_01m8bwdjtzeb9tkgjhxg5swpx4", "kind": "login"}', 'frm_01m8bwdwkqedt9qwev70grx0r3', 'req_01m8bwdv3xess80hmk0973rc7q', NULL, '{"key": null, "name": "Newsletter", "access": "public", "formId": "frm_01m8bwdwkqedt9qwev70grx0r3", "version": 1}', '2026-11-26 12:14:04.081+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'evt_01m8bwdx2xe1c8debgze50ajhb', 'forms.submission.created', 1, '2026-11-26 12:14:04.381+00', '{"id": "larder", "kind": "system"}', 'sub_01m8bwdx2qen9835he4d11vk86', 'req_01m8bwdx2ce768qvqxj5fm5sza', NULL, '{"formId": "frm_01m8bwdwkqedt9qwev70grx0r3", "formVersion": 2, "submissionId": "sub_01m8bwdx2qen9835he4d11vk86"}', '2026-11-26 12:14:04.515+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'evt_01m8bwdz0we9mbarcc43fjc7j2', 'features.override.set', 1, '2026-11-26 12:14:06.364+00', '{"id": "lgn_01m8bwdh36epnrhh73bnqv1far", "kind": "login"}', 'new-editor', 'req_01m8bwdyyxe33tx6cvfzkrz5rj', NULL, '{"key": "new-editor"}', '2026-11-26 12:14:06.525+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'evt_01m8bwdwzfebybvdmvph1q06wp', 'forms.submission.created', 1, '2026-11-26 12:14:04.271+00', '{"id": "larder", "kind": "system"}', 'sub_01m8bwdwwzee488y41b69mha6e', 'req_01m8bwdwv7eytt2brra565n1jz', NULL, '{"formId": "frm_01m8bwdwkqedt9qwev70grx0r3", "formVersion": 2, "submissionId": "sub_01m8bwdwwzee488y41b69mha6e"}', '2026-11-26 12:14:04.387+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'evt_01m8bwe51ye0qab4djbg3r518s', 'collections.courses.deleted', 1, '2026-11-26 12:14:12.542+00', '{"id": "lgn_01m8bwdjtzeb9tkgjhxg5swpx4", "kind": "login"}', 'course_01m8bwe3pye749p139b3yjgya6', 'req_01m8bwe51cestbvxzqq0gy10pp', NULL, '{"row": {"id": "course_01m8bwe3pye749p139b3yjgya6", "link": null, "slug": "deleted-course", "cover": null, "gross": null, "level": "beginner", "price": null, "seats": 14, "title": "Deleted course", "length": null, "rating": null, "contact": null, "outline": null, "summary": null, "teacher": null, "category": null, "firstDay": null, "revision": 1, "startsAt": null, "createdAt": "2026-11-26T12:14:11.166Z", "createdBy": "usr_01m8bwdhxkewftmbcqdphd4h4f", "published": false, "updatedAt": "2026-11-26T12:14:11.166Z"}}', '2026-11-26 12:14:12.599+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'evt_01m8bwdx51estrnjse8d6fbafv', 'forms.submission.created', 1, '2026-11-26 12:14:04.449+00', '{"id": "larder", "kind": "system"}', 'sub_01m8bwdx4hech89s57k8vjx5p3', 'req_01m8bwdx36e1bs1jf6vjgg6cta', NULL, '{"formId": "frm_01m8bwdwkqedt9qwev70grx0r3", "formVersion": 2, "submissionId": "sub_01m8bwdx4hech89s57k8vjx5p3"}', '2026-11-26 12:14:05.713+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'evt_01m8bwdypwebh9yw634m930k9p', 'features.feature.created', 1, '2026-11-26 12:14:06.044+00', '{"id": "lgn_01m8bwdjtzeb9tkgjhxg5swpx4", "kind": "login"}', 'ftr_01m8bwdypve4j896h3yfd3zekn', 'req_01m8bwdyfre0jrc87jfapfthjq', NULL, '{"key": "dark-mode", "enabled": true, "featureId": "ftr_01m8bwdypve4j896h3yfd3zekn", "managedBy": null}', '2026-11-26 12:14:06.298+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'evt_01m8bwdywrenwaqnpgnq1ncne3', 'features.feature.updated', 1, '2026-11-26 12:14:06.232+00', '{"id": "lgn_01m8bwdjtzeb9tkgjhxg5swpx4", "kind": "login"}', 'ftr_01m8bwdypve4j896h3yfd3zekn', 'req_01m8bwdyr1e43s2w3ws9nhr0an', NULL, '{"key": "dark-mode", "enabled": true, "featureId": "ftr_01m8bwdypve4j896h3yfd3zekn", "managedBy": null}', '2026-11-26 12:14:06.362+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'evt_01m8bwe0chexatsk9kb7pt1yt2', 'messaging.message.created', 1, '2026-11-26 12:14:07.761+00', '{"id": "lgn_01m8bwdjtzeb9tkgjhxg5swpx4", "kind": "login"}', 'msg_01m8bwe0caeh4t2sfsga47q0fm', 'req_01m8bwe0bgej19fvzdyybwkjaf', NULL, '{"senderId": "usr_01m8bwdhxkewftmbcqdphd4h4f", "messageId": "msg_01m8bwe0caeh4t2sfsga47q0fm", "conversationId": "cnv_01m8bwe08xe6k8btp6da53bvn8"}', '2026-11-26 12:14:07.959+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'evt_01m8bwe0fmex9ssk2790n6vgyc', 'messaging.message.created', 1, '2026-11-26 12:14:07.86+00', '{"id": "lgn_01m8bwdmhmen3rftfva0pccxms", "kind": "login"}', 'msg_01m8bwe0fme2r9xcsdy2qc9yp0', 'req_01m8bwe0e4e6mv5aegs9atr7k5', NULL, '{"senderId": "usr_01m8bwdmhmej18xfm4vfj5ggxg", "messageId": "msg_01m8bwe0fme2r9xcsdy2qc9yp0", "conversationId": "cnv_01m8bwe08xe6k8btp6da53bvn8"}', '2026-11-26 12:14:08.07+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'evt_01m8bwe0nwed2vzh28ms4vheqn', 'messaging.message.updated', 1, '2026-11-26 12:14:08.06+00', '{"id": "lgn_01m8bwdmhmen3rftfva0pccxms", "kind": "login"}', 'msg_01m8bwe0fme2r9xcsdy2qc9yp0', 'req_01m8bwe0kqe4gthnr9xkkd2zpj', NULL, '{"senderId": "usr_01m8bwdmhmej18xfm4vfj5ggxg", "messageId": "msg_01m8bwe0fme2r9xcsdy2qc9yp0", "conversationId": "cnv_01m8bwe08xe6k8btp6da53bvn8"}', '2026-11-26 12:14:08.232+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'evt_01m8bwe0vee5gb9nchh2snrqss', 'messaging.conversation.created', 1, '2026-11-26 12:14:08.238+00', '{"id": "lgn_01m8bwdjtzeb9tkgjhxg5swpx4", "kind": "login"}', 'cnv_01m8bwe0v9e379tdbqych0j1k8', 'req_01m8bwe0t9eektvedtptec9jzv', NULL, '{"kind": "support", "conversationId": "cnv_01m8bwe0v9e379tdbqych0j1k8", "participantIds": ["usr_01m8bwdhxkewftmbcqdphd4h4f"]}', '2026-11-26 12:14:08.325+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'evt_01m8bwe0xvesbs0gnke3579e7g', 'messaging.message.created', 1, '2026-11-26 12:14:08.315+00', '{"id": "lgn_01m8bwdjtzeb9tkgjhxg5swpx4", "kind": "login"}', 'msg_01m8bwe0xve6as20frjyma3qv3', 'req_01m8bwe0xfesja4e03dfhppmec', NULL, '{"senderId": "usr_01m8bwdhxkewftmbcqdphd4h4f", "messageId": "msg_01m8bwe0xve6as20frjyma3qv3", "conversationId": "cnv_01m8bwe0v9e379tdbqych0j1k8"}', '2026-11-26 12:14:08.45+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'evt_01m8bwe1c7ez4ac0ngvme41zka', 'sessions.session.created', 1, '2026-11-26 12:14:08.775+00', '{"id": "lgn_01m8bwdjtzeb9tkgjhxg5swpx4", "kind": "login"}', 'ses_01m8bwe198em0aptd50fvpm736', 'req_01m8bwe16ne6cttaka4g7bze8c', NULL, '{"code": "TKJ-GGM-5KJ", "mode": "screenshare", "status": "created", "purpose": null, "webhook": {"url": "http://127.0.0.1:36091/ok", "events": ["session.created", "session.accepted", "session.ended", "session.expired"]}, "customer": "cus_42", "metadata": {"ticket": "4711"}, "sequence": 1, "end_reason": null, "session_id": "ses_01m8bwe198em0aptd50fvpm736", "audio_enabled": true, "stream_profile": "balanced"}', '2026-11-26 12:14:08.953+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'evt_01m8bwe1heeje8n794xczv50zy', 'sessions.session.accepted', 1, '2026-11-26 12:14:08.942+00', '{"id": "larder", "kind": "system"}', 'ses_01m8bwe198em0aptd50fvpm736', 'req_01m8bwe1f3e369dmt7b9j0zbf5', NULL, '{"code": "TKJ-GGM-5KJ", "mode": "screenshare", "status": "accepted", "purpose": null, "webhook": {"url": "http://127.0.0.1:36091/ok", "events": ["session.created", "session.accepted", "session.ended", "session.expired"]}, "customer": "cus_42", "metadata": {"ticket": "4711"}, "sequence": 2, "end_reason": null, "session_id": "ses_01m8bwe198em0aptd50fvpm736", "audio_enabled": true, "stream_profile": "balanced"}', '2026-11-26 12:14:09.039+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'evt_01m8bwe1kcejft4wwpnfsdt2vv', 'sessions.session.created', 1, '2026-11-26 12:14:09.004+00', '{"id": "lgn_01m8bwdjtzeb9tkgjhxg5swpx4", "kind": "login"}', 'ses_01m8bwe1kce9pav79q2m80gjed', 'req_01m8bwe1jxezjvcvtc943rdv2t', NULL, '{"code": "BTH-R99-CNG", "mode": "screenshare", "status": "created", "purpose": null, "webhook": null, "customer": null, "metadata": {}, "sequence": 1, "end_reason": null, "session_id": "ses_01m8bwe1kce9pav79q2m80gjed", "audio_enabled": true, "stream_profile": "balanced"}', '2026-11-26 12:14:09.105+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'evt_01m8bwe2hsesvtgyhp8my6ww8v', 'streams.stream.sources_updated', 1, '2026-11-26 12:14:09.977+00', '{"id": "lgn_01m8bwdjtzeb9tkgjhxg5swpx4", "kind": "login"}', 'ses_01m8bwe2c2emxadxkm635f7tgb', 'req_01m8bwe2e8e1xr2eymgxs675ss', NULL, '{"code": "PSK-6Y6-5XW", "mode": "stream", "status": "created", "purpose": null, "webhook": null, "customer": null, "metadata": {}, "sequence": 2, "end_reason": null, "session_id": "ses_01m8bwe2c2emxadxkm635f7tgb", "audio_enabled": true, "stream_profile": "balanced"}', '2026-11-26 12:14:10.158+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'evt_01m8bwe3k7e76sv8c6hgpvfctj', 'collections.courses.updated', 1, '2026-11-26 12:14:11.047+00', '{"id": "lgn_01m8bwdjtzeb9tkgjhxg5swpx4", "kind": "login"}', 'course_01m8bwe38qeyjbpv660hhxz0tr', 'req_01m8bwe3g7e7brp46kn3mc1xkg', NULL, '{"row": {"id": "course_01m8bwe38qeyjbpv660hhxz0tr", "link": "https://example.com/", "slug": "weaving-numbers", "cover": "med_01m8bwdqyxet8r151g8ny5vpk0", "gross": 5831, "level": "advanced", "price": 4900, "seats": 14, "title": "Weaving numbers", "length": "90m", "rating": 4.5, "contact": "ada@example.test", "outline": ["Cards", "Mill"], "summary": "From *cards* to tables", "teacher": "mem_01m8bwdnm8eeh9w2dqtk6p2b96", "category": "category_0sav37bmfz56c2333z4etfjt83", "firstDay": "2027-01-11", "revision": 2, "startsAt": "2027-01-11T18:00:00.000Z", "createdAt": "2026-11-26T12:14:10.711Z", "createdBy": "usr_01m8bwdhxkewftmbcqdphd4h4f", "published": true, "updatedAt": "2026-11-26T12:14:11.002Z"}, "changed": ["seats"]}', '2026-11-26 12:14:11.123+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'evt_01m8bwe0a1ezp8zxy5k0r92ta2', 'messaging.conversation.created', 1, '2026-11-26 12:14:07.681+00', '{"id": "lgn_01m8bwdjtzeb9tkgjhxg5swpx4", "kind": "login"}', 'cnv_01m8bwe08xe6k8btp6da53bvn8', 'req_01m8bwe07kesnsch9f9a2shfj3', NULL, '{"kind": "private", "conversationId": "cnv_01m8bwe08xe6k8btp6da53bvn8", "participantIds": ["usr_01m8bwdhxkewftmbcqdphd4h4f", "usr_01m8bwdmhmej18xfm4vfj5ggxg"]}', '2026-11-26 12:14:07.766+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'evt_01m8bwe3njejfbt1qhyrhz1f4j', 'collections.courses.created', 1, '2026-11-26 12:14:11.122+00', '{"id": "lgn_01m8bwdjtzeb9tkgjhxg5swpx4", "kind": "login"}', 'course_01m8bwe3mve4kan7q7xr2frq6h', 'req_01m8bwe3mqe5h9brnnmvyae6ek', NULL, '{"row": {"id": "course_01m8bwe3mve4kan7q7xr2frq6h", "link": null, "slug": "difference-engines", "cover": null, "gross": null, "level": "beginner", "price": null, "seats": 18, "title": "Difference engines", "length": null, "rating": null, "contact": null, "outline": null, "summary": null, "teacher": null, "category": null, "firstDay": null, "revision": 1, "startsAt": null, "createdAt": "2026-11-26T12:14:11.099Z", "createdBy": "usr_01m8bwdhxkewftmbcqdphd4h4f", "published": false, "updatedAt": "2026-11-26T12:14:11.099Z"}}', '2026-11-26 12:14:11.175+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'evt_01m8bwe14zewks4kgw79bef2ag', 'messaging.message.created', 1, '2026-11-26 12:14:08.543+00', '{"id": "lgn_01m8bwdjtzeb9tkgjhxg5swpx4", "kind": "login"}', 'msg_01m8bwe14yek58yadjsjcs52aa', 'req_01m8bwe14ren1tenbp7afdkv3c', NULL, '{"senderId": "usr_01m8bwdhxkewftmbcqdphd4h4f", "messageId": "msg_01m8bwe14yek58yadjsjcs52aa", "conversationId": "cnv_01m8bwe0v9e379tdbqych0j1k8"}', '2026-11-26 12:14:08.866+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'evt_01m8bwe1z3eqbs98220d6paqb5', 'sessions.session.ended', 1, '2026-11-26 12:14:09.379+00', '{"id": "lgn_01m8bwdjtzeb9tkgjhxg5swpx4", "kind": "login"}', 'ses_01m8bwe1kce9pav79q2m80gjed', 'req_01m8bwe1ncenpakdebp9jmwp36', NULL, '{"code": "BTH-R99-CNG", "mode": "screenshare", "status": "ended", "purpose": null, "webhook": null, "customer": null, "metadata": {}, "sequence": 2, "end_reason": "owner", "session_id": "ses_01m8bwe1kce9pav79q2m80gjed", "audio_enabled": true, "stream_profile": "balanced"}', '2026-11-26 12:14:09.795+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'evt_01m8bwe2rjegdagfg6nk1eawgc', 'streams.stream.layout_updated', 1, '2026-11-26 12:14:10.194+00', '{"id": "lgn_01m8bwdjtzeb9tkgjhxg5swpx4", "kind": "login"}', 'ses_01m8bwe2c2emxadxkm635f7tgb', 'req_01m8bwe2m1ezha520cdgw3qxxp', NULL, '{"code": "PSK-6Y6-5XW", "mode": "stream", "status": "created", "purpose": null, "webhook": null, "customer": null, "metadata": {}, "sequence": 3, "end_reason": null, "session_id": "ses_01m8bwe2c2emxadxkm635f7tgb", "audio_enabled": true, "stream_profile": "balanced"}', '2026-11-26 12:14:10.255+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'evt_01m8bwe3f8enj8949e1h2qfgbw', 'collections.courses.created', 1, '2026-11-26 12:14:10.92+00', '{"id": "lgn_01m8bwdjtzeb9tkgjhxg5swpx4", "kind": "login"}', 'course_01m8bwe38qeyjbpv660hhxz0tr', 'req_01m8bwe33nes39atctp9c4464b', NULL, '{"row": {"id": "course_01m8bwe38qeyjbpv660hhxz0tr", "link": "https://example.com/", "slug": "weaving-numbers", "cover": "med_01m8bwdqyxet8r151g8ny5vpk0", "gross": 5831, "level": "advanced", "price": 4900, "seats": 12, "title": "Weaving numbers", "length": "90m", "rating": 4.5, "contact": "ada@example.test", "outline": ["Cards", "Mill"], "summary": "From *cards* to tables", "teacher": "mem_01m8bwdnm8eeh9w2dqtk6p2b96", "category": "category_0sav37bmfz56c2333z4etfjt83", "firstDay": "2027-01-11", "revision": 1, "startsAt": "2027-01-11T18:00:00.000Z", "createdAt": "2026-11-26T12:14:10.711Z", "createdBy": "usr_01m8bwdhxkewftmbcqdphd4h4f", "published": true, "updatedAt": "2026-11-26T12:14:10.711Z"}}', '2026-11-26 12:14:11.058+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'evt_01m8bwe3pheh9r1w89e8x279sz', 'collections.courses.created', 1, '2026-11-26 12:14:11.153+00', '{"id": "lgn_01m8bwdjtzeb9tkgjhxg5swpx4", "kind": "login"}', 'course_01m8bwe3nwex98pj0hy68as8t4', 'req_01m8bwe3nwe39t9dkrp6cyjntz', NULL, '{"row": {"id": "course_01m8bwe3nwex98pj0hy68as8t4", "link": null, "slug": "notes-on-notes", "cover": null, "gross": null, "level": "beginner", "price": null, "seats": 14, "title": "Notes on notes", "length": null, "rating": null, "contact": null, "outline": null, "summary": null, "teacher": null, "category": null, "firstDay": null, "revision": 1, "startsAt": null, "createdAt": "2026-11-26T12:14:11.132Z", "createdBy": "usr_01m8bwdhxkewftmbcqdphd4h4f", "published": false, "updatedAt": "2026-11-26T12:14:11.132Z"}}', '2026-11-26 12:14:11.183+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'evt_01m8bwe3qaejb81a0wmndt8cp2', 'collections.courses.created', 1, '2026-11-26 12:14:11.178+00', '{"id": "lgn_01m8bwdjtzeb9tkgjhxg5swpx4", "kind": "login"}', 'course_01m8bwe3pye749p139b3yjgya6', 'req_01m8bwe3pxeyzrz7qrxzj116dc', NULL, '{"row": {"id": "course_01m8bwe3pye749p139b3yjgya6", "link": null, "slug": "deleted-course", "cover": null, "gross": null, "level": "beginner", "price": null, "seats": 14, "title": "Deleted course", "length": null, "rating": null, "contact": null, "outline": null, "summary": null, "teacher": null, "category": null, "firstDay": null, "revision": 1, "startsAt": null, "createdAt": "2026-11-26T12:14:11.166Z", "createdBy": "usr_01m8bwdhxkewftmbcqdphd4h4f", "published": false, "updatedAt": "2026-11-26T12:14:11.166Z"}}', '2026-11-26 12:14:12.519+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'evt_01m8bwe2c2ebm96g2dcvmmytr5', 'sessions.session.created', 1, '2026-11-26 12:14:09.794+00', '{"id": "lgn_01m8bwdjtzeb9tkgjhxg5swpx4", "kind": "login"}', 'ses_01m8bwe2c2emxadxkm635f7tgb', 'req_01m8bwe29ze28bc2rrxe2ky1br', NULL, '{"code": "PSK-6Y6-5XW", "mode": "stream", "status": "created", "purpose": null, "webhook": null, "customer": null, "metadata": {}, "sequence": 1, "end_reason": null, "session_id": "ses_01m8bwe2c2emxadxkm635f7tgb", "audio_enabled": true, "stream_profile": "balanced"}', '2026-11-26 12:14:09.96+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'evt_01m8bwe5aaebcrnwnnq3xfksbh', 'collections.courses.created', 1, '2026-11-26 12:14:12.81+00', '{"id": "lgn_01m8bwdjtzeb9tkgjhxg5swpx4", "kind": "login"}', 'course_01m8bwe595efr8xty81scxdbxq', 'req_01m8bwe534enctdz09ggvbxcwh', NULL, '{"row": {"id": "course_01m8bwe595efr8xty81scxdbxq", "link": null, "slug": "imported-course", "cover": null, "gross": null, "level": "beginner", "price": null, "seats": 3, "title": "Imported course", "length": null, "rating": null, "contact": null, "outline": null, "summary": null, "teacher": null, "category": null, "firstDay": null, "revision": 1, "startsAt": null, "createdAt": "2026-11-26T12:14:12.773Z", "createdBy": "usr_01m8bwdhxkewftmbcqdphd4h4f", "published": false, "updatedAt": "2026-11-26T12:14:12.773Z"}}', '2026-11-26 12:14:12.826+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'evt_01m8bwe9nce7ttc50b4dddcr18', 'content.page.created', 1, '2026-11-26 12:14:17.26+00', '{"id": "lgn_01m8bwdjtzeb9tkgjhxg5swpx4", "kind": "login"}', 'pag_01m8bwe9n0eknamadnmaq0e6q7', 'req_01m8bwe9j6em8tc99e6z85s6q7', NULL, '{"path": "/pending", "slug": "pending", "locale": "en", "pageId": "pag_01m8bwe9n0eknamadnmaq0e6q7", "version": 1}', NULL),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'evt_01m8bwe9s6efy9ftybfkggqhbp', 'forms.submission.created', 1, '2026-11-26 12:14:17.382+00', '{"id": "larder", "kind": "system"}', 'sub_01m8bwe9qke5ns189bm46m6ar7', 'req_01m8bwe9q0enxb4zawbzm5z6yp', NULL, '{"formId": "frm_01m8bwdwkqedt9qwev70grx0r3", "formVersion": 2, "submissionId": "sub_01m8bwe9qke5ns189bm46m6ar7"}', NULL),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'evt_01m8bwe9vgevbtsvbyfzx921y0', 'identity.invitation.created', 1, '2026-11-26 12:14:17.456+00', '{"id": "lgn_01m8bwdjtzeb9tkgjhxg5swpx4", "kind": "login"}', 'inv_01m8bwe9vae0z83dfnyg2gpc2p', 'req_01m8bwe9sxe2ct9agp3s8e906p', NULL, '{"email": "pending@example.test", "roles": ["tenant.user"], "version": 1, "invitedBy": "usr_01m8bwdhxkewftmbcqdphd4h4f", "sendEmail": true, "invitationId": "inv_01m8bwe9vae0z83dfnyg2gpc2p"}', NULL);
INSERT INTO public.larder_idempotency VALUES
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'D_F4MgB8aI8U_oRXPWZ0O0Ej0gawXbeywLb_EutBu18', 'RSCb4AfA9fSOP-nOgjn9Gp2_pM0KRdZQsIigw-Qp18A', '\xc9da5da8671e8c7b20022f21975e180c42ffcaf4f145bc7655fc26de817248181f1e1d53262db21dc60031268e7e7e0d03580eaa1fa2db2577e5f09ab448d27543b950cead7f38187bb1f67714e9a96c5fe504d9e184df2edee38b424d0d7f2e84f4c9c02fe62164cfce92c5d8eaec9b3753e4d5c0bc0b2795f1d33d4074b3580833c65876636af5d9dcbd16faf7edb3d8e133b6a8cdca27a8316b79c7097037b18ef82d962094fd3a42472b62e80ab43e27387089a87f51212eec89c525857fdf709f42b6319653fe8f8def34ff111a18c731a788d9e7a64610e83a9a18c012fc7e2710fd941bd91218b1627006fd19c696c21cd47d688657e73b1ca69bea5637cba551f73cb766d9dc71b367069b616f78d88d08d11e850f069d86b02123eee1b291a35bde1684534e5fe758047cef49851217b0203265b1950416306d4a5e9a5b1ccc8c797569501f639cfc4c7fc1673d4d91795f303b2c859380a5ef3e5c520b0b6d3475c916c79ff14b7cd0e9853d006be1c33e5b00be880fe0392b2b1a5cde4747c2809f9587f753757f716c7ff140588f4f43a850aa7e7879ff7691b1d73df50dc3af15952771612d9d05ce8edf9306f6ca4a20c6c2068daf8ad109ddcb588c4827d9ea76ee7f62c89ee3aacd802cf31ca2e7d88c1dda12227ff6f683aeb46fe9ae70d95fbc4e3c8803bfd845d6c30225ac48de4a1367803fe7b89b2891a3031761f3', '2026-11-27 12:13:54.150938+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'gZ3gFewoPOJfnNUl28g57gU70SSEKp9FPA22cYkWWRM', 'lCExTFaJeKV7ZvypkRG72jn7ERm52ndAwAsVoXFUJrI', '\xef4f84836be955f5c4c3b65e3817213d1a8fd6f0e98b634936106a0026a4f5c8caa5ff3a15e03629b28cf0468d20b74bd2f282d4ea4587c36b4fa00c4c97ed5d82b567b0feaa071151581b05f6033fd64aba25f6430a8bbc1dd2e08a243a52b88e3741e74268ac1f95bb856c9fe45809aa146cb288da6687a4170ecf22bd00a86756041f2cc30961059a3a13df440e3acdc4f519eaecd5bbb54038fc6580033b051041d43a1bfcc5cd9cfa9071b1b555ae7fc4f1f986c62c2de877bba2e303b6b7bd9fb813a431f07fd4b072443e8455aef1e54f38f189078a2ee01b4b1decd1105c1ff515d16e91666fa4bd716481d9dd70c70ba9b2b22ddaba0a43691b9dcd1610efacbb474b0a632a8c848bb7c8656ae66c9bd3c0f3b38512b2f9f4fa0105fbec075fd50d996d01f11263f4ac4ab3f4314f123adf841efcabe50cb00be446b08af866e15dc64a673a53014dd88f1fda40837731d7611068f161fa953b7917d7d6e73ec9a3b83806aed63e302c0d199c6201adf7e41512a4dd36ed7988bf74f510bf8d0e26e3169f9d2c29b721efe99a2fdf84e3a5563144b2a313599d25b7cbbefc87cb0de0946b0afcb53e60e6ef89a9dcad7418407aff65531114467e3d4bcd225734a5a80afa5ab4ebadd30e339c444f9dbc62ea8e67db14d6b14ce14b10fb68f5cfb9d9c86bca1641e4762b37347df464e6072aacbf6952cbad48dc518a95dc36e57925f7d961bd77bb', '2026-11-27 12:13:54.186182+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'UeuqKGSnNzT9L03JDyjbiXup5zWAyP0faAAlEXipxtM', 'glxf3B2EpvF2Q-zWWOPiJXoFDIRH3SL7iLlsiR_qkTI', '\x64e2b1c0280cdd7e566b79c5c5cbf274773d5e975c89237dc4650f30984e0258f4e83aae08ead16eff7dd045d7fe92b63389e1348a9df3f3ad691d72245441c0177120c6830a05d91c8e60b4e108c9c3cf007312a2cda0d1b086e72f1f559c5e9e1996ed5f70ca3a16680e45cafc259d9dccb5a01556bfa57bb73cd088c5e8cbd4ec4a04ad7fb37869e2b8a1ce37a49ddfa51579dffcdb633a6ac88b36a28f2bd9e8a2117a77d624db86e914588dd5cbd097e6c8937b3d28883b1674c7be6b2804f1b357dce8875262488a07f337f3ad652a8a942de99004793f7388128523e6898eec6c6c666469f7697e5f84cd027aa51d50fccd044444548d64b33e43784ba99dc33d5c4f49fce819037fb9166d7e3f044babe56f9684c80d69a64a31fd907daf96488832162a5881199908450067bfd08c5465938d1ed640b44312a87cb01e1f750ed7b6e65f0fe25a31fb638ae9d89f4c80d57a1cb4a0b0264d52b458c93fe229be9261c91adc8134382c0725ddd9eb7d1d1d79edb06cb07bb2b4a9878e2d4bc940a01a9f9ab85e40159fcee6131331cb990192eb7b5100ecb7aa88cf04bf366169456e5b43b415be4667e8cd9f399edf7c725e3a2ef6ed3071a46d292f4b09c6cf57ef4a8882f704dc0ac045aab31d69dee5a67ebb50a0364f29e5d65b6ddb4d25a9fe599ccbffe9862eb8884407c4b0521667f9e1ac3a90e3299c', '2026-11-27 12:13:54.230337+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'r7QBE0z9DAz0NC-_Vru_xdufP-ycJYuiUm1TngXJRPE', 'Ub9anx7XYzoZP2_dF6ejr44DLf5yqWachehjmqinwZU', '\x274c135388ff51113c061dbbbc6a7895a7580233a0d95f5e1e33493ace0c81b85f1e9fc016e9c9892ab291ea5dad598c5f6bd83f3e5023e2e6a95544b4b96c9bcc4bdfcad5f64d30a7e63e03fed480491252e2b11cb712ffb778da79fe23b583183e796b2aa13a82397be6837ce2bf74e93d45d2a72c3e142000e7ec965f1d7d598cd6326849c3f85550e645882e50c173093b51358186aa38479695fbb0735b22437ae66ea3c5cf4ceb09b4c7aad34db0b229c9aa7eaae98a99a60e4e5bcba475298b05516c134b308ecaa08776c19439a5129c14bbb3ef21d10bad2c3807c87b5be7b111cbd9ccf007ac0718e2ea12e0dc3d822610af95712a75e47c18228971852b7f947046e9ecf4864c2565fb78698f7190052a42858b114a6036a45c719662c52c7cade4a943e2f5b5a47b836e0f0d5b954651d12c67c8f9d77290eb02bdc32a025c5b939857db9f35f9d77a0c70a5978ce396531c961801f23919cefe0b35d71b20d7a3b2ca560efb6ca74cb71282b1b2f0cf68e043a5bbf5628bb3a90ce8d183176c7dcb51e92e2761649a1138e249f6c9f329d4de91c0dcd47247a37a601b17f19ba3df304fa0d1a9556e0683639058d47307bf047e786267f1f032eef0c8bbb9d574393e5f6634699f9999f2e46b217e15b4219f', '2026-11-27 12:13:54.298352+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'Kt2JKPcnQELfeNbp5W721G7BMBzkgniF3_BpW4C5Hfw', 'MDjGnA4Kc0nEzaRDaaC0-IoNOpENXekGs85lJjCwAl0', '\xee85fec83e1068c95e394ea78218d2372d3585e4aac600ef499140970ff873409b6b11d541bbd079eca1954e6d5597c07043bcef0eae7c5dc0d479d31eea97ca3a12c6a51a8f5a4cb7ea627792e5ace165562b596590f90ebbee79f718ae1384b4711a3004ee60117da15f46d23ab5582297a8351d39bda8bc3b424456781a968e287e03336d0d9c4aea1f233e89e2c4b8a6e406c699c90b376d0758fe7a6afc6dbbfaaad459d0de41380d5de73bad94e30f77ebf7d2519982c32c7a058c201e1d4140727506710916b837ccf2cbea98239392ed0a930897e127614ed3306427d9b55cd6ba22762c', '2026-11-27 12:13:54.426354+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'Ss8wsw0DuRx3fxvT9ZyOyfeWdzpRT3XbfSl0Yikb_w4', '1HnBLj443kG_TA3MByzT2tHfBaBz-1JkCUoIl6JjnLc', '\x73d17a826c6b55080380b377080ed11d2280ad85c57f7fcd87904417829cc892b209f4fe6df7481e14a1fd5deba927c43f7005ec41c9c610519abeab03cda47557664f1cb9ec9c193ee8e8c188a0115f76fe2919430ae0e6ef63c73dd972476bf0d3f0fa5d1f3fb599ba962667fbe713ea299a1346facb3d67e0189731f3c20700462680695f40f695b0e5565f2d26ab7a73cd361f9ada5c456e9e8af3ace458928fcab3ae0573449a9c5fa0d75eacc8c76e71c128e19df3e577fe767b0a672b57d8a0a0e9378988b6c98e6073aabf6c3d4c5766a5cc4b908e4f1c33ecf4457e3294672853b4eab2b96ad63814440b0bf151be5eef4e05f0d36cd89d224fb3d7cb50fb584caa298aaed8090186f376f1593f2d39a67074e1afbf5a62c8c7a6112e6abb5f18af5293e7fc69539f601bf06e14cd5ea7ad6d89ee8ce35c83c68c70a53aad34f31991f7f5c0c378a5859ab9ed61de4c4907947149381bf97c1468c65e4d8ad759f235d02fe4404821602d2b50d752', '2026-11-27 12:13:54.667894+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'v6M34u6TOPHC844D7HZk24JUP2YUj9dmqQMiw4ugFV0', 'q3PUNQqx-PWPvntM7nFW0pt6Kz3_CnAUoU11ma50rfo', '\xdc7564d47a83753ba53339858f1793b47a45b720d5ed5fb2f91a54de74ca94ea02d437c6ffc113fc92fa94c8ff85993e79484a799439a880487dbc8c744aba8d176ca0051f9b7ab774d1624046f044f1a526f10a61df1f4e1d26a24d5e5f51ec1f8b665411f28647e140bf0767d479ec8530806e238a318f6a3ebffc114b9e62ec1464ed8030f8ca6af7b71d77d2356eb941e1e6e0f8048507a78fafba50d74de8cda66512f9fd999d0f236d96e69bcfd7600c1b879adea5982883507b600391cfe1a7a5e1f1a0d17cc84b', '2026-11-27 12:13:54.90635+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'JVh5ofPqEg4Y3U1E2wjQMdUOa4Tiad4rGuQ-TOD7exU', 'oS0KyBsRUVwRyv3dZNZrRadTP44bCgXTWN_pubw_JXo', '\xaef501e2e277f56438de6ce749b439964d571dc83eb236ae5e16e1cc52c2c647963c2a97b725628c6962a7af02dc9e944b2c1c6c6d951813cf4df9d9ec0000bec60da6c00558a349ef426eb1f2e954cc543d788d2d6c40db7d0c55142d1c902d8ab84dfec2f12956127327a3d18dbb9daeed3216cb09d08a067a04b166380ddef63c569aa133478447a48e3def254baa3beb340f13ee00eab2bafb9aa5d24b5701d62a2743c15ff415cc7e49b324a3f457283c4ba99d860b9e41410f7abd02c82efe38e8bec3d51e965ffd44cfc8c431d15fd6efcce3650db4f2eca004c8157ca2d9e5b5aae479122516ac71726bd897d5a90cca5f031d12177158e6d1830b1cf17ab3b29f3d6299772016d0d197b735bbcb', '2026-11-27 12:13:55.169753+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'd32v9hTwvga-X4AoMNUTpRp_2t62OmK4vQHIN2pITkY', '2JbY7Uz88ko-aELFYwtLTfV1i5fj4abTNFHzx_0xLQI', '\xb1e0d819381474c02d1a8cb044ea5290eab155d6a002609633b865f6b4be713eaf0d7e615791203b5a6b82f2eb0aef6f0663a12a764dbb4983b13261f7b1a63b327763e7953473ada774294fc6ea71a38bf374ad44419a6e0546b907768fb42b1127d44172845375e0190b737b73e90b4c1e64a4a4e2cf3b184384823d5e1a5812efe954b6dd707d3fa6bba52492a6328bba721e99ae176df9cb692498c8af4d9a846d73353077e22d2e932496bdcb178df771cc45cbe679bb4bd095df7659b4ca98ff345f95c08e1702a9f3bf574bca6e19dde13ae1ef73070a37459c2b220db557b730d18720d3b736034002a653be2294fba0118d5e7d9ada588596bf00fb620f3559496fcb10de3af7c47076022ef8ede23e180a4e9eacf946edb79803706b2da605540bdfaba0550f3d8d1fe9517c47d836f74332edd3bcdc61eb5a1bc6117b274b94aa55755b974115417b8aaa31c4019e2880619111b8d64e39b443c0ce2395d7f1a42b15702a1b5ff1e4615fc5ed19768fbe09d5bfe0606b5c153323932b33d2bdf9ee18404a42dd8fe600d48484e1a39cecbc8c6a5d6a6abb1aacd70c32e358eda8fd956e28cee441c128fb105698be0e7e95e5f6086aac1615a7160dc72afc8b7cdfa0bfdf34813cc38a1ffc81f6f8fb32386881a9031e16b8f8797a188e2668f3d9915c4a4f168509163169c9ecead166ea1c805ee030a46e67994bf964a0d7ea95b661a0a7e6ff9cb3da474c00b0bbf74915ca0a3728f9e0e6fdd93f2f7cd4f9c359e81d2347fc5d38b5e87ba25ad607779a9fb0', '2026-11-27 12:13:57.296944+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'PidpGvLh19V2QUxIartLqlYMaEpMv07NTQbghLrtQGQ', '7KTbkypBskbICxzmv9ulO_OIw0X_RG1RXhZhjVFHbpw', '\x3bdfe41fa7cee1953c09b00c4de614bf4c923b06ed31a199d54d6f82ba6195534c5bddc764f92e6d93859a2932317ced2e984f002021dd20af2aa54dbd711ca1cb8a4c27a0af9af70f622ef8fe3264a248bf5e422c08c9b0f362165176e23c367b06dbf3b251e52fa695773a1de4a67abd8127e9fae9f1f305406f6a95b947ea5eb3681c2b5eb77fec3eec4eebadf38bb6f273e6ed320b507b37b0f53ab3254207014d8e0480072f4878f26dfe931a557b18e22c69461b6f22c577e8d9d8530ff9adb6d20a81f9507526a4ba5e29ce44070d1b99ad558cefa2c7081a22f2b54667ed1358180c1d786489cda4a3d09e1a050a690571055321192b27695a3745596801fe562916ae20528e59d2b29948fb739e2edf1b732c18bfe9155b5be8c963b865a3e1b5a79a72186d6c51f1188fe1e99269c66fd9cd9debbefd99f48ccd229309415082498ee88ae5befd82e61df0e77c228cac47e19c3372543fd601ffa0b46cda44a55f7ee01470867eabf90cadaf9675bf4db44937a2174e0a', '2026-11-27 12:13:57.480747+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', '7kuUkZt8GrtcuMQSmi-oL40_2PxTsgkBKykaeIk2aGk', 'Ub9anx7XYzoZP2_dF6ejr44DLf5yqWachehjmqinwZU', '\x1abaa31d8277d1df321f6d91c410fddb1ac4596fb9f866c6a3bcdf2ed8a285e09a3b0fe8aa833bbc24e0828ea53f2bb99b378d30b36ea08ee24632ec8ef785a79182f6aba7a10e4ef466a019309d120c158f482b5439de34d1d080600677dcde4ce10d8c6838691ac1dabdbdc983c3ed259ec5c1a4d131139cc15fc3a7d55b699ce323e4e7f7901c18c6c19640116f7ece09cadd044a845d5da116c547d39ef7a2b039974c46019f2097944eadd2fb796f7f205751b6599dd3faf101b611d388a34c0709558b0d5242f4db65c491ed769700508c4df8ec7228f22f4e8991b1cf1af1f280ce9d991dd1a95c9fb3ba76915fac4b6c1e974dfc56faeca61169c0e976435e1bfe05467775ff6607444d32f03f68eda18c3028aefe3ff74ad3a3b37f4e587e7c4490f00044690ee53e2c4e3e8a4a9165288e89f01c71228f20a69cc93f083ef74439130d8011a1d03c4ecf379ebc7c8b86aac34a3096044cc2d0f390012f8a51503b7daf5ed2a76214a5033aa0fe33bcd2275951fecebb7334f4b922dbd9d715ad7de0798f3193874ccc7760b174b33fa97287a41238975f4cb4d5f9e1e6b5a377db2b19e3a1e9c771e605fbfc3636ace24a5e2741e708659f285f61607718eac013bb80c011e4f0d66030441875676d94b9b50c6504dbc838d7d15b281d48db0d39cc3a22e18c96a5e12eaae033eb4e28dcea70f0913b01bf8dfb7d4524da19478925aae32dd725be8e6f24376abd2ff66e36f6068360f0397800f33bec47cb4caab3b3c64a4c39dd278b8237d2a09d3e515150ff64717271a315120b798bbd01b332f961ad2d63d0f7de2c3746d48b183b0b91a7ae0392f16a45edd3947cf805852cbd32dd05720773c7b4b52449e62c0853c887083e1ef2c6854ab767995a6d5682971fb1882e9d55baacf4640f7f6cccb85f46dd1258328dad0de2265d0f14d999fa7477153f5923', '2026-11-27 12:14:00.739586+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'OqsUAbLE-A8zmNweuMzZtpUE0afeRb04saYLLQARIuo', 'gP1Scx-VAy8PgIlmspEMyA8Ui4PbN51ShMjxlaaIz2A', '\xa2a146d8c3b20a83bbffe3ebd13ce4080659e1d15808ee7e8449e4a4a24f9e81b45349ac090ae65afaa0b2ad45d72bf775bfdf497730225361ea20bf97dd9b8fb1ba04743bba42fa92108b781093e8d0aca8d9883aa050837bc54bad99ad2e69e3399960b167914217c9cef3630e673b22db9dbde1ba4375474a48150feae28d8719fdac9c85192a0d7b5de118398a32dd0f1eee5f82d128c3238609f135dc67cd45e6e2f10f5d8eb7e77740c0b5252b02687eaf49002804dce764f89cdb2e3d0d591f871c550dc7b2505dbe839e4f92c16291c739d4e18705976055610c5237ac16c176d2645a3b3dc239beaea9ec78a458db7c3eae188062bf38b37296e56c7ff70d33cb8ca45c6c09f32ef9913f3969995da3d2088a879bb89e51201a20e284e008790988b65f70e4a1860ef9bd934b280ac0d291565d00298d13dd9d51f63f4ebefbad310f146250af4f608737921c21c23183fd91c23dc77a1c6bd833d35a8b2869336080b3be98afb3a7684dbfad8d40458b34f23f8f28d4619d8fae0275259d640882a3e1656f8ea8112120d92ec19c787f298f22a25ed5e11a28480d429d32fe4623acb42c40335b800ff09dd03157142fa2cf303bb7a8979868b9e0c241822d4ae02cfd1ed1b70a42203f2ef7ebd31cfb595f094d4525e2174605240871a6765f9efb55a204827cddca403f1078313d6ac7b69f2a063b91af4cab705fbc75ad27bd23a1b4de4157e2837e80fb71b044431a5a6a1ab99fa5b73b60b9c0dac102c9d1e6', '2026-11-27 12:14:00.781144+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'xolfLI2ANr12N_5vKLET3BO_kzMD1K7hduKnaJy3IUo', 'S2JbxI0mHS2FDMycSdM3P_qDnkOnFy9HQoTpas1T8dM', '\x801500ec4af120b021868ec3bcc2d86cc78150c213879c4659ca7ffcfa3e773bfc4d7cd2ea6cc0f490dd0fe198ea2c55ae7a39367e9d234616c0c30d6eea6384d0d06712c5b52cedd54ae9f16b732b2abdc6d4403152c6dbe9096910df3c6da6d2b8dea3976cad6fb32059029d7e5bb30d991768f3ab24c64483a987aa99a3297c29991dde1d2a217b11e8105729b476b594cfe1e06b493c87782acbfbc0ce8feaebea8ab107c362adb82da0a11d2e5aa5b56c9d64f482b92e211382ae009858a8cd4a6887ecb13e65f3bae7b94bfd85d11d7af4d84e20e299fec25396ea914bee898b94ea642c6fbf5ecaa1cd0a9a69fcd0ad694217bf71f2eda95b5e3eed0e55d9ba9d949e027562896cf0a3455e053242b5e83a0f388addfdd398480a31a093b41abb3871c05de4e87a1ab6ade9993d7d6ced5d642c56d90d6018426482e0f6fc97cf294816cc7d63065c90ed6df3659e6791520d097043d4ab343f124be4c1fef96309c7d3513706689d9e59f14216b9c7ea4efc3710350065f716f87913ed184b349f4b3978b0065d990177224676d4517aac8cf4267f0643b956e7eb09a728e6a7f8aa29824ae1d56a05be112f8e1de92cbc1b7b83e6cd9aa4f199bcbc938768a8367ccbf774a94b1e15b90f81001ef2742c097cccbc3745663a616aad853fe5759425ed65d75d6c4c2d0d455b43a3dd986ab317fa6d565fa219679cc3f9d43eaf577f20a355ffef300010e4676eeb3c3aad082a096715a2eaef2df169fb43692231ca95f052ab8dc4ea2bab8e51315757982dfb62160cce791b0cf9cf1de9cddcc4e836d498260710b0a317915707fbc43a82807e93744f4d35f9f85e4d68ca92cfa28fc4eb2c7eb90ba3016f1a6b207c7fd69c0de2169453ba926c6aba431060c675b360f4a98dba33', '2026-11-27 12:14:00.859682+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'ZPC7vvzDIwdYABEGsqdll8-lAxJO45-A8jQJwbHY7D0', 'Ub9anx7XYzoZP2_dF6ejr44DLf5yqWachehjmqinwZU', '\x6a57a52d9147360c7055ecab94a726f0a6ec9bd1babfa82eaeb8f6f7ff81b26d4db3caa6245f0d5d25113097f653615dff4047d6e06f9d4f46d468265908eca5fa0c70baddd524fc1476e09e9ff60aca9cfe4ddfc1333a61c1a7bf109dc503114b2deea2927e25a93378b957dfdca64dd5d6a987c74a726984652b6dfd7c69e7961c7ba334dcbe81e356bf8008638ae3fcb3826f3b94bc46b2f8396acdeebae9bffe44088610625cf0caa7ceb2538caa6faf0b4837af343ae91904028e38a02f3e529e66d20fbf68e830a228621fbe9cc9c201425f91612c4e9542c67cc7ea652b7ddbe1070209c1d43e3eff924a6b278a0e4aa49bc9931546c262ee7e2fd76a9819b25c9341b85763720f082a3bda47670405dee92efb5f4c5505a98877c72777669ee097b4804ff80652e2a98234e4d19e93e64640799b9c95726d382efd424e047e2a0f86e316f6ac326642f6b7b4a1f323170a50d495d013145cc923021d475c3741dc57c498e23f7fd2b1829cd15535e08bfdc43557a1a6e298c2617cb35c9b3fb1183ed4c75273391f0ccc05418407214adf4c2dff4ad4377a129923468e5c7b88833aa23355a6cc3d9ca3b0dade409a7a43126b25e1322f17d695e5f7ea34677bdb9e75e29e2fa109a9b5a0d51d40a4afc6c8e47a3d89c7dca4f24004969e41b07823ff2fe2a07d87d55495e66e64d8ccab1b4a1741c0c2391143c29dfa1dc0bf7f9996b9f45a498bc83637c134504cebab74e3101d6322cc63181fd5b6a6861906919c2b8c1f1babb67dd16dda9b7ed9138b2941d3fb4ffc277eaaa50932192a057a6ae099f591b8ce0e1cfbc02e2b6edf0989c736327551a0cf45d3bc3c3c0f54dfa096', '2026-11-27 12:14:01.602358+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'CT-GudXIBMGVBePiIa-6DfWUHAHbQ0jpdSrI2EnxrFc', 'plbjuWgKeJKGNm0yBrjT503p-Icxq7RzQ-t0PaOjCBc', '\xd4848775aee3a9c3dde51e6306d4f50f280edf3e780cc9f1bef2b577c64d00210785ac5dee9ed8be8244e74969302ffac079bc8295666ee7f079cd372bd259578dc62c266ef9b1d73311317649e94bf67d5e8058fa6d72405bf1e91d6a623ce2ddb68e97b475f282a0a5eaa92d92bb083c29bcbd7c5b12ad216fb6b4234067bcbc3fd128d04b0fb1ce1af47b4db0f917eb106dd1336e917327db888b84bef95e32589983439d200e9b25078808cea1e540ee5f058c62f621fe912c67ebbcda0cefeb6d9fa1a13060959aa3063315e115e6add35b438e7e758211d3b34233a62b6e2bbb46019f45dad32959126953acd6d3002ddca6e0cc6337b2e59b0248e9b1d0959e6e36175c1ef69029776fd3db73447bfc08c86698d30fe14f5ffac53c98fa1573c789b35d2c628dee41e9e1d93ec60a6c90c6a2df3466c7d16d0fdf0ecc75f11570f8ead26fca489917ec0c5fb2e11376a2d52f5ff9642bcfc5b0975eda1808a6734e797636f51affdbb2e0b1c78c7d8149c680d4adaa5e9c0e235cffd1fdf3658a4c619053b03c1ed06e51751274caa4e96ffa33c9fc7ddfac28c2c28bffc1c054bd8840a373a4b0321342c21dbe2f5dda0d93a5a0cfc76e293116298a972a840f44ea8900c5999c918fa7742726ece334e55d6d6d367c27bfab6c0e37bdeace0a6625327039782a1408b26df87125a7cc0a2b2d47db1af062b2a1fd6c07f99d0c01e94f45cd8c574ae98704b5480f07fdf3944f43eb4efb73f746e587f85e5385c42a796004905b7a277f4fec0ea647110fd38a7e03e1f13198a1acfa67dcaf02a4773457112e81bb2a98796232160439974a707466100de70319353a5a12967923ab4c', '2026-11-27 12:14:02.014587+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', '-Zqcunzi94EoovFCjHIbQh9cI4M294GpPUr8I2b220Y', 'tlRQLniLGit40FLMddxpRB2Ibh8NuYkcywqR_17bfzA', '\x18685b6b87330b552ac9579110efb577457bac52b75fc40fec10ca7b961058d158d5d46859bf280b9a93c8e51fa6286bdb4a71acc9a0e0f91a7ee93e225a6fe787a9bbdaacae91f4ca47e33c3116b716aaf51b6e6ea44ed1ea91604f30c8b03e972a85d5887a0b25ba3754c73f403387347c9f186d1b5efc90c58ae7fb7897e63b6f5dbc1b5c3de2171feaccce586558571b3b9d1bf89fc10b8f46fceb3b3a6b127906fb404ee4a7447f36a35fd52f1f05b522b84fa542927a7bd8bb65e8cef292fa8596523f2a00297c447191cf86c8f2bdc4c1bec72f74e23f91c121b0f729d3d73246e21218efc8d609e7e1c550736b49ebfa69068678a52c8c163e6d564b2c84c5eb64c80d4ef96f644a1a4f55c89ba296711731a726d2be67bcee1f81516c97418ccf102ed4e28288855537f18e271720a1f79e049adbdf7f77a0fbc8d3540f4c3f536adcbf6ad3f692137d17f40cb919093b3e0aa7aea24f8f4eac9555bed1d2b4f8b699844cea6d5ffa24129c2d6d5c', '2026-11-27 12:14:02.089085+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', '803bqlXoEX7cOoXNf6YBS8WwoxjvkkRSG6gaJaPJbdM', 'LSRUzpaBKvuHouuC6Ewy6vSbBHBsDQv9PQsGV0cZuYY', '\x4edfd982c23ebb3618ec92280671a2a48bfca98bbb724360c2625e5a776c0255b7615589c998c6417e309927939015687625a05ea0bedb04da18a9f2645cd56ee56b5709bde9e7eb73303ef91cab1c7c5562544d6359997ee6280111cecfd0ff482df954771ddc033ffbff7e2a2777b7c7a8785ee561141a51d8717bd8a013357771d9f1fa446ac132a68fd7e4d9c7d0fd3326fbc7ab9bac0f0456163986213b744b53a5970b545e133bb37360ce990e9defe21d63468051d4254e9fb42188cc1ccaf9840d2cb490929d00442e06690a9b1734844e6e59f11e0f6fae8f5352c46a1ee407b8c4003cab539c24912b30083ff641e93f849baa05255b81996978482facf1fddd05829acb844b6c71732b871951051c3a2e1b62fcf7da963de588014b9141aa7296dd5600882cbf52315dd73a2bc70455c17484b2332bfbe013cb1b7a80c62fd1db14b7953c928531326a07ef19cf6444b990838c79c69842733c8cd40f2ee8a974fd2362f8881472587f3748ca2ffc2333d89693ae3d844e54b8cbdf737edc992b57f0cc6ab096795eb56a209dc31dae95fe01d8babf5c000e735c7b3ac6dc430aed934bc25eea2020ec8f3e48c7ff331f7fe1ce3530244b6d983867c4135289f19a18d507cf70c82aa2bdaecd6815a65806640041563d4c85bb2e18e0aab4978bab923158c071e4246487bf839a987a13814a432476ba85e4fad813f41ee47f2af9b6ec0f2e7f5fd9693b15fee1977eb80941f090fcae1f1379ee7779ab08f16b958c87e943a182e73de7d8b922858dc223142a30aa29c32ba751502aa2960ae76c0641206be5ed3286d300ad30ba1a39a04561d070fb06da1fa439b259ad5fdd5ec4ce3d86c25a8335831139886ec905d6e497e93a935bcba5051e75a4dc50ee611ffb816dcd70b365a2f81f963b7b1b5493ef456e561895a46c70e0ba6c0dd0f55b2af94e7daa5f13b51444e6f0ad7154e46c776068aea9fbd58e0b16662831bdb83219b3907e1041e5330b2704b5c4c230b571a2ac14f429800412574bc00c9ac16a6e97fa8fc44e11e3eda860f2f0ce11cdfda8aa4ed64ed53d79911566fc47f38f2d', '2026-11-27 12:14:02.388932+00'),
	('', 'hUnqAvKNIeLW-_Zz15FSM6Keuu9_Hg3W0K7fFqF6qZ0', 'BYz27F83nNf6fhJF6BefXYzRvdnYw7DSSZkQYe-UiLw', '\x732269654682d2d237c58f8224d0e2e36944c0992c4afb79ef59a326eb8cec23d6cec6d08e1f3b989490d6f61f926859be8d89dd2eb13fbc02e56a9f3ad9d95f223f49969f97e476542ed3a182d0850b1b0f0de9c21ec29bbb81fd10b7a8bd74ab1b48339e8e580e6d1f70754a12fc4318c6e9fca5160284b01d79ffbb1bc75b407ed7e7aa6345101506177b49aed5146c843a484ae1fa6a8918eb48e0874dafd1d12c6a39f8e00d8131cf11057089786f05475b08a14f5c433972cd3740c110decc2c0f39d891903ca878565f6fdd155cb26cc2d838370d027bfe90d31f624d80ecb18afae5d57f283c4cbc21f00b2cc7ed89ec5e57762558ebb7c559fdaf6c7baacfe6c74f5a465c6febeb387e9a13c80482924eb82d2b1acfebf7dc4782db700cc5b01338cc1523dd7039263d6833372fd5ff1af6a63322cbdb831a2a64cec9989a4b3aaf4ff2ab4baea4317459da30aaa865f4e06138e125eb5f59868a3251489afb1c543e0eed5d00a9eee7077e8ba5b47f04a92e3f18c976d8efb4cbef349bad13adace8a593d2160dae5b31d0ed86d44efa6158b9743b2e2e5e18b6cec470784697c03e77e15b79', '2026-11-27 12:14:04.151222+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'wSfY5igw7IC2gpogpWx2RssDqRFzI2GEZSY5rRMl6yc', 'diUVR5oM9uQeb2GWY_gkjzL4Ond7Fob8DuBmeeIcD84', '\xc515e33df9a3b78564c3f93ee51c8b09f44a95147e3d03e0426e55f6e28fa779cbb06365abd8c72d38c8615c834c61970b2b70cf856f1dbeb08468cb8836dbf2de059fe1a5c5d663fbc8a10a09921cef6157246127505ce50cd45af1e6f584db72ea7cc7bb853c1fb9d6ee8d074d104c43fad1cd00906fd2e5e039485edcd1b978e937054f499b2815f134af0dec053e1c7e5d6d243b3fe58232c333dc340f319130b66d30080958015baf9133fd7f05426896264eafc7ffa2e46ad458821985872ab885f06dca635ece5f70d35d87c73006c081e391f9e934a0c5024b525ebfcade24548aa4116ff49c533dc286207018ce33ee003cb7d6c0537b6bcf7faa327f7896e7ee4b1e43bbec7302d8eacc392c0f063cc480d9f53e2d09f3410675b653e69b43960175c60ad21b50b2d5a5a8a14f05310974d159a0ab6d0bd735ff6664389dec0ab1993bc78680643c92d4c61163bf414279e35f2a4a0fd6ac1f1a54aad09bc89a8da14c5949d91575937ce1032390f4d205308e934eedcb9835f6dd5c56734ca4c6c682ef30416496aae377c17e0d944979ef69c83f3db671ebaba10c6210ecc1156ffdb3472f427e067dd805464137bb4db51ea3d6b012d32568c6f6fa6c84c0f105e83ac80ea6983858a700ef116916dfb879cccf29869cd06f4412c8c731c410344ff976f71ab292060d5dd32094409824b2e44dd80689260e0b812adbe1448e531100fdc275ea5f8eb0cea32fde421d6f384e5999ae34a1fecf360189d3a1e62f1ae1249cb7f6ebc0eccac3ac2b80d234b5f170b453f40a24fbe2deca4a266fb779cae6d12c5b62cf54c25949cd1cf35ba115cff9a70d1675008ceb67f33a041f4f576e73469dca12c7f5d1c00cc86373e272f79b054c64012881d7e810ae982cc60037f7e8db9d5c59c8d8', '2026-11-27 12:14:07.629784+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'MGH0hpkK2uLBb62Inw0WgDI9UvVkPPCQxdSE73ytjsc', 'SjjZiIx86-b4-pgCJtmEbc_CJZbmH4mGr8aE3mkrhNA', '\x5a325960e975950917c20eeb08591d10c526fe49942edd3129f7a68b04ee5ded6b05d4f9652e7b3a6b9fd659c37b8b5b2d342f6d4ebc229f0dfe91667f5be3e3c24d1f328911718037c0538f3c93ef80cef480fdc29c11717d1f5cb71de5c512f4981cc46ac2a04e7e85cfa0d604d63d460eeaf45022a89f51346635215e7ba5537e4625e1bde00987e1ac03af507c8d957bb896ead0e4d4dc36bdb5255acb933bd303d68ec6e50708cccf98da5e25dd03a26402e52d2cc91404a9943f3cf497b122fae9cb7753843fbef3b880345b78be695b3c6fc48dc64792c001414c8bf717aa235b96bc803c09ce8e4146ab07f213e2a10126a23580a19cebe100f1fa45ba505d75a5e766d8c52999dc197df6203c0f50d6d0f59a9e38b26ea83e3c2405ae04d6ca48eb9ab06a17d98f7b8c74bf7f8244f02a385de5c9121fa30e902f48bc67d1aed767a17cd9499dafa919715305c1a5ecdd8c05a79c55c67816f819ff75d65f04f7d7f915b865d171453ce62031ab5ea2da4cf48d073e6dfbfe6c28740a8dc4d46b8f294f2507f557db444b3d885299a3db2b1332424a36bb3fd11ed9af0f368c8131a57bf3188fe51da76859eedc540246f8f2475b39213a81712befd74d8f5e24f44b6b0fe3e11ebe58c66b2de07ebd621ff7aa060e69b886b3a195a6b228505f0cef5e38756c392159d9a074d68bfc52c010817bfd8b9d38ecc67c1dd111653cb1ceca18f718326f2a16790c60df33ec0afd4415710c52568bcd5b2e054d02f7746c473e41b65b1df7c6772a2b2cb021d3321dde64602b28af3086779eb1f501602b0b5e051de17f76b5c3515733f19aedca46bc5559a183be0eb5bb0e4cc05e843f8665c68c46ea8a82e5aab79729821871b646afb40105794f5f4453dcad9fdb057bfdddfbf6e44e56cb69046c84eb7d04dce649698889c0f956f152e736c6ddcb7887aae362982c176e72667fd60d09d3e7ddd23cd44551e4c97b6d79082ae2c0503625b96a12368f3823cbebc1534d949541b03f94168bf79a255a36261cb3bee634d2efd8f8b1d17b85b4f1236841cbe1b35ade3637612715176acde20fcf61c2', '2026-11-27 12:14:11.098347+00'),
	('', 'o1Rc1wzjxaxvz05UixwppU8rxjB4A8LaDsgGnXFwpl4', 'n_eQf97JUUxzaaXLavI9bQu9ePm8XrQn1vgIGowkFHs', '\xdb0bae4c00be6e3fa2d22d2f2470959e725923579073b863a4b0a1c56cf7c2ff31103ffb4d546bf0d83d896bde9aaa1b199fddb5036b2e60eb83d6223c477c97ba1d2b22df1c02788a68f0078ccbd8757ea608cd8393be3dc9bb287576631ba1c7081f57d729abbbb9a45eb6d5560ce4812f5945b902947529b095b4b0eb9a0c93af0b101dd72acf26e7072fcf5663791aec4acd4dbc11c8f32a835ee0896ba41acabeece0e6deee708985bdd8a3cbc3b33fe9e1feeb09510c5d491ef82b91043585490209c985ee886987e36c7429318a5dde4adc20073e19e113847f4743e8a6737745febfdf869f49d1ec5394f0a5a8e99ab8f1f0c38f978c4fb952440986e0c4478757c147d020da293cdd30a01c21dfdba5e22d0ee1c070ba273e9da2f3fe302d0cfd023f4358176a5fce928ebb4e0d1ce0de20027c3465b87330bca4e2cd6e5581482bec7bda3505394f451ea6aebb7ed9a1571e7e9d6c5d50733bb9cd7a88a7dbf79369c2518a3aef407f88cd6a8668abcc3f3ee688252de14c2aae308385435bce01630d2720802f117efd592a8a8a7f6ce54bbca07a1af06b4cb8e32d19fc39d706caee1e68bd0079959bbb4e', '2026-11-27 12:14:04.374575+00'),
	('', 'yOJqL5HjPcYF9Wm8s1FEKt8s_afd-JNM1V-ElmEKa9E', 'DL8g8Z3gf-biENm7mNr3Qo0MKzw5VwT1tJ99flaInRE', '\x55554c5b0e2beed1783697968fb9072fb6e465be32a57a85ad8ca7e6dbf22c19cdc67f8a982beadf95ba61c313848b60d02c8857fc89701439204bc02a0127547ea943278370a9b585332577e8a8b9133985b2cd924729557627a38214420fe32295274cade5abc3d05a39ef6cc762c7bcb22c00c2812159cd257ab68032d7a6a27c3fdca2b21a41345b5bdfb5973a98bccc099d3d0341b5ae3535d15199ce297a5d46daa142c8727d141116ce64ad7e7dbcc933ba096381d640972748823041e1ec7bc86370f50ababc8be534b5dc80df13963f5896a62a5df637646e25c7970360b75df6cdb2febfc2c48fec9a86e4b7e492cd0e44055ba9cd5fa825b516aa13df8a5f95f692b346233fddd2e6bcb680444238549bc2e4f45e20c40f0999bc892cdb5c86f7fc8cf658b3d71dc495253a7975c6f43c8045558d396fd28fd3b5c7c08a3c9b61ae96315459d706682152da2e98cbb6699ae8840b5f9984058d3080194f64369fb36b0876af632a6f065720b50e264aeaa61b933e64082d74c52bb082d4aa6c6c12dfb4739ae0c6955a5658f4ce64bd673dc821c8fd13b4cc241341b9071f9b8f0036c64eadd3c3aee5', '2026-11-27 12:14:04.406279+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'kAmp6IjMFEZt2NpxBhJ-T-l3k9Bbq0najWs4h0tG4a0', 'c8_qqdTvg6gB1qQqOvU51wOktNNnRJgQuAv7W3qIW1k', '\x7f1c2b8e7885b33fadefe4fd426787962629f1aa82680156e170d419f0e55689d138ad682c2007f16417e6a5a3d91ac475801d10e72bcf8537db5322c94bf85f4febf1bee1cd702109e5d31aa271ac14c7934981fc8de421062ef7fd97829ea8e5584791fc169b18e5a803b878a1bff8a8962b7e7fecd2187622b416638f9ce902e20b4e9abaab82e880725bfa50b70be841f9b7eba7f9bfe752c423e9f7b0e0725f6c9629656179ac814ac919d4cf39d8fdae573f76dedeef55a1e208edcb57e9df9da7e6dd688844a0b49dd3a80bb1b6f05f0b79f06aaa146cbae4d958851eb34c67a28726a8d65b00d6cc81de38831f1854b02bf3604380bd5b757dc5041e714027f239f33b114d9ced10e0c9884ee8401a461184c5c8245683c1798582dee7fd92f7b4778900f9dbc4c05401fb68d5be4d226c0f4da7eb1d436152143bb3475e9a7361e42ebcfc38b7d28ff866964f1bd9ccdb71729fc0e2e71d1e76bf673c00f9d98e8fae05243ffdc8183d35d8eb7eb654a39cb04724a0ca423a8862b288030ceed864d8a4d53f23bc45d96cf1866e5d719130e871a5ecd9ddfc389cbd19b42c0f29095afaf95d6a81bcf604050b1f07ee2a5da143a81edbe87b1fa49505fc04edf72aac325453bd0c0af70dccdc3578db616becaa5e63f513aabc6b83e395451b09828bbe5fb342c2539b4949d3eb4131146177e5eb39816a8bf604d59a758bc461f223f7de2d9c3eb85ea351c2d52e9128af6fc0b635535f45face1ca76927f57621037effeeff8f51a773d3f49c0e42f843b401e5c3b8c8b0f8448243b1ff2a5c931009f70639f591bc0f27d0e4aa98323bf3a713efa85b9d3fadb98b3a2c98b753086c4cd71b10b77b5f17d5b5320b553ecb42fdad', '2026-11-27 12:14:05.960168+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'B6U3IY0zWnaWN3BaDSl6eC2nU5kxeKxRJ7qj8mE4Wao', 's1BSdLyc50LnFp7FShkpWtsqb5wCYIqW3aAm3qx9v0Q', '\x9ba1974c59ea94f78d316e7ddf1410e6680d302620711f0eab21f15dd188803f820ba4135995bbd060c9b315b2105b56d2059346bab2624326b8f4cb714dc4224419115b99b3a19c816c90e141da20d233372d1fb8a06838ffc97719b51c1b83e6e2bddfcd41f471f864b25e89283082f7e11ba837f82b310e2f9c8ff3904c0d94217af704a2e9be79106d84e4cab07238666d0b00d45eb08c0cc84a2804ae687dc55878dc4af7350b74a84104f6413c5520bc74a9509f2395b3a47c7bf11c80267ff32fedc27c17167eb8ac08572284396a502e7c52ccf403bc7b555cd5409f6ddff4b34b6f396abea7ab607ce9e00bf7610618c919af006e6a3d8c6460a7eef655b4460c9ba5c1a67a9d23a98e3d6277cd258102e6a5f779cbec000e0b23ebd588803b880cdc4e6c6e07bae952f42ca32b66ad37b7947bae1dd3b1478ef51e921ad9343acd686b3d0bbd82052720461f0a1c73ba6b10fd86ff367ca4b05b588337b2438cc27dda55343cf2dce2853056ec08f6486834dd51960fdb084452fa2175315ee111fe94debfc124fabe3fabcafab44f9d58f488d27bb5be41b5bc8f004f384a56249ca2324b640cc27b2a8998987a7335593f2f4f4c43f175473e02a415efb589818e910ae6335861be653fb1e650cb996215b31f8959357e198f35388b5540323968727db9429a0ca655193d26d68e88d1b2665cdec9', '2026-11-27 12:14:06.486355+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'npEAIB3HrzAWfAQgryRHGr0rSAszv5qo1D_lBEWZ2Rc', '6jB-Mq4G8lHrHpGK0A9PnTFVqRNCibSkY11apB8GVW0', '\x81d0b099065d3c11a7bc19838571880044403a01d4096df214c0df3c50e184ca40d9245ab3f5ddefb0c2ec4bbf8fa32279a0f48c8210d0e14ddb3b1e65036c7f341dc925c50db1e616c1eb85e09e352f7a32c0d2b4e9733a2cb0d29e0946d8914f953faa753847a5cd953649e1c1934c5d552d8b250bd6372198e204b1e94000dc34a18b2dfd3d002bbfa9a1c86dd7416419872c000a2e011b99d3e83399004efb59e15729ee9efc3c001dabea2509b83dfab8a2582ed7f4c06c01fcc3a8339ac74d8a30c792cfc58034eab65af651309c9e63bd1e8607d40fc5070a0f3b0679a298e4c0120aad4ccfe7fbbd41f2f2b3bd12175218fb287f952d5df4f2c961063e6ace104b2a9a8fcdb330a6ca128d98395b4c76dc6578b2af4a06b4c61ac01337509773b0bdefd7e512752820927874011009bf68b5547a1d0d497ca3495c445f4438dc4d9d38de64f3a84c0e498652d24df0861d41e68d4e40c2efc1109f7d6ab38fcd21e0b0afae148db5c052708aa028f5f8b3f06732edf54b3d580b35ab611b646788bf49a11390c5d77197186e4afeef0e16817bac4246f78e82a8125402069a30', '2026-11-27 12:14:06.599939+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'DP1BOGjUERFYJCSoD3cfO2h7_xdZtbX9OtKMNJcqy8w', 'ffUwV5Mf8S3ShB8sWMyh0soDHa8YAeibaJ4MbqmVHxI', '\x1374334936f9e825b3a3e27730fdd60162836b745a75b7a495f6e694fe244ef991fbaef5af291117d12e5e6b17250364c3c80aa2c2d360470af3df6eb3c8fe7a64bd82b89da7c9c03f3272aa8a2c854ea2fa48c6e62681a20a98afd89306733bf01fb57e521934e9125ec99c3edd2f020dcd43b262c3747058ea5046094b9c349e3dc2e1e4853f6edabf44f9e252623d39b74c7f8067860d2345a7354ead682274c24d7c25fe0401dcd4cf6bdccce4bf5c9dec92b63c77fc5c651742fd64b0bd37f29a1fc458487a000074c7cd4bf005045d91704ad082200a370eaa9df12bd8caf4b7bda400b2098e73a1484832e8ed98f6735932dc3d6fe87fd4d9ffb1f85f4429b4f028bd015d100afc1b5bb48447ed830432d522b409256b04f1b82c62dc7c835fdad7a4cabcdafdb0228d16dfaa9a5cb8b11377c9bfda29d2fe3a96af6be2f300e6be1fac74a9fa1b6ef9ad683845cb0812174451371a072983415c82c5d7a9a17b8eb6ac4dd9f16150cafa5157a21ddd9708363a9a49aac193f4d640ece8a30c843ab647b0ac2484a19a68accf67ae4d7ffae0a68270ef3ad79dbd6a3e350db51a389bb6a4db9d1b1c144cdb8f5dfd65e6be5aae04640c1591d67d1a626e022a9c9e93267ff74e04ac228ea9abe7d54e1967b53242f91714fbf001b90fac1a6fd37b9403b0feb64ee8ba32817fe22601534c1b67fbf6530533871202ac226b51819c1f85a0896575545e4c9f929c83761052cf473f08b20f2734b94cc11a80c4dcaa7772', '2026-11-27 12:14:07.74169+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'BqCdiagh6_KAYlEap1TRwbzSJkIr2YZPhSHSY2kzwAk', 'qors_hNSYTeo2nDqk2Gy5m1q4daBWZgIMlaxMWx2bqk', '\x76b468cba84d16e9af34e375fcea79c55db12d445cb880b770eb63cd37e89289ebfe71e47736b09ea8a42ac0ac8516d776b5ece93f5fe0fbd0a8a0ff72bb7f16e4033ba38e6fbde1ed1a7514d04348c385273ce761ed6255fab7318248607f5d22580aaa1d04e18ab364f28f7bc259d3a002592df455113b2126b6b0f66b1d92c24579a216ddbce26214db3cc64b977e684929bb19d4468ad5fe3b518c481dfbdd86cedfb9572537cfb6d3edd6baca87f4263e4247dbbd8a9761ad0fcb3ebead80c19f46f1f175d47ad0c39a64212c281ed7fde9c85ec90ad3d49a565ae93f984190acda4fcb4da8998a04f2c1705a7cc2d8a499080bc20fe1b498fe05f44cd30cf0fa5b5fcf129a10412d1e383cbd9bfd06dd79d42403e0e273e4e6dfac905ed20a58885b0917d904c3479e981a07b2c2918b4af505aefdc1c68b0d6ea593801ca946b09d3b9fb2a98e7ce280603461e69cc588d81501c5badfdd8799f95de4e8cf970165d381f5a83dc0f9276723f9f3c53e312a79064dbc7a3b2f41845f6b84bbb4ce40f39a3d2074c0619d84115ceb90dc0dd900df5e902f3b9ec03dcaccd95c03b16981478b39203b49dc35955ed72684137adf6f44f5441ad0dc6befdd1951c6ede34ca512773a303b4e260e530ea71684f239341c462c9acd9abeb004bce92809ad8eb8259ebab191d0bf2238f8c5a6605a7b6873b0092599479fab7b47ebb461f519f9d9475704dc54e6a17059d985526b59', '2026-11-27 12:14:07.813845+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'z74OckTqM8pa9B3GQtNk2CMesjh7Zm2NwbiMA9HOcv4', '37KETlmM99JU-tOjDt49o3bHgYMKzJvK2DtH2UY862Y', '\x02610530018838c7ee96c46e206cc754b83464f860c7974bd207fbe7ba44a70ef58f40590c07dcba1484f3362b50d2311e0c42f0e659c219953e26f9172f8defc0b5a325c1688f88ac8eb75d547a7f2a1414486f3555e1890fbe23091f2621fcb95e20c39ad1600fef242981d20d284728a5c75f1914119ac9495da9e717fd24415400080685c533bdb61c6412ef723b74deeabc15f8e9130fe678c84616d97efcc9d8cedfb9ba0b5522a7a515c4098848a0a17bd9b5abac4963e083488b7d4806ab68b8056943a2986053e88a1d33e2472ad6503c6f9a977887625f77debc96bb56cbefd2c73840d3776154d392a9c15b8da12ee9a14d8abe73c2f66aac794e69b1c63389a5ca06c250ea64382d2a4c4b41f642a413c2c44d151c9404f51136363da63043069e6c9ba7e7c8b10c3b3727455709594a26c568404ef9ab6bdcc005afa458dba578f70305ec97d7efc8169f8022f224de67921f3c53b7d0364c563b91dffc5beadbf5bac48b1c13e9a18b60db2c1f2834d40566c0b2053f226036112f4ab9be63c265ca870ed8172995fc3c8bf02bc58dc1c036797f5076011e92164aa275d4ffe69915ffa08330b0ce88cf6f4287ba46f00c0467387b73f7fc3d59959af374dc107d0738d344c3feaadceded2690cc38067da791e7ec122fb859a0c4d113d7f8f13e412350f6aad7625bf3d5b26fcecc28ba56e7482452754553aab323d87dbc29996e2feef43a44713dcb57ebc55301450f2a95d8b15b0570b94edc80f2c433b34582778d73fafc3c30e999b26dd4249196a8a9918a0ba991e0e61b534ecca24b9a618d9b800d58aafeb216a6c2ac5a2722537d1663e8444ba3994a876aa5a1a9f6160a40586e0c', '2026-11-27 12:14:08.203644+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'i7r8t6DQRBg36zUQJQA9KjphcYOrJUAq8fptrg96nqk', 'yWZYK-0lb1OekgF-eM026qwlLapIYEjhBn3zwAZUrSM', '\xef697f5e802b509ea66ff627a56da9d1f1f4e9d8dbf73a608a3a26bdc03c593619644dbef12ef515516de7f2c583c3e99da36ba92aba5f16b84b75c7045aaf1dc83ebfd505282e05e64e664f2c59ace83a8a2fa7863aaa941a038714cc8326fe0a796114c0ecb1fd34b8d0183fad959a65eeaced2b635b4cc4fc74392d5da793a3fecad781e59b6a221fa860f95004aa0ebd130c78ea72bdb40d45ea4e59b85f305867ccd4281e4524810b371839266cdfe45d8ddc5f4a9bb25bc3d5d790cccd7486e39944d9dae47355550ff9bd331bd0a437f4b122aaaf016726e7d3d878befdc95fc2a09c64d347cbc795f6dc6464978bc2db985c72cf36a30893c7c6711e85f8f50dcb635aaae9d4370890ea1678353581512fbc02322200be3f34f3e6bda7083ee24677a236a830fb7fc3afa41ec5eeba4c436c0395f0cff44235b87cbc565002e38167906f904fb25df22896c5907bf42ef27b3c8d504edaa684db643c367509ec7b8e5e990e4db1607f93547dc030755602c94b76e8ca766ace68c6a4baf884e05284c189971868df9d22bd4ca029e531b715244059bf8a2b7bdec7b2587dfe63d85f9e0a85f6738824307e9a9a17d8718e5287be0180599a66834a5aff950008d5d23912911e22d633be9596a33d754f1ce2321eefbd0023767bf21407e3c8e45d812ea6ef7f9d6338682786580feb020251ae738faf987d591d4d430532c525fbe5b0c20036ad2ebe2e02fe9f10dfecb6b58016d6b3015645', '2026-11-27 12:14:08.303729+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'C0HGeAazSbkdIjBitJ2cTQbr0o8KCd-gMwE49vqUTAE', 'kSjRRpth3vY1v4gEtQYynZmVznGyN1Bsf-sqhCE568M', '\x17de7b779fb5223ab90df8c62d27bbb59b738089e1cd178ff1d931c388a26e1f9baf86d88488684e05cc4593653e0ddd858b78b0cf513aa27dde3ff796b6668edce150245a993e37b03ced9f54c302e79423b32da09a7a2d950aca1a45bd9b9fbb70cc67751353b526c960a30ea49156152c7367a96c65e3c84f712442d8717850f200a5431fc473d79210d1f93cc7b26bfb25d992d757e85640c948bfbe31dff9dfbc0fc1da3f5d1f788cfdb569eeb7b4e127f24b21f4fc52f1885746329c3df1314fc95c30e6a5fba9189b7677c722c1eb5944bf50e0101b28ddd7f73a0e0c8c838bab522ae47d393c34b0801ce49f6fc5348b59d8d2b7b61c3cbc8729c1fa6d9fa28687a236be5da9c1de6edeb1262ac7014933f4283e652ac89ad098acf8a7427ec3d0c55fb1564957384edc2e74e811fb0b4287c4516886a0e7ccb091d7bfffa95ceaf46efe811dcc9a5a771451c9f569a5b47a9c9c2c97559c82318c573f7ff72ac0a02e2f2a93b2436be7225a4202bb416fb106ee63550eac9baa4a5509a6e87407cc6b8c4a0409d1193de3ececc95e3edbd7a029ebf66b3aae5c45450aa56f2899d0972e3ad4fde80e5e8e525b72f4d88f72d81445246da5ca092311af3e28c913cdcb1bd3df', '2026-11-27 12:14:08.441338+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', '-S-j4AX8lW9fn1DmlN93k8aSp7CcML4mj-Kx1dgCYdo', '9aZA51V2LV9Y_O0ywqifU_czYOhyQgxUtS4AwcUUzwE', '\xc3d55c8f70b71926d6c3ab770652d0672ab775da40e95bb76ee64151dd01a1b768232335635a6d8d0e88073f44712c2659a1235398dbc629947b2dfba88844c8b18c7508c80aa97b73109a0395ece36e90cb470d41e03f6cccca77ab323b3df8ddb2ea8d73c2582a27934af5e21953147a70440d6049e76048289884f810284495b315c1047f2c78bdf27d11e54e1f9453062e9b5acc5fedfd6e17f3d906ed3556ae5dd2c5ded7d84e7e5b7529b2a251bdbd1503ec29fba2e7302847ed8cece6ddadc8577de066ac7b5d4034c6386d0ff44376c9068056c3ce52edf18712f02cc8545bebe08499563455bf67c2b8e1f18bd9f6ebd911ff00bb90407fbd21e863cc6e1271b8d8bffb91e4a56b2f9c21f2df8da6e24d009b330bbbcda2a994854461d0aca6e0a70d6a38a170d4e5d7a14bc1646c1b59db227668a5b5bb39899d2bbcf55e18730ed872df575f2dadcd76f9b3bf0323fdab47d8212094a3d35d42de3f3af768a2c908eb81f3c026782e0360efb40547660b00efb544c1377feda8b604243796103095f0322733b6d5eab9f877bd170ab2ffdfe2640ae01a28536d0305f5c0aba0a9c8a8a224733954ca35a9ae4528a212bdecefb6cbb0bd929270de3ab01e92458a154e08e046afed1a4b46f50c29d17dde19530d254ccc5c2610a5fbeed4b4fb1fcc175a679c512aa2539b173d57ffad7a7d21ad5f49cb7af7d304a81308b682ff4b24c416dc25b8827737cf98fa54e8fa0ef7c2ec6b8dc74f1a9bed8df23a16222ea444b40cb8ee7c6cf3eebdf0f36ab4c6d32986244c615fa3c2cf8f3c378a96d46e87e5801ded20fa5b8f8e95cd3e76396522f7f1cc0a5c9821fe8868e37c7dc219f92e767307af7899db1fa1970cd69e56fbf66f6952d6901e6c6c2cd9dc381e45a34caaeb9b565ece74dc6fd770e8152849c161b152f3896003fc7d856661cbf5e25089e8b5c15d4664fd8d54451b5e2b1f', '2026-11-27 12:14:08.659435+00'),
	('', '53NGIfgWDq5ii-rJ_0Rjq8hkGiMeQbtH-f7wNiQCeWk', 'YGrflLPjorTTNrVCPhawk0cWdF5pR5dPitCrA2JkR3Q', '\x24fa79821b0be7a8fa55cf9a8bed5d5df1887ab57f6163a499a4216377e90cd301ff581e336045060eef4fdaabcaa784497eefc524bcb10f89223339191f449136095dd7a8488884c00e768b441b4391cbe11167334dfddc8a21d5cbc8d30c471dae0373c303620c641737d7bcb62d3fb4918160236200eb9bb92bf227fc6641de1baf829bc646ceee938d32fd4c7cfec8f5b6431944a72e343b266af0ca542a9834b6cf20132781f738cdeefa3a0bf34e257f1d2920796dfaff6343e1f9ed877014e977af66b8686532180284f6ba9ce20c32f8e0fd4537760805f288f14ea10d71755b4392f8458cd745383f234bfba6e91e9d7226608dd5c3d1c99021437645181b363c3be36833cbb600148be32eac4786f0ba32f8fd210dabd7d487c063f568e806f9fa4c0d16bc660c5711b0bcc4338b9859bb43013b12f76525fdc2072eb8057b37c1f84b86f89a01072d57dedd0c5d25ea8a8721cfe729534a87116f0a633e90f87d51e52a4935345711982b98da07726df82ee9f66ea1624cb6e2b134b3cdc98bd45d5b361a2d68425d74a15a1dd6a5967f4e757a22f2183f953a6dc28d8b952289283190c1b2613929c6d0d7417d03fe68390e26920f547b00037fec981175cd36291c2da1a80afe1c31b7a3d4ae6bc3a20446b6ca5d26b025ac20ddb63d47de9593645877c86ccb11cf9e2b4bd5b418f472424e2c150372ac82b140a138223d7a4d33944503621be30a93c85344f6ffbe3fba047d0c287463ca49dd9dad52bc2c1a30fe63f1bf1e245ee9a86d0d2193c99bd4fb493b4f39e8c911ee5c83cff4473a596ca6aee1140884f46efe379f4f92e954a51d129bad2999ec48f4ef668c546a22bff595947a2d9449eddc22a898ab893fe52e958fb4d0983e631f2c3b1e2a0a2a1108d71088f9566dae128521c4583bc483f16d9a45fe1933cf68882ad287c3b511f4c8528b1f7541ebb5cb85cac8718f02850d9cb27a710ed3f9fd734d216b5507c156ba15059186ff40fdd97934ed2449234267c7df4f6fe812e979f96b0f7bba807cc3aa324655c2e0f371d67c10316a818528a2e7f415b39772c79d7b66babe42cb3d0ac13500374e8d3441e29fc3606c5f8a5dc8d866545eaeb69de5a5d5722d867b4c0eace81591077d874cad0fe299361368edb173d1d4d22abeae748cbddfa2370cfb46aae26368127da6606d595262e87c2bd114c5d41c5395dce98d8e14b3bcfb65', '2026-11-27 12:14:08.884843+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', '8AG-TwOWLOQxIyIx0SKokpoW1K-uWdUHOGvZxRyUse8', '9Ld9zs2ctTPk92EIUDV3uLCbsunpM_ns79lX5u4SpS4', '\xc0d6e354c826135cd4b801f7869491e4b3a6439b87d0380bd137b1dfe78e4b4390de0375e01e6f4d33a8f019d9bbca4f7e6cf2e1fcfeba2c99deac777e25f95f96555c28c47e964781452fde6fd8f72dd14f9b229a5c2c9778aacc32fc1385fe403a0a88d35a8f1de4aaa527094cfdf9a36db27693de22bd85464cf6244df33b7712fd56162daf1e34452ffa84e5a2faa6f1a090fa8f78e4bd3e97ba89bf4799116f98215bcb4349f13b94624548c39d03445a057ace780cca0643ca81e3121e06280d2544c15f6afcda5ea8f0aca3e51d539dc9cb088af1ff665fc9289079c38287ceed5ed0eb0f71a0ffd0b18931f65368e22372510f5ee79f40f1651441f55c5f1045dfb699222e4ae3f46aba56009c8aa36fd5261506cc142d98d3e46a678f62b8603e1e7e6971ede24e62f843c082558b6eaef4b48a59a62d697bd4ed9d8992ba047227cc675f34ecb9d1f82f17887945fb02b0a0abb6e7526ab0199b727fdc0ff80c0b797ed92dda143f6f2a659e2367d787e91cd1619685c2d3a4fd7222d6da5002717544f7ab478634097e23687ac117f4e997a7503a80ec2fa8c53c6545bce6dfb410311e33ba7e9d0521682a2841bc41ae2eb17bc98b3c0bf7692d2bd3cb6943a68633bcb4128c8426c581d2c3ea79b35f4117a615c1b4c0862d0a58a5b488a6c7b62ee53905a2be6e3c4f89c09f8ec32fb306cca747e85b9832', '2026-11-27 12:14:06.790342+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'XW8Xpu8InmSgIJTQ9lnM0E92WmrK0Jf3HtQlm587tpE', 'zVLmuilVAG0AR3AOK2rqedw0Kl58wNJrKG2_X4H3HFc', '\xc06398c9646c75c4f3be4e24a91f4884ba4be8e0c964746c03e6e3c7e7e848a28ef1ae9d63bd55c72ccad594970adc27257bc7b7281e292a31edf1f1adbf70baad0e3ddb2ef975017e595e40453996cb09181422ca1b0a59dd0ceb4bb7b4aa2ebc164015303f088920e8a845d053d37f9accc49b89ee4bd0e8109b2cc3daf51ed5d10ca57361438a6fbd4f8b34e04bee220aa58304870682843d9f1d883d8b54325661a89f6d1d6b89e2778f4da00d585364ce81c264ab9efdbd4dd68f8e03d912ce3f1f0c0fd96ecbfd7117098c759e3b1a8ba57def96460faefea8a3a6ca750b62b8820918e0f4a52ae92f81847d785e76a2c1d010c2945eec065a855e9f27a5068530df21475935fc70be65550c0417936538b9661fa5f01cc3487396ebcdfefb8ca9f527ab5e1ecfa50a87613cb36607645919378fd93275e2e7e40bd1ddb4fcb75ced24c22b2297c5ae845b1112ed2fc13b963c809f5a3a1c6e5c919a859d9bf51d349e9f2c774413d92e3a9170c7654dc7273a7a8a49a248eefbab922c61d4c3ad3487278e106ac15eb2fd11efd0bfa4e7ff32e3463da07055e93094e488a906', '2026-11-27 12:14:08.536867+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'FzGNcXRpO3e-WekgzDJhcEpDmAycj8lPonhZLXd4jm0', 'Ub9anx7XYzoZP2_dF6ejr44DLf5yqWachehjmqinwZU', '\x0cbaf6bc12279a7521cbabbafc739dd1c07e0c710cdf4dab0a196eef9b01aea95b60ee9bb9832a4a8f13b0da8854d28bbad392e912d7f0326befee8a9fbd7091038aefcf74e4ff77eabe6e39828dac95d57efcadc3ee139ad55b6078e963f57a1be0327370c3f51e59e34b5d56325ec5febb38198094f66a8151d261ec140e319629efaae19c1e85d335fb570640e178d5a08444a44e25f59e1b269de7122b6d8ed9648827c4d1e26d308a3a3760dd157267ec166c8d8a104e764f55a5eb0729be24a9730d2917855568edb59dd1787e47328f0c2bfbd2cfcbde7c4b7514f53571178b710272469b1daa1e14c312ea3b51f43d11f3eca51470cbee090f5d5ee9753154b4f0ebecb0f4770810936349476003e81170d1716b3a7630dc52add62b63b860b77c8b66ebf22b0207c6b24f4fbe0efb84ed2b8b133fb5fc3ca70c5d97b9840f4b5490ff4708a62e95eee7658cc68dce4f561c601ebd16f4b7657ed13e646c16e8fdd06b01a9c760a9aaebb2d233b8938a75aca3ff98d285842111c6ec4944b5304b21d9075f706e6c0674e9ed46b5faa347e0c64bb6b399533ec2334c4764b3a270424306cc42afd2db677e9033bcede998d3a5db6217cd007fa7bc5b773640889db2340c214eb0d62829ea014aa9e8f9b8458ee27341c4f42d532e7741149c7ac1257e63b91c20be1cf4ff4b7424bd2cd55d0ca6645215547c429165533bddf8d07d6825e9e0d992ea3b66b7b4acb46e631fec8de1c8d564fd33d53675a35ecda67fed7696aaf260c47fa710df20d5733ad1ffd07cf589d4df743ff2dd0d301245b09467467191bdf3922b6162cc4f68d29e574845748436be0846352ec90c07b439ca434ec81dd3aa8556a446c418e6e97cdabaf3eca37090c1015dc3a8837a3ab7d0a0106695df0fe6620296fd83040dad0940e84d2681672cc7c02af106ef9361119a299eec958aa5fb0a20e86bfea2f60aa0fdcbb77df04d9fb92453e066a1f2636a10019653b4f38a697cc9890e9b38721c855bfa29aea03ec42e6f2fab591f02797c2af59472985194d42cc4e89049ddb1ab071bfb0bc9017298d1fc3404ad2b0815b08fcac62719701f40fca666e77582bd8d74efb9d6808b680ce33b9150eca0f4835176379c643c905ffb58767dec35d875f1326a8bdd63bf67026eda093cd0cb75524c570d4b1ae76baf3eb1435b', '2026-11-27 12:14:09.070768+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'TkrlAZ-xmc3NyT_UV7VKgkHzKJlQT3oa1A_7acb8FkE', 'V6SHINEXfGmhpXpe93xO8Uy5b3qXicFqUmC0HsbRdkM', '\x569ee8973a926f0e44a12561803d1bd7303e94758d8762eb6a582c7e28cf4fc1e22bb01288a00643537e0ca9aa599f69793340d12d8e4dda7fd657a3dba1f2bf471355e1a248c6a84405fc8bd2458706866e7c5588b9fb7d28f575a420dd2eaabbd6fb5a64910749bc44fa3850f3616bac6800f4e960f2924e90fe305e81e634f7b3444e48f6b35ac8adac61e688eded18a2d88cef7746068a18b83afe3532d19d695b3ed4633017dcfed87500e07902fada130c8dc7b575d507bffdcaa23b01f4c9aed132034ec2985d5da3bc5fce0d5e6fbaf53e60c47a39873cf60c53c73f26e475ebc2be90d2608ae2cf31bc1d875c52bad2e175', '2026-11-27 12:14:10.104447+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'g9BzbrkYhTNoT0aXW7oSl64h9GM_2FOyyozgorJw2WY', 'kzc9O574QlHdnOCRSlI5pnvZauHQQhb96V5t6msnt3o', '\xc9682236ef08884b310969c9059ca0789fffe2dc38b95134065a5c1105e5c878f238c4fd4e36040b6847d42aec8f70779f6b69da894d4a8726bdaddd6b8e30da4133f883070c9dfda64e7a4de7a656fc23dab65c15ea4b89edd0957e69ee6e83bb6e5f228afa4172b63881e73bb907d0e87817e9cdd99d86168e7490cee552e362482686a5defc5ed64d2e9b033cb8427fa9341cd60e557674f630926f29fbb6f76abd5afcde748afb6f51929da6dd678e243e9f25bec61c851d7076f72a6e46c2bd3cd7f253b6a7914603c7277c45d76e7ff7cce0b4ab9cd80d479efb6f650144cf4dd44a40ad3ce9868b03d078f80431914e0a356372453309782b1f1a903cc5ec78daca798e07526bb92273afde629d55d5279933b311139390866af684631e17ed289ee047ea95b725d1be45709f9135d18fbc850e1bd85fbad387a7c33f674a9c2591c031e9929fe7e8dbf94c499c8472f5e1e968623c18b1e5955808f1a689d0321da61b3257338af14b05522d449b64cf2dbf864694ae8a053cb20cd3c5f4d234273a1db77ad3b543cecd27e42b2368c4eba10365f4b1129f230c69e6cc185b10de15fd5931418d1c1bb03bb05b58f845e07f6807da9768c8f4daacfc42bee1438bd1442fec3a91cb2158b4b6824e51cb129a09200c58c648d0ef2e410c043099cc8ead6e532231c2602a83124f5ddc11e850badeeb746700314e', '2026-11-27 12:14:10.256438+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'aIymRia5FSGIqkM5a_xvVsyw3f5_f1zr7baeS0qw1g0', 'syNVidoV2O60svRhTNlN8d1qNCJ_d4VgEgfWFv-cu2Y', '\x439d44e34916349707165614229900f1de07313639ca80f035b5327c6b141b976a11c0b8c022a37e6193943e9851ab47279e8805a2584e8f087165f8aefaca1c3380353a63bbba0bc311055ef2086d822265d58d832dfb194b576c4be65412d6ce6d9683d57b0dfc564f91229b136835329ffd8ff80537e22a6dd6e0ca8e6f95410a096a86d924c9255105644b645aab97ea78258b64456e163c054621c8ac15e465dbc797eace2226f754a2ec484f99e0b1db9a36006c6d19e8dd55e3d60f686a177467568501a26ccb5e163f1e2a08536f11caaae8aaeb2f19d8e3f0b19b8fb9be32ff9d9b351fa768bb0dd9631d172f508130f9607953c22a942533baee5a645150fa4684ea51aa03ddc9bd9fc5e8fedb107173522382c24c3e60cfcd1639994f4baffbe9cb559c42f0bb4a69065bf9cc63ac4d4014bc2afd90ab37753d5d815e711a8a9d61606813d45e256b793fbc8dbc65cfc5461d31e83754928fa2749e6e8ac5f4ce6803a8cdb11f8b04f4d8cc6aa3f8b4a5af4873efc4a8868886d819f0833c049f2aaaa9c893822ff5bb43ed227ba1e6390f80a2a1246ee3f3759086e2457a1f13cd66c70081be1760ded3fff6875d806088ccde861d334927688a8d7881798d0e529589263c55692955d80a572c84e272fcecdbf60cdb3aa54864438e13069eb328697c18a01c5e249bee30a9f422056e69f4f78434e0cd3f03563b587004ae2ae98f8356dd2ef539fbe49dca455337e222c8a9478380b2aaaf5085eae6f53e65526f1aefab8d28cc70c104631365e98b9e3b08d5d551741309527befafd01004e3aa39eb12dc4946d5fe374a7f17b4dfaf9ac743e8f9e9b35c269857a5652950e3d7968a00da8b21971dd47510a4627127ebb176553fd6476e90f8ed3cb619c23eaec51848a8a4fbacbed32895ff061cbba72c6092c3ef26f56bf16a296f25ce75797743f375f4b140b377181e5ef8b43d016eefa1d6e10fefe741b202d747d730dbd95ed5ecd0375142c7320b37ce6ada015968e0acca1f3dcee13e2d1a2983cdb5ad86f4520b053c7e599511faec2cd72fafbbc58053772cd926c4c2ae7952a5822686d44e6df85d632054546a3a6494b38b15a590a1aa29ac9e07dcd84e49764995cf0208edae43ff7a05bdab7f55e071c6b997da6c968f4e3e19004181d61047edfa1d4ec26e8d50d3e084f499000280fd220ca69fa9b07def12b2264eb0e3e86816b5995b87b8a40bef2573e269f2fbdaa3f2689a865ef3488ec2e34806a0a69e1be4baff730891bee2b1d55c2713b177653a77f229f421683e7afda8f50bd659eb89667e8c7bb463f3710c8bb44fc2babb420731da1a25c57d5492f417f1f00e4165d2b7a1', '2026-11-27 12:14:10.71035+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'aW06RRPBtY4KFtbEopj83Uefj9oftkS3yBM8ZLMJ4Sk', 'PMqH3APbCDJwRJLmTOCliuN8wIQOQMa5ZTnKSvq6GFI', '\xd599d308f743d642ca62c28a577690e0ff34d43028ed43914531e6745b821b628517ccda1b3bc0eed67e9de7e4d81bc10978091eeb7be9de531236a7fadb558d8d088bfdc93a3c54b563e53aa307eb9e355cb9681c7480c2f6586ba8579b7796ae3d6159e78ff547c86daedd33da4c6aae8adf8e3efc9daca63172bdc2b711946ba43103c8b16f4def83381026c9fabe1a119e2c1b1bc6eca4ec9b4f52e5b5fe54d8effe67b8b2798cead70bbf85156b001eca7114937ab73bed975a28a4c290b628f351cd23becb7b468a20f13ff4914531acf625ff452b945d2d4c3f2ec6978db61bbe77678e2d4eb83839fdba40f26e37b60bf3835df462eaea04e813fb5c22ffb458246c07993a0e7122be7e0d5da612e6659ceb666d44f2768d1f6d6bf1eda6c0453f5ab645da14e68d41a272d4f9a49c7a64c00bdfb8ac6bd10d3a125b68ea826f4df1774195c29d5bae2696ebd6972d29818b4886d996f20f0b7f4d81eea637dbd412feb6a295a495e972fb4173a97f6227bf74d0c33ef80557e3b7e7f8d9cb08ecaeb0b11b1f495fde3fac71f7a0261f357f0ff8fd5bb88e78dc8ef4c11f963723fffd9ab65264da6d84b395443ed20ca8d19c8d3157c90b5b10e31929c10d5de7a80bd6e63d02897949f9f03582dcd3deeaac9148edf7b65ea75ef672a22e85e8d312e76f27264485d53f5261e20428352acbdb2790b967c9a624ceb0bb31fbe7b7da3c9109ad61899625fb0ef838091d36c9c043f745ed402e3a4738cfdae98a1eeb54b9326ff7805c857d11227ac02c5cc9d332551bf8b024226aee2dbd81ae96e521f5ffc3d7e6a178b5196962edd19e1882e7125204f7fd2d88e7605114e4a6b4721279a15f1c0c500d6af7d688f2629cdc873572a1e97ddbaa758253e8e6cb79d35156cbf8fe03f1434e05c39845528a71abfa74be96cee781a4783872cecad6e1ee5f2224fca7ed676be596896d29656e070f6da21eee6a764fdce06bbf02ea9a27b4dc4e60d31a42351eb6764e1d143975305a0f77e769085f6cf6a9807d93807694eb3f1cf9d6e7fb0cf12595eba2a34c7846cf27ef14e2', '2026-11-27 12:14:11.132658+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', '_hm7Zwb8_pCzoiwvgbZjG1E1XYqlG9QxnbMT4zvBlAo', 'RXfwKvhjZDjunPU04-lfL2LsSwkCh0sFgIG_obpy8XM', '\x433176b765faa2a7791cfea31669451b61f7a339a72d895d49eff3ee748d78ffd1a6c7d8e786369afee045fc0783b6620ab81af15416afbbe49673c260a4de16341dff5886eb1f2f74df4040123d9583acf5ffdfbffc2e36aae6432e299067939c3763a3e5a14efdebe70a8fd07eb0669d414e8f5ae33506118887688409ce513dc1ea4802d7b7739f197259c7ebb94b7bde7104abcc56e999da11035e99e32e2f653198c1384df669518445bebe5b44b6633c392b3d1c4b983b0912e19bc46e0dc042201e38544339e006bac4647d6cb9c5cba26b5fe734e65558dd773e543234b7c9852ace6df59481fce7ac114da77f14f6c363b0ad29d8f744444892291827da8381f2eca73a658aa414b9e55aec0f09a32088c06a4fefe28a8e0c36512272492da0c08eccec14b946a1f01748020d241a3a5a3622b43d6d834018e0f08424419837c410dd4e38a4aeda327113cdcadd809a2dcebce644bf5ef8219eed383aec80b81e0a573b2e88136f606017b8be4d9d5d57cd8c15c14f35338370eea59717963a69dc9cd6057394481dfef8ea30f4d482ab1b5b7f47f4c48c5116d9e409bb7d30d719ef5caa8f482b85188bae9eec1b632556470039856ce0e64d566c30f3e4c974c945c17c0b9ad59c1b6e14abc6a123b43e233309e057a5823da45023e6fed6dd6208b4aafa7c67e2689e9d7c0ba04d397ad5af7683607c0f6eaa874443edee759eabbe6fe9aab7814540abb707a85f8e0287a1a2dc4cdb12cd9aa01b07f7348cb2f2bac5cf6a1ab7dbaf8fb44fa7a4950295d248bcd91890cf32cfac0f3c5efb896ae900f0a9bdc5b6c58d49063b8b1d6db53a791f31374cdcde3fcb7800f5f1e627c1df68c0d6ab801a6b8183419445de3e314b83a9bb7cd6e92c10f18cbe0baa570cc6038a457e75595020f581606b019e96795053e769a720f3e7da01a5cc9849c46adc9ffe22ac391ad5d06b52fb1724abc48b1d891ae155f41fec7ddd339c6b6d27edb9af77e47062fdcdd97f798012a37e1c444ec7a6fa16c734df9e33c55cbf13afaf2b2517e3bf59327f89a0e717bd2f08896aa79d09e8', '2026-11-27 12:14:11.165718+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'Q2ZvLeGhJRBLp5tptiDxwpeKufN3vhhLGhfJMFfmilQ', 'wlczHqz0ZqKqnx2-7WcnWxhb4ZiHPROOTLdg2XLcfVA', '\x543a7d0d0ec8d518b06ad9721a430270b27149a24c7ed9859234444bf39a20104b527283f4154f61ca9b87927bc7dde68ba9c6ecb0c1a5a900cddfa14813141bef6b4aad7686d698e9a89738383f26a3954eaca5c69e0d84021556445a1eba930e36128a7874164e38b5302b0997c7b21d9a299ac74ac5fee2979100e98ac0fc4ae69df16ac801d381e36805a6339a93e6e43cbb87a662f38b20a8ca5be69e244f9e701a98b21661b86a33ce4837759758d0c056b49ab0e0a718923b7fbb1018148c2e397bdc100c2cfdd1a1f5bc5982605550b9c6398d450029b05ccb97ad837f324ab5a687bf9f9388b0bd8e48f8edfe2c63bfe5a9956ff5a33456a3bfdac8f844fda7493ea714d496fb3033874dbdc6ee8aa0b90a0fd2725979bab1e5d974b58e0c7a873e38e7280bb5e6fec55d5a6942052df348c0194a09533ed4bd62e40bc9bfdbc9f167816805c0d83789f44cc1fb2f93af96df04a2fb45b83cb07b5fee84fbf26a1fd03e1903197a4d21efac34f08c75040336d55c379da075ed8f918501015ef728441bb5261cddd9166d2c64660bee5e357b081fb0feaac1af3d4b7acaacbb1a6b8db046b52a2f6acdbe07b7969b57648ff9e0dfd46359a62ac35a8308b6668b6a54f8680cd9ee54a1537123fc870ada6ab1a585e790db24beba6a3f083a3dab4874ed898da703af446461264c3c95735c20a8896332333ad7ab9a878682591721cd6cdc567ac805b251dd34ea9aac54aa26b7c1f0b2d4c1780556155b1bc40a32c896eff02ff8626462fb5e6ddb7329be9aa99fc7b0168104c93e938d5a36c3cf3cee3db9001ab9869d6a447f415763a3562dc0becc84e60003b09cd557658da0c01c59f3d90ce3d98126b1855b6bf6c5fed4d7579cd4725fe131cbcc8f8906fe959084e32219df6f26589612c6e9fa34e8b2528aabbe3b935c2123f8f4ba761564080aa8e220e01151813237bf03592437277d', '2026-11-27 12:14:08.990086+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', '-x81oefSTWJBzj5YVqLpF5lnUfL5SGSRfcyx8Qxd0Ek', '5A9EdQ2AclAo8SuRBczAourvkFnkMbe8Oanma4zFR-U', '\x9bd56617131b793826284e7eda10702504a58287d15a47adc4c13773dee41a030a9b31ec0b46ed249a721eee1948b2e9775d1986379c535f12a0970084a13d92b3f26e624ca5be0188dad414828a24c289f0578a2d983ec31be7790be887d786939cccb017407697206aa5273e0c3fa6f962309f07f68932f5649ecc917173727480d65eeb7229ff3f45a07231c3f8f9ad1bb94a78e373c9aa05ff6f10e9c4c3dd98472dbcb6f29d66b065c6944eb73a425a165c13d3b8a2f63cb2f452f05ce140d89c007acd2c62a111db739d2a3b46e49094da3a965cd29b5dc4984991e8bb141deff6ef7bf44e7d89e0c507798c16cc961cdc5e5998ebf4977ec234d019477e05c6cc431f37512572ff227ab0b8af56a03fe1b88f8d5d04ef0bc960edd9f0b009489085cb1ce9b77ee148f289e8d32885892c270dad0f46346a325eb76d1e14330661eb4d9decaf5fb1bf46375399ef4e2e55e993e8c56b236126465c3e5446ac2dee4f24ed3469e9d9f56660861b874b6850644516ea145909506621ef3be6c4dcdc1d04f63c356e', '2026-11-27 12:14:09.922384+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'WVVSJYeNq34Q2S_l_ldJElZLpVx_Epb3Ys38XAt_yIA', 'Ub9anx7XYzoZP2_dF6ejr44DLf5yqWachehjmqinwZU', '\x214cef9aa09f2ae8f15680998fc521c320705da1c50e8efb213a33184f5885f1f7bd96eaf552cb9074ad4ba13694747201286c5edab2474a29b7fc587c1c46daeb022145230cafdc29465d8e7af822612a0ed54ea661f564bef2f8da254721697892ac375acb8478f77b0f36daa13a0250fbb28631bd7a3d85df3843eb8d37821aa575544730880a0104026ba061fd512e82ce5301612f11ec1fee7c4d59bf1c55b60f0a9967ba6f771ede32ae25b423dd8f54f2248bca423be88982d2c3948743396c256fb662c1a0371bfb119bb5b8081ae63deb055bcda2e157e99abbc5d4e9c44f3a8202a921d0a125c279c494ab328881e2e9bc052827fb32e7d4683843ad1224032b26dd65cd7983b103cc46b86021414f6f13c298ba417f3e241fe3147a078b41cf9037c76fa1941588c0d112a557f90adce9a51d808b5e5d518f4e0dea25ce99a13e72248154397a6537402858be57d7219d72d31fb18c8a2f762555b32d36b2b0de994d5590e209ee6de5962675d7f713afc144c98a8780f341569cce5d20e45ff164f62078c13890c8f305c40455410902591c58989f60c5793fe8cfcc1aa126ff67899037218b6948d660a1edf52f941237828e586aeab0f68661b2c36a3e10adcacc13c46c39e66d29aa2bf244578af2baeab27bcc07796748fa0d59f3afc006371aa16f28f0efd68623e53794d7e67e418ba3f98c44ef', '2026-11-27 12:14:13.544807+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'ju1v3UjxV4sGX9-mEXciq4PxjetWcdDXOBXJf-Omwqc', 'QHM67pEDJ5iLMwZawz4f52aRQo5Zwsu7iVzsxdOts50', '\x66599c7e8c2453aad4ffe196f2d6278b164d66aae2b95969743beaba0531526d536fd3b129d313d4ce94ac09f6b4c8d0818a25d4d72c7ab4a3a00a9f05ae6654ce75bff71466871f372c32dcb12f30de196e327be20716edf445f236850ca80f2daa208ae0023748d80e431db214def98315ffbbdd5ecad11cee4e2eb8ac9cd8da470ac93457634baf1c4362607ffdb2843934cc94cae2e8c2b00f008e1b601278e5ecee62fde36c3605c223e486881a23e1775a3b2f18d7ea46b5ea7fde4efd06169c3250fbdc642b4c274cc9994ab153157d02ea942cdd7f201fe41452e82331abdb61f501f0db3509df6c6794b05b3bcaab8638b1248c87c9a804b547caf43157ae8f0327d8b16841e65c9ff84b5b08151154c7c638426e938285e05ed7dde51ed5639fb15c4148b24cbbc87384ac2b898d75ede0a44df8c354a47b7ded36c0bf423f3932a02e7609a718f26a4a0ce4b4b94d93533ded9ca1d5bb77026c7a29d0c5858f6f0bde8e0160affc66bde2c624ac60c54c0862633c3d8084843e680511d706d0aed6054fcdbe953c0d93bd8bed8b8ec9c59a420c09b3b5c3a5acc975d529fd4393385da975fad96ed9a54788b6c901fab5f195d9977075ed1cc51e19904b6a3df11149bd5aec2b8a5f2a20d6f663826d46412e421ad2bc51eaf803ae34d4c66d4800350c2d079426ca6045f7b92ab06d9bef8837bd488e0b145ddd7f45744bda47d0cd99bf2676056d09b0c948e914ddbdd6f83b24c5247414acf328991941eef63ceaeb54b1569a400e0ab5f49d0d8dfd0bb82da1f4a7326be79eeb4a4e27734ee59061f44d36671dc230b98f2da46075e62a49229f3b29a6a2745530e3d27ac3c70c516653a472ca8547a2afffeaa799431dc61cd2892655708bd99a3c6b4d084bfb2b6f894b0b5ce880449b8d7d557419efdb2d1412695184772039d0fee9cf542bdd4c54c361935fa54679b998f7896a903150f123120002303587642f9043f6eee46ed77d50756d7b9a11f80c9ee5e6a4718fbfd06405f6ce6d1c89576358fbedec98bf31643113fb161a8a58217ac4a8dab0429df89d6670ed9d398ac18d8462d2ab7688613f730c8f72a4c9027f540568ec', '2026-11-27 12:14:09.756766+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'WQNQ98Y6IYfovIVSA_gApTJwOYd5Q84HDsXmUK6SVkM', 'UcK0lMM-oZ0XUT5jmENcwWJqGjtRqZeKQj58BqmQX2k', '\xb95c86593202e00f28ab122e9601f2c340882e3b31254dcbcd4f36119034856db6217d55f38754f9fc934af7da212d51493f182e31d2a5f2d18e687d1d22583d3c4d849f3d449107f48cd348866fa51d7b6933733e177647ac4cd9cf57c7c5ba24ffb9fb5a55dd8025b2828636ce6d544fca378f7f907c0448ab7656370d6e61738458d5c657f7089ce163977b764cd808a9b5658c5ca2347bcc5d038d2d26d62242b660ee162e405fe7b09f057e73f0b1c812b5d7c7183562631ef7de9b433822f89d2f6ec315de5d7a316538d8f4661daab597d4c1a7df06e1384c63df1bc7bebc5c1f07a3db0bfc9fd557cf5dadc78af122ca7a5a22136ae77736ec9bb3f39915f01870d263ff0376f44c2a6ef85622473ea052e7cf37662b865fc43b85a9322b7cee5974e7f4cac09117c409c1bdf4a0e1fc09ffe51e41f9ab15bf20fd623368e7445bc8d0a30638fbbadc70041fc9fc1ca744c419a25f1c072874a9cc3c97ddab466889056a97fa8a6da3866b3eb9e8bee4f022d39f151aa6b884a123e08097147677b819677a51021ead39579c639c76e37ca76a09a1225eb802f81e7d7278d58376fa601eb83d7e0b8dc1a928028d9866c47128110e3e071c10a64680679190775e82076cc41dc4fb85e0c172884a4363b69ff2785ba83422403856a4f1f18bd67ad1c9f59e16e44d2c31b9acc6d3e68f7db80a80ddfd71bdf78ca3f01bdf3478b7f90ba57fa58ffee607371ac027720052382c2bfb1a44333e1f31a31d23d700724a584b636192d37c532243da0b425fbb422f7be6e5df3225ef28791d5342d3f9507951d6b5ac8b0b9196977bf4b12dca743bda0125eccb2973eaa856f734', '2026-11-27 12:14:17.228464+00'),
	('', 'vWqRskAJlL8TrU1CbrzlS8vZjXEXyMGcZSTQkIjvYVA', '_VvdsGMYMuFdW9ZwyU9EjvD63B2Xpt2dK7g-GBJ8Tuw', '\xdda047fc0e1fd102086015ecf526086f8e7d25846b6d22bdc4c52761ee376783bbbecd6f0827fcfa81121275614dd7ee65b06cb8ed2d96770d87a066f79385a6fb558e5cdd64b614951741c3540a64325f0187a7227eaeb8c9747665fd2e83a9ab8ced70d5a77d23395c622967b163bbf509aa74043fe12cc3e4e22219c36ae239447b39737dd884e8677c50694c5188e4014eebf4f4361fae20434859aaca6efb0611ee29d70f4957b47dd674d602909c065d0db79b95c86b2d4041d70b5859ba5f6a36c466c09c8573b06d856b4026ba67f36a0cf824afd183fa41a79a3e87344767054e192e96e2b00b40f4db93aaf803d6b59ba52858cba0afadc972945deafa17ca6e021d21fca2f4104be89eed6f47fc4bc65b9a25358414903d9f1598d97b0fb983b0fb53b5bf897008ad4caf52a82530841584709847f4cf2ab9b157996f75d48fb72129ae79fd1c05c8e1cc73a2998435fc25a39f87d085bbac4f14da9acd5a6c5d1e3f274e33a8f29521fa109a4b64eb4a331c7c27bafa381f35d07cafdfbef12c1b762cf2be004129e26d4de2deb55ee3bac5f72997b52c291e441298c2', '2026-11-27 12:14:17.313182+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', '3lk3jf46SmH-ow6iV9Mii-gKbXalBJuKw-MZtE9uDNU', 'p5NsITF4VPCB1mLpzb7D7LDZhIDs_Ib3nL_73vpsnhw', '\xd442027c019b10cabd3030d0d3926625d37255cb996ce460691f81f53605cd123e7f5df39d4cbd9bfbbaa01f28ea312a098fb5d0909d8714ee3932a9313bf08de17a0e55e7d539cfb519bf43fbbe51c68cfe841648a88d158a8a086b671ba66eb282324a76a911c5db051337adf66f77a400370214e95ecce8893b1e4165b56d3ac4d9e0459d337318e4220e91e75aa8dc752aec0c6c5192a980406145457eb9af1d47d8b2b7efa879961f5f0a773ecfeffe5c3cc0d9b5d6ec878256b678cf5aeddb625c2e038fbdd9393bd59ef66259e649a94ff01f13151e7c63990114ef9fbed496b90fddc5d271202b8ecee9be9b289794b825704907bd46f1366956c39c36d703025d8ca0b5500661ecd20ce93d961a56b4bba35ab2e77769f67220441f640583472ca4139d56d87eb85a61d910ee855a4e940232ea3bb505a96a04f16badaa776a683e4b040ae5d3f5167c7597436d437203107bf8b08774c4990baaddb26bf541efc3bfcc7f9063a0a7752fc14fd2d86160e2e3745e0dd01a5bccdc50d1f646cd9ed5dfd9899f149803b03340d9b8972d44a54b175b50c755e025e0a8fe405a60fc99a3ca6efae3ae4a5ecfeba7e03f2cec0784665d02ba529ff2d39dea822979dabf0e11fca2d30ebe987978c383ec98dde73b3a3f0871c65989136d8d22a162f0c2bf38fd68d66fc19bb58fe5e238d034ba6eee6774942298ce51fc4a1debf4bd', '2026-11-27 12:14:17.415959+00');
INSERT INTO public.larder_installation VALUES
	(true, 'ten_01m8bwd89je5xan3wgq9p3y8sp', '2026-11-26 12:13:43.080586+00', '{KcHpnBSq-ogTszJZg5-NT-btj08UffLtWRl19YlltOM}');
INSERT INTO public.larder_jobs VALUES
	('job_01m8bwdj5he35b6qdb98m625kd', 'comms.deliver', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', '{"tenantId": "ten_01m8bwdhxkehmrtt7sxhvk8s8a", "messageId": "msg_01m8bwdj4ye8187v6qy3mnf56a"}', '{"causationId": "evt_01m8bwdhz5eq4scjwb5wpw7y1y", "correlationId": "req_01m8bwdhmpenmsy4d2pfvct7pr"}', 'msg_01m8bwdj4ye8187v6qy3mnf56a', 'done', 1, '2026-11-26 12:13:53.201+00', NULL, NULL, '2026-11-26 12:13:53.201+00', '2026-11-26 12:13:57.324+00'),
	('job_01m8bwdjd6ecmtqsnnrbtaj8eb', 'comms.deliver', 'ten_01m8bwd89je5xan3wgq9p3y8sp', '{"tenantId": "ten_01m8bwd89je5xan3wgq9p3y8sp", "messageId": "msg_01m8bwdjc2eg8v4dbbd34078js"}', '{"causationId": "evt_01m8bwdj51e4f9jcncn9768vj6", "correlationId": "req_01m8bwdj2de9t9w3zfyd014pt7"}', 'msg_01m8bwdjc2eg8v4dbbd34078js', 'done', 1, '2026-11-26 12:13:53.446+00', NULL, NULL, '2026-11-26 12:13:53.446+00', '2026-11-26 12:13:57.507+00'),
	('job_01m8bwdk37eefvr553v27mbvza', 'comms.deliver', 'ten_01m8bwdk1cembsakrsx373gvqx', '{"tenantId": "ten_01m8bwdk1cembsakrsx373gvqx", "messageId": "msg_01m8bwdk2rebe9q4q2cqv5r52x"}', '{"causationId": "evt_01m8bwdk1keq3ag64s39f1enk0", "correlationId": "req_01m8bwdjymenzbshqey0pzqt47"}', 'msg_01m8bwdk2rebe9q4q2cqv5r52x', 'done', 1, '2026-11-26 12:13:54.151+00', NULL, NULL, '2026-11-26 12:13:54.151+00', '2026-11-26 12:13:57.641+00'),
	('job_01m8bwdpycefcsrhscrkqh4v9j', 'identity.password_reset', NULL, '{"email": "person-2-29413@example.test", "requestId": "rst_01m8bwdpyce12se6e20zvw083b"}', '{"correlationId": "req_01m8bwdpwcee2agjzs73ede0kf"}', 'person-2-29413@example.test', 'done', 1, '2026-11-26 12:13:58.092+00', NULL, NULL, '2026-11-26 12:13:58.092+00', '2026-11-26 12:13:58.871+00'),
	('job_01m8bwdr00ec0adzn49q06z32p', 'media.close', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', '{"mediaId": "med_01m8bwdqyxet8r151g8ny5vpk0"}', '{"correlationId": "req_01m8bwdqawe9z80w73vvmssxt7"}', 'med_01m8bwdqyxet8r151g8ny5vpk0', 'waiting', 0, '2026-11-26 12:43:59.133+00', NULL, NULL, '2026-11-26 12:13:59.168+00', NULL),
	('job_01m8bwdq3germvn1crcrg1261k', 'comms.deliver', 'ten_01m8bwd89je5xan3wgq9p3y8sp', '{"tenantId": "ten_01m8bwd89je5xan3wgq9p3y8sp", "messageId": "msg_01m8bwdq1ae4grd6vyrjvzbxda"}', '{"correlationId": "req_01m8bwdphce4a96rceqfxpyy8q"}', 'msg_01m8bwdq1ae4grd6vyrjvzbxda', 'done', 1, '2026-11-26 12:13:58.256+00', NULL, NULL, '2026-11-26 12:13:58.256+00', '2026-11-26 12:13:59.211+00'),
	('job_01m8bwdqame89a2mtnwakcw8g9', 'comms.deliver', 'ten_01m8bwd89je5xan3wgq9p3y8sp', '{"tenantId": "ten_01m8bwd89je5xan3wgq9p3y8sp", "messageId": "msg_01m8bwdq7pe2svmn7fcf2j3t1d"}', '{"correlationId": "req_01m8bwdpwcee2agjzs73ede0kf"}', 'msg_01m8bwdq7pe2svmn7fcf2j3t1d', 'done', 1, '2026-11-26 12:13:58.484+00', NULL, NULL, '2026-11-26 12:13:58.484+00', '2026-11-26 12:13:59.364+00'),
	('job_01m8bwdqase7qs3nhkskkbn584', 'comms.deliver', 'ten_01m8bwd89je5xan3wgq9p3y8sp', '{"tenantId": "ten_01m8bwd89je5xan3wgq9p3y8sp", "messageId": "msg_01m8bwdq89e7ev1ttkbw6ffge0"}', '{"correlationId": "req_01m8bwdphce4a96rceqfxpyy8q"}', 'msg_01m8bwdq89e7ev1ttkbw6ffge0', 'done', 1, '2026-11-26 12:13:58.489+00', NULL, NULL, '2026-11-26 12:13:58.489+00', '2026-11-26 12:13:59.6+00'),
	('job_01m8bwdsjpeg0swyxyej1gjjr4', 'media.close', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', '{"mediaId": "med_01m8bwdsjfe28r60fmfa2p4f3t"}', '{"correlationId": "req_01m8bwdshmemj835mgmgtq45f2"}', 'med_01m8bwdsjfe28r60fmfa2p4f3t', 'waiting', 0, '2026-11-26 12:44:00.783+00', NULL, NULL, '2026-11-26 12:14:00.79+00', NULL),
	('job_01m8bwdwt4eqj9x1mcggqps905', 'comms.deliver', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', '{"tenantId": "ten_01m8bwdhxkehmrtt7sxhvk8s8a", "messageId": "msg_01m8bwdwsge21s1d1t23zkfc0z"}', '{"correlationId": "req_01m8bwdv3xess80hmk0973rc7q"}', 'msg_01m8bwdwsge21s1d1t23zkfc0z', 'done', 1, '2026-11-26 12:14:04.1+00', NULL, NULL, '2026-11-26 12:14:04.1+00', '2026-11-26 12:14:04.363+00'),
	('job_01m8bwdz69e07vvpqvqab57n2f', 'comms.deliver', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', '{"tenantId": "ten_01m8bwdhxkehmrtt7sxhvk8s8a", "messageId": "msg_01m8bwdz69ejqtj3q944562gm2"}', '{"correlationId": "req_01m8bwdz3featavk2ga64pvdd8"}', 'msg_01m8bwdz69ejqtj3q944562gm2', 'done', 1, '2026-11-26 12:14:06.537+00', NULL, NULL, '2026-11-26 12:14:06.537+00', '2026-11-26 12:14:07.022+00'),
	('job_01m8bwdzeee4nvdv8wdh40j2pp', 'comms.deliver', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', '{"tenantId": "ten_01m8bwdhxkehmrtt7sxhvk8s8a", "messageId": "msg_01m8bwdzeeeg2bxzbh4ct8afy7"}', '{"correlationId": "req_01m8bwdzdxehdt7bq86q3egta4"}', 'msg_01m8bwdzeeeg2bxzbh4ct8afy7', 'done', 1, '2026-11-26 12:14:06.798+00', NULL, NULL, '2026-11-26 12:14:06.798+00', '2026-11-26 12:14:07.583+00'),
	('job_01m8bwe0fvecsbhpd5f7gv2pdm', 'messaging.remind', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', '{"conversationId": "cnv_01m8bwe08xe6k8btp6da53bvn8"}', '{"causationId": "evt_01m8bwe0chexatsk9kb7pt1yt2", "correlationId": "req_01m8bwe0bgej19fvzdyybwkjaf"}', 'cnv_01m8bwe08xe6k8btp6da53bvn8', 'waiting', 0, '2026-11-26 12:24:07.761+00', NULL, NULL, '2026-11-26 12:14:07.867+00', NULL),
	('job_01m8bwe109e3vr4qaznag9v4ax', 'messaging.remind', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', '{"conversationId": "cnv_01m8bwe0v9e379tdbqych0j1k8"}', '{"causationId": "evt_01m8bwe0xvesbs0gnke3579e7g", "correlationId": "req_01m8bwe0xfesja4e03dfhppmec"}', 'cnv_01m8bwe0v9e379tdbqych0j1k8', 'waiting', 0, '2026-11-26 12:24:08.315+00', NULL, NULL, '2026-11-26 12:14:08.393+00', NULL),
	('job_01m8bwdhfhe5nrxnrfeespmkt3', 'comms.deliver', 'ten_01m8bwdh37enwbbm3zc8ajhjmd', '{"tenantId": "ten_01m8bwdh37enwbbm3zc8ajhjmd", "messageId": "msg_01m8bwdhfden399ke1t03mxmnx"}', '{"causationId": "evt_01m8bwdh64er589bq0r22gze3j", "correlationId": "req_01m8bwdgsje37v7wwynnfdp7z0"}', 'msg_01m8bwdhfden399ke1t03mxmnx', 'dead', 5, '2026-11-26 12:13:52.497+00', NULL, 'The printer is on fire', '2026-11-26 12:13:52.497+00', '2026-11-26 12:13:57.149+00'),
	('job_01m8bwdnhgebrvqy3adkd94a8k', 'comms.deliver', 'ten_01m8bwdmhnehy9ff7wc2cs4w16', '{"tenantId": "ten_01m8bwdmhnehy9ff7wc2cs4w16", "messageId": "msg_01m8bwdnfceya84a48t0bq6939"}', '{"causationId": "evt_01m8bwdmkbekr8yzvzt57nrv2k", "correlationId": "req_01m8bwdm7hex9vpe4fwnw0zd1b"}', 'msg_01m8bwdnfceya84a48t0bq6939', 'done', 1, '2026-11-26 12:13:56.656+00', NULL, NULL, '2026-11-26 12:13:56.656+00', '2026-11-26 12:13:57.773+00'),
	('job_01m8bwdpv8e1rvzpjzc5kc0tbq', 'identity.email_change', NULL, '{"changeId": "emc_01m8bwdpv8ekgs47ks4ek5h8f3"}', '{"correlationId": "req_01m8bwdphce4a96rceqfxpyy8q"}', 'emc_01m8bwdpv8ekgs47ks4ek5h8f3', 'done', 1, '2026-11-26 12:13:57.992+00', NULL, NULL, '2026-11-26 12:13:57.992+00', '2026-11-26 12:13:58.873+00'),
	('job_01m8bwdts4ehcbtvem7y7hww4v', 'content.publish', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', '{"pageId": "pag_01m8bwdts3ebwr47ry690gbt3h"}', '{"correlationId": "req_01m8bwdtrxe4gtqmce3kfe9bnq"}', 'pag_01m8bwdts3ebwr47ry690gbt3h', 'waiting', 0, '2099-01-01 00:00:00+00', NULL, NULL, '2026-11-26 12:14:02.02+00', NULL),
	('job_01m8bwdwn1ekt9hv3vaag7fzym', 'forms.request_confirmation', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', '{"id": "fnr_01m8bwdwmjery8mmfcgjkf79rv", "to": "team@example.test", "version": 1}', '{"correlationId": "req_01m8bwdv3xess80hmk0973rc7q"}', NULL, 'done', 1, '2026-11-26 12:14:03.937+00', NULL, NULL, '2026-11-26 12:14:03.937+00', '2026-11-26 12:14:04.113+00'),
	('job_01m8bwe56zeszt96kmrcxevn3q', 'collections.import', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', '{"importId": "imp_01m8bwe53re2ftkjpvzkz4dk30"}', '{"correlationId": "req_01m8bwe534enctdz09ggvbxcwh"}', NULL, 'done', 1, '2026-11-26 12:14:12.703+00', NULL, NULL, '2026-11-26 12:14:12.703+00', '2026-11-26 12:14:12.825+00'),
	('job_01m8bwe61netrtadbz5ty8e61g', 'collections.export', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', '{"exportId": "exp_01m8bwe61jer3re9h0a696e1j2"}', '{"correlationId": "req_01m8bwe5bgebwtpbe1w6b5aa4m"}', NULL, 'done', 1, '2026-11-26 12:14:13.557+00', NULL, NULL, '2026-11-26 12:14:13.557+00', '2026-11-26 12:14:13.634+00');
INSERT INTO public.larder_migrations VALUES
	('postgres', '0001-kernel', '2026-11-26 12:13:43.080586+00'),
	('postgres', '0002-events', '2026-11-26 12:13:43.118513+00'),
	('postgres', '0003-http', '2026-11-26 12:13:43.239319+00'),
	('postgres', '0004-applied-recipe', '2026-11-26 12:13:43.256808+00'),
	('postgres', '0005-provider-inbox', '2026-11-26 12:13:43.266801+00'),
	('postgres', '0006-secret-fingerprints', '2026-11-26 12:13:43.286002+00'),
	('postgres', '0007-events-by-age', '2026-11-26 12:13:43.294954+00'),
	('postgres', '0008-subscribed-channels', '2026-11-26 12:13:43.297797+00'),
	('billing', '0001-billing', '2026-11-26 12:13:43.312246+00'),
	('billing', '0002-row-storage', '2026-11-26 12:13:43.429798+00'),
	('comms', '0001-comms', '2026-11-26 12:13:43.458138+00'),
	('comms', '0002-template-overrides', '2026-11-26 12:13:43.510343+00'),
	('comms', '0003-recipient-counts', '2026-11-26 12:13:43.525301+00'),
	('comms', '0004-suppressed-counts', '2026-11-26 12:13:43.561837+00'),
	('identity', '0001-identity', '2026-11-26 12:13:43.585823+00'),
	('identity', '0002-invitations', '2026-11-26 12:13:43.812633+00'),
	('identity', '0003-password-resets', '2026-11-26 12:13:43.815725+00'),
	('identity', '0004-access-revisions', '2026-11-26 12:13:43.831335+00'),
	('identity', '0005-own-account', '2026-11-26 12:13:43.927387+00'),
	('identity', '0006-impersonation', '2026-11-26 12:13:43.944783+00'),
	('identity', '0007-api-key-owner', '2026-11-26 12:13:43.95406+00'),
	('identity', '0008-deleted-users', '2026-11-26 12:13:43.956392+00'),
	('content', '0001-content', '2026-11-26 12:13:43.959807+00'),
	('content', '0002-media', '2026-11-26 12:13:43.985425+00'),
	('media', '0001-media', '2026-11-26 12:13:44.062853+00'),
	('media', '0002-public-images', '2026-11-26 12:13:44.122344+00'),
	('media', '0003-folders', '2026-11-26 12:13:44.128115+00'),
	('forms', '0001-forms', '2026-11-26 12:13:44.148952+00'),
	('forms', '0002-recipients', '2026-11-26 12:13:44.218369+00'),
	('forms', '0003-submission-notes', '2026-11-26 12:13:44.246702+00'),
	('forms', '0004-submissions-of-user', '2026-11-26 12:13:44.249276+00'),
	('features', '0001-features', '2026-11-26 12:13:44.256779+00'),
	('features', '0002-history', '2026-11-26 12:13:44.338392+00'),
	('features', '0003-revisions-of-flag', '2026-11-26 12:13:44.375907+00'),
	('messaging', '0001-messaging', '2026-11-26 12:13:44.38905+00'),
	('messaging', '0002-inbox', '2026-11-26 12:13:44.456242+00'),
	('messaging', '0003-messages-of-sender', '2026-11-26 12:13:44.470719+00'),
	('webhooks', '0001-webhooks', '2026-11-26 12:13:44.480907+00'),
	('webhooks', '0002-endpoints', '2026-11-26 12:13:44.534333+00'),
	('webhooks', '0003-host-leases', '2026-11-26 12:13:44.593353+00'),
	('webhooks', '0004-attempt-log', '2026-11-26 12:13:44.619292+00'),
	('sessions', '0001-sessions', '2026-11-26 12:13:44.654531+00'),
	('streams', '0001-streams', '2026-11-26 12:13:44.738346+00'),
	('collections', '0001-collections', '2026-11-26 12:13:44.840189+00'),
	('collections', '0002-imports', '2026-11-26 12:13:44.877609+00'),
	('collections', '0003-exports', '2026-11-26 12:13:44.933228+00');
INSERT INTO public.larder_provider_events VALUES
	('billing', 'dev', 'evt_dev_01m8bwdkccehqrr4xd4dmtbf51', '{"change": {"type": "checkout", "planKey": "pro", "periodEnd": 1798287234444, "trialEndsAt": 1796904834444}, "customer": "cus_dev_01m8bwdkccentrrs9azzacqd34", "tenantId": "ten_01m8bwdhxkehmrtt7sxhvk8s8a", "subscription": "sub_dev_01m8bwdkccesz8zy38ec3p2r6z"}', '{ten_01m8bwdhxkehmrtt7sxhvk8s8a,cus_dev_01m8bwdkccentrrs9azzacqd34,sub_dev_01m8bwdkccesz8zy38ec3p2r6z}', '2026-11-26 12:13:54.444+00', '2026-11-26 12:13:54.506+00', 0, '2026-11-26 12:13:54.506+00', 'done');
INSERT INTO public.media_items VALUES
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'med_01m8bwdqyxet8r151g8ny5vpk0', 'engine.png', 'image/png', 95, NULL, 'ready', NULL, 1, NULL, '[{"name": "thumbnail", "size": 66, "width": 8, "height": 6, "mimeType": "image/webp"}, {"name": "preview", "size": 66, "width": 8, "height": 6, "mimeType": "image/webp"}]', 8, 6, NULL, NULL, '2026-11-26 12:43:59.133+00', 'usr_01m8bwdhxkewftmbcqdphd4h4f', '2026-11-26 12:13:59.133+00', '2026-11-26 12:14:00.75+00', true, 'Drawings/1843'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'med_01m8bwdsjfe28r60fmfa2p4f3t', 'never-sent.pdf', 'application/pdf', 9, NULL, 'pending', NULL, 0, NULL, '[]', NULL, NULL, NULL, NULL, '2026-11-26 12:44:00.783+00', 'usr_01m8bwdhxkewftmbcqdphd4h4f', '2026-11-26 12:14:00.783+00', '2026-11-26 12:14:00.783+00', false, '');
INSERT INTO public.messaging_conversations VALUES
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'cnv_01m8bwe08xe6k8btp6da53bvn8', 'Cards', 'open', NULL, 2, 4, 1, '2026-11-26 12:14:07.86+00', 'usr_01m8bwdhxkewftmbcqdphd4h4f', '2026-11-26 12:14:07.676+00', '2026-11-26 12:14:07.676+00', 'private', NULL),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'cnv_01m8bwe0v9e379tdbqych0j1k8', 'Help', 'open', NULL, 2, 3, 1, '2026-11-26 12:14:08.542+00', 'usr_01m8bwdhxkewftmbcqdphd4h4f', '2026-11-26 12:14:08.233+00', '2026-11-26 12:14:08.233+00', 'support', NULL);
INSERT INTO public.messaging_messages VALUES
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'msg_01m8bwe0caeh4t2sfsga47q0fm', 'cnv_01m8bwe08xe6k8btp6da53bvn8', 1, 2, 'usr_01m8bwdhxkewftmbcqdphd4h4f', 'first', 'ISMCcvJstRGFMEAs4djzh0K0tRn3QjjGcZd9maW7kGs', 'Are the cards punched?', '[]', '2026-11-26 12:14:07.754+00', NULL, NULL),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'msg_01m8bwe0fme2r9xcsdy2qc9yp0', 'cnv_01m8bwe08xe6k8btp6da53bvn8', 2, 4, 'usr_01m8bwdmhmej18xfm4vfj5ggxg', NULL, NULL, 'All of them', '[]', '2026-11-26 12:14:07.86+00', '2026-11-26 12:14:08.058+00', NULL),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'msg_01m8bwe0xve6as20frjyma3qv3', 'cnv_01m8bwe0v9e379tdbqych0j1k8', 1, 2, 'usr_01m8bwdhxkewftmbcqdphd4h4f', NULL, NULL, 'The mill is stuck', '[]', '2026-11-26 12:14:08.315+00', NULL, NULL),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'msg_01m8bwe14yek58yadjsjcs52aa', 'cnv_01m8bwe0v9e379tdbqych0j1k8', 2, 3, 'usr_01m8bwdhxkewftmbcqdphd4h4f', NULL, NULL, 'Oil it', '[]', '2026-11-26 12:14:08.542+00', NULL, NULL);
INSERT INTO public.messaging_participants VALUES
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'cnv_01m8bwe08xe6k8btp6da53bvn8', 'usr_01m8bwdmhmej18xfm4vfj5ggxg', 2, 0, '2026-11-26 12:14:07.676+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'cnv_01m8bwe08xe6k8btp6da53bvn8', 'usr_01m8bwdhxkewftmbcqdphd4h4f', 1, 0, '2026-11-26 12:14:07.676+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'cnv_01m8bwe0v9e379tdbqych0j1k8', 'usr_01m8bwdhxkewftmbcqdphd4h4f', 2, 0, '2026-11-26 12:14:08.233+00');
INSERT INTO public.messaging_saved_replies VALUES
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'srp_01m8bwe12je5f91vwcvzh1hjtr', 'Oil', 'Hello {name}, oil it.', 'oil', 1, 'usr_01m8bwdhxkewftmbcqdphd4h4f', '2026-11-26 12:14:08.466+00', '2026-11-26 12:14:08.466+00');
INSERT INTO public.sessions_sessions VALUES
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'ses_01m8bwe198em0aptd50fvpm736', 'TKJ-GGM-5KJ', '\x0e58eb3ea50d6262c601df2852f094e5697780c247a3dbd303da738fa5701df6', 'screenshare', 'balanced', true, NULL, 'cus_42', '{"ticket": "4711"}', 'http://127.0.0.1:36091/ok', '{session.created,session.accepted,session.ended,session.expired}', 'accepted', 2, '2026-11-26 12:14:08.68+00', '2026-11-26 13:14:08.68+00', '2026-11-26 12:14:08.897+00', NULL, NULL, NULL),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'ses_01m8bwe1kce9pav79q2m80gjed', 'BTH-R99-CNG', '\x8dfd11a9c8a2b53ecdc4c2f476e1fc9a91ad53839c0797f0571b08963321dbb0', 'screenshare', 'balanced', true, NULL, NULL, '{}', NULL, '{session.created,session.accepted,session.ended,session.expired}', 'ended', 2, '2026-11-26 12:14:09.004+00', '2026-11-26 13:14:09.004+00', NULL, NULL, '2026-11-26 12:14:09.104+00', 'owner'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'ses_01m8bwe2c2emxadxkm635f7tgb', 'PSK-6Y6-5XW', '\x3c75c45f56521f060868723173b9fc77e6bd7cda53c99f53a455c8eae68171e4', 'stream', 'balanced', true, NULL, NULL, '{}', NULL, '{session.created,session.accepted,session.ended,session.expired}', 'created', 3, '2026-11-26 12:14:09.794+00', '2026-11-27 00:14:09.794+00', NULL, NULL, NULL, NULL);
INSERT INTO public.streams_sources VALUES
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'ses_01m8bwe2c2emxadxkm635f7tgb', 'cam', 'camera', 'Stage', 1280, 720, 30, NULL, '{}', '2026-11-26 12:14:09.953+00', '2026-11-26 12:14:09.953+00');
INSERT INTO public.streams_streams VALUES
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'ses_01m8bwe2c2emxadxkm635f7tgb', 'Launch', NULL, 'public', '{product}', false, 'idle', NULL, NULL, '{"kind": "focus", "slots": [{"order": 0, "source_id": "cam"}], "metadata": {}, "focus_source_id": "cam"}', 1, false);
INSERT INTO public.streams_tokens VALUES
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'stk_01m8bwe2vce7tvbr7p0551b9s7', 'ses_01m8bwe2c2emxadxkm635f7tgb', '\x1f136b8e7c5acf4355846baf8a9269f82ed94224704c271c6a32242aa1ea1c5a', 'viewer', 'Guests', '2026-11-26 13:14:10.284+00', NULL, 0, '2026-11-26 12:14:10.284+00');
INSERT INTO public.webhooks_deliveries VALUES
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'msg_01m8bwdkp7e1dt706bvfftdn0s', 'evt_01m8bwdke9evxsh25m3t3pat7t', 'billing.credit.granted', NULL, NULL, 'http://127.0.0.1:36091/ok', '127.0.0.1:36091', '127.0.0.1:36091/ok', '{"key": "ai.credits", "kind": "grant", "amount": 1000, "balance": 1000, "entryId": "crd_01m8bwdke7e2fv9wgj79570ysm"}', '2026-11-26 12:13:54.505+00', 'delivered', NULL, 1, 0, NULL, 204, NULL, '2026-11-26 12:13:55.26+00', '2026-11-26 12:13:54.759+00', '2026-11-26 12:13:55.26+00', 'whe_01m8bwdk3feqp86tgxskgjn43m', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'crd_01m8bwdke7e2fv9wgj79570ysm', '[{"at": "2026-11-26T12:13:54.947Z", "error": null, "answer": "", "number": 1, "status": 204, "duration_ms": 313}]'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'msg_01m8bwdkp7e1db85ehp0987r0d', 'evt_01m8bwdkdae8v8gmz18mr5h5zc', 'billing.subscription.trial_started', NULL, NULL, 'http://127.0.0.1:36091/ok', '127.0.0.1:36091', '127.0.0.1:36091/ok', '{"state": "trialing", "planKey": "pro", "graceEndsAt": null, "trialEndsAt": "2026-12-10T12:13:54.444Z", "previousState": "free", "subscriptionId": "sub_01m8bwdj1keg6srbr74dn54xg3", "previousPlanKey": "free", "currentPeriodEnd": "2026-12-10T12:13:54.444Z"}', '2026-11-26 12:13:54.474+00', 'delivered', NULL, 1, 0, NULL, 204, NULL, '2026-11-26 12:13:55.284+00', '2026-11-26 12:13:54.759+00', '2026-11-26 12:13:55.284+00', 'whe_01m8bwdk3feqp86tgxskgjn43m', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'sub_01m8bwdj1keg6srbr74dn54xg3', '[{"at": "2026-11-26T12:13:54.906Z", "error": null, "answer": "", "number": 1, "status": 204, "duration_ms": 378}]'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'msg_01m8bwdnage2yve822gpf3p6sq', 'evt_01m8bwdn47exmrzpft9t9pd9vr', 'identity.invitation.created', NULL, NULL, 'http://127.0.0.1:36091/ok', '127.0.0.1:36091', '127.0.0.1:36091/ok', '{"email": "person-2-29413@example.test", "roles": ["tenant.user", "custom.editor"], "invitedBy": "usr_01m8bwdhxkewftmbcqdphd4h4f", "invitationId": "inv_01m8bwdn18emcbqzy4nxxmadsf"}', '2026-11-26 12:13:56.231+00', 'delivered', NULL, 1, 0, NULL, 204, NULL, '2026-11-26 12:13:56.847+00', '2026-11-26 12:13:56.432+00', '2026-11-26 12:13:56.847+00', 'whe_01m8bwdk3feqp86tgxskgjn43m', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'inv_01m8bwdn18emcbqzy4nxxmadsf', '[{"at": "2026-11-26T12:13:56.743Z", "error": null, "answer": "", "number": 1, "status": 204, "duration_ms": 104}]'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'msg_01m8bwdp1seans9h383sfwwxsr', 'evt_01m8bwdnm8e21sd3mv0n0h09mb', 'identity.member.joined', NULL, NULL, 'http://127.0.0.1:36091/ok', '127.0.0.1:36091', '127.0.0.1:36091/ok', '{"roles": ["tenant.user", "custom.editor"], "userId": "usr_01m8bwdmhmej18xfm4vfj5ggxg", "memberId": "mem_01m8bwdnm8eeh9w2dqtk6p2b96"}', '2026-11-26 12:13:56.744+00', 'delivered', NULL, 1, 0, NULL, 204, NULL, '2026-11-26 12:13:57.323+00', '2026-11-26 12:13:57.177+00', '2026-11-26 12:13:57.323+00', 'whe_01m8bwdk3feqp86tgxskgjn43m', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'mem_01m8bwdnm8eeh9w2dqtk6p2b96', '[{"at": "2026-11-26T12:13:57.306Z", "error": null, "answer": "", "number": 1, "status": 204, "duration_ms": 17}]'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'msg_01m8bwdp6ce75tsqw692dhn275', 'evt_01m8bwdp0xenntb4zyrpxgvyqb', 'identity.invitation.created', NULL, NULL, 'http://127.0.0.1:36091/ok', '127.0.0.1:36091', '127.0.0.1:36091/ok', '{"email": "guest@example.test", "roles": ["tenant.user"], "invitedBy": "usr_01m8bwdhxkewftmbcqdphd4h4f", "invitationId": "inv_01m8bwdnzreeca8523y4xyfkgx"}', '2026-11-26 12:13:57.149+00', 'delivered', NULL, 1, 0, NULL, 204, NULL, '2026-11-26 12:13:57.481+00', '2026-11-26 12:13:57.324+00', '2026-11-26 12:13:57.481+00', 'whe_01m8bwdk3feqp86tgxskgjn43m', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'inv_01m8bwdnzreeca8523y4xyfkgx', '[{"at": "2026-11-26T12:13:57.415Z", "error": null, "answer": "", "number": 1, "status": 204, "duration_ms": 66}]'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'msg_01m8bwdse6e8x8wkte605tch8b', 'evt_01m8bwdsdrekba4a3hrswgkt0v', 'media.item.ready', NULL, NULL, 'http://127.0.0.1:36091/ok', '127.0.0.1:36091', '127.0.0.1:36091/ok', '{"size": 95, "mediaId": "med_01m8bwdqyxet8r151g8ny5vpk0", "fileName": "engine.png", "mimeType": "image/png"}', '2026-11-26 12:14:00.632+00', 'delivered', NULL, 1, 0, NULL, 204, NULL, '2026-11-26 12:14:00.734+00', '2026-11-26 12:14:00.646+00', '2026-11-26 12:14:00.734+00', 'whe_01m8bwdk3feqp86tgxskgjn43m', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'med_01m8bwdqyxet8r151g8ny5vpk0', '[{"at": "2026-11-26T12:14:00.695Z", "error": null, "answer": "", "number": 1, "status": 204, "duration_ms": 39}]'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'msg_01m8bwdtcpe8zv1vawnw381jnj', 'evt_01m8bwdsrset5agpmpyates4b1', 'content.page.created', NULL, NULL, 'http://127.0.0.1:36091/ok', '127.0.0.1:36091', '127.0.0.1:36091/ok', '{"path": "/engine", "slug": "engine", "locale": "en", "pageId": "pag_01m8bwdsrrem98wnm1s20thvrz", "version": 1}', '2026-11-26 12:14:00.985+00', 'delivered', NULL, 1, 0, NULL, 204, NULL, '2026-11-26 12:14:01.718+00', '2026-11-26 12:14:01.622+00', '2026-11-26 12:14:01.718+00', 'whe_01m8bwdk3feqp86tgxskgjn43m', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'pag_01m8bwdsrrem98wnm1s20thvrz', '[{"at": "2026-11-26T12:14:01.655Z", "error": null, "answer": "", "number": 1, "status": 204, "duration_ms": 63}]'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'msg_01m8bwdthfe92t0rgmxfbkj6zw', 'evt_01m8bwdtcqeppvvw5b5xny5qbk', 'content.page.published', NULL, NULL, 'http://127.0.0.1:36091/ok', '127.0.0.1:36091', '127.0.0.1:36091/ok', '{"path": "/engine", "slug": "engine", "locale": "en", "pageId": "pag_01m8bwdsrrem98wnm1s20thvrz", "version": 1}', '2026-11-26 12:14:01.623+00', 'delivered', NULL, 1, 0, NULL, 204, NULL, '2026-11-26 12:14:01.914+00', '2026-11-26 12:14:01.774999+00', '2026-11-26 12:14:01.914+00', 'whe_01m8bwdk3feqp86tgxskgjn43m', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'pag_01m8bwdsrrem98wnm1s20thvrz', '[{"at": "2026-11-26T12:14:01.851Z", "error": null, "answer": "", "number": 1, "status": 204, "duration_ms": 63}]'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'msg_01m8bwdtmmen3sps3ew1c924mz', 'evt_01m8bwdtgvep1934hmp9xg962a', 'content.page.updated', NULL, NULL, 'http://127.0.0.1:36091/ok', '127.0.0.1:36091', '127.0.0.1:36091/ok', '{"path": "/engine", "slug": "engine", "locale": "en", "pageId": "pag_01m8bwdsrrem98wnm1s20thvrz", "version": 2}', '2026-11-26 12:14:01.755+00', 'delivered', NULL, 1, 0, NULL, 204, NULL, '2026-11-26 12:14:02.014+00', '2026-11-26 12:14:01.876+00', '2026-11-26 12:14:02.014+00', 'whe_01m8bwdk3feqp86tgxskgjn43m', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'pag_01m8bwdsrrem98wnm1s20thvrz', '[{"at": "2026-11-26T12:14:01.983Z", "error": null, "answer": "", "number": 1, "status": 204, "duration_ms": 31}]'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'msg_01m8bwdtvaeznbckb8rsmkp0je', 'evt_01m8bwdts3ek6rvnnv5xzphjda', 'content.page.created', NULL, NULL, 'http://127.0.0.1:36091/ok', '127.0.0.1:36091', '127.0.0.1:36091/ok', '{"path": "/later", "slug": "later", "locale": "en", "pageId": "pag_01m8bwdts3ebwr47ry690gbt3h", "version": 1}', '2026-11-26 12:14:02.019+00', 'delivered', NULL, 1, 0, NULL, 204, NULL, '2026-11-26 12:14:02.153+00', '2026-11-26 12:14:02.09+00', '2026-11-26 12:14:02.153+00', 'whe_01m8bwdk3feqp86tgxskgjn43m', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'pag_01m8bwdts3ebwr47ry690gbt3h', '[{"at": "2026-11-26T12:14:02.152Z", "error": null, "answer": "", "number": 1, "status": 204, "duration_ms": 1}]'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'msg_01m8bwdts6ek1ae1pfp23scxg9', 'evt_01m8bwdtnsemha1dh6ssy9fmcq', 'content.page.updated', NULL, NULL, 'http://127.0.0.1:36091/ok', '127.0.0.1:36091', '127.0.0.1:36091/ok', '{"path": "/engine", "slug": "engine", "locale": "en", "pageId": "pag_01m8bwdsrrem98wnm1s20thvrz", "version": 3}', '2026-11-26 12:14:01.913+00', 'delivered', NULL, 1, 0, NULL, 204, NULL, '2026-11-26 12:14:02.105+00', '2026-11-26 12:14:02.022+00', '2026-11-26 12:14:02.105+00', 'whe_01m8bwdk3feqp86tgxskgjn43m', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'pag_01m8bwdsrrem98wnm1s20thvrz', '[{"at": "2026-11-26T12:14:02.032Z", "error": null, "answer": "", "number": 1, "status": 204, "duration_ms": 73}]'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'msg_01m8bwdv57e1ysp6j3rzt5srwf', 'evt_01m8bwdv0he2hsyq7eevth82px', 'content.navigation.updated', NULL, NULL, 'http://127.0.0.1:36091/ok', '127.0.0.1:36091', '127.0.0.1:36091/ok', '{"key": "main"}', '2026-11-26 12:14:02.257+00', 'delivered', NULL, 1, 0, NULL, 204, NULL, '2026-11-26 12:14:02.448+00', '2026-11-26 12:14:02.407+00', '2026-11-26 12:14:02.448+00', 'whe_01m8bwdk3feqp86tgxskgjn43m', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'main', '[{"at": "2026-11-26T12:14:02.447Z", "error": null, "answer": "", "number": 1, "status": 204, "duration_ms": 1}]'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'msg_01m8bwdwrxeerr1qtv77emw359', 'evt_01m8bwdwkree5vpjkqf9g9e3jq', 'forms.form.created', NULL, NULL, 'http://127.0.0.1:36091/idle', '127.0.0.1:36091', '127.0.0.1:36091/idle', '{"key": null, "name": "Newsletter", "access": "public", "formId": "frm_01m8bwdwkqedt9qwev70grx0r3", "version": 1}', '2026-11-26 12:14:03.896+00', 'dead', 'paused', 0, 0, NULL, NULL, NULL, NULL, '2026-11-26 12:14:04.061+00', '2026-11-26 12:14:04.061+00', 'whe_01m8bwdk5wefn9jatg31eqtswm', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'frm_01m8bwdwkqedt9qwev70grx0r3', '[]'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'msg_01m8bwdwrxeera7hb7e2wjf43m', 'evt_01m8bwdwkree5vpjkqf9g9e3jq', 'forms.form.created', NULL, NULL, 'http://127.0.0.1:36091/ok', '127.0.0.1:36091', '127.0.0.1:36091/ok', '{"key": null, "name": "Newsletter", "access": "public", "formId": "frm_01m8bwdwkqedt9qwev70grx0r3", "version": 1}', '2026-11-26 12:14:03.896+00', 'delivered', NULL, 1, 0, NULL, 204, NULL, '2026-11-26 12:14:04.089+00', '2026-11-26 12:14:04.060999+00', '2026-11-26 12:14:04.089+00', 'whe_01m8bwdk3feqp86tgxskgjn43m', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'frm_01m8bwdwkqedt9qwev70grx0r3', '[{"at": "2026-11-26T12:14:04.087Z", "error": null, "answer": "", "number": 1, "status": 204, "duration_ms": 2}]'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'msg_01m8bwdwvxek5v725rmv6k0wjj', 'evt_01m8bwdwqhebbs8mwsxcv2s5p3', 'forms.form.updated', NULL, NULL, 'http://127.0.0.1:36091/idle', '127.0.0.1:36091', '127.0.0.1:36091/idle', '{"key": null, "name": "Weekly newsletter", "access": "public", "formId": "frm_01m8bwdwkqedt9qwev70grx0r3", "version": 2}', '2026-11-26 12:14:04.017+00', 'dead', 'paused', 0, 0, NULL, NULL, NULL, NULL, '2026-11-26 12:14:04.157+00', '2026-11-26 12:14:04.157+00', 'whe_01m8bwdk5wefn9jatg31eqtswm', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'frm_01m8bwdwkqedt9qwev70grx0r3', '[]'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'msg_01m8bwdwvxek5an1s0vmeb9rwf', 'evt_01m8bwdwqhebbs8mwsxcv2s5p3', 'forms.form.updated', NULL, NULL, 'http://127.0.0.1:36091/ok', '127.0.0.1:36091', '127.0.0.1:36091/ok', '{"key": null, "name": "Weekly newsletter", "access": "public", "formId": "frm_01m8bwdwkqedt9qwev70grx0r3", "version": 2}', '2026-11-26 12:14:04.017+00', 'delivered', NULL, 1, 0, NULL, 204, NULL, '2026-11-26 12:14:04.209+00', '2026-11-26 12:14:04.156999+00', '2026-11-26 12:14:04.209+00', 'whe_01m8bwdk3feqp86tgxskgjn43m', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'frm_01m8bwdwkqedt9qwev70grx0r3', '[{"at": "2026-11-26T12:14:04.207Z", "error": null, "answer": "", "number": 1, "status": 204, "duration_ms": 2}]'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'msg_01m8bwdx2yeqyrpp3v6fhjnmwx', 'evt_01m8bwdwzfebybvdmvph1q06wp', 'forms.submission.created', NULL, NULL, 'http://127.0.0.1:36091/ok', '127.0.0.1:36091', '127.0.0.1:36091/ok', '{"formId": "frm_01m8bwdwkqedt9qwev70grx0r3", "formVersion": 2, "submissionId": "sub_01m8bwdwwzee488y41b69mha6e"}', '2026-11-26 12:14:04.271+00', 'delivered', NULL, 1, 0, NULL, 204, NULL, '2026-11-26 12:14:04.448+00', '2026-11-26 12:14:04.381999+00', '2026-11-26 12:14:04.448+00', 'whe_01m8bwdk3feqp86tgxskgjn43m', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'sub_01m8bwdwwzee488y41b69mha6e', '[{"at": "2026-11-26T12:14:04.405Z", "error": null, "answer": "", "number": 1, "status": 204, "duration_ms": 43}]'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'msg_01m8bwe0ckehhaptnehyrf0axs', 'evt_01m8bwe0a1ezp8zxy5k0r92ta2', 'messaging.conversation.created', NULL, NULL, 'http://127.0.0.1:36091/ok', '127.0.0.1:36091', '127.0.0.1:36091/ok', '{"kind": "private", "conversationId": "cnv_01m8bwe08xe6k8btp6da53bvn8", "participantIds": ["usr_01m8bwdhxkewftmbcqdphd4h4f", "usr_01m8bwdmhmej18xfm4vfj5ggxg"]}', '2026-11-26 12:14:07.681+00', 'delivered', NULL, 1, 0, NULL, 204, NULL, '2026-11-26 12:14:07.792+00', '2026-11-26 12:14:07.763+00', '2026-11-26 12:14:07.792+00', 'whe_01m8bwdk3feqp86tgxskgjn43m', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'cnv_01m8bwe08xe6k8btp6da53bvn8', '[{"at": "2026-11-26T12:14:07.770Z", "error": null, "answer": "", "number": 1, "status": 204, "duration_ms": 22}]'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'msg_01m8bwe1kyerfsw7qarvmcwbrb', 'evt_01m8bwe1heeje8n794xczv50zy', 'session.accepted', 'ses_01m8bwe198em0aptd50fvpm736', 2, 'http://127.0.0.1:36091/ok', '127.0.0.1:36091', '127.0.0.1:36091/ok', '{"code": "TKJ-GGM-5KJ", "mode": "screenshare", "status": "accepted", "purpose": null, "customer": "cus_42", "metadata": {"ticket": "4711"}, "sequence": 2, "end_reason": null, "session_id": "ses_01m8bwe198em0aptd50fvpm736", "audio_enabled": true, "stream_profile": "balanced"}', '2026-11-26 12:14:08.942+00', 'delivered', NULL, 1, 0, NULL, 204, NULL, '2026-11-26 12:14:09.182+00', '2026-11-26 12:14:09.022+00', '2026-11-26 12:14:09.182+00', NULL, NULL, NULL, '[{"at": "2026-11-26T12:14:09.070Z", "error": null, "answer": "", "number": 1, "status": 204, "duration_ms": 112}]'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'msg_01m8bwe53dekk9r6hgtsbfjzzc', 'evt_01m8bwe51ye0qab4djbg3r518s', 'collections.courses.deleted', NULL, NULL, 'http://127.0.0.1:36091/ok', '127.0.0.1:36091', '127.0.0.1:36091/ok', '{"row": {"id": "course_01m8bwe3pye749p139b3yjgya6", "link": null, "slug": "deleted-course", "cover": null, "gross": null, "level": "beginner", "price": null, "seats": 14, "title": "Deleted course", "length": null, "rating": null, "contact": null, "outline": null, "summary": null, "teacher": null, "category": null, "firstDay": null, "revision": 1, "startsAt": null, "createdAt": "2026-11-26T12:14:11.166Z", "createdBy": "usr_01m8bwdhxkewftmbcqdphd4h4f", "published": false, "updatedAt": "2026-11-26T12:14:11.166Z"}}', '2026-11-26 12:14:12.542+00', 'delivered', NULL, 1, 0, NULL, 204, NULL, '2026-11-26 12:14:12.628+00', '2026-11-26 12:14:12.589+00', '2026-11-26 12:14:12.628+00', 'whe_01m8bwdk3feqp86tgxskgjn43m', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'course_01m8bwe3pye749p139b3yjgya6', '[{"at": "2026-11-26T12:14:12.618Z", "error": null, "answer": "", "number": 1, "status": 204, "duration_ms": 10}]'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'msg_01m8bwdv4ne5m8dq5ztbp5ggvx', 'evt_01m8bwdtx7edpa83t0mxrwc610', 'content.redirect.created', NULL, NULL, 'http://127.0.0.1:36091/ok', '127.0.0.1:36091', '127.0.0.1:36091/ok', '{"to": "/engine", "from": "/old", "status": 301, "redirectId": "red_01m8bwdtvqevearngfnd1092dm"}', '2026-11-26 12:14:02.151+00', 'delivered', NULL, 1, 0, NULL, 204, NULL, '2026-11-26 12:14:02.408+00', '2026-11-26 12:14:02.389+00', '2026-11-26 12:14:02.408+00', 'whe_01m8bwdk3feqp86tgxskgjn43m', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'red_01m8bwdtvqevearngfnd1092dm', '[{"at": "2026-11-26T12:14:02.406Z", "error": null, "answer": "", "number": 1, "status": 204, "duration_ms": 2}]'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'msg_01m8bwdz5re319pmpnce3bcg18', 'evt_01m8bwdz0we9mbarcc43fjc7j2', 'features.override.set', NULL, NULL, 'http://127.0.0.1:36091/ok', '127.0.0.1:36091', '127.0.0.1:36091/ok', '{"key": "new-editor"}', '2026-11-26 12:14:06.364+00', 'delivered', NULL, 1, 0, NULL, 204, NULL, '2026-11-26 12:14:06.604+00', '2026-11-26 12:14:06.52+00', '2026-11-26 12:14:06.604+00', 'whe_01m8bwdk3feqp86tgxskgjn43m', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'new-editor', '[{"at": "2026-11-26T12:14:06.558Z", "error": null, "answer": "", "number": 1, "status": 204, "duration_ms": 46}]'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'msg_01m8bwe1pfehs96b1rxn7f57gp', 'evt_01m8bwe1kcejft4wwpnfsdt2vv', 'sessions.session.created', NULL, NULL, 'http://127.0.0.1:36091/ok', '127.0.0.1:36091', '127.0.0.1:36091/ok', '{"code": "BTH-R99-CNG", "mode": "screenshare", "status": "created", "purpose": null, "customer": null, "metadata": {}, "sequence": 1, "end_reason": null, "session_id": "ses_01m8bwe1kce9pav79q2m80gjed", "audio_enabled": true, "stream_profile": "balanced"}', '2026-11-26 12:14:09.004+00', 'delivered', NULL, 1, 0, NULL, 204, NULL, '2026-11-26 12:14:09.593+00', '2026-11-26 12:14:09.103+00', '2026-11-26 12:14:09.593+00', 'whe_01m8bwdk3feqp86tgxskgjn43m', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'ses_01m8bwe1kce9pav79q2m80gjed', '[{"at": "2026-11-26T12:14:09.446Z", "error": null, "answer": "", "number": 1, "status": 204, "duration_ms": 147}]'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'msg_01m8bwdx2yeqzbm91tsj82wwzf', 'evt_01m8bwdwzfebybvdmvph1q06wp', 'forms.submission.created', NULL, NULL, 'http://127.0.0.1:36091/idle', '127.0.0.1:36091', '127.0.0.1:36091/idle', '{"formId": "frm_01m8bwdwkqedt9qwev70grx0r3", "formVersion": 2, "submissionId": "sub_01m8bwdwwzee488y41b69mha6e"}', '2026-11-26 12:14:04.271+00', 'dead', 'paused', 0, 0, NULL, NULL, NULL, NULL, '2026-11-26 12:14:04.382+00', '2026-11-26 12:14:04.382+00', 'whe_01m8bwdk5wefn9jatg31eqtswm', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'sub_01m8bwdwwzee488y41b69mha6e', '[]'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'msg_01m8bwdx5qe3nt7w41srpw1asj', 'evt_01m8bwdx2xe1c8debgze50ajhb', 'forms.submission.created', NULL, NULL, 'http://127.0.0.1:36091/idle', '127.0.0.1:36091', '127.0.0.1:36091/idle', '{"formId": "frm_01m8bwdwkqedt9qwev70grx0r3", "formVersion": 2, "submissionId": "sub_01m8bwdx2qen9835he4d11vk86"}', '2026-11-26 12:14:04.381+00', 'dead', 'paused', 0, 0, NULL, NULL, NULL, NULL, '2026-11-26 12:14:04.471+00', '2026-11-26 12:14:04.471+00', 'whe_01m8bwdk5wefn9jatg31eqtswm', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'sub_01m8bwdx2qen9835he4d11vk86', '[]'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'msg_01m8bwdx5qe3n88wcrth0qdjcy', 'evt_01m8bwdx2xe1c8debgze50ajhb', 'forms.submission.created', NULL, NULL, 'http://127.0.0.1:36091/ok', '127.0.0.1:36091', '127.0.0.1:36091/ok', '{"formId": "frm_01m8bwdwkqedt9qwev70grx0r3", "formVersion": 2, "submissionId": "sub_01m8bwdx2qen9835he4d11vk86"}', '2026-11-26 12:14:04.381+00', 'delivered', NULL, 1, 0, NULL, 204, NULL, '2026-11-26 12:14:05.582+00', '2026-11-26 12:14:04.470999+00', '2026-11-26 12:14:05.582+00', 'whe_01m8bwdk3feqp86tgxskgjn43m', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'sub_01m8bwdx2qen9835he4d11vk86', '[{"at": "2026-11-26T12:14:04.554Z", "error": null, "answer": "", "number": 1, "status": 204, "duration_ms": 1028}]'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'msg_01m8bwe2p3eq0vk3kzajfvjt83', 'evt_01m8bwe2hsesvtgyhp8my6ww8v', 'streams.stream.sources_updated', NULL, NULL, 'http://127.0.0.1:36091/ok', '127.0.0.1:36091', '127.0.0.1:36091/ok', '{"code": "PSK-6Y6-5XW", "mode": "stream", "status": "created", "purpose": null, "customer": null, "metadata": {}, "sequence": 2, "end_reason": null, "session_id": "ses_01m8bwe2c2emxadxkm635f7tgb", "audio_enabled": true, "stream_profile": "balanced"}', '2026-11-26 12:14:09.977+00', 'delivered', NULL, 1, 0, NULL, 204, NULL, '2026-11-26 12:14:10.255+00', '2026-11-26 12:14:10.115+00', '2026-11-26 12:14:10.255+00', 'whe_01m8bwdk3feqp86tgxskgjn43m', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'ses_01m8bwe2c2emxadxkm635f7tgb', '[{"at": "2026-11-26T12:14:10.212Z", "error": null, "answer": "", "number": 1, "status": 204, "duration_ms": 43}]'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'msg_01m8bwdyb3e21bpyd9t9grkmtq', 'evt_01m8bwdx51estrnjse8d6fbafv', 'forms.submission.created', NULL, NULL, 'http://127.0.0.1:36091/idle', '127.0.0.1:36091', '127.0.0.1:36091/idle', '{"formId": "frm_01m8bwdwkqedt9qwev70grx0r3", "formVersion": 2, "submissionId": "sub_01m8bwdx4hech89s57k8vjx5p3"}', '2026-11-26 12:14:04.449+00', 'dead', 'paused', 0, 0, NULL, NULL, NULL, NULL, '2026-11-26 12:14:05.667+00', '2026-11-26 12:14:05.667+00', 'whe_01m8bwdk5wefn9jatg31eqtswm', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'sub_01m8bwdx4hech89s57k8vjx5p3', '[]'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'msg_01m8bwdyb3e20tb7x9rxfej5hw', 'evt_01m8bwdx51estrnjse8d6fbafv', 'forms.submission.created', NULL, NULL, 'http://127.0.0.1:36091/ok', '127.0.0.1:36091', '127.0.0.1:36091/ok', '{"formId": "frm_01m8bwdwkqedt9qwev70grx0r3", "formVersion": 2, "submissionId": "sub_01m8bwdx4hech89s57k8vjx5p3"}', '2026-11-26 12:14:04.449+00', 'delivered', NULL, 1, 0, NULL, 204, NULL, '2026-11-26 12:14:05.959+00', '2026-11-26 12:14:05.666999+00', '2026-11-26 12:14:05.959+00', 'whe_01m8bwdk3feqp86tgxskgjn43m', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'sub_01m8bwdx4hech89s57k8vjx5p3', '[{"at": "2026-11-26T12:14:05.772Z", "error": null, "answer": "", "number": 1, "status": 204, "duration_ms": 187}]'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'msg_01m8bwdyyge8x8tx4kgxbpr94g', 'evt_01m8bwdypwebh9yw634m930k9p', 'features.feature.created', NULL, NULL, 'http://127.0.0.1:36091/ok', '127.0.0.1:36091', '127.0.0.1:36091/ok', '{"key": "dark-mode", "enabled": true, "featureId": "ftr_01m8bwdypve4j896h3yfd3zekn", "managedBy": null}', '2026-11-26 12:14:06.044+00', 'delivered', NULL, 1, 0, NULL, 204, NULL, '2026-11-26 12:14:06.355+00', '2026-11-26 12:14:06.288+00', '2026-11-26 12:14:06.355+00', 'whe_01m8bwdk3feqp86tgxskgjn43m', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'ftr_01m8bwdypve4j896h3yfd3zekn', '[{"at": "2026-11-26T12:14:06.340Z", "error": null, "answer": "", "number": 1, "status": 204, "duration_ms": 15}]'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'msg_01m8bwdz0ke8e9p6x6z0m5565s', 'evt_01m8bwdywrenwaqnpgnq1ncne3', 'features.feature.updated', NULL, NULL, 'http://127.0.0.1:36091/ok', '127.0.0.1:36091', '127.0.0.1:36091/ok', '{"key": "dark-mode", "enabled": true, "featureId": "ftr_01m8bwdypve4j896h3yfd3zekn", "managedBy": null}', '2026-11-26 12:14:06.232+00', 'delivered', NULL, 1, 0, NULL, 204, NULL, '2026-11-26 12:14:06.51+00', '2026-11-26 12:14:06.355+00', '2026-11-26 12:14:06.51+00', 'whe_01m8bwdk3feqp86tgxskgjn43m', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'ftr_01m8bwdypve4j896h3yfd3zekn', '[{"at": "2026-11-26T12:14:06.379Z", "error": null, "answer": "", "number": 1, "status": 204, "duration_ms": 131}]'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'msg_01m8bwdthfe938909kpzmatrvg', 'evt_01m8bwdtcqeppvvw5b5xny5qbk', 'content.page.published', NULL, NULL, 'http://127.0.0.1:36091/down', '127.0.0.1:36091', '127.0.0.1:36091/down', '{"path": "/engine", "slug": "engine", "locale": "en", "pageId": "pag_01m8bwdsrrem98wnm1s20thvrz", "version": 1}', '2026-11-26 12:14:01.623+00', 'pending', NULL, 2, 2, '2026-11-26 12:18:48.347+00', 500, NULL, NULL, '2026-11-26 12:14:01.775+00', '2026-11-26 12:14:06.556+00', 'whe_01m8bwdk4fes8818hbpvmqpm4v', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'pag_01m8bwdsrrem98wnm1s20thvrz', '[{"at": "2026-11-26T12:14:01.851Z", "error": null, "answer": "", "number": 1, "status": 500, "duration_ms": 86}, {"at": "2026-11-26T12:14:06.518Z", "error": null, "answer": "", "number": 2, "status": 500, "duration_ms": 38}]'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'msg_01m8bwe0hqe8s9zm6h4havka6a', 'evt_01m8bwe0chexatsk9kb7pt1yt2', 'messaging.message.created', NULL, NULL, 'http://127.0.0.1:36091/ok', '127.0.0.1:36091', '127.0.0.1:36091/ok', '{"senderId": "usr_01m8bwdhxkewftmbcqdphd4h4f", "messageId": "msg_01m8bwe0caeh4t2sfsga47q0fm", "conversationId": "cnv_01m8bwe08xe6k8btp6da53bvn8"}', '2026-11-26 12:14:07.761+00', 'delivered', NULL, 1, 0, NULL, 204, NULL, '2026-11-26 12:14:08.083+00', '2026-11-26 12:14:07.927+00', '2026-11-26 12:14:08.083+00', 'whe_01m8bwdk3feqp86tgxskgjn43m', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'msg_01m8bwe0caeh4t2sfsga47q0fm', '[{"at": "2026-11-26T12:14:08.044Z", "error": null, "answer": "", "number": 1, "status": 204, "duration_ms": 39}]'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'msg_01m8bwe0p4e1x9cg2yphv6agf7', 'evt_01m8bwe0fmex9ssk2790n6vgyc', 'messaging.message.created', NULL, NULL, 'http://127.0.0.1:36091/ok', '127.0.0.1:36091', '127.0.0.1:36091/ok', '{"senderId": "usr_01m8bwdmhmej18xfm4vfj5ggxg", "messageId": "msg_01m8bwe0fme2r9xcsdy2qc9yp0", "conversationId": "cnv_01m8bwe08xe6k8btp6da53bvn8"}', '2026-11-26 12:14:07.86+00', 'delivered', NULL, 1, 0, NULL, 204, NULL, '2026-11-26 12:14:08.189+00', '2026-11-26 12:14:08.068+00', '2026-11-26 12:14:08.189+00', 'whe_01m8bwdk3feqp86tgxskgjn43m', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'msg_01m8bwe0fme2r9xcsdy2qc9yp0', '[{"at": "2026-11-26T12:14:08.155Z", "error": null, "answer": "", "number": 1, "status": 204, "duration_ms": 34}]'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'msg_01m8bwe0t7etf854wtmbq465r9', 'evt_01m8bwe0nwed2vzh28ms4vheqn', 'messaging.message.updated', NULL, NULL, 'http://127.0.0.1:36091/ok', '127.0.0.1:36091', '127.0.0.1:36091/ok', '{"senderId": "usr_01m8bwdmhmej18xfm4vfj5ggxg", "messageId": "msg_01m8bwe0fme2r9xcsdy2qc9yp0", "conversationId": "cnv_01m8bwe08xe6k8btp6da53bvn8"}', '2026-11-26 12:14:08.06+00', 'delivered', NULL, 1, 0, NULL, 204, NULL, '2026-11-26 12:14:08.24+00', '2026-11-26 12:14:08.199+00', '2026-11-26 12:14:08.24+00', 'whe_01m8bwdk3feqp86tgxskgjn43m', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'msg_01m8bwe0fme2r9xcsdy2qc9yp0', '[{"at": "2026-11-26T12:14:08.239Z", "error": null, "answer": "", "number": 1, "status": 204, "duration_ms": 1}]'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'msg_01m8bwe0xteabs5bfthgppdym4', 'evt_01m8bwe0vee5gb9nchh2snrqss', 'messaging.conversation.created', NULL, NULL, 'http://127.0.0.1:36091/ok', '127.0.0.1:36091', '127.0.0.1:36091/ok', '{"kind": "support", "conversationId": "cnv_01m8bwe0v9e379tdbqych0j1k8", "participantIds": ["usr_01m8bwdhxkewftmbcqdphd4h4f"]}', '2026-11-26 12:14:08.238+00', 'delivered', NULL, 1, 0, NULL, 204, NULL, '2026-11-26 12:14:08.441+00', '2026-11-26 12:14:08.314+00', '2026-11-26 12:14:08.441+00', 'whe_01m8bwdk3feqp86tgxskgjn43m', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'cnv_01m8bwe0v9e379tdbqych0j1k8', '[{"at": "2026-11-26T12:14:08.367Z", "error": null, "answer": "", "number": 1, "status": 204, "duration_ms": 74}]'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'msg_01m8bwe11rewk85y6fmz8ssasd', 'evt_01m8bwe0xvesbs0gnke3579e7g', 'messaging.message.created', NULL, NULL, 'http://127.0.0.1:36091/ok', '127.0.0.1:36091', '127.0.0.1:36091/ok', '{"senderId": "usr_01m8bwdhxkewftmbcqdphd4h4f", "messageId": "msg_01m8bwe0xve6as20frjyma3qv3", "conversationId": "cnv_01m8bwe0v9e379tdbqych0j1k8"}', '2026-11-26 12:14:08.315+00', 'delivered', NULL, 1, 0, NULL, 204, NULL, '2026-11-26 12:14:08.527+00', '2026-11-26 12:14:08.44+00', '2026-11-26 12:14:08.527+00', 'whe_01m8bwdk3feqp86tgxskgjn43m', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'msg_01m8bwe0xve6as20frjyma3qv3', '[{"at": "2026-11-26T12:14:08.495Z", "error": null, "answer": "", "number": 1, "status": 204, "duration_ms": 32}]'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'msg_01m8bwe1g6er9v81rymm9vehwq', 'evt_01m8bwe1c7ez4ac0ngvme41zka', 'session.created', 'ses_01m8bwe198em0aptd50fvpm736', 1, 'http://127.0.0.1:36091/ok', '127.0.0.1:36091', '127.0.0.1:36091/ok', '{"code": "TKJ-GGM-5KJ", "mode": "screenshare", "status": "created", "purpose": null, "customer": "cus_42", "metadata": {"ticket": "4711"}, "sequence": 1, "end_reason": null, "session_id": "ses_01m8bwe198em0aptd50fvpm736", "audio_enabled": true, "stream_profile": "balanced"}', '2026-11-26 12:14:08.775+00', 'delivered', NULL, 1, 0, NULL, 204, NULL, '2026-11-26 12:14:09.068+00', '2026-11-26 12:14:08.902+00', '2026-11-26 12:14:09.068+00', NULL, NULL, NULL, '[{"at": "2026-11-26T12:14:08.983Z", "error": null, "answer": "", "number": 1, "status": 204, "duration_ms": 85}]'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'msg_01m8bwe1hfe66tht81ys0adeqm', 'evt_01m8bwe1c7ez4ac0ngvme41zka', 'sessions.session.created', NULL, NULL, 'http://127.0.0.1:36091/ok', '127.0.0.1:36091', '127.0.0.1:36091/ok', '{"code": "TKJ-GGM-5KJ", "mode": "screenshare", "status": "created", "purpose": null, "customer": "cus_42", "metadata": {"ticket": "4711"}, "sequence": 1, "end_reason": null, "session_id": "ses_01m8bwe198em0aptd50fvpm736", "audio_enabled": true, "stream_profile": "balanced"}', '2026-11-26 12:14:08.775+00', 'delivered', NULL, 1, 0, NULL, 204, NULL, '2026-11-26 12:14:09.029+00', '2026-11-26 12:14:08.943+00', '2026-11-26 12:14:09.029+00', 'whe_01m8bwdk3feqp86tgxskgjn43m', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'ses_01m8bwe198em0aptd50fvpm736', '[{"at": "2026-11-26T12:14:08.988Z", "error": null, "answer": "", "number": 1, "status": 204, "duration_ms": 41}]'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'msg_01m8bwe1ece95vyw1yv3b391ds', 'evt_01m8bwe14zewks4kgw79bef2ag', 'messaging.message.created', NULL, NULL, 'http://127.0.0.1:36091/ok', '127.0.0.1:36091', '127.0.0.1:36091/ok', '{"senderId": "usr_01m8bwdhxkewftmbcqdphd4h4f", "messageId": "msg_01m8bwe14yek58yadjsjcs52aa", "conversationId": "cnv_01m8bwe0v9e379tdbqych0j1k8"}', '2026-11-26 12:14:08.543+00', 'delivered', NULL, 1, 0, NULL, 204, NULL, '2026-11-26 12:14:08.955+00', '2026-11-26 12:14:08.844+00', '2026-11-26 12:14:08.955+00', 'whe_01m8bwdk3feqp86tgxskgjn43m', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'msg_01m8bwe14yek58yadjsjcs52aa', '[{"at": "2026-11-26T12:14:08.896Z", "error": null, "answer": "", "number": 1, "status": 204, "duration_ms": 59}]'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'msg_01m8bwe2bjefc9wxeffycfvq26', 'evt_01m8bwe1z3eqbs98220d6paqb5', 'sessions.session.ended', NULL, NULL, 'http://127.0.0.1:36091/ok', '127.0.0.1:36091', '127.0.0.1:36091/ok', '{"code": "BTH-R99-CNG", "mode": "screenshare", "status": "ended", "purpose": null, "customer": null, "metadata": {}, "sequence": 2, "end_reason": "owner", "session_id": "ses_01m8bwe1kce9pav79q2m80gjed", "audio_enabled": true, "stream_profile": "balanced"}', '2026-11-26 12:14:09.379+00', 'delivered', NULL, 1, 0, NULL, 204, NULL, '2026-11-26 12:14:09.923+00', '2026-11-26 12:14:09.778+00', '2026-11-26 12:14:09.923+00', 'whe_01m8bwdk3feqp86tgxskgjn43m', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'ses_01m8bwe1kce9pav79q2m80gjed', '[{"at": "2026-11-26T12:14:09.825Z", "error": null, "answer": "", "number": 1, "status": 204, "duration_ms": 98}]'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'msg_01m8bwe3n8e20r8vy8vjcgzyps', 'evt_01m8bwe3k7e76sv8c6hgpvfctj', 'collections.courses.updated', NULL, NULL, 'http://127.0.0.1:36091/ok', '127.0.0.1:36091', '127.0.0.1:36091/ok', '{"row": {"id": "course_01m8bwe38qeyjbpv660hhxz0tr", "link": "https://example.com/", "slug": "weaving-numbers", "cover": "med_01m8bwdqyxet8r151g8ny5vpk0", "gross": 5831, "level": "advanced", "price": 4900, "seats": 14, "title": "Weaving numbers", "length": "90m", "rating": 4.5, "contact": "ada@example.test", "outline": ["Cards", "Mill"], "summary": "From *cards* to tables", "teacher": "mem_01m8bwdnm8eeh9w2dqtk6p2b96", "category": "category_0sav37bmfz56c2333z4etfjt83", "firstDay": "2027-01-11", "revision": 2, "startsAt": "2027-01-11T18:00:00.000Z", "createdAt": "2026-11-26T12:14:10.711Z", "createdBy": "usr_01m8bwdhxkewftmbcqdphd4h4f", "published": true, "updatedAt": "2026-11-26T12:14:11.002Z"}, "changed": ["seats"]}', '2026-11-26 12:14:11.047+00', 'delivered', NULL, 1, 0, NULL, 204, NULL, '2026-11-26 12:14:11.151+00', '2026-11-26 12:14:11.112+00', '2026-11-26 12:14:11.151+00', 'whe_01m8bwdk3feqp86tgxskgjn43m', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'course_01m8bwe38qeyjbpv660hhxz0tr', '[{"at": "2026-11-26T12:14:11.131Z", "error": null, "answer": "", "number": 1, "status": 204, "duration_ms": 20}]'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'msg_01m8bwe50he5q8s1gz2cnvz4f5', 'evt_01m8bwe3qaejb81a0wmndt8cp2', 'collections.courses.created', NULL, NULL, 'http://127.0.0.1:36091/ok', '127.0.0.1:36091', '127.0.0.1:36091/ok', '{"row": {"id": "course_01m8bwe3pye749p139b3yjgya6", "link": null, "slug": "deleted-course", "cover": null, "gross": null, "level": "beginner", "price": null, "seats": 14, "title": "Deleted course", "length": null, "rating": null, "contact": null, "outline": null, "summary": null, "teacher": null, "category": null, "firstDay": null, "revision": 1, "startsAt": null, "createdAt": "2026-11-26T12:14:11.166Z", "createdBy": "usr_01m8bwdhxkewftmbcqdphd4h4f", "published": false, "updatedAt": "2026-11-26T12:14:11.166Z"}}', '2026-11-26 12:14:11.178+00', 'delivered', NULL, 1, 0, NULL, 204, NULL, '2026-11-26 12:14:12.567+00', '2026-11-26 12:14:12.497+00', '2026-11-26 12:14:12.567+00', 'whe_01m8bwdk3feqp86tgxskgjn43m', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'course_01m8bwe3pye749p139b3yjgya6', '[{"at": "2026-11-26T12:14:12.547Z", "error": null, "answer": "", "number": 1, "status": 204, "duration_ms": 20}]'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'msg_01m8bwe1mce1wrcp1t70q3b7as', 'evt_01m8bwe1heeje8n794xczv50zy', 'sessions.session.accepted', NULL, NULL, 'http://127.0.0.1:36091/ok', '127.0.0.1:36091', '127.0.0.1:36091/ok', '{"code": "TKJ-GGM-5KJ", "mode": "screenshare", "status": "accepted", "purpose": null, "customer": "cus_42", "metadata": {"ticket": "4711"}, "sequence": 2, "end_reason": null, "session_id": "ses_01m8bwe198em0aptd50fvpm736", "audio_enabled": true, "stream_profile": "balanced"}', '2026-11-26 12:14:08.942+00', 'delivered', NULL, 1, 0, NULL, 204, NULL, '2026-11-26 12:14:09.184+00', '2026-11-26 12:14:09.036+00', '2026-11-26 12:14:09.184+00', 'whe_01m8bwdk3feqp86tgxskgjn43m', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'ses_01m8bwe198em0aptd50fvpm736', '[{"at": "2026-11-26T12:14:09.070Z", "error": null, "answer": "", "number": 1, "status": 204, "duration_ms": 114}]'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'msg_01m8bwe2h0e1cvhke0prmb76e3', 'evt_01m8bwe2c2ebm96g2dcvmmytr5', 'sessions.session.created', NULL, NULL, 'http://127.0.0.1:36091/ok', '127.0.0.1:36091', '127.0.0.1:36091/ok', '{"code": "PSK-6Y6-5XW", "mode": "stream", "status": "created", "purpose": null, "customer": null, "metadata": {}, "sequence": 1, "end_reason": null, "session_id": "ses_01m8bwe2c2emxadxkm635f7tgb", "audio_enabled": true, "stream_profile": "balanced"}', '2026-11-26 12:14:09.794+00', 'delivered', NULL, 1, 0, NULL, 204, NULL, '2026-11-26 12:14:10.115+00', '2026-11-26 12:14:09.952+00', '2026-11-26 12:14:10.115+00', 'whe_01m8bwdk3feqp86tgxskgjn43m', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'ses_01m8bwe2c2emxadxkm635f7tgb', '[{"at": "2026-11-26T12:14:10.004Z", "error": null, "answer": "", "number": 1, "status": 204, "duration_ms": 111}]'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'msg_01m8bwe2sverj9avkxdkra94qy', 'evt_01m8bwe2rjegdagfg6nk1eawgc', 'streams.stream.layout_updated', NULL, NULL, 'http://127.0.0.1:36091/ok', '127.0.0.1:36091', '127.0.0.1:36091/ok', '{"code": "PSK-6Y6-5XW", "mode": "stream", "status": "created", "purpose": null, "customer": null, "metadata": {}, "sequence": 3, "end_reason": null, "session_id": "ses_01m8bwe2c2emxadxkm635f7tgb", "audio_enabled": true, "stream_profile": "balanced"}', '2026-11-26 12:14:10.194+00', 'delivered', NULL, 1, 0, NULL, 204, NULL, '2026-11-26 12:14:10.311+00', '2026-11-26 12:14:10.235+00', '2026-11-26 12:14:10.311+00', 'whe_01m8bwdk3feqp86tgxskgjn43m', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'ses_01m8bwe2c2emxadxkm635f7tgb', '[{"at": "2026-11-26T12:14:10.263Z", "error": null, "answer": "", "number": 1, "status": 204, "duration_ms": 48}]'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'msg_01m8bwe3jae8n8kjw8qyvth0y5', 'evt_01m8bwe3f8enj8949e1h2qfgbw', 'collections.courses.created', NULL, NULL, 'http://127.0.0.1:36091/ok', '127.0.0.1:36091', '127.0.0.1:36091/ok', '{"row": {"id": "course_01m8bwe38qeyjbpv660hhxz0tr", "link": "https://example.com/", "slug": "weaving-numbers", "cover": "med_01m8bwdqyxet8r151g8ny5vpk0", "gross": 5831, "level": "advanced", "price": 4900, "seats": 12, "title": "Weaving numbers", "length": "90m", "rating": 4.5, "contact": "ada@example.test", "outline": ["Cards", "Mill"], "summary": "From *cards* to tables", "teacher": "mem_01m8bwdnm8eeh9w2dqtk6p2b96", "category": "category_0sav37bmfz56c2333z4etfjt83", "firstDay": "2027-01-11", "revision": 1, "startsAt": "2027-01-11T18:00:00.000Z", "createdAt": "2026-11-26T12:14:10.711Z", "createdBy": "usr_01m8bwdhxkewftmbcqdphd4h4f", "published": true, "updatedAt": "2026-11-26T12:14:10.711Z"}}', '2026-11-26 12:14:10.92+00', 'delivered', NULL, 1, 0, NULL, 204, NULL, '2026-11-26 12:14:11.112+00', '2026-11-26 12:14:11.018+00', '2026-11-26 12:14:11.112+00', 'whe_01m8bwdk3feqp86tgxskgjn43m', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'course_01m8bwe38qeyjbpv660hhxz0tr', '[{"at": "2026-11-26T12:14:11.094Z", "error": null, "answer": "", "number": 1, "status": 204, "duration_ms": 18}]'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'msg_01m8bwe3ptevg942wd0gpx21b7', 'evt_01m8bwe3njejfbt1qhyrhz1f4j', 'collections.courses.created', NULL, NULL, 'http://127.0.0.1:36091/ok', '127.0.0.1:36091', '127.0.0.1:36091/ok', '{"row": {"id": "course_01m8bwe3mve4kan7q7xr2frq6h", "link": null, "slug": "difference-engines", "cover": null, "gross": null, "level": "beginner", "price": null, "seats": 18, "title": "Difference engines", "length": null, "rating": null, "contact": null, "outline": null, "summary": null, "teacher": null, "category": null, "firstDay": null, "revision": 1, "startsAt": null, "createdAt": "2026-11-26T12:14:11.099Z", "createdBy": "usr_01m8bwdhxkewftmbcqdphd4h4f", "published": false, "updatedAt": "2026-11-26T12:14:11.099Z"}}', '2026-11-26 12:14:11.122+00', 'delivered', NULL, 1, 0, NULL, 204, NULL, '2026-11-26 12:14:12.471+00', '2026-11-26 12:14:11.162+00', '2026-11-26 12:14:12.471+00', 'whe_01m8bwdk3feqp86tgxskgjn43m', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'course_01m8bwe3mve4kan7q7xr2frq6h', '[{"at": "2026-11-26T12:14:11.191Z", "error": null, "answer": "", "number": 1, "status": 204, "duration_ms": 1280}]'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'msg_01m8bwe3qcevqbvh6h4bt3pe81', 'evt_01m8bwe3pheh9r1w89e8x279sz', 'collections.courses.created', NULL, NULL, 'http://127.0.0.1:36091/ok', '127.0.0.1:36091', '127.0.0.1:36091/ok', '{"row": {"id": "course_01m8bwe3nwex98pj0hy68as8t4", "link": null, "slug": "notes-on-notes", "cover": null, "gross": null, "level": "beginner", "price": null, "seats": 14, "title": "Notes on notes", "length": null, "rating": null, "contact": null, "outline": null, "summary": null, "teacher": null, "category": null, "firstDay": null, "revision": 1, "startsAt": null, "createdAt": "2026-11-26T12:14:11.132Z", "createdBy": "usr_01m8bwdhxkewftmbcqdphd4h4f", "published": false, "updatedAt": "2026-11-26T12:14:11.132Z"}}', '2026-11-26 12:14:11.153+00', 'delivered', NULL, 1, 0, NULL, 204, NULL, '2026-11-26 12:14:12.518+00', '2026-11-26 12:14:11.18+00', '2026-11-26 12:14:12.518+00', 'whe_01m8bwdk3feqp86tgxskgjn43m', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'course_01m8bwe3nwex98pj0hy68as8t4', '[{"at": "2026-11-26T12:14:11.195Z", "error": null, "answer": "", "number": 1, "status": 204, "duration_ms": 1323}]'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'msg_01m8bwe5ase40t5spdh7714ef8', 'evt_01m8bwe5aaebcrnwnnq3xfksbh', 'collections.courses.created', NULL, NULL, 'http://127.0.0.1:36091/ok', '127.0.0.1:36091', '127.0.0.1:36091/ok', '{"row": {"id": "course_01m8bwe595efr8xty81scxdbxq", "link": null, "slug": "imported-course", "cover": null, "gross": null, "level": "beginner", "price": null, "seats": 3, "title": "Imported course", "length": null, "rating": null, "contact": null, "outline": null, "summary": null, "teacher": null, "category": null, "firstDay": null, "revision": 1, "startsAt": null, "createdAt": "2026-11-26T12:14:12.773Z", "createdBy": "usr_01m8bwdhxkewftmbcqdphd4h4f", "published": false, "updatedAt": "2026-11-26T12:14:12.773Z"}}', '2026-11-26 12:14:12.81+00', 'delivered', NULL, 1, 0, NULL, 204, NULL, '2026-11-26 12:14:12.831+00', '2026-11-26 12:14:12.825+00', '2026-11-26 12:14:12.831+00', 'whe_01m8bwdk3feqp86tgxskgjn43m', 'ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'course_01m8bwe595efr8xty81scxdbxq', '[{"at": "2026-11-26T12:14:12.830Z", "error": null, "answer": "", "number": 1, "status": 204, "duration_ms": 1}]');
INSERT INTO public.webhooks_endpoints VALUES
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'whe_01m8bwdk3feqp86tgxskgjn43m', 'http://127.0.0.1:36091/ok', '127.0.0.1:36091', '127.0.0.1:36091/ok', '{*}', 'Takes everything', 'active', NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-11-26 12:13:54.164+00', '2026-11-26 12:13:54.164+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'whe_01m8bwdk5wefn9jatg31eqtswm', 'http://127.0.0.1:36091/idle', '127.0.0.1:36091', '127.0.0.1:36091/idle', '{forms.*}', NULL, 'paused', 'manual', '2026-11-26 12:13:54.324+00', NULL, NULL, NULL, NULL, 2, '2026-11-26 12:13:54.248+00', '2026-11-26 12:13:54.324+00'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'whe_01m8bwdk4fes8818hbpvmqpm4v', 'http://127.0.0.1:36091/down', '127.0.0.1:36091', '127.0.0.1:36091/down', '{content.page.published}', NULL, 'active', NULL, NULL, '2026-11-26 12:14:01.982+00', NULL, NULL, NULL, 1, '2026-11-26 12:13:54.193+00', '2026-11-26 12:13:54.193+00');
INSERT INTO public.webhooks_secrets VALUES
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'whs_01m8bwdkx4esat6jxbae83e7q0', '\xbf830729de4da81b2202906b4e55f62c4b85b06c7e86170955c45a2c43983980ef90b64232106f4d5526a24cdb928286dfee3af57241e913210274ae1c779bebaba5d38e816b02b96e716c580628', '2026-11-26 12:13:54.98+00', NULL, 'whe_01m8bwdk3feqp86tgxskgjn43m'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'whs_01m8bwdtmped181b92kcyh87n9', '\x3fe6cc63bc33360bcc28fd7a774024bdc9ba5b88f54b05d45a4c6c59ee0bbf14cacb42419d9c37bc2c6b0a8c785ddba989e66b0c8bc1cfd3295fc0351d47d2990952258c36bdf19e3d595732ca54', '2026-11-26 12:14:01.878+00', NULL, 'whe_01m8bwdk4fes8818hbpvmqpm4v'),
	('ten_01m8bwdhxkehmrtt7sxhvk8s8a', 'whs_01m8bwe1kee4wsrw2858y24p60', '\x6d5ce98c7dffb74c0816a9a076123beab2f86e657f35f6b58c8e710fb70b165a24c7886ee8b2f1b59790c5d50b839c5a29310366a3087a84d7665d70a5a5d23ec8da6c6c2a275929ad5af566d41d', '2026-11-26 12:14:09.006+00', NULL, NULL);
SELECT pg_catalog.setval('public.billing_credit_entries_seq_seq', 2, true);
SELECT pg_catalog.setval('public.collections_retired_id_seq', 1, false);
SELECT pg_catalog.setval('public.identity_revision', 47, true);
ALTER TABLE ONLY public.billing_credit_allocations
    ADD CONSTRAINT billing_credit_allocations_pkey PRIMARY KEY (entry_id, grant_id);
ALTER TABLE ONLY public.billing_credit_entries
    ADD CONSTRAINT billing_credit_entries_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.billing_credit_entries
    ADD CONSTRAINT billing_credit_entries_tenant_id_source_key UNIQUE (tenant_id, source);
ALTER TABLE ONLY public.billing_credit_lots
    ADD CONSTRAINT billing_credit_lots_pkey PRIMARY KEY (grant_id);
ALTER TABLE ONLY public.billing_entitlements
    ADD CONSTRAINT billing_entitlements_pkey PRIMARY KEY (key);
ALTER TABLE ONLY public.billing_meters
    ADD CONSTRAINT billing_meters_pkey PRIMARY KEY (tenant_id, key, period_start);
ALTER TABLE ONLY public.billing_plans
    ADD CONSTRAINT billing_plans_pkey PRIMARY KEY (key);
ALTER TABLE ONLY public.billing_row_scans
    ADD CONSTRAINT billing_row_scans_pkey PRIMARY KEY (table_name);
ALTER TABLE ONLY public.billing_row_storage
    ADD CONSTRAINT billing_row_storage_pkey PRIMARY KEY (tenant_id, table_name);
ALTER TABLE ONLY public.billing_subscriptions
    ADD CONSTRAINT billing_subscriptions_id_key UNIQUE (id);
ALTER TABLE ONLY public.billing_subscriptions
    ADD CONSTRAINT billing_subscriptions_pkey PRIMARY KEY (tenant_id);
ALTER TABLE ONLY public.collections_export_parts
    ADD CONSTRAINT collections_export_parts_pkey PRIMARY KEY (tenant_id, export_id, "position");
ALTER TABLE ONLY public.collections_exports
    ADD CONSTRAINT collections_exports_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.collections_import_batches
    ADD CONSTRAINT collections_import_batches_pkey PRIMARY KEY (tenant_id, import_id, first_row);
ALTER TABLE ONLY public.collections_import_errors
    ADD CONSTRAINT collections_import_errors_pkey PRIMARY KEY (tenant_id, import_id, "row", "position");
ALTER TABLE ONLY public.collections_imports
    ADD CONSTRAINT collections_imports_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.collections_retired
    ADD CONSTRAINT collections_retired_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.collections_schema
    ADD CONSTRAINT collections_schema_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.comms_mailbox
    ADD CONSTRAINT comms_mailbox_message_id_key UNIQUE (message_id);
ALTER TABLE ONLY public.comms_mailbox
    ADD CONSTRAINT comms_mailbox_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.comms_messages
    ADD CONSTRAINT comms_messages_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.comms_messages
    ADD CONSTRAINT comms_messages_tenant_id_key_template_recipient_key_key UNIQUE (tenant_id, key, template, recipient_key);
ALTER TABLE ONLY public.comms_recipient_counts
    ADD CONSTRAINT comms_recipient_counts_pkey PRIMARY KEY (recipient, period, started_at);
ALTER TABLE ONLY public.comms_suppressed_counts
    ADD CONSTRAINT comms_suppressed_counts_pkey PRIMARY KEY (reason);
ALTER TABLE ONLY public.comms_suppression
    ADD CONSTRAINT comms_suppression_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.comms_suppression
    ADD CONSTRAINT comms_suppression_tenant_id_email_category_key UNIQUE (tenant_id, email, category);
ALTER TABLE ONLY public.comms_templates
    ADD CONSTRAINT comms_templates_pkey PRIMARY KEY (tenant_id, template, locale);
ALTER TABLE ONLY public.content_media
    ADD CONSTRAINT content_media_pkey PRIMARY KEY (page_id, number, media_id);
ALTER TABLE ONLY public.content_navigation
    ADD CONSTRAINT content_navigation_pkey PRIMARY KEY (tenant_id, key);
ALTER TABLE ONLY public.content_pages
    ADD CONSTRAINT content_pages_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.content_pages
    ADD CONSTRAINT content_pages_tenant_id_path_locale_key UNIQUE (tenant_id, path, locale);
ALTER TABLE ONLY public.content_pages
    ADD CONSTRAINT content_pages_tenant_id_slug_locale_key UNIQUE (tenant_id, slug, locale);
ALTER TABLE ONLY public.content_redirects
    ADD CONSTRAINT content_redirects_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.content_redirects
    ADD CONSTRAINT content_redirects_tenant_id_source_key UNIQUE (tenant_id, source);
ALTER TABLE ONLY public.content_versions
    ADD CONSTRAINT content_versions_pkey PRIMARY KEY (page_id, number);
ALTER TABLE ONLY public.data_categories
    ADD CONSTRAINT data_categories_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.data_courses__history
    ADD CONSTRAINT data_courses__history_pkey PRIMARY KEY (tenant_id, row_id, revision);
ALTER TABLE ONLY public.data_courses
    ADD CONSTRAINT data_courses_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.features_flags
    ADD CONSTRAINT features_flags_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.features_overrides
    ADD CONSTRAINT features_overrides_pkey PRIMARY KEY (tenant_id, key);
ALTER TABLE ONLY public.features_revisions
    ADD CONSTRAINT features_revisions_pkey PRIMARY KEY (tenant_id, flag_id, revision);
ALTER TABLE ONLY public.forms_forms
    ADD CONSTRAINT forms_forms_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.forms_forms
    ADD CONSTRAINT forms_forms_tenant_id_key_key UNIQUE (tenant_id, key);
ALTER TABLE ONLY public.forms_recipients
    ADD CONSTRAINT forms_recipients_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.forms_recipients
    ADD CONSTRAINT forms_recipients_tenant_id_email_key UNIQUE (tenant_id, email);
ALTER TABLE ONLY public.forms_submissions
    ADD CONSTRAINT forms_submissions_pkey PRIMARY KEY (form_id, id);
ALTER TABLE ONLY public.forms_versions
    ADD CONSTRAINT forms_versions_pkey PRIMARY KEY (form_id, number);
ALTER TABLE ONLY public.identity_api_keys
    ADD CONSTRAINT identity_api_keys_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.identity_api_keys
    ADD CONSTRAINT identity_api_keys_secret_hash_key UNIQUE (secret_hash);
ALTER TABLE ONLY public.identity_audit
    ADD CONSTRAINT identity_audit_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.identity_claims
    ADD CONSTRAINT identity_claims_pkey PRIMARY KEY (code_hash);
ALTER TABLE ONLY public.identity_credential_revisions
    ADD CONSTRAINT identity_credential_revisions_pkey PRIMARY KEY (secret_hash);
ALTER TABLE ONLY public.identity_email_changes
    ADD CONSTRAINT identity_email_changes_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.identity_email_changes
    ADD CONSTRAINT identity_email_changes_user_id_key UNIQUE (user_id);
ALTER TABLE ONLY public.identity_invitations
    ADD CONSTRAINT identity_invitations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.identity_logins
    ADD CONSTRAINT identity_logins_cookie_hash_key UNIQUE (cookie_hash);
ALTER TABLE ONLY public.identity_logins
    ADD CONSTRAINT identity_logins_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.identity_logins
    ADD CONSTRAINT identity_logins_token_hash_key UNIQUE (token_hash);
ALTER TABLE ONLY public.identity_members
    ADD CONSTRAINT identity_members_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.identity_members
    ADD CONSTRAINT identity_members_tenant_id_user_id_key UNIQUE (tenant_id, user_id);
ALTER TABLE ONLY public.identity_password_resets
    ADD CONSTRAINT identity_password_resets_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.identity_roles
    ADD CONSTRAINT identity_roles_pkey PRIMARY KEY (tenant_id, key);
ALTER TABLE ONLY public.identity_tenant_revisions
    ADD CONSTRAINT identity_tenant_revisions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.identity_tenants
    ADD CONSTRAINT identity_tenants_pkey PRIMARY KEY (tenant_id);
ALTER TABLE ONLY public.identity_tenants
    ADD CONSTRAINT identity_tenants_slug_key UNIQUE (slug);
ALTER TABLE ONLY public.identity_users
    ADD CONSTRAINT identity_users_email_key_key UNIQUE (email_key);
ALTER TABLE ONLY public.identity_users
    ADD CONSTRAINT identity_users_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.larder_agenda
    ADD CONSTRAINT larder_agenda_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.larder_applied_recipe
    ADD CONSTRAINT larder_applied_recipe_pkey PRIMARY KEY (only_one);
ALTER TABLE ONLY public.larder_bus_messages
    ADD CONSTRAINT larder_bus_messages_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.larder_deliveries
    ADD CONSTRAINT larder_deliveries_event_id_handler_key UNIQUE (event_id, handler);
ALTER TABLE ONLY public.larder_deliveries
    ADD CONSTRAINT larder_deliveries_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.larder_events
    ADD CONSTRAINT larder_events_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.larder_idempotency
    ADD CONSTRAINT larder_idempotency_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.larder_installation
    ADD CONSTRAINT larder_installation_pkey PRIMARY KEY (only_one);
ALTER TABLE ONLY public.larder_jobs
    ADD CONSTRAINT larder_jobs_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.larder_migrations
    ADD CONSTRAINT larder_migrations_pkey PRIMARY KEY (module, name);
ALTER TABLE ONLY public.larder_provider_events
    ADD CONSTRAINT larder_provider_events_pkey PRIMARY KEY (inbox, provider, event_id);
ALTER TABLE ONLY public.larder_rate_limits
    ADD CONSTRAINT larder_rate_limits_pkey PRIMARY KEY (key);
ALTER TABLE ONLY public.larder_subscribed_channels
    ADD CONSTRAINT larder_subscribed_channels_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.media_items
    ADD CONSTRAINT media_items_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.messaging_conversations
    ADD CONSTRAINT messaging_conversations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.messaging_messages
    ADD CONSTRAINT messaging_messages_conversation_id_seq_key UNIQUE (conversation_id, seq);
ALTER TABLE ONLY public.messaging_messages
    ADD CONSTRAINT messaging_messages_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.messaging_participants
    ADD CONSTRAINT messaging_participants_pkey PRIMARY KEY (conversation_id, user_id);
ALTER TABLE ONLY public.messaging_saved_replies
    ADD CONSTRAINT messaging_saved_replies_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.sessions_sessions
    ADD CONSTRAINT sessions_sessions_join_token_hash_key UNIQUE (join_token_hash);
ALTER TABLE ONLY public.sessions_sessions
    ADD CONSTRAINT sessions_sessions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.streams_nodes
    ADD CONSTRAINT streams_nodes_pkey PRIMARY KEY (node_id);
ALTER TABLE ONLY public.streams_peers
    ADD CONSTRAINT streams_peers_pkey PRIMARY KEY (peer_id);
ALTER TABLE ONLY public.streams_sources
    ADD CONSTRAINT streams_sources_pkey PRIMARY KEY (stream_id, source_id);
ALTER TABLE ONLY public.streams_streams
    ADD CONSTRAINT streams_streams_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.streams_tokens
    ADD CONSTRAINT streams_tokens_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.streams_tokens
    ADD CONSTRAINT streams_tokens_token_hash_key UNIQUE (token_hash);
ALTER TABLE ONLY public.webhooks_deliveries
    ADD CONSTRAINT webhooks_deliveries_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.webhooks_endpoints
    ADD CONSTRAINT webhooks_endpoints_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.webhooks_host_leases
    ADD CONSTRAINT webhooks_host_leases_pkey PRIMARY KEY (host);
ALTER TABLE ONLY public.webhooks_secrets
    ADD CONSTRAINT webhooks_secrets_pkey PRIMARY KEY (id);
CREATE INDEX billing_credit_entries_reference_idx ON public.billing_credit_entries USING btree (reference) WHERE (kind = 'refund'::text);
CREATE INDEX billing_credit_entries_tenant_id_id_idx ON public.billing_credit_entries USING btree (tenant_id, id);
CREATE INDEX billing_credit_entries_tenant_id_key_seq_idx ON public.billing_credit_entries USING btree (tenant_id, key, seq);
CREATE INDEX billing_credit_lots_expires_at_idx ON public.billing_credit_lots USING btree (expires_at) WHERE (remaining > 0);
CREATE INDEX billing_credit_lots_tenant_id_key_expires_at_idx ON public.billing_credit_lots USING btree (tenant_id, key, expires_at) WHERE (remaining > 0);
CREATE INDEX billing_row_storage_table_name_idx ON public.billing_row_storage USING btree (table_name);
CREATE INDEX billing_subscriptions_current_period_end_idx ON public.billing_subscriptions USING btree (current_period_end) WHERE (state = ANY (ARRAY['active'::text, 'past_due'::text]));
CREATE INDEX billing_subscriptions_grace_ends_at_idx ON public.billing_subscriptions USING btree (grace_ends_at) WHERE (state = 'past_due'::text);
CREATE INDEX billing_subscriptions_plan_key_idx ON public.billing_subscriptions USING btree (plan_key) WHERE (plan_key IS NOT NULL);
CREATE INDEX billing_subscriptions_provider_customer_idx ON public.billing_subscriptions USING btree (provider_customer);
CREATE INDEX billing_subscriptions_provider_subscription_idx ON public.billing_subscriptions USING btree (provider_subscription);
CREATE INDEX billing_subscriptions_trial_ends_at_idx ON public.billing_subscriptions USING btree (trial_ends_at) WHERE (state = 'trialing'::text);
CREATE INDEX collections_exports_collection ON public.collections_exports USING btree (tenant_id, collection, id);
CREATE INDEX collections_exports_time ON public.collections_exports USING btree (created_at);
CREATE INDEX collections_imports_active ON public.collections_imports USING btree (tenant_id, created_by) WHERE (finished_at IS NULL);
CREATE INDEX collections_imports_collection ON public.collections_imports USING btree (tenant_id, collection, id);
CREATE UNIQUE INDEX collections_imports_key ON public.collections_imports USING btree (tenant_id, created_by, collection, idempotency_key) WHERE (idempotency_key IS NOT NULL);
CREATE INDEX collections_imports_time ON public.collections_imports USING btree (created_at);
CREATE INDEX comms_messages_tenant_id_id_idx ON public.comms_messages USING btree (tenant_id, id);
CREATE INDEX comms_messages_tenant_id_recipient_key_id_idx ON public.comms_messages USING btree (tenant_id, recipient_key, id);
CREATE INDEX comms_recipient_counts_started_at_idx ON public.comms_recipient_counts USING btree (started_at);
CREATE INDEX content_media_tenant_id_media_id_idx ON public.content_media USING btree (tenant_id, media_id);
CREATE INDEX content_pages_tenant_id_id_idx ON public.content_pages USING btree (tenant_id, id);
CREATE INDEX content_pages_tenant_id_id_idx1 ON public.content_pages USING btree (tenant_id, id) WHERE (published_version IS NOT NULL);
CREATE INDEX content_redirects_tenant_id_id_idx ON public.content_redirects USING btree (tenant_id, id);
CREATE UNIQUE INDEX data_categories_89abbfdd_idx ON public.data_categories USING btree (tenant_id, name) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX data_categories_d686ad56_idx ON public.data_categories USING btree (id);
CREATE INDEX data_courses_0b0609cb_idx ON public.data_courses USING btree (tenant_id, seats, id);
CREATE INDEX data_courses_33a39d6a_idx ON public.data_courses USING gin (search);
CREATE INDEX data_courses_3a19b2e8_idx ON public.data_courses USING btree (tenant_id, starts_at, id);
CREATE INDEX data_courses_5f8813ea_idx ON public.data_courses USING btree (tenant_id, deleted_at, id) WHERE (deleted_at IS NOT NULL);
CREATE INDEX data_courses_a5e245ea_idx ON public.data_courses USING btree (tenant_id, category, id);
CREATE INDEX data_courses_d1cbc160_idx ON public.data_courses USING btree (tenant_id, teacher, id);
CREATE UNIQUE INDEX data_courses_ff975877_idx ON public.data_courses USING btree (tenant_id, slug) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX features_flags_tenant_id_key_idx ON public.features_flags USING btree (tenant_id, key) WHERE (managed_by IS NULL);
CREATE UNIQUE INDEX features_flags_tenant_id_key_idx1 ON public.features_flags USING btree (tenant_id, key) WHERE (managed_by IS NOT NULL);
CREATE INDEX features_revisions_flag ON public.features_revisions USING btree (flag_id);
CREATE INDEX forms_forms_tenant_id_id_idx ON public.forms_forms USING btree (tenant_id, id);
CREATE INDEX forms_recipients_email_requested_at_idx ON public.forms_recipients USING btree (email, requested_at);
CREATE INDEX forms_recipients_tenant_id_requested_at_idx ON public.forms_recipients USING btree (tenant_id, requested_at);
CREATE INDEX forms_submissions_creator ON public.forms_submissions USING btree (created_by, id) WHERE (created_by IS NOT NULL);
CREATE INDEX forms_submissions_form_id_id_idx ON public.forms_submissions USING btree (form_id, id) WHERE (spam IS NOT NULL);
CREATE UNIQUE INDEX forms_submissions_repeated ON public.forms_submissions USING btree (fingerprint) WHERE (fingerprint IS NOT NULL);
CREATE INDEX identity_api_keys_owner ON public.identity_api_keys USING btree (user_id);
CREATE INDEX identity_api_keys_tenant_id_id_idx ON public.identity_api_keys USING btree (tenant_id, id);
CREATE INDEX identity_audit_tenant_id_id_idx ON public.identity_audit USING btree (tenant_id, id);
CREATE INDEX identity_audit_user ON public.identity_audit USING btree (((actor ->> 'userId'::text)), id);
CREATE INDEX identity_credential_revisions_credential_id_idx ON public.identity_credential_revisions USING btree (credential_id);
CREATE INDEX identity_credential_revisions_impersonator_id_idx ON public.identity_credential_revisions USING btree (impersonator_id) WHERE (impersonator_id IS NOT NULL);
CREATE INDEX identity_credential_revisions_user_id_idx ON public.identity_credential_revisions USING btree (user_id);
CREATE INDEX identity_email_changes_expires_at_idx ON public.identity_email_changes USING btree (expires_at);
CREATE UNIQUE INDEX identity_invitations_tenant_id_email_key_idx ON public.identity_invitations USING btree (tenant_id, email_key) WHERE (status = 'pending'::text);
CREATE INDEX identity_invitations_tenant_id_id_idx ON public.identity_invitations USING btree (tenant_id, id);
CREATE INDEX identity_logins_expires_at_idx ON public.identity_logins USING btree (expires_at);
CREATE INDEX identity_logins_impersonator_id_idx ON public.identity_logins USING btree (impersonator_id) WHERE (impersonator_id IS NOT NULL);
CREATE INDEX identity_logins_user_id_idx ON public.identity_logins USING btree (user_id);
CREATE INDEX identity_members_user_id_created_at_idx ON public.identity_members USING btree (user_id, created_at);
CREATE INDEX identity_password_resets_expires_at_idx ON public.identity_password_resets USING btree (expires_at);
CREATE INDEX identity_password_resets_user_id_id_idx ON public.identity_password_resets USING btree (user_id, id);
CREATE UNIQUE INDEX larder_agenda_name_idx ON public.larder_agenda USING btree (name) WHERE ((type)::text = 'single'::text);
CREATE INDEX larder_agenda_name_next_run_at_priority_locked_at_disabled_idx ON public.larder_agenda USING btree (name, next_run_at, priority DESC, locked_at, disabled) WHERE (NOT disabled);
CREATE INDEX larder_deliveries_dead ON public.larder_deliveries USING btree (id) WHERE (state = 'dead'::text);
CREATE INDEX larder_deliveries_due ON public.larder_deliveries USING btree (next_attempt_at) WHERE (state = 'pending'::text);
CREATE INDEX larder_events_by_tenant ON public.larder_events USING btree (tenant_id, id);
CREATE INDEX larder_events_waiting ON public.larder_events USING btree (id) WHERE (dispatched_at IS NULL);
CREATE INDEX larder_idempotency_expires ON public.larder_idempotency USING btree (expires_at);
CREATE INDEX larder_jobs_dead ON public.larder_jobs USING btree (id) WHERE (state = 'dead'::text);
CREATE INDEX larder_jobs_done ON public.larder_jobs USING btree (finished_at) WHERE (state = 'done'::text);
CREATE INDEX larder_jobs_due ON public.larder_jobs USING btree (name, run_at) WHERE (state = 'waiting'::text);
CREATE UNIQUE INDEX larder_jobs_every ON public.larder_jobs USING btree (name) WHERE ((key = '@every'::text) AND (state = ANY (ARRAY['waiting'::text, 'running'::text])));
CREATE UNIQUE INDEX larder_jobs_key ON public.larder_jobs USING btree (name, key) WHERE (state = 'waiting'::text);
CREATE INDEX larder_jobs_leases ON public.larder_jobs USING btree (locked_until) WHERE (state = 'running'::text);
CREATE INDEX larder_provider_events_due ON public.larder_provider_events USING btree (inbox, next_attempt_at) WHERE (outcome IS NULL);
CREATE INDEX larder_provider_events_old ON public.larder_provider_events USING btree (inbox, received_at) WHERE (outcome IS NOT NULL);
CREATE INDEX media_items_claimed_until_idx ON public.media_items USING btree (claimed_until) WHERE (status = 'processing'::text);
CREATE INDEX media_items_tenant_id_folder_id_idx ON public.media_items USING btree (tenant_id, folder text_pattern_ops, id);
CREATE INDEX media_items_tenant_id_id_idx ON public.media_items USING btree (tenant_id, id);
CREATE INDEX media_items_tenant_id_size_idx ON public.media_items USING btree (tenant_id) INCLUDE (size) WHERE (status = ANY (ARRAY['pending'::text, 'uploaded'::text, 'processing'::text, 'ready'::text]));
CREATE INDEX messaging_conversations_tenant_id_status_idx ON public.messaging_conversations USING btree (tenant_id, status) WHERE (kind = 'support'::text);
CREATE INDEX messaging_messages_altered ON public.messaging_messages USING btree (conversation_id, version) WHERE ((edited_at IS NOT NULL) OR (deleted_at IS NOT NULL));
CREATE UNIQUE INDEX messaging_messages_client ON public.messaging_messages USING btree (conversation_id, sender_id, client_message_id) WHERE (client_message_id IS NOT NULL);
CREATE INDEX messaging_messages_sender ON public.messaging_messages USING btree (sender_id, id);
CREATE INDEX messaging_participants_tenant_id_user_id_idx ON public.messaging_participants USING btree (tenant_id, user_id);
CREATE UNIQUE INDEX messaging_saved_replies_shortcut ON public.messaging_saved_replies USING btree (tenant_id, shortcut) WHERE (shortcut IS NOT NULL);
CREATE INDEX messaging_saved_replies_title ON public.messaging_saved_replies USING btree (tenant_id, title COLLATE "C", id);
CREATE UNIQUE INDEX sessions_live_code ON public.sessions_sessions USING btree (code) WHERE (status = ANY (ARRAY['created'::text, 'accepted'::text]));
CREATE INDEX sessions_sessions_ends_at_idx ON public.sessions_sessions USING btree (ends_at) WHERE ((status = 'accepted'::text) AND (ends_at IS NOT NULL));
CREATE INDEX sessions_sessions_expires_at_idx ON public.sessions_sessions USING btree (expires_at) WHERE (status = 'created'::text);
CREATE INDEX sessions_sessions_tenant_id_customer_id_idx ON public.sessions_sessions USING btree (tenant_id, customer, id) WHERE (customer IS NOT NULL);
CREATE INDEX sessions_sessions_tenant_id_id_idx ON public.sessions_sessions USING btree (tenant_id, id);
CREATE UNIQUE INDEX streams_one_publisher ON public.streams_peers USING btree (session_id) WHERE (role = 'publisher'::text);
CREATE INDEX streams_peers_node_id_idx ON public.streams_peers USING btree (node_id);
CREATE INDEX streams_peers_session_id_idx ON public.streams_peers USING btree (session_id);
CREATE INDEX streams_streams_id_idx ON public.streams_streams USING btree (id) WHERE ((visibility = 'public'::text) AND (NOT closed));
CREATE INDEX streams_tokens_stream_id_id_idx ON public.streams_tokens USING btree (stream_id, id);
CREATE INDEX webhooks_by_age ON public.webhooks_deliveries USING brin (updated_at);
CREATE UNIQUE INDEX webhooks_current_secret ON public.webhooks_secrets USING btree (tenant_id, COALESCE(endpoint_id, ''::text)) WHERE (expires_at IS NULL);
CREATE INDEX webhooks_deliveries_tenant_id_endpoint_id_id_idx ON public.webhooks_deliveries USING btree (tenant_id, endpoint_id, id) WHERE (endpoint_id IS NOT NULL);
CREATE INDEX webhooks_deliveries_tenant_id_id_idx ON public.webhooks_deliveries USING btree (tenant_id, id);
CREATE INDEX webhooks_deliveries_tenant_id_session_id_id_idx ON public.webhooks_deliveries USING btree (tenant_id, session_id, id);
CREATE UNIQUE INDEX webhooks_delivery_of_event ON public.webhooks_deliveries USING btree (event_id, COALESCE(endpoint_id, ''::text));
CREATE INDEX webhooks_due ON public.webhooks_deliveries USING btree (host, next_attempt_at) WHERE (status = 'pending'::text);
CREATE INDEX webhooks_endpoint_pending ON public.webhooks_deliveries USING btree (endpoint_id) WHERE ((endpoint_id IS NOT NULL) AND (status = 'pending'::text));
CREATE INDEX webhooks_endpoints_tenant_id_id_idx ON public.webhooks_endpoints USING btree (tenant_id, id);
CREATE UNIQUE INDEX webhooks_endpoints_tenant_id_key_idx ON public.webhooks_endpoints USING btree (tenant_id, key) WHERE (managed_by IS NOT NULL);
CREATE INDEX webhooks_gone ON public.webhooks_deliveries USING btree (session_id) WHERE (reason = 'gone'::text);
CREATE INDEX webhooks_of_other_tenants ON public.webhooks_deliveries USING btree (event_tenant_id) WHERE ((event_tenant_id IS NOT NULL) AND (event_tenant_id <> tenant_id));
CREATE INDEX webhooks_secrets_endpoint_id_idx ON public.webhooks_secrets USING btree (endpoint_id) WHERE (endpoint_id IS NOT NULL);
CREATE INDEX webhooks_secrets_tenant_id_idx ON public.webhooks_secrets USING btree (tenant_id);
CREATE TRIGGER billing_ledger_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.billing_credit_allocations FOR EACH STATEMENT EXECUTE FUNCTION public.billing_ledger_append_only();
CREATE TRIGGER billing_ledger_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.billing_credit_entries FOR EACH STATEMENT EXECUTE FUNCTION public.billing_ledger_append_only();
CREATE TRIGGER identity_audit_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.identity_audit FOR EACH STATEMENT EXECUTE FUNCTION public.identity_audit_append_only();
CREATE TRIGGER identity_lock_user BEFORE INSERT OR DELETE OR UPDATE OF roles, user_id, tenant_id ON public.identity_members FOR EACH ROW EXECUTE FUNCTION public.identity_lock_user();
CREATE TRIGGER identity_require_user BEFORE INSERT ON public.identity_api_keys FOR EACH ROW EXECUTE FUNCTION public.identity_require_user();
CREATE TRIGGER identity_revise AFTER INSERT OR DELETE OR UPDATE OF user_id, expires_at, secret_hash, permissions, tenant_id ON public.identity_api_keys FOR EACH ROW EXECUTE FUNCTION public.identity_revise_api_keys();
CREATE TRIGGER identity_revise AFTER INSERT OR DELETE OR UPDATE OF user_id, expires_at, cookie_hash, token_hash ON public.identity_logins FOR EACH ROW EXECUTE FUNCTION public.identity_revise_logins();
CREATE TRIGGER identity_revise AFTER INSERT OR DELETE OR UPDATE OF roles, user_id, tenant_id ON public.identity_members FOR EACH ROW EXECUTE FUNCTION public.identity_revise_members();
CREATE TRIGGER identity_revise AFTER INSERT OR DELETE OR UPDATE ON public.identity_roles FOR EACH ROW EXECUTE FUNCTION public.identity_revise_roles();
CREATE TRIGGER identity_revise AFTER INSERT OR DELETE OR UPDATE OF slug ON public.identity_tenants FOR EACH ROW EXECUTE FUNCTION public.identity_revise_tenants();
CREATE TRIGGER identity_revise AFTER UPDATE OF email_verified_at ON public.identity_users FOR EACH ROW EXECUTE FUNCTION public.identity_revise_users();
ALTER TABLE ONLY public.billing_credit_allocations
    ADD CONSTRAINT billing_credit_allocations_entry_id_fkey FOREIGN KEY (entry_id) REFERENCES public.billing_credit_entries(id);
ALTER TABLE ONLY public.billing_credit_allocations
    ADD CONSTRAINT billing_credit_allocations_grant_id_fkey FOREIGN KEY (grant_id) REFERENCES public.billing_credit_entries(id);
ALTER TABLE ONLY public.billing_credit_lots
    ADD CONSTRAINT billing_credit_lots_grant_id_fkey FOREIGN KEY (grant_id) REFERENCES public.billing_credit_entries(id);
ALTER TABLE ONLY public.collections_export_parts
    ADD CONSTRAINT collections_export_parts_tenant_id_export_id_fkey FOREIGN KEY (tenant_id, export_id) REFERENCES public.collections_exports(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.collections_import_batches
    ADD CONSTRAINT collections_import_batches_tenant_id_import_id_fkey FOREIGN KEY (tenant_id, import_id) REFERENCES public.collections_imports(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.collections_import_errors
    ADD CONSTRAINT collections_import_errors_tenant_id_import_id_fkey FOREIGN KEY (tenant_id, import_id) REFERENCES public.collections_imports(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.content_media
    ADD CONSTRAINT content_media_page_id_number_fkey FOREIGN KEY (page_id, number) REFERENCES public.content_versions(page_id, number) ON DELETE CASCADE;
ALTER TABLE ONLY public.content_versions
    ADD CONSTRAINT content_versions_page_id_fkey FOREIGN KEY (page_id) REFERENCES public.content_pages(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.data_courses__history
    ADD CONSTRAINT data_courses__history_row_id_fkey FOREIGN KEY (tenant_id, row_id) REFERENCES public.data_courses(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.data_courses
    ADD CONSTRAINT data_courses_category_fkey FOREIGN KEY (category) REFERENCES public.data_categories(id);
ALTER TABLE ONLY public.features_revisions
    ADD CONSTRAINT features_revisions_flag_id_fkey FOREIGN KEY (flag_id) REFERENCES public.features_flags(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.forms_versions
    ADD CONSTRAINT forms_versions_form_id_fkey FOREIGN KEY (form_id) REFERENCES public.forms_forms(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.identity_api_keys
    ADD CONSTRAINT identity_api_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.identity_users(id);
ALTER TABLE ONLY public.identity_email_changes
    ADD CONSTRAINT identity_email_changes_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.identity_users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.identity_logins
    ADD CONSTRAINT identity_logins_impersonator_id_fkey FOREIGN KEY (impersonator_id) REFERENCES public.identity_users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.identity_logins
    ADD CONSTRAINT identity_logins_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.identity_users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.identity_members
    ADD CONSTRAINT identity_members_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.identity_users(id);
ALTER TABLE ONLY public.identity_password_resets
    ADD CONSTRAINT identity_password_resets_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.identity_users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.messaging_messages
    ADD CONSTRAINT messaging_messages_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES public.messaging_conversations(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.messaging_participants
    ADD CONSTRAINT messaging_participants_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES public.messaging_conversations(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.webhooks_secrets
    ADD CONSTRAINT webhooks_secrets_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES public.webhooks_endpoints(id) ON DELETE CASCADE;
CREATE POLICY anyone ON public.larder_installation FOR SELECT TO larder_app USING (true);
ALTER TABLE public.billing_credit_allocations ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.billing_credit_entries ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.billing_credit_lots ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.billing_entitlements ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.billing_meters ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.billing_plans ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.billing_row_scans ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.billing_row_storage ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.billing_subscriptions ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.collections_export_parts ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.collections_exports ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.collections_import_batches ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.collections_import_errors ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.collections_imports ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.collections_retired ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.collections_schema ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.comms_mailbox ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.comms_messages ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.comms_recipient_counts ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.comms_suppressed_counts ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.comms_suppression ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.comms_templates ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.content_media ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.content_navigation ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.content_pages ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.content_redirects ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.content_versions ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.data_categories ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.data_courses ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.data_courses__history ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.features_flags ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.features_overrides ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.features_revisions ENABLE ROW LEVEL SECURITY;
CREATE POLICY fellow_members ON public.identity_users FOR SELECT TO larder_app USING ((EXISTS ( SELECT 1
   FROM public.identity_members m
  WHERE (m.user_id = identity_users.id))));
ALTER TABLE public.forms_forms ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.forms_recipients ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.forms_submissions ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.forms_versions ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.identity_api_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.identity_audit ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.identity_claims ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.identity_credential_revisions ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.identity_email_changes ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.identity_invitations ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.identity_logins ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.identity_members ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.identity_password_resets ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.identity_roles ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.identity_tenant_revisions ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.identity_tenants ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.identity_users ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.larder_agenda ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.larder_applied_recipe ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.larder_bus_messages ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.larder_deliveries ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.larder_events ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.larder_idempotency ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.larder_installation ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.larder_jobs ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.larder_provider_events ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.larder_rate_limits ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.larder_subscribed_channels ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.media_items ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.messaging_conversations ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.messaging_messages ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.messaging_participants ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.messaging_saved_replies ENABLE ROW LEVEL SECURITY;
CREATE POLICY operator ON public.data_categories TO larder_app USING (((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text)) AND (tenant_id = 'ten_01m8bwd89je5xan3wgq9p3y8sp'::text))) WITH CHECK (((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text)) AND (tenant_id = 'ten_01m8bwd89je5xan3wgq9p3y8sp'::text)));
ALTER TABLE public.sessions_sessions ENABLE ROW LEVEL SECURITY;
CREATE POLICY shared ON public.data_categories FOR SELECT TO larder_app USING (true);
ALTER TABLE public.streams_nodes ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.streams_peers ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.streams_sources ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.streams_streams ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.streams_tokens ENABLE ROW LEVEL SECURITY;
CREATE POLICY system ON public.billing_credit_allocations TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.billing_credit_entries TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.billing_credit_lots TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.billing_entitlements TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.billing_meters TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.billing_plans TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.billing_row_scans TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.billing_row_storage TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.billing_subscriptions TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.collections_export_parts TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.collections_exports TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.collections_import_batches TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.collections_import_errors TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.collections_imports TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.collections_retired TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.collections_schema TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.comms_mailbox TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.comms_messages TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.comms_recipient_counts TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.comms_suppressed_counts TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.comms_suppression TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.comms_templates TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.content_media TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.content_navigation TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.content_pages TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.content_redirects TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.content_versions TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.data_categories TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.data_courses TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.data_courses__history TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.features_flags TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.features_overrides TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.features_revisions TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.forms_forms TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.forms_recipients TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.forms_submissions TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.forms_versions TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.identity_api_keys TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.identity_audit TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.identity_claims TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.identity_credential_revisions TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.identity_email_changes TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.identity_invitations TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.identity_logins TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.identity_members TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.identity_password_resets TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.identity_roles TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.identity_tenant_revisions TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.identity_tenants TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.identity_users TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.larder_agenda TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.larder_applied_recipe TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.larder_bus_messages TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.larder_deliveries TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.larder_events TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.larder_idempotency TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.larder_installation TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.larder_jobs TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.larder_provider_events TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.larder_rate_limits TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.larder_subscribed_channels TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.media_items TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.messaging_conversations TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.messaging_messages TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.messaging_participants TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.messaging_saved_replies TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.sessions_sessions TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.streams_nodes TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.streams_peers TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.streams_sources TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.streams_streams TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.streams_tokens TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.webhooks_deliveries TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.webhooks_endpoints TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.webhooks_host_leases TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY system ON public.webhooks_secrets TO larder_system USING (true) WITH CHECK (true);
CREATE POLICY tenant ON public.billing_credit_allocations TO larder_app USING ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text))) WITH CHECK ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text)));
CREATE POLICY tenant ON public.billing_credit_entries TO larder_app USING ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text))) WITH CHECK ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text)));
CREATE POLICY tenant ON public.billing_credit_lots TO larder_app USING ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text))) WITH CHECK ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text)));
CREATE POLICY tenant ON public.billing_meters TO larder_app USING ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text))) WITH CHECK ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text)));
CREATE POLICY tenant ON public.billing_row_storage TO larder_app USING ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text))) WITH CHECK ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text)));
CREATE POLICY tenant ON public.billing_subscriptions TO larder_app USING ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text))) WITH CHECK ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text)));
CREATE POLICY tenant ON public.collections_export_parts TO larder_app USING ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text))) WITH CHECK ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text)));
CREATE POLICY tenant ON public.collections_exports TO larder_app USING ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text))) WITH CHECK ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text)));
CREATE POLICY tenant ON public.collections_import_batches TO larder_app USING ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text))) WITH CHECK ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text)));
CREATE POLICY tenant ON public.collections_import_errors TO larder_app USING ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text))) WITH CHECK ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text)));
CREATE POLICY tenant ON public.collections_imports TO larder_app USING ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text))) WITH CHECK ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text)));
CREATE POLICY tenant ON public.comms_messages TO larder_app USING ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text))) WITH CHECK ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text)));
CREATE POLICY tenant ON public.comms_suppression TO larder_app USING ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text))) WITH CHECK ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text)));
CREATE POLICY tenant ON public.comms_templates TO larder_app USING ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text))) WITH CHECK ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text)));
CREATE POLICY tenant ON public.content_media TO larder_app USING ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text))) WITH CHECK ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text)));
CREATE POLICY tenant ON public.content_navigation TO larder_app USING ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text))) WITH CHECK ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text)));
CREATE POLICY tenant ON public.content_pages TO larder_app USING ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text))) WITH CHECK ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text)));
CREATE POLICY tenant ON public.content_redirects TO larder_app USING ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text))) WITH CHECK ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text)));
CREATE POLICY tenant ON public.content_versions TO larder_app USING ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text))) WITH CHECK ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text)));
CREATE POLICY tenant ON public.data_courses TO larder_app USING ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text))) WITH CHECK ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text)));
CREATE POLICY tenant ON public.data_courses__history TO larder_app USING ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text))) WITH CHECK ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text)));
CREATE POLICY tenant ON public.features_flags TO larder_app USING ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text))) WITH CHECK ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text)));
CREATE POLICY tenant ON public.features_overrides TO larder_app USING ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text))) WITH CHECK ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text)));
CREATE POLICY tenant ON public.features_revisions TO larder_app USING ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text))) WITH CHECK ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text)));
CREATE POLICY tenant ON public.forms_forms TO larder_app USING ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text))) WITH CHECK ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text)));
CREATE POLICY tenant ON public.forms_recipients TO larder_app USING ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text))) WITH CHECK ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text)));
CREATE POLICY tenant ON public.forms_submissions TO larder_app USING ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text))) WITH CHECK ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text)));
CREATE POLICY tenant ON public.forms_versions TO larder_app USING ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text))) WITH CHECK ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text)));
CREATE POLICY tenant ON public.identity_api_keys TO larder_app USING ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text))) WITH CHECK ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text)));
CREATE POLICY tenant ON public.identity_audit TO larder_app USING ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text))) WITH CHECK ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text)));
CREATE POLICY tenant ON public.identity_invitations TO larder_app USING ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text))) WITH CHECK ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text)));
CREATE POLICY tenant ON public.identity_members TO larder_app USING ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text))) WITH CHECK ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text)));
CREATE POLICY tenant ON public.identity_roles TO larder_app USING ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text))) WITH CHECK ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text)));
CREATE POLICY tenant ON public.identity_tenants TO larder_app USING ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text))) WITH CHECK ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text)));
CREATE POLICY tenant ON public.larder_events TO larder_app USING ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text))) WITH CHECK ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text)));
CREATE POLICY tenant ON public.larder_idempotency TO larder_app USING ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text))) WITH CHECK ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text)));
CREATE POLICY tenant ON public.media_items TO larder_app USING ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text))) WITH CHECK ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text)));
CREATE POLICY tenant ON public.messaging_conversations TO larder_app USING ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text))) WITH CHECK ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text)));
CREATE POLICY tenant ON public.messaging_messages TO larder_app USING ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text))) WITH CHECK ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text)));
CREATE POLICY tenant ON public.messaging_participants TO larder_app USING ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text))) WITH CHECK ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text)));
CREATE POLICY tenant ON public.messaging_saved_replies TO larder_app USING ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text))) WITH CHECK ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text)));
CREATE POLICY tenant ON public.sessions_sessions TO larder_app USING ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text))) WITH CHECK ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text)));
CREATE POLICY tenant ON public.streams_peers TO larder_app USING ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text))) WITH CHECK ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text)));
CREATE POLICY tenant ON public.streams_sources TO larder_app USING ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text))) WITH CHECK ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text)));
CREATE POLICY tenant ON public.streams_streams TO larder_app USING ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text))) WITH CHECK ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text)));
CREATE POLICY tenant ON public.streams_tokens TO larder_app USING ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text))) WITH CHECK ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text)));
CREATE POLICY tenant ON public.webhooks_deliveries TO larder_app USING ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text))) WITH CHECK ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text)));
CREATE POLICY tenant ON public.webhooks_endpoints TO larder_app USING ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text))) WITH CHECK ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text)));
CREATE POLICY tenant ON public.webhooks_secrets TO larder_app USING ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text))) WITH CHECK ((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text)));
CREATE POLICY verification ON public.identity_credential_revisions FOR SELECT TO larder_app USING (true);
CREATE POLICY verification ON public.identity_tenant_revisions FOR SELECT TO larder_app USING (true);
ALTER TABLE public.webhooks_deliveries ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.webhooks_endpoints ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.webhooks_host_leases ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.webhooks_secrets ENABLE ROW LEVEL SECURITY;
REVOKE ALL ON FUNCTION public.identity_access_changed() FROM PUBLIC;
GRANT ALL ON FUNCTION public.identity_access_changed() TO larder_app;
GRANT ALL ON FUNCTION public.identity_access_changed() TO larder_system;
REVOKE ALL ON FUNCTION public.identity_audit_purge(older_than timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.identity_audit_purge(older_than timestamp with time zone) TO larder_system;
REVOKE ALL ON FUNCTION public.identity_audit_redact(deleted_tenant text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.identity_audit_redact(deleted_tenant text) TO larder_system;
GRANT SELECT,INSERT ON TABLE public.billing_credit_allocations TO larder_system;
GRANT SELECT,INSERT ON TABLE public.billing_credit_allocations TO larder_app;
GRANT SELECT,INSERT ON TABLE public.billing_credit_entries TO larder_system;
GRANT SELECT,INSERT ON TABLE public.billing_credit_entries TO larder_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.billing_credit_lots TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.billing_credit_lots TO larder_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.billing_entitlements TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.billing_meters TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.billing_meters TO larder_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.billing_plans TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.billing_row_scans TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.billing_row_storage TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.billing_row_storage TO larder_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.billing_subscriptions TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.billing_subscriptions TO larder_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.collections_export_parts TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.collections_export_parts TO larder_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.collections_exports TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.collections_exports TO larder_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.collections_import_batches TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.collections_import_batches TO larder_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.collections_import_errors TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.collections_import_errors TO larder_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.collections_imports TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.collections_imports TO larder_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.collections_retired TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.collections_schema TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.comms_mailbox TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.comms_messages TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.comms_messages TO larder_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.comms_recipient_counts TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.comms_suppressed_counts TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.comms_suppression TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.comms_suppression TO larder_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.comms_templates TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.comms_templates TO larder_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.content_media TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.content_media TO larder_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.content_navigation TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.content_navigation TO larder_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.content_pages TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.content_pages TO larder_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.content_redirects TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.content_redirects TO larder_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.content_versions TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.content_versions TO larder_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.data_categories TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.data_categories TO larder_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.data_courses TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.data_courses TO larder_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.data_courses__history TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.data_courses__history TO larder_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.features_flags TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.features_flags TO larder_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.features_overrides TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.features_overrides TO larder_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.features_revisions TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.features_revisions TO larder_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.forms_forms TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.forms_forms TO larder_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.forms_recipients TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.forms_recipients TO larder_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.forms_submissions TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.forms_submissions TO larder_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.forms_versions TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.forms_versions TO larder_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.identity_api_keys TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.identity_api_keys TO larder_app;
GRANT SELECT,INSERT ON TABLE public.identity_audit TO larder_system;
GRANT SELECT,INSERT ON TABLE public.identity_audit TO larder_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.identity_claims TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.identity_credential_revisions TO larder_system;
GRANT SELECT(secret_hash) ON TABLE public.identity_credential_revisions TO larder_app;
GRANT SELECT(revision) ON TABLE public.identity_credential_revisions TO larder_app;
GRANT SELECT(expires_at) ON TABLE public.identity_credential_revisions TO larder_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.identity_email_changes TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.identity_invitations TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.identity_invitations TO larder_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.identity_logins TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.identity_members TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.identity_members TO larder_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.identity_password_resets TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.identity_roles TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.identity_roles TO larder_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.identity_tenant_revisions TO larder_system;
GRANT SELECT(id) ON TABLE public.identity_tenant_revisions TO larder_app;
GRANT SELECT(revision) ON TABLE public.identity_tenant_revisions TO larder_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.identity_tenants TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.identity_tenants TO larder_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.identity_users TO larder_system;
GRANT SELECT(id) ON TABLE public.identity_users TO larder_app;
GRANT SELECT(email) ON TABLE public.identity_users TO larder_app;
GRANT SELECT(email_key) ON TABLE public.identity_users TO larder_app;
GRANT SELECT(name) ON TABLE public.identity_users TO larder_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.larder_agenda TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.larder_applied_recipe TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.larder_bus_messages TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.larder_deliveries TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.larder_events TO larder_system;
GRANT SELECT,INSERT ON TABLE public.larder_events TO larder_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.larder_idempotency TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.larder_idempotency TO larder_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.larder_installation TO larder_system;
GRANT SELECT ON TABLE public.larder_installation TO larder_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.larder_jobs TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.larder_provider_events TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.larder_rate_limits TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.larder_subscribed_channels TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.media_items TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.media_items TO larder_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.messaging_conversations TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.messaging_conversations TO larder_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.messaging_messages TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.messaging_messages TO larder_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.messaging_participants TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.messaging_participants TO larder_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.messaging_saved_replies TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.messaging_saved_replies TO larder_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.sessions_sessions TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.sessions_sessions TO larder_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.streams_nodes TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.streams_peers TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.streams_peers TO larder_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.streams_sources TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.streams_sources TO larder_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.streams_streams TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.streams_streams TO larder_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.streams_tokens TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.streams_tokens TO larder_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.webhooks_deliveries TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.webhooks_deliveries TO larder_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.webhooks_endpoints TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.webhooks_endpoints TO larder_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.webhooks_host_leases TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.webhooks_secrets TO larder_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.webhooks_secrets TO larder_app;
