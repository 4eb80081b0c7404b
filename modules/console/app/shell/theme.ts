/** Light, dark, or as the system is set. */
import { createStore, readStored, writeStored } from '../browser/store.ts'

export type Theme = 'system' | 'light' | 'dark'
export const themeStore = createStore<Theme>(readStored<Theme>('theme', 'system'))

export function applyTheme(theme: Theme = themeStore.get()): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

export function chooseTheme(theme: Theme): void {
  themeStore.set(theme)
  writeStored('theme', theme)
  applyTheme(theme)
}
