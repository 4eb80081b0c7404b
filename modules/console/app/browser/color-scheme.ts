/** Light, dark, or as the system is set. */
import { readStored } from './stored.ts'

export type Theme = 'system' | 'light' | 'dark'

export const storedTheme = (): Theme => readStored<Theme>('theme', 'system')

export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}
