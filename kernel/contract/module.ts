/** Declarations of services and modules. */
import type { Static, TObject, TProperties, TSchema } from 'typebox'
import type { LocalText, OptionalPackage, ProblemTable, SettingsSpec } from '../base/index.ts'
import type { Action } from './action.ts'
import type { Check, Job, Listener } from './handlers.ts'
import type { DeclaredPermissions, Deps, Events, PortName, Ports, Registrations } from './merged.ts'
import type { ForCustomers } from './ports/access.ts'
import type { Audience, Product } from './ports/product.ts'
import type { RecipeChange } from './recipe-change.ts'
import type { AnyPage, AnyRawRoute, AnyRoute, AnySocket } from './route.ts'
import type { PageDataCheck, RecipeDiagnostic, Site, SiteTemplates } from './site.ts'

/** The part of the recipe that a factory receives in addition to its options. */
export interface RecipeView<Sections = unknown> {
  readonly product: Product
  /** The folder of the recipe, absolute. */
  readonly folder: string
  /** Resolves the path of a file against the recipe file that contains the value at `path`. */
  resolveFile(path: readonly (string | number)[], value: string): string
  /** The module's own sections; absent if the recipe doesn't have them. */
  readonly sections: Partial<Sections>
  /** A section of any service or module; undefined if the recipe doesn't have it. */
  section(name: string): unknown
  /** Whether a value comes from the environment. It may be a secret, so it isn't stored or shown. */
  isFromEnvironment(path: readonly (string | number)[]): boolean
}

/** The recipe as `validate` sees it. */
export interface ValidatedRecipe<Options = unknown, Sections = unknown> {
  readonly options: Options
  readonly sections: Partial<Sections>
  /** The folder of the recipe, absolute. */
  readonly folder: string
  readonly locales: Product['locales']
  readonly publicUrl: string
  readonly audience: Audience
  /** The environment with which the recipe was read. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** The modules of the recipe. */
  readonly modules: readonly DeclaredModule[]
  /** The services, some of which the recipe may replace. */
  readonly services: readonly DeclaredModule[]
  /** Roles that the recipe defines and that match their schema, by key. */
  readonly roles: Readonly<Record<string, { readonly scope: Scope }>>
  /** False if a module failed to load; then unknown names aren't reported. */
  readonly complete: boolean
  /** A section of any service or module; undefined if it is absent or not of its type. Parts of it may be invalid. */
  section(name: string): unknown
  /** The pages and raw routes of the modules. */
  pages(): DeclaredEndpoints
  /** Checks queries for rows; undefined if no module answers them. */
  pageData(): PageDataCheck | undefined
  /** Returns false if the value at `path`, or one that contains it, doesn't match its schema. */
  isValid(path: readonly (string | number)[]): boolean
  /** Returns false also if a part of the value doesn't match its schema. */
  isEntirelyValid(path: readonly (string | number)[]): boolean
  /** Whether the product's own file, or one that it includes, sets the value. Recipes that it extends don't count. */
  isOwn(path: readonly (string | number)[]): boolean
  /** Resolves the path of a file against the recipe file that contains the value at `path`. */
  resolveFile(path: readonly (string | number)[], value: string): string
}

export interface AllowedEndpoint {
  /** The module that declares it. */
  readonly module: string
  readonly kind: 'routes' | 'rawRoutes' | 'sockets' | 'pages'
  readonly method: string
  readonly path: string
  readonly allow: readonly string[]
  readonly recentAuth?: string
}
export interface DeclaredEndpoints {
  readonly endpoints: readonly AllowedEndpoint[]
  /** False if the endpoints of a module are known only after it is created. */
  readonly complete: boolean
}

/** The keys of each section of a recipe that is a map: `{ collections: ['courses'] }`. */
export type DeclaredKeys = Readonly<Record<string, readonly string[]>>

/** A module or service as the checked recipe selects it. */
export interface DeclaredModule {
  readonly key: string
  readonly module: Definition
  /** `larder`, or the recipe's `use`. */
  readonly source: string
}

type AnyDeclaredPermission = DeclaredPermissions[keyof DeclaredPermissions] & string

/** Where a permission or role counts: in a workspace, or in the whole installation. */
export type Scope = 'tenant' | 'platform'
/**
 * A title, with scope tenant and not for customers; or more. `operatorOnly`: it counts in the operator's tenant only.
 * `customers`: whether customers of a product of people may have it.
 */
export type PermissionSpec =
  | string
  | {
      readonly title: LocalText
      readonly scope?: Scope
      readonly operatorOnly?: boolean
      readonly customers?: ForCustomers
    }
type Wildcards<P extends string> = P extends `${infer Area}.${infer Resource}.${string}`
  ? `${Area}.*` | `${Area}.${Resource}.*`
  : never
/** A role that a module declares. */
export interface RoleSpec<P extends string> {
  readonly name: string
  /** Shown where the role is chosen. */
  readonly description?: string
  readonly scope?: Scope
  /** Whether it has an effect in the operator's tenant only, and isn't offered in others. */
  readonly operatorOnly?: boolean
  readonly permissions: readonly (P | Wildcards<P> | '*')[]
}

/** Declarations that depend on the recipe. They are added to those of the definition. */
export interface Declarations<D = never> {
  readonly permissions?: Readonly<Record<string, PermissionSpec>>
  /** Roles that the recipe doesn't define itself. */
  readonly roles?: Readonly<Record<string, RoleSpec<string>>>
  /** Key of a role of any module or of the recipe → permissions that it gets in addition. */
  readonly grants?: Readonly<Record<string, readonly string[]>>
  readonly usage?: Readonly<Record<string, (deps: D, tenantId: string) => Promise<number>>>
  readonly personalUsage?: PersonalUsage<D>
  readonly events?: Readonly<Record<string, TSchema>>
}

/** Counts of what one person has created in a workspace, by gauge. */
export type PersonalUsage<D = never> = Readonly<
  Record<string, (deps: D, tenantId: string, userId: string) => Promise<number>>
>

/** The recipe as `declare` sees it. */
export type DeclaringRecipe<Sections = unknown> = {
  /** The sections of the module. Those that don't match their schema are left out. */
  readonly sections: Partial<Sections>
  readonly modules: readonly DeclaredModule[]
  readonly audience: Audience
}

/** Section of the recipe → schema. */
export type SectionSchemas = Readonly<Record<string, TSchema>>
type SectionValues<S extends SectionSchemas> = { [K in keyof S]: Static<S[K]> }

/** A factory of a part of a module. Receives its ports, its options and its part of the recipe. */
type Make<D, O, S extends SectionSchemas, T> = (deps: D, options: O, recipe: RecipeView<SectionValues<S>>) => T

type Awaitable = void | Promise<void>

/** A factory, or a factory with a disposer. Instances are created once per product, on first use. */
export type Provider<Factory extends (...given: never[]) => unknown> =
  | Factory
  | (Disposable<Factory> & { readonly create: Factory })
  /** Imports the factory when a product starts. Commands that only read a recipe don't import it. */
  | (Disposable<Factory> & { readonly load: () => Promise<Factory> })

type Factories = Readonly<Record<string, Provider<(...given: never[]) => unknown>>>
type Made<P> = P extends { readonly create: infer F }
  ? Made<F>
  : P extends { readonly load: () => Promise<infer F> }
    ? Made<F>
    : P extends (...given: never[]) => infer T
      ? T
      : never
/** Private services by name, as their factories return them: `type NotesServices = ServicesOf<typeof services>`. */
export type ServicesOf<F extends Factories> = { readonly [K in keyof F]: Made<F[K]> }

interface Disposable<Factory extends (...given: never[]) => unknown> {
  readonly dispose?: (instance: ReturnType<Factory>) => Awaitable
  /** Created when it is first read, instead of with the other ports of its definition. */
  readonly lazy?: boolean
}

type PrivateFactories<Private, D, O, S extends SectionSchemas> = {
  readonly [K in keyof Private]: Provider<Make<D, O, S, Private[K]>>
}

/** The fields of `defineModule` and `defineService`. */
export interface Spec<
  O extends TSchema,
  S extends SectionSchemas,
  N extends PortName,
  W extends PortName,
  G extends PortName,
  P extends string,
  Private extends object,
  D = DepsOf<N, W, G> & Readonly<NoInfer<Private>>,
> {
  /** `[a-z][a-z0-9_]*`; also the key under `modules` or `services` in the recipe. */
  readonly name: string
  /** One plain sentence for the console. */
  readonly summary?: string
  /** Shown by `larder modules` and in the console. */
  readonly version?: string
  /** Ports that others provide. A missing one is an error when the recipe is checked. */
  readonly needs?: readonly N[]
  /** Ports that are used if another definition of this recipe provides them. */
  readonly optional?: readonly W[]
  /** Schema of `modules.<name>` or `services.<name>` in the recipe. */
  readonly options?: O
  /** Optional packages of Larder that these options need. A start without one of them fails. */
  readonly packages?: (options: OptionsOf<O>) => readonly OptionalPackage[]
  /** Top-level recipe sections that this definition owns. */
  readonly sections?: S
  /** Environment variables that this definition reads. Their values are in the port `settings`. */
  readonly settings?: SettingsSpec
  /** Reports what the schemas can't express, while the recipe is checked and before anything is created. */
  readonly validate?: (recipe: ValidatedRecipe<OptionsOf<O>, SectionValues<S>>) => readonly RecipeDiagnostic[]
  /** Folders whose files `larder dev` reads for each request, so that a change needs no restart. */
  readonly liveFolders?: (recipe: Pick<RecipeView<SectionValues<S>>, 'sections' | 'resolveFile'>) => readonly string[]
  /** Known keys of sections that are maps, for completion in editors. */
  readonly sectionKeys?: (modules: readonly DeclaredModule[]) => Readonly<Record<string, readonly string[]>>
  /**
   * Schemas of sections for editors, which complete more than those that validate: the names that these modules declare.
   * They replace the schemas of `sections` in the schema of a recipe.
   */
  readonly sectionSchemas?: (modules: readonly DeclaredModule[]) => SectionSchemas
  /**
   * Known items of options that are lists, and known values of their items' keys (`home.count`), for completion in editors.
   * `declared` has the keys of the recipe's sections.
   */
  readonly optionItems?: (
    modules: readonly DeclaredModule[],
    declared: DeclaredKeys,
  ) => Readonly<Record<string, readonly string[]>>
  /**
   * Key `area.resource.action` → title. A permission has scope `tenant` unless it declares another. One with `operatorOnly`
   * counts in the operator's tenant only.
   */
  readonly permissions?: Readonly<Record<P, PermissionSpec>>
  /** Key `tenant.<name>` or `platform.<name>` → name and permissions. */
  readonly roles?: Readonly<Record<string, RoleSpec<NoInfer<P>>>>
  /** Declares what depends on the recipe, before `validate`. Must not throw. */
  readonly declare?: (recipe: DeclaringRecipe<SectionValues<S>>) => Declarations<D>
  /** The page templates that `site` shows, `<module>.<name>`. The check of a recipe compiles them. */
  readonly siteTemplates?: (options: OptionsOf<O>) => SiteTemplates
  /** Checks the queries and forms that the registration `pageData` runs. At most one module has it. */
  readonly pageDataCheck?: (recipe: DeclaringRecipe<SectionValues<S>>) => PageDataCheck
  /** Errors that the routes return. They are documented and listed at `/problems`. */
  readonly problems?: ProblemTable
  /** Names of the rate limits of routes, pages and raw routes. A recipe may change them under `rateLimits`. */
  readonly limits?: readonly string[]
  /** Counts for gauge entitlements, e.g. `'forms.count'`. */
  readonly usage?: Readonly<Record<string, (deps: D, tenantId: string) => Promise<number>>>
  /** Counts for the gauges that limit each customer of a product of people. Other gauges don't limit them. */
  readonly personalUsage?: PersonalUsage<D>
  /** Payload schemas of the events that this definition publishes. Those made with `publicEvent` may leave the product. */
  readonly events?: { readonly [E in keyof Events]?: TSchema }
  /** What automations can do with this definition, by name, made with `action`. A recipe names them `<module>.<name>`. */
  readonly actions?: Readonly<Record<string, Action<D>>>
  /** Ports that this definition offers to others. */
  readonly provides?: { readonly [K in G]: Provider<Make<D, OptionsOf<O>, S, Ports[K]>> }
  /**
   * Private services: instances that only this definition can read, from its own `deps`, each created when it is first
   * read. A function imports their factories when a product starts.
   */
  readonly services?:
    | PrivateFactories<Private, D, OptionsOf<O>, S>
    | (() => Promise<PrivateFactories<Private, D, OptionsOf<O>, S>>)
  /** JSON routes below `/v1`, made with `route`. */
  readonly routes?: Make<D, OptionsOf<O>, S, readonly AnyRoute<NoInfer<P> | AnyDeclaredPermission>[]>
  /** Handlers of requests that need the body's bytes. */
  readonly rawRoutes?: Make<D, OptionsOf<O>, S, readonly AnyRawRoute<NoInfer<P> | AnyDeclaredPermission>[]>
  /** WebSocket endpoints, made with `socket`. */
  readonly sockets?: Make<D, OptionsOf<O>, S, readonly AnySocket<NoInfer<P> | AnyDeclaredPermission>[]>
  /** HTML pages, made with `page`. */
  readonly pages?: Make<D, OptionsOf<O>, S, readonly AnyPage<NoInfer<P> | AnyDeclaredPermission>[]>
  /** Serves paths that no route or page declares. */
  readonly site?: Make<D, OptionsOf<O>, S, Site>
  /** Event handlers, made with `listener`. */
  readonly listeners?: Make<D, OptionsOf<O>, S, readonly Listener[]>
  /** Background jobs, made with `job`. */
  readonly jobs?: Make<D, OptionsOf<O>, S, readonly Job[]>
  /** Run for readiness. */
  readonly checks?: Make<D, OptionsOf<O>, S, readonly Check[]>
  /**
   * Examines servers that the recipe names, without a database, for `larder doctor` and the console. Returns one sentence
   * for each problem, and doesn't reject.
   */
  readonly diagnose?: (options: OptionsOf<O>) => Promise<readonly string[]>
  /** Connects to what the provided ports need. Runs once, before anything reads a port of this definition. */
  readonly init?: Make<D, OptionsOf<O>, S, Awaitable>
  /** Applies the recipe to the database, at each start, after migrations and under their lock. */
  readonly reconcile?: Make<D, OptionsOf<O>, S, Promise<void>>
  /** Reports what `reconcile` would change. Called by `larder recipe plan`, on a read-only connection. */
  readonly plan?: Make<D, OptionsOf<O>, S, Promise<readonly RecipeChange[]>>
  /**
   * Lists what an earlier change of the recipe, or a workspace, left to do, one sentence each, for `larder doctor` and
   * `larder recipe plan`. Called on a read-only connection.
   */
  readonly reminders?: Make<D, OptionsOf<O>, S, Promise<readonly string[]>>
  /**
   * Examines servers that the database names, such as those of workspaces, for `larder doctor`. Returns a few sentences, one
   * for each problem, within seconds, and doesn't reject. Called on a read-only connection.
   */
  readonly examine?: Make<D, OptionsOf<O>, S, Promise<readonly string[]>>
  /**
   * Throws for mistakes in what definitions registered, in the check of a recipe and at the start, before `start`. Connects to
   * nothing.
   */
  readonly verify?: Make<D, OptionsOf<O>, S, Awaitable>
  /** Runs after every definition is created and before the first request. */
  readonly start?: Make<D, OptionsOf<O>, S, Awaitable>
  /** Begins to accept requests, in processes that serve them. */
  readonly serve?: Make<D, OptionsOf<O>, S, Awaitable>
  /** Begins to process events and jobs, in processes that work. */
  readonly work?: Make<D, OptionsOf<O>, S, Awaitable>
  /** Stops accepting requests, events and jobs and finishes those under way. Runs before any `stop`. */
  readonly drain?: Make<D, OptionsOf<O>, S, Awaitable>
  /** Releases what the definition holds, in the reverse order of `needs`. */
  readonly stop?: Make<D, OptionsOf<O>, S, Awaitable>
  /** Folder of `0001-name.ts` files. Each exports `up` and, if it is reversible, `down`. */
  readonly migrations?: URL
  /** Folder of `welcome.hbs` and, per locale, `welcome.de.hbs`. */
  readonly emails?: URL
  /** Folder of the page templates that `pages` name. */
  readonly templates?: URL
  /** Folder of `de.yaml` and other languages: translations of the texts in templates, page titles and problems. */
  readonly locales?: URL
}
type RegistrationsOf<D, O, S extends SectionSchemas, R = Registrations> = {
  readonly [K in keyof R]?: R[K] extends { constant: infer T } ? T : Make<D, O, S, R[K]>
}

type DepsOf<N extends PortName, W extends PortName, G extends PortName> = Deps<NoInfer<N | G>, NoInfer<W>>
type OptionsOf<O extends TSchema> = Static<NoInfer<O>>

type Hook<T> = (deps: never, options: never, recipe: never) => T
type Erased<T> = T extends (...given: never[]) => infer R ? Hook<R> : T
type AnySpec = Spec<TSchema, SectionSchemas, never, never, never, string, object>
type AnyProviders = Readonly<Record<string, Provider<Hook<unknown>>>>

/** A service or module as the kernel handles it, with its types erased. */
export type Definition = {
  readonly [K in keyof Omit<
    AnySpec,
    | 'needs'
    | 'optional'
    | 'provides'
    | 'services'
    | 'usage'
    | 'personalUsage'
    | 'actions'
    | 'events'
    | 'packages'
    | 'validate'
    | 'declare'
    | 'siteTemplates'
    | 'pageQueries'
    | 'liveFolders'
    | 'sectionKeys'
    | 'sectionSchemas'
    | 'optionItems'
    | 'diagnose'
  >]: Erased<AnySpec[K]>
} & {
  readonly role: 'service' | 'module'
  readonly needs?: readonly string[]
  readonly optional?: readonly string[]
  readonly provides?: AnyProviders
  readonly services?: AnyProviders | (() => Promise<AnyProviders>)
  readonly usage?: Readonly<Record<string, (deps: never, tenantId: string) => Promise<number>>>
  readonly personalUsage?: PersonalUsage
  readonly actions?: Readonly<Record<string, Action>>
  readonly events?: Readonly<Record<string, TSchema>>
  readonly packages?: (options: never) => readonly OptionalPackage[]
  readonly validate?: (recipe: never) => readonly RecipeDiagnostic[]
  readonly declare?: (recipe: never) => Declarations
  readonly siteTemplates?: (options: never) => SiteTemplates
  readonly pageDataCheck?: (recipe: never) => PageDataCheck
  /** Added by `declare`. */
  readonly grants?: Readonly<Record<string, readonly string[]>>
  readonly liveFolders?: (recipe: never) => readonly string[]
  readonly sectionKeys?: (modules: readonly DeclaredModule[]) => Readonly<Record<string, readonly string[]>>
  readonly sectionSchemas?: (modules: readonly DeclaredModule[]) => SectionSchemas
  readonly optionItems?: (
    modules: readonly DeclaredModule[],
    declared: DeclaredKeys,
  ) => Readonly<Record<string, readonly string[]>>
  readonly diagnose?: (options: never) => Promise<readonly string[]>
}

const DEFINITION = Symbol.for('larder.definition')

const definer =
  (role: Definition['role']) =>
  <
    const O extends TSchema = TObject<TProperties>,
    const S extends SectionSchemas = Record<never, TSchema>,
    const N extends PortName = never,
    const W extends PortName = never,
    const G extends PortName = never,
    const P extends string = never,
    Private extends object = {},
  >(
    spec: Spec<O, S, N, W, G, P, Private> &
      RegistrationsOf<DepsOf<N, W, G> & Readonly<NoInfer<Private>>, OptionsOf<O>, S>,
  ): Definition =>
    // The kernel calls hooks with what `spec` declares, so the erased types hold.
    Object.freeze({ ...spec, role, [DEFINITION]: true }) as unknown as Definition

/** Declares a module. Nothing runs until the kernel starts a recipe that names it. */
export const defineModule = definer('module')
/** Declares a service: like a module, but started in every product, and replaceable under `services` in a recipe. */
export const defineService = definer('service')

/** Returns true for a result of `defineModule` or `defineService`, of this copy of the kernel or another. */
export const isDefinition = (value: unknown, role?: Definition['role']): value is Definition =>
  typeof value === 'object' && value !== null && DEFINITION in value && (!role || Reflect.get(value, 'role') === role)
