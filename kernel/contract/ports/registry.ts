/** The running definitions and their registrations. */
import type { Check, Job, Listener } from '../handlers.ts'
import type { DeclaredModule, Definition } from '../module.ts'
import type { AnyPage, AnyRawRoute, AnyRoute, AnySocket } from '../route.ts'
import type { Site } from '../site.ts'

/** A running module with its registrations. */
export interface RunningModule extends DeclaredModule {
  readonly optional: boolean
  readonly options: unknown
  readonly sections: Readonly<Record<string, unknown>>
  readonly routes: readonly AnyRoute[]
  readonly rawRoutes: readonly AnyRawRoute[]
  readonly sockets: readonly AnySocket[]
  readonly pages: readonly AnyPage[]
  readonly site: Site | undefined
  readonly listeners: readonly Listener[]
  readonly jobs: readonly Job[]
  readonly checks: readonly Check[]
}

/** The port `registry`: the services and modules of the recipe. */
export interface Registry {
  /** The services and modules of the recipe, in the order in which they start. */
  declared(): readonly (DeclaredModule & { readonly module: Definition })[]
  /** Services and modules with their registrations; empty until all of them are created. */
  running(): readonly RunningModule[]
  /**
   * The registrations of a kind, of every definition that has one: `events`, `emails`, or a kind that a service added to
   * `Registrations`, whose factory is called once.
   */
  collect<T>(kind: string): readonly { readonly key: string; readonly value: T }[]
}

/** The process that runs the product. */
export interface ProcessInfo {
  /**
   * `web` answers requests, `worker` processes events and jobs, `all` does both. `migrate` migrates the
   * database and exits. `tool` is a command of the CLI.
   */
  readonly role: 'all' | 'web' | 'worker' | 'migrate' | 'tool'
  readonly version: string
  /** True under `larder dev`: themes are read again for each request. */
  readonly reload: boolean
  /** False if the recipe is only described: nothing may connect. */
  readonly connected: boolean
  /** True if nothing may be written. */
  readonly readOnly: boolean
  /** True if the operator has confirmed changes that lose data: `larder recipe apply`. */
  readonly confirmed?: boolean
  /** The operator's answers to the questions of `RecipeChange.asks`, by their keys. */
  readonly answers?: Readonly<Record<string, string>>
  /** Aborted by a signal to stop, also during the start. */
  readonly signal?: AbortSignal
}
