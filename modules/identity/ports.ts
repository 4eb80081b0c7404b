/** Ports, events, jobs and bus channels of identity. Types only. */

import type { Caller, FieldError, JsonSchema, PageOf, PayloadsOf, RawRequest, Unit } from '@larder-dev/larder/kernel'
import type { Authenticator, Membership, RevokedAccess } from '@larder-dev/larder/kernel/internal'
import type { events } from './events.ts'

/** The public profile of a member. */
export interface TenantPerson {
  readonly userId: string
  readonly name: string | null
  readonly email: string
  readonly locale: string | null
}
export interface TenantMember extends TenantPerson {
  /** `mem_…`, as in fields of type `member`. */
  readonly memberId: string
}
/** The person who seeks others. */
interface Seeker {
  /** ID of a user. A customer of a product of people gets the staff and themselves; others get everybody. */
  readonly by?: string
}
export interface People {
  /** Returns the members with the role `tenant.owner`, in no particular order. */
  owners(tenantId: string): Promise<readonly TenantPerson[]>
  /** Returns the current members of the tenant among `userIds`, in no particular order. */
  members(tenantId: string, userIds: readonly string[], query?: Seeker): Promise<readonly TenantPerson[]>
  /** Returns the current members of the tenant among these IDs (`mem_…`) with their addresses, in no particular order. */
  byMemberIds(tenantId: string, ids: readonly string[]): Promise<readonly TenantMember[]>
  /** Returns those of these IDs (`mem_…`) that belong to current members of the tenant, in no particular order. */
  memberIds(tenantId: string, ids: readonly string[]): Promise<readonly string[]>
  /**
   * Returns those of these IDs (`mem_…`) that belong to customers of a product of people, in no particular order. Joins the
   * surrounding unit of work.
   */
  customers(tenantId: string, memberIds: readonly string[]): Promise<readonly string[]>
  /** Whether an operator has suspended this customer. Joins the surrounding unit of work. */
  isSuspended(tenantId: string, memberId: string): Promise<boolean>
  /** Returns the members with these addresses (in lower case) who have confirmed them, in no particular order. */
  withConfirmedEmail(tenantId: string, emails: readonly string[]): Promise<readonly TenantPerson[]>
  /** Returns the members whose roles grant a permission of scope tenant, ordered by name; only `userId` if it is given. */
  withPermission(
    tenantId: string,
    permission: string,
    query: { readonly limit: number; readonly userId?: string },
  ): Promise<readonly TenantPerson[]>
  /** Returns the members who have a role, ordered by name. */
  withRole(tenantId: string, role: string, query: { readonly limit: number }): Promise<readonly TenantPerson[]>
  /** Finds members whose name or email contains `words`, ordered by name. An empty string matches all members. */
  find(
    tenantId: string,
    query: Seeker & { readonly words: string; readonly limit: number },
  ): Promise<readonly TenantPerson[]>
  /** Returns the values of the recipe's `profile.user` of an account. */
  profile(userId: string): Promise<ProfileValues>
  /** Returns the accounts of the whole installation with these IDs, in no particular order. For features of the operator. */
  byUserIds(userIds: readonly string[]): Promise<readonly TenantPerson[]>
  /** Finds accounts of the whole installation as `find` does. For features of the operator. */
  findEverywhere(query: { readonly words: string; readonly limit: number }): Promise<readonly TenantPerson[]>
}

export interface TenantProfile {
  readonly id: string
  readonly name: string
  readonly slug: string
}
export interface ListedTenant extends TenantProfile {
  /** Null without plans. */
  readonly planKey: string | null
  /** RFC 3339 UTC; null unless an operator has suspended the tenant. */
  readonly suspendedAt: string | null
  /** RFC 3339 UTC. */
  readonly createdAt: string
}
/** Workspaces. Joins the surrounding unit of work, except for `get`, which joins that of the same tenant only. */
export interface TenantDirectory {
  /** Finds a tenant by its ID or its slug. */
  find(idOrSlug: string): Promise<TenantProfile | undefined>
  /** Throws `not_found` for an unknown tenant. */
  get(tenantId: string): Promise<TenantProfile>
  /** Returns the tenants with these IDs that exist, in no particular order. */
  byIds(ids: readonly string[]): Promise<readonly ListedTenant[]>
  /** Lists all tenants, the newest first. `words` is part of a name or a slug. */
  list(query?: {
    readonly limit?: number
    readonly cursor?: string | undefined
    readonly words?: string
  }): Promise<PageOf<ListedTenant>>
}

/** What work that outlives its request may still do. */
export interface CallerRights {
  /** Reads what a caller may do in a tenant now. Null without access, and for an API key that expired or was deleted. */
  current(tenantId: string, caller: Pick<Caller, 'kind' | 'principalId' | 'userId'>): Promise<Membership | null>
}

export interface AuditQuery {
  readonly limit?: number
  readonly cursor?: string
  readonly 'filter[action]'?: string
  readonly 'filter[userId]'?: string
  /** Times of the entries (RFC 3339), both included. */
  readonly 'filter[since]'?: string
  readonly 'filter[until]'?: string
}
export interface AuditRecord {
  readonly id: string
  readonly tenantId: string
  /** The name of the action, for example `member.joined`. */
  readonly action: string
  readonly actor: {
    readonly kind: 'login' | 'apiKey' | 'system'
    readonly id: string
    readonly userId: string | null
    /** User ID of the operator who acted as the user. */
    readonly impersonatedBy: string | null
  }
  /** Id of the changed resource. */
  readonly subject: string | null
  readonly details: Record<string, unknown>
  /** RFC 3339 UTC. */
  readonly createdAt: string
}
export interface DescribedAuditRecord extends AuditRecord {
  readonly summary: string
  /** What the sentence doesn't say, by labels. Times are in RFC 3339. */
  readonly facts: Readonly<Record<string, string>>
}
/** Changes of members, roles, API keys and logins. */
export interface AuditLog {
  /** Newest first. `null` lists the entries of all tenants. */
  list(tenantId: string | null, query: AuditQuery): Promise<PageOf<AuditRecord>>
  /** Says in a sentence what happened. It names users with `identity.user.read_all` only. */
  describe(caller: Caller, entries: readonly AuditRecord[], locale: string): Promise<readonly DescribedAuditRecord[]>
}
/** What an action of the audit log is called. English, translated by the module's locales. */
export interface AuditAction {
  /** `Roles changed`. */
  readonly title: string
  /** `{0} changed the roles of {1}`: who did it, to whom or what, and `{2}`, the operator who acts as a user. */
  readonly sentence: string
  /** `{0} changed their own roles`: the sentence if `{1}` is who did it. By default `sentence`. */
  readonly ofOneself?: string
}
/** By the action, such as `member.roles_changed`. */
export type AuditActions = Readonly<Record<string, AuditAction>>

/** A first step after sign-up, on the home page. Modules register theirs under `checklist`. */
export interface ChecklistStep {
  /** English, translated by the module's locales. */
  readonly title: string
  /** The page on which to take the step. */
  readonly path: string
  /** Shown to callers with this permission. */
  readonly permission: string
  isDone(visit: { readonly tenantId: string; readonly caller: Caller }): Promise<boolean>
}

/** The user that a sign-in method verified. */
export type VerifiedUser = (
  | { readonly userId: string }
  /** Signs in to the account with this address, if both the method and the account have verified it. */
  | { readonly email: string; readonly emailVerified: boolean }
  | ProviderUser
) & {
  /**
   * When the person proved who they are, in milliseconds since 1970. Of a method that redirects: without it, the sign-in is
   * no recent proof, because a running session at a provider answers without asking anybody.
   */
  readonly authenticatedAt?: number | undefined
}

/**
 * A person at a provider. The first sign-in links them to the account with their address, if both sides have verified it,
 * or creates one; from then on `subject` identifies them, and the address may change.
 */
export interface ProviderUser {
  /** Who issued the subject, such as the issuer of OpenID Connect. The name of the method by default. */
  readonly provider?: string
  /** Never changes and is never given to another person. */
  readonly subject: string
  readonly email: string | null
  readonly emailVerified: boolean
  /** The name of the person, for a new account. */
  readonly name?: string
  /** Shown in the list of the user's ways to sign in. The label of the method by default. */
  readonly label?: string
}

/** What strategies read: `body` in the flow `credentials`, and `session` in the flow `redirect`. */
export interface SignInRequest extends RawRequest {
  readonly body?: unknown
  readonly session?: Record<string, unknown>
}

/** A Passport strategy. Its verified user is a `VerifiedUser`. */
export interface SignInStrategy {
  authenticate(request: SignInRequest, options?: unknown): unknown
}

/** A way to sign in. Modules register theirs under `signInMethods`. */
export type SignInMethod = StrategyMethod | VerifyingMethod

interface NamedMethod {
  /** Lowercase letters, digits and hyphens; part of the paths below. */
  readonly name: string
  /** The name that people see: `Google`. */
  readonly label: string
}
/** A method that is a strategy of Passport. */
export interface StrategyMethod extends NamedMethod {
  /**
   * - `credentials`: clients post JSON to `/v1/auth/login/<name>`. The strategy reads `request.body`.
   * - `redirect`: browsers open `/sign-in/<name>` and return to `/sign-in/<name>/callback`. `request.session` keeps what
   *   the strategy needs in between.
   */
  readonly flow: 'credentials' | 'redirect'
  /** Called once, with the first sign-in. */
  strategy(): SignInStrategy | Promise<SignInStrategy>
}
/** A method that needs no strategy. Clients post JSON to `/v1/auth/login/<name>`. */
export interface VerifyingMethod extends NamedMethod {
  readonly flow: 'credentials'
  /** Returns a `VerifiedUser`, or null to refuse. */
  verify(body: unknown): Promise<object | null>
}

/** Values of a profile by field. */
export type ProfileValues = Readonly<Record<string, unknown>>
/** What a page shows of the fields: the variables of the partial `form-fields`. */
export interface ProfileForm {
  readonly items: readonly object[]
}
/** JSON Schemas for the API document. */
export interface ProfileSchemas {
  readonly values: JsonSchema
  readonly changes: JsonSchema
  /** The changes that people can make themselves. */
  readonly ownChanges: JsonSchema
  /** The schema of a new person. */
  readonly created: JsonSchema
}
/** A form that was refused. */
export interface RefusedForm {
  readonly input: Readonly<Record<string, string>>
  readonly errors: readonly FieldError[]
}
/** Needed fields are those that are required and have no default. Those that are read-only are for operators. */
interface FieldChoice {
  readonly onlyNeeded?: boolean
}
/** Who changes a profile: the person, or somebody with a permission for profiles of others. */
export type ProfileEditor = 'person' | 'operator'
/** The fields that the recipe adds to people or to members. Errors point to `/profile/<field>`. */
export interface ProfileFields {
  readonly schemas: ProfileSchemas
  readonly hasNeeded: boolean
  /**
   * All fields: the stored value, or the default, or null. Values of fields that the recipe no longer has are left out, and
   * so are those that don't fit their field any more.
   */
  read(stored: ProfileValues): ProfileValues
  /** Throws 422 with an error for each wrong value, and for a field that an operator alone changes. */
  merge(stored: ProfileValues, changes: ProfileValues, by: ProfileEditor): ProfileValues
  /** The values of a new person. Throws 422, also for a needed field that is missing. */
  create(values: ProfileValues): ProfileValues
  /** Whether all needed fields have a value. */
  isComplete(stored: ProfileValues): boolean
  form(
    stored: ProfileValues,
    locale: string,
    options?: FieldChoice & { readonly refused?: RefusedForm | undefined },
  ): ProfileForm
  /** The values of a posted form. An empty input is null. */
  valuesOf(form: Readonly<Record<string, string>>, options?: FieldChoice): ProfileValues
}

/** Whose data, and in which tenant. */
export interface PersonalDataQuery {
  readonly tenantId: string
  readonly userId: string
  /** In lower case. Null until the person has confirmed the address, because it may belong to somebody else. */
  readonly email: string | null
  /** The person with their current rights in the tenant. Undefined if they don't belong to it. */
  readonly caller: Caller | undefined
  /** Maximum number of rows of one list. */
  readonly limit: number
  /** Maximum size of the texts of one list: large rows must not fill the memory. */
  readonly maxBytes: number
}
/** Lists by name, newest first, without secrets. */
export type PersonalData = Readonly<Record<string, readonly object[]>>
export type ReadPersonalData = (query: PersonalDataQuery) => Promise<PersonalData>

/** A person who deleted their account, and one of the tenants that they belonged to. */
export interface ErasedPerson {
  readonly tenantId: string
  readonly userId: string
  /** Their address, and former ones that no other account has. In lower case. */
  readonly emails: readonly string[]
  /** Patterns of LIKE for texts in lower case that contain one of the addresses. */
  readonly patterns: readonly string[]
  readonly name: string | null
  /** Replaces addresses in the texts of a JSON value, and the name where it is the whole text. */
  redact<T>(value: T): T
}
export type ErasePersonalData = (person: ErasedPerson) => Promise<void>

/** What an operator did to a workspace, for the audit log of the workspace and that of the operator. */
export interface OperatorAction {
  readonly caller: Pick<Caller, 'kind' | 'principalId' | 'userId' | 'impersonatedBy'>
  readonly tenantId: string
  /** As in the audit log, e.g. `subscription.changed`. */
  readonly action: string
  readonly subject: string
  readonly details: Readonly<Record<string, unknown>>
}
/** Writes the entries into a unit of work across tenants, that of the change itself if possible. */
export type RecordOperatorAction = (unit: Unit, action: OperatorAction) => Promise<void>

/** Days or months of a time zone. `from` and `until` are the first days of periods, `2026-11-01`; `until` is the end. */
export interface PeopleCountRange {
  readonly by: 'day' | 'month'
  readonly timeZone: string
  readonly from: string
  readonly until: string
}
/** Periods without sign-ups may be absent. `activePeople` is null where nobody counted. */
export type ReadPeopleCounts = (
  range: PeopleCountRange,
) => Promise<readonly { readonly start: string; readonly signUps: number; readonly activePeople: number | null }[]>

declare module '@larder-dev/larder/kernel' {
  interface Registrations {
    /** Records what operators do to workspaces. Modules that identity depends on call it through the registry. */
    operatorActions: RecordOperatorAction
    /** The user ID of a member (`mem_…`). Modules that identity depends on call it through the registry. */
    userOfMember: (tenantId: string, memberId: string) => Promise<string | undefined>
    /** The ID of a user as a member (`mem_…`). Modules that identity depends on call it through the registry. */
    memberOfUser: (tenantId: string, userId: string) => Promise<string | undefined>
    /** Counts accounts and active people by period. Modules that identity depends on call it through the registry. */
    peopleCounts: ReadPeopleCounts
    /** What the actions are called that the module records in the audit log. */
    auditActions: AuditActions
    /** What the module keeps about a person, for the export of their account. */
    personalData: ReadPersonalData
    /**
     * Erases or pseudonymizes the address and the name of a person who deleted their account, in each tenant that they
     * belonged to and in the operator's. What the person wrote belongs to the tenant. It must be repeatable.
     */
    erasePersonalData: ErasePersonalData
    /** Stops what the module does for a tenant, in the transaction that deletes it. Its rows are deleted later. */
    stopTenant: (tenantId: string) => Promise<void>
    /** Ways to sign in. Identity adds those that the recipe turns on. */
    signInMethods: readonly SignInMethod[]
    /** Fields of the recipe's section `profile`. */
    profileFields: { readonly user?: ProfileFields; readonly member?: ProfileFields }
    /** First steps that the home page shows to new users, in order. */
    checklist: readonly ChecklistStep[]
  }
  interface Ports {
    auditLog: AuditLog
    authenticator: Authenticator
    callerRights: CallerRights
    people: People
    tenantDirectory: TenantDirectory
  }
  interface Events extends PayloadsOf<typeof events> {}
  interface Jobs {
    /** Emails a password reset link if the address has an account. `requestId` (`rst_…`) identifies the link. */
    'identity.password_reset': { email: string; requestId: string }
    /** Emails a code and a link that sign in, if the address may. `requestId` (`scr_…`) identifies both. */
    'identity.email_code': { email: string; requestId: string; next: string; locale?: string }
    /** Emails a code with which a signed-in person proves who they are. `requestId` (`rpc_…`) identifies the code. */
    'identity.proof_code': { userId: string; requestId: string }
    'identity.verify_email': { userId: string }
    /** Emails both addresses of a change. */
    'identity.email_change': { changeId: string }
    /**
     * Runs the `deleteTenant` hooks of the modules, and deletes the rows of a deleted tenant in all tables. Runs after
     * `identity.tenant.deleted`, again an hour later, because a request in progress can write a row in between, and then
     * hourly while events or jobs of the tenant are unfinished.
     */
    'identity.delete_tenant': { tenantId: string; pass: number }
    /** Emails those who owned a workspace that an operator deleted. */
    'identity.tenant_deletion': { name: string; reason: string; ownerIds: readonly string[] }
    /** Erases the personal data of a deleted account. Runs again later while events that name the person are pending. */
    'identity.erase_user': { userId: string; pass: number }
    /** Reads DNS records of verified domains and metadata of providers again, and deletes claims of old tests. */
    'identity.check_sso_domains': Record<string, never>
    /** Remembers who has used the product this month. */
    'identity.count_active_people': Record<string, never>
    /** Deletes expired logins, reset links and claim codes, and audit entries whose retention ended. */
    'identity.sweep': Record<string, never>
  }
  interface Channels {
    /** Rights were revoked: open sockets of the matching callers close. */
    'sockets.close': RevokedAccess
    /** A workspace was suspended: what the public can do with it ends. */
    'tenants.suspended': { tenantId: string }
  }
}
