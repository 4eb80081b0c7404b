/** Ports of the templates service. */
import type { Theme } from './theme.ts'

declare module '@larder-dev/larder/kernel' {
  interface Ports {
    /** The product's theme: layouts, pages and assets. */
    theme: Theme
  }
}
