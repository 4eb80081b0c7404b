/**
 * The contract between the kernel and a module; the public face `larder/kernel`.
 *
 * Three interfaces are filled by declaration merging from each module's types-only `ports.ts`, so the compiler knows
 * every port, event and job of the program, and no module imports another:
 *
 *     declare module 'larder/kernel' {
 *       interface Ports { invoices: Invoices }
 *       interface Events { 'invoices.invoice.sent': { invoiceId: string } }
 *       interface Jobs { 'invoices.remind': { invoiceId: string } }
 *     }
 */

import type { Static, TObject, TProperties, TSchema } from 'typebox'
import type { ProblemTable } from '../base/index.ts'
import type { EventEnvelope, KernelPorts, Product } from './ports.ts'
import type { RecipeChange } from './recipe-change.ts'
import type { AnyPage, AnyRawRoute, AnyRoute, AnySocket } from './route.ts'
import type { RecipeFault, Site } from './site.ts'

/** What modules offer each other: port name → interface. */
export interface Ports extends KernelPorts<Events, Jobs, Channels> {}
/** What modules tell each other: event type → payload. */
export interface Events {}
/** What the worker does later: job name → data. */
export interface Jobs {}
/** What processes publish on the bus: channel → message. */
export interface Channels {}

/** Payload types from payload schemas: `interface Events extends PayloadsOf<typeof events> {}`. */
export type PayloadsOf<Schemas extends Readonly<Record<string, TSchema>>> = {
  [Type in keyof Schemas]: Static<Schemas[Type]>
}

export type PortName = keyof Ports
/** What a factory takes: `Deps<'database' | 'mailer'>`. Ports that are only wanted: `Deps<'database', 'mailer'>`. */
export type Deps<Needs extends PortName, Wants extends PortName = never> = Pick<Ports, Needs> &
  Partial<Pick<Ports, Wants>>
/** The whole event, as a listener gets it. */
export type Event<E extends keyof Events> = EventEnvelope<E & string, Events[E]>

/** What a factory may know of the recipe beside its own options. */
export interface RecipeView<Sections = unknown> {
  readonly product: Product
  /** Absolute: the folder of the recipe, which its own files are relative to. */
  readonly folder: string
  /** The module's own top-level sections, checked; absent where the recipe has none. */
  readonly sections: Partial<Sections>
}

/** What a module may know of the recipe while that is checked. */
export interface ReviewedRecipe<Options = unknown, Sections = unknown> {
  readonly options: Options
  readonly sections: Partial<Sections>
  readonly folder: string
  readonly locales: Product['locales']
  readonly publicUrl: string
}

// ── Listeners, jobs, checks ─────────────────────────────────────────────────────────────────────────────────────

export interface Listener {
  readonly on: keyof Events & string
  /** Tells two listeners of one module on one event apart. */
  readonly as?: string
  /**
   * True for a handler that looks at nothing that another run of it writes: one that adds a row, say. The relay then
   * has many events under way in one transaction; otherwise it takes one after the other.
   */
  readonly together?: boolean
  run(event: never): Promise<void>
}
/**
 * A handler of an event. What it writes through `database` commits together with the mark that it is done, so its
 * effect in the database happens once. What takes longer than a second, or goes outside, belongs in a job.
 */
export function listener<E extends keyof Events & string>(
  on: E,
  run: (event: Event<E>) => Promise<void>,
  options: Pick<Listener, 'as' | 'together'> = {},
): Listener {
  return { on, run: run as Listener['run'], ...options }
}

export interface JobContext {
  /** Aborted at the timeout and when the process stops. */
  readonly signal: AbortSignal
  /** From 1. */
  readonly attempt: number
  readonly jobId: string
  readonly tenantId: string | null
}
export interface JobSpec<Data> {
  /** `5s`, `1m`, `1d`, or a cron line of five fields in UTC. Then `data` is `{}` and one process runs it at a time. */
  readonly every?: string
  /** Milliseconds; 30 s by default. */
  readonly timeout?: number
  /** 10 by default; after the last it is dead and listed. */
  readonly attempts?: number
  /** Milliseconds before attempt `failed + 1`; min(1 h, 10 s × 3^(failed-1)) by default. */
  readonly backoff?: (failed: number) => number
  /** Jobs of this name at a time in one process; 10 by default. */
  readonly concurrency?: number
  run(data: Data, context: JobContext): Promise<void>
}
export interface Job extends Omit<JobSpec<never>, 'run'> {
  readonly name: keyof Jobs & string
  run(data: never, context: JobContext): Promise<void>
}
export function job<J extends keyof Jobs & string>(name: J, spec: JobSpec<Jobs[J]>): Job {
  return { name, ...spec } as Job
}

/** A question that readiness and `larder doctor` ask. It throws when the answer is no. */
export interface Check {
  readonly name: string
  run(): Promise<void>
}

// ── The module ──────────────────────────────────────────────────────────────────────────────────────────────────

export type Scope = 'tenant' | 'platform'
/** A title, of scope tenant; or both. */
export type PermissionSpec = string | { readonly title: string; readonly scope: Scope }
type Wildcards<P extends string> = P extends `${infer Area}.${infer Resource}.${string}`
  ? `${Area}.*` | `${Area}.${Resource}.*`
  : never
export interface RoleSpec<P extends string> {
  readonly name: string
  readonly scope?: Scope
  readonly permissions: readonly (P | Wildcards<P>)[]
}

/** Values of `sections`: name of the recipe's top-level part → its schema. */
export type SectionSchemas = Readonly<Record<string, TSchema>>
type SectionValues<S extends SectionSchemas> = { [K in keyof S]: Static<S[K]> }

/** How every part of a module is made: from its ports, its options and its part of the recipe. */
type Make<D, O, S extends SectionSchemas, T> = (deps: D, options: O, recipe: RecipeView<SectionValues<S>>) => T

export interface ModuleSpec<
  O extends TSchema,
  S extends SectionSchemas,
  N extends PortName,
  W extends PortName,
  G extends PortName,
  P extends string,
> {
  /** `[a-z][a-z0-9_]*`; also the key under `modules` in the recipe. */
  readonly name: string
  /** One plain sentence for the console. */
  readonly summary?: string
  readonly version?: string
  /** Ports that others give; absent is an error at boot. */
  readonly needs?: readonly N[]
  /** Ports that are used if some module of the recipe gives them. */
  readonly optional?: readonly W[]
  /** Schema of `modules.<name>` in the recipe. */
  readonly options?: O
  readonly sections?: S
  /** What the schemas cannot say of options and sections: asked while the recipe is checked, before anything is made. */
  readonly validate?: (recipe: ReviewedRecipe<OptionsOf<O>, SectionValues<S>>) => readonly RecipeFault[]
  readonly permissions?: Readonly<Record<P, PermissionSpec>>
  readonly roles?: Readonly<Record<string, RoleSpec<NoInfer<P>>>>
  /** Errors that this module's routes answer: documented, and listed at `/problems`. */
  readonly problems?: ProblemTable
  /** Names of the rate limits of its routes, pages and raw routes: a recipe may change them under `rateLimits`. */
  readonly limits?: readonly string[]
  /** What a gauge entitlement counts, e.g. `'forms.count'`. */
  readonly usage?: Readonly<Record<string, (deps: DepsOf<N, W, G>, tenantId: string) => Promise<number>>>
  /** Payload schemas of the events that this module publishes. */
  readonly events?: { readonly [E in keyof Events]?: TSchema }
  readonly provides?: { readonly [K in G]: Make<DepsOf<N, W, G>, OptionsOf<O>, S, Ports[K]> }
  readonly routes?: Make<DepsOf<N, W, G>, OptionsOf<O>, S, readonly AnyRoute<NoInfer<P>>[]>
  /** Express handlers for what needs the body's bytes. */
  readonly rawRoutes?: Make<DepsOf<N, W, G>, OptionsOf<O>, S, readonly AnyRawRoute<NoInfer<P>>[]>
  readonly sockets?: Make<DepsOf<N, W, G>, OptionsOf<O>, S, readonly AnySocket<NoInfer<P>>[]>
  readonly pages?: Make<DepsOf<N, W, G>, OptionsOf<O>, S, readonly AnyPage<NoInfer<P>>[]>
  /** Shows what no route or page declares. */
  readonly site?: Make<DepsOf<N, W, G>, OptionsOf<O>, S, Site>
  readonly listeners?: Make<DepsOf<N, W, G>, OptionsOf<O>, S, readonly Listener[]>
  readonly jobs?: Make<DepsOf<N, W, G>, OptionsOf<O>, S, readonly Job[]>
  readonly checks?: Make<DepsOf<N, W, G>, OptionsOf<O>, S, readonly Check[]>
  /** After migrations, under their lock: brings what the recipe says into the database. Runs at each start. */
  readonly reconcile?: Make<DepsOf<N, W, G>, OptionsOf<O>, S, Promise<void>>
  /** What `reconcile` would do now: asked by `larder recipe plan`, which writes nothing. */
  readonly plan?: Make<DepsOf<N, W, G>, OptionsOf<O>, S, Promise<readonly RecipeChange[]>>
  /** After everything is made and mounted, before the first request. */
  readonly start?: Make<DepsOf<N, W, G>, OptionsOf<O>, S, Promise<void>>
  /** In the reverse order of needs. */
  readonly stop?: Make<DepsOf<N, W, G>, OptionsOf<O>, S, Promise<void>>
  /** Folder of `0001-name.ts` files, each exporting `up` and, where it can be undone, `down`. */
  readonly migrations?: URL
  /** Folder of `welcome.hbs` and, per locale, `welcome.de.hbs`. */
  readonly emails?: URL
  /** Folder of the page templates that `pages` name. */
  readonly templates?: URL
  /** Folder of `de.yaml` and other languages: translations of the texts in templates, page titles and problems. */
  readonly locales?: URL
}

type DepsOf<N extends PortName, W extends PortName, G extends PortName> = Deps<NoInfer<N | G>, NoInfer<W>>
type OptionsOf<O extends TSchema> = Static<NoInfer<O>>

type Forget<T> = T extends (deps: never, options: never, recipe: never) => infer R
  ? (deps: never, options: never, recipe: never) => R
  : T
type Raw = ModuleSpec<TSchema, SectionSchemas, never, never, never, string>
/** The same with its types forgotten: what the kernel handles. */
export type Module = {
  readonly [K in keyof Omit<Raw, 'needs' | 'optional' | 'provides' | 'usage' | 'events' | 'review'>]: Forget<Raw[K]>
} & {
  readonly needs?: readonly string[]
  readonly optional?: readonly string[]
  readonly provides?: Readonly<Record<string, (deps: never, options: never, recipe: never) => unknown>>
  readonly usage?: Readonly<Record<string, (deps: never, tenantId: string) => Promise<number>>>
  readonly events?: Readonly<Record<string, TSchema>>
  readonly validate?: (recipe: never) => readonly RecipeFault[]
}

const MODULE = Symbol.for('larder.module')

/** Declares a module. Calling it does nothing else: a module is made when the kernel boots a recipe that names it. */
export function defineModule<
  const O extends TSchema = TObject<TProperties>,
  const S extends SectionSchemas = Record<never, TSchema>,
  const N extends PortName = never,
  const W extends PortName = never,
  const G extends PortName = never,
  const P extends string = never,
>(spec: ModuleSpec<O, S, N, W, G, P>): Module {
  return Object.freeze({ ...spec, [MODULE]: true }) as unknown as Module
}

/** True for what `defineModule` made, in this copy of the kernel or another. */
export const isModule = (value: unknown): value is Module =>
  typeof value === 'object' && value !== null && MODULE in value
