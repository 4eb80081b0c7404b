import type { ComponentType } from 'react'
import * as icons from './icons.ts'

/** By Lucide's names: `Trash2` is `trash-2`. */
const ICONS: ReadonlyMap<string, ComponentType<{ size?: number; 'aria-hidden'?: boolean }>> = new Map(
  Object.entries(icons).map(([name, icon]) => [name.replace(/(?<=[a-z])(?=[A-Z\d])/g, '-').toLowerCase(), icon]),
)

/** An icon that a resource names and `icons.ts` lacks is shown as a table. */
export function Icon({ name, size = 16 }: { readonly name: string; readonly size?: number }) {
  const Found = ICONS.get(name) ?? icons.Table
  return <Found size={size} aria-hidden />
}
