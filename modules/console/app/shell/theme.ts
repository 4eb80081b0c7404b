/** Light, dark, or as the system is set. */
import { applyTheme, storedTheme, type Theme } from '../browser/color-scheme.ts'
import { createStore } from '../browser/store.ts'
import { writeStored } from '../browser/stored.ts'

export type { Theme }
export const themeStore = createStore<Theme>(storedTheme())

export function chooseTheme(theme: Theme): void {
  themeStore.set(theme)
  writeStored('theme', theme)
  applyTheme(theme)
}
