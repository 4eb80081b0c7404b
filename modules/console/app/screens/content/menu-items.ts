/** Items of a menu as a flat list with depths, which is easier to reorder than a tree. Pure. */
import type { Api, LocalText } from '@larder-dev/larder/console'

export interface FlatItem {
  /** Identity in the editor only. */
  readonly id: number
  readonly depth: number
  readonly label: LocalText
  readonly kind: 'page' | 'path' | 'none'
  readonly page: string
  readonly path: string
  readonly permission: string
}

/** Depths count from 0. */
export const MAX_DEPTH = 3
let lastId = 0

export const newItem = (depth = 0): FlatItem => ({
  id: ++lastId,
  depth,
  label: '',
  kind: 'page',
  page: '',
  path: '',
  permission: '',
})

export const flatten = (items: readonly Api.MenuItem[], depth = 0): FlatItem[] =>
  items.flatMap(({ label, page, path, permission, items: below = [] }) => [
    {
      ...newItem(depth),
      label,
      kind: page !== undefined ? 'page' : path !== undefined ? 'path' : 'none',
      page: page ?? '',
      // The API adds the path of the page to items with one.
      path: page === undefined ? (path ?? '') : '',
      permission: permission ?? '',
    },
    ...flatten(below, depth + 1),
  ])

export function toTree(flat: readonly FlatItem[]): Api.MenuItem[] {
  const build = (from: number, to: number, depth: number): Api.MenuItem[] => {
    const items: Api.MenuItem[] = []
    for (let index = from; index < to; ) {
      const end = Math.min(to, endOf(flat, index))
      const { label, kind, page, path, permission } = flat[index] as FlatItem
      const below = build(index + 1, end, depth + 1)
      items.push({
        label,
        ...(kind === 'page' && { page }),
        ...(kind === 'path' && { path }),
        ...(permission !== '' && { permission }),
        ...(below.length > 0 && { items: below }),
      })
      index = end
    }
    return items
  }
  return build(0, flat.length, 0)
}

/** Index after the item and everything below it. */
function endOf(flat: readonly FlatItem[], index: number): number {
  const depth = flat[index]?.depth ?? 0
  let end = index + 1
  while (end < flat.length && (flat[end]?.depth ?? 0) > depth) end++
  return end
}

/** JSON Pointers of the items in the body, for errors of the API. */
export function pointersOf(flat: readonly FlatItem[]): string[] {
  const counts: number[] = []
  return flat.map(({ depth }) => {
    counts.length = depth + 1
    counts[depth] = (counts[depth] ?? -1) + 1
    return `/items/${counts.map(count => count ?? 0).join('/items/')}`
  })
}

/** Moves an item with everything below it so that it comes before the item that is at `to` now. */
export function moveItem(flat: readonly FlatItem[], from: number, to: number, depth: number): readonly FlatItem[] {
  const end = endOf(flat, from)
  const block = flat.slice(from, end)
  const [first] = block
  if (!first || (to > from && to < end)) return flat
  const rest = [...flat.slice(0, from), ...flat.slice(end)]
  const at = to >= end ? to - block.length : to
  const deepest = Math.max(...block.map(item => item.depth)) - first.depth
  const wanted = Math.min(depth, at === 0 ? 0 : (rest[at - 1]?.depth ?? 0) + 1, MAX_DEPTH - deepest)
  if (wanted < 0) return flat
  const shift = wanted - first.depth
  const moved = block.map(item => ({ ...item, depth: item.depth + shift }))
  return normalize([...rest.slice(0, at), ...moved, ...rest.slice(at)])
}

/** No item is more than one level below the item before it. */
const normalize = (flat: readonly FlatItem[]): FlatItem[] => {
  const result: FlatItem[] = []
  for (const item of flat) result.push({ ...item, depth: Math.min(item.depth, (result.at(-1)?.depth ?? -1) + 1) })
  return result
}

export type Direction = 'up' | 'down' | 'in' | 'out'

/** One step by keyboard; the same list if the item can't move there. */
export function stepItem(flat: readonly FlatItem[], index: number, direction: Direction): readonly FlatItem[] {
  const item = flat[index]
  if (!item) return flat
  const end = endOf(flat, index)
  if (direction === 'in')
    return index > 0 && (flat[index - 1]?.depth ?? 0) >= item.depth
      ? moveItem(flat, index, index, item.depth + 1)
      : flat
  if (direction === 'out') return item.depth > 0 ? moveItem(flat, index, index, item.depth - 1) : flat
  if (direction === 'down') {
    const next = flat[end]
    if (!next) return flat
    return next.depth === item.depth ? moveItem(flat, index, endOf(flat, end), item.depth) : flat
  }
  let previous = index - 1
  while (previous >= 0 && (flat[previous]?.depth ?? 0) > item.depth) previous--
  return previous >= 0 && flat[previous]?.depth === item.depth ? moveItem(flat, index, previous, item.depth) : flat
}

export const removeItem = (flat: readonly FlatItem[], index: number): readonly FlatItem[] => [
  ...flat.slice(0, index),
  ...flat.slice(endOf(flat, index)),
]
