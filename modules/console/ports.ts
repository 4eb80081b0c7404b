/** The registrations that this module adds: screens and cards of modules in the console. Types only. */
import type { LocalText, Registrations } from '@larder-dev/larder/kernel'
import type { CardFilter } from './options.ts'

interface Permitted {
  /** Without it, a person neither sees the screen nor gets its script. */
  readonly permission: string
}
interface Listed extends Permitted {
  /** A title in English is translated by the files in `locales/`. */
  readonly title: LocalText
  /** Name of a Lucide icon, e.g. `file-text`. */
  readonly icon?: string
  /** Group of the navigation; by default that of the module's resources, or one of its own. */
  readonly group?: Registrations['resources'][number]['group']
}
interface Shipped extends Permitted {
  /** A `.tsx`, `.jsx`, `.ts` or `.js` file whose default export is a React component. */
  readonly file: URL
}
/** A screen with an address of its own. */
export interface PathScreen extends Shipped, Listed {
  /** Unique in its module. The last segment of the URL, `/console/<workspace>/<module>/<name>`, if it has no `path`. */
  readonly name: string
  /**
   * Below `/console/<workspace>/<module>/`: `stock`, `stock/$id`. The component receives the parameters. The navigation
   * lists screens without parameters. No resource of the module may have the first segment as its name.
   */
  readonly path?: string
}
/** Replaces a screen of a resource. */
export interface ResourceView extends Shipped {
  /** Id of the resource: `catalog.orders`. */
  readonly resource: string
  readonly view: 'list' | 'record' | 'create' | 'edit'
}
/** Adds a tab to the records of a resource. */
export interface RecordTab extends Shipped {
  /** Id of the resource: `catalog.orders`. */
  readonly resource: string
  /** Unique in the module for the resource: `history`. */
  readonly tab: string
  /** A title in English is translated by the files in `locales/`. */
  readonly title: LocalText
}
/** Leads from the navigation to a page of the product. */
export interface PageLink extends Listed {
  /** The path of the page, `/orders`. */
  readonly page: string
}
interface Card extends Permitted {
  /** Unique in its module. */
  readonly name: string
  /** A title in English is translated by the files in `locales/`; that of the records by default. */
  readonly title?: LocalText
  /** Field of the records → value, or operators; all must match. */
  readonly filter?: CardFilter
}
/** A number of the home screen: how many records a list has. */
export interface CountCard extends Card {
  /** Id of the resource: `catalog.orders`. Its list must have the filters. */
  readonly count: string
}
/** A chart of the home screen. */
export interface ChartCard extends Card {
  /** Name of a collection. */
  readonly chart: string
  /** Length of the steps; `day` by default. */
  readonly by?: 'day' | 'week' | 'month'
  /** Field of the time; `createdAt` by default. */
  readonly time?: string
  /** Field that is added up; without it, rows are counted. */
  readonly sum?: string
}
/** A card that a module adds to the home screen. Who may not list the records doesn't see it either. */
export type HomeCard = CountCard | ChartCard

/** What a module adds to the console. */
export type ConsoleScreen = PathScreen | ResourceView | RecordTab | PageLink

declare module '@larder-dev/larder/kernel' {
  interface Registrations {
    /** Screens that the module adds to the console. */
    screens: readonly ConsoleScreen[]
    /** Cards that the module adds to the home screen of the console. */
    homeCards: readonly HomeCard[]
  }
}
