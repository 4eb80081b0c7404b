/** What services and modules declare: definitions, builders, and the ports that they share. */
export type { Static, TSchema } from 'typebox'
export { Type } from '../base/index.ts'
export {
  type Action,
  type ActionContext,
  type ActionEffects,
  type ActionModule,
  type ActionPerson,
  type ActionRecipe,
  type ActionRow,
  type ActionSpec,
  action,
  type BoundAction,
  type CheckedStep,
  isAction,
  isWrittenOut,
  literalValue,
  PersonValue,
  RowValue,
  rolesOfWorkspaces,
  type StepMistake,
  type StepShape,
  secretValue,
  valueKind,
} from './action.ts'
export { allowValues, type Guard, grantedTo, guardOf, may, type OpenKeyword, type Scopes, scopesOf } from './allow.ts'
export { type Caller, type RequestFacts, shareOf } from './caller.ts'
export { CONSOLE_LANGUAGES, consoleLocale } from './console-languages.ts'
export { eventVersion, handlerKey } from './event-keys.ts'
export {
  type Check,
  type Job,
  type JobContext,
  type JobSpec,
  job,
  type Listener,
  listener,
} from './handlers.ts'
export {
  type ManagedContext,
  type ManagedSection,
  type ManagedSectionSpec,
  managedSection,
  managedSections,
} from './managed-section.ts'
export type {
  Channels,
  DeclaredPermissions,
  Deps,
  Event,
  Events,
  Jobs,
  PayloadsOf,
  PortName,
  Ports,
  Registrations,
} from './merged.ts'
export type { Migration, Migrator } from './migration.ts'
export {
  type AllowedEndpoint,
  type Declarations,
  type DeclaredEndpoints,
  type DeclaredKeys,
  type DeclaredModule,
  type DeclaringRecipe,
  type Definition,
  defineModule,
  defineService,
  isDefinition,
  type PermissionSpec,
  type Provider,
  type RecipeView,
  type RoleSpec,
  type Scope,
  type SectionSchemas,
  type ServicesOf,
  type Spec,
  type ValidatedRecipe,
} from './module.ts'
export { defineTexts, LANGUAGE_PARAMETER, TENANT_PARAMETER } from './page-constants.ts'
export type {
  AccessCatalogue,
  Authentication,
  Authenticator,
  Credential,
  Membership,
  PermissionEntry,
  Principal,
  RevokedAccess,
  RoleEntry,
  TenantChoice,
  Usage,
} from './ports/access.ts'
export type {
  Database,
  NamedResults,
  NamedSteps,
  Precondition,
  Result,
  Step,
  StepOptions,
  SystemDatabase,
  Unit,
  Verified,
} from './ports/database.ts'
export type { DeadJob, DeliveryRecord, EventRecord, Inspector, ModuleReport } from './ports/inspector.ts'
export type {
  AppliedMigration,
  AppliedMigrations,
  MigrationSet,
  Migrations,
  PendingMigrations,
} from './ports/migrations.ts'
export type { Audience, DataFolder, Operator, Product, Settings } from './ports/product.ts'
export type {
  InboxEvent,
  InboxOptions,
  InboxOutcome,
  ProviderInbox,
  ProviderInboxes,
  StoredInboxEvent,
} from './ports/provider-inbox.ts'
export type {
  ClientFrame,
  ClosingNotice,
  FrameError,
  Realtime,
  RealtimeEndpoint,
  RealtimeServer,
  RealtimeServerOptions,
  RealtimeSocket,
  SocketMember,
} from './ports/realtime.ts'
export type { ProcessInfo, Registry, RunningModule } from './ports/registry.ts'
export type {
  LocalMailText,
  MailTemplateInfo,
  MailTemplates,
  MailText,
  RenderedMail,
  RenderOptions,
} from './ports/templates.ts'
export * from './ports/topics.ts'
export type { Bus, EventEnvelope, EventPublisher, JobOptions, JobQueue, NewEvent, UntypedBus } from './ports/work.ts'
export type { WorkerBudget, WorkerPool, WorkerTask } from './ports/worker-pool.ts'
export type { KernelPorts } from './ports.ts'
export { internalProperty, type PublicEvent, publicEvent, publicEventsOf } from './public-events.ts'
export { API_LIMIT, type RateLimit } from './rate-limit.ts'
export type { Described, Media, RawDocs, SocketDocs } from './raw-docs.ts'
export type { RawRequest, RawResponse } from './raw-request.ts'
export { REALTIME_CLOSE_CODE, REALTIME_PING_INTERVAL_MS, REALTIME_PROTOCOL_VERSION } from './realtime-protocol.ts'
export type { RecipeChange } from './recipe-change.ts'
export {
  type Allow,
  type AllowKeyword,
  type AnyPage,
  type AnyRawRoute,
  type AnyRoute,
  type AnySocket,
  type CallerOf,
  isReply,
  type Method,
  type Page,
  type PageInput,
  type PageResult,
  type ParamsOf,
  page,
  type RawRoute,
  type Reply,
  type Route,
  type RouteInput,
  rawRoute,
  reply,
  replyWithEtag,
  route,
  type Socket,
  type SocketPeer,
  type SocketSession,
  socket,
  type TenantOf,
} from './route.ts'
export type {
  DataShape,
  LayoutData,
  PageDataCheck,
  RecipeDiagnostic,
  Site,
  SiteAnswer,
  SiteRows,
  SiteTemplates,
  SiteVisit,
} from './site.ts'
export { templateProblems } from './template-problems.ts'
export { workerPoolProblems } from './worker-pool-problems.ts'
