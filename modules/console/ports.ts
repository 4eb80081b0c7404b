/** The registration that this module adds: screens of modules in the console. Types only. */
import type { LocalText } from '@larder-dev/larder/kernel'

/** A screen that a module adds to the console. A title in English is translated by the files in `locales/`. */
export interface ConsoleScreen {
  /** The last segment of the URL: `/console/<workspace>/<module>/<name>`. Unique in its module, also among its resources. */
  readonly name: string
  readonly title: LocalText
  /** Name of a Lucide icon, e.g. `file-text`. */
  readonly icon?: string
  /** Without it, a person neither sees the screen nor gets its script. */
  readonly permission: string
  /** A `.tsx`, `.jsx`, `.ts` or `.js` file whose default export is a React component. */
  readonly file: URL
}

declare module '@larder-dev/larder/kernel' {
  interface Registrations {
    /** Screens that the module adds to the console. */
    screens: readonly ConsoleScreen[]
  }
}
